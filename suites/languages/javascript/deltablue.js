// Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
// offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
// arrived at the projections' other side, the sum of where they end, and how many constraints
// plans executed.
const STEPS = 10;
// From the strongest to that of a variable nothing determines.
const REQUIRED = 0, STRONG = 1, PREFERRED = 2, NORMAL = 3, WEAK = 4, WEAKEST = 5;

// Its walkabout strength is that of the weakest constraint that would yield for another value.
function Variable(value) {
  this.value = value;
  this.constraints = [];
  this.mark = 0;
  this.release();
}

Variable.prototype.release = function () {
  this.determinedBy = null;
  this.strength = WEAKEST;
  this.isConstant = true;
};

Variable.prototype.consumers = function () {
  return this.constraints.filter(c => c.isSatisfied() && c !== this.determinedBy);
};

// Its output is the variable that it determines; null: it is not satisfied.
function Constraint(strength, variables) {
  this.strength = strength;
  this.variables = variables;
  this.output = null;
}

Constraint.prototype = {
  isSatisfied: function () {
    return this.output !== null;
  },
  inputs: function () {
    return this.variables.filter(variable => variable !== this.output);
  },
  choose: function (mark) {
    const chosen = this.weakest(mark);
    const yields = chosen.mark !== mark && this.strength < chosen.strength;
    this.output = yields ? chosen : null;
  },
  recalculate: function () {
    this.output.strength = this.outputStrength();
    this.output.isConstant = this.hasConstantOutput();
    if (this.output.isConstant) {
      this.execute();
    }
  },
  hasConstantOutput: function () {
    return this.inputs().every(input => input.isConstant);
  },
  // The variable to determine, if a pass has not marked it.
  weakest: function () {
    return this.variables[0];
  },
  outputStrength: function () {
    return this.strength;
  },
  execute: function () {}
};

function extend(base, methods) {
  const constructor = function (strength, variables) {
    Constraint.call(this, strength, variables);
  };
  constructor.prototype = Object.assign(Object.create(base.prototype), methods);
  return constructor;
}

// Keeps a variable as it is.
const Stay = extend(Constraint, {});

// Lets a variable be changed from outside.
const Edit = extend(Constraint, {
  hasConstantOutput: function () {
    return false;
  }
});

// Relates two variables, each of which it can determine.
const Relation = extend(Constraint, {
  weakest: function (mark) {
    const one = this.variables[0], other = this.variables[1];
    if (one.mark === mark) {
      return other;
    }
    return other.mark === mark || other.strength < one.strength ? one : other;
  },
  outputStrength: function () {
    return Math.max(this.strength, this.opposite().strength);
  },
  opposite: function () {
    return this.variables[this.output === this.variables[0] ? 1 : 0];
  }
});

const Equality = extend(Relation, {
  execute: function () {
    this.output.value = this.opposite().value;
  }
});

const Projection = extend(Relation, {
  execute: function () {
    const [source, destination, scale, offset] = this.variables;
    if (this.output === destination) {
      destination.value = source.value * scale.value + offset.value;
    } else {
      source.value = (destination.value - offset.value) / scale.value;
    }
  }
});

function Planner() {
  this.mark = 0;
  this.executed = 0;
}

Planner.prototype.add = function (constraint) {
  constraint.variables.forEach(variable => variable.constraints.push(constraint));
  this.enforce(constraint);
  return constraint;
};

// Satisfies a constraint if it can, and what it overrides in another way.
Planner.prototype.enforce = function (constraint) {
  this.mark++;
  while (constraint !== null) {
    constraint = this.satisfy(constraint);
  }
};

// Returns the constraint that is overridden, or null.
Planner.prototype.satisfy = function (constraint) {
  constraint.choose(this.mark);
  if (!constraint.isSatisfied()) {
    if (constraint.strength === REQUIRED) {
      throw new Error('a required constraint cannot be satisfied');
    }
    return null;
  }
  constraint.inputs().forEach(input => { input.mark = this.mark; });
  const output = constraint.output;
  const overridden = output.determinedBy;
  if (overridden !== null) {
    overridden.output = null;
  }
  output.determinedBy = constraint;
  this.propagate(constraint);
  output.mark = this.mark;
  return overridden;
};

Planner.prototype.propagate = function (constraint) {
  const pending = [constraint];
  while (pending.length > 0) {
    let next = pending.shift();
    if (next.output.mark === this.mark) {
      throw new Error('constraints form a cycle');
    }
    next.recalculate();
    next.output.consumers().forEach(consumer => pending.push(consumer));
  }
};

// Removes a satisfied constraint; the strongest of those that it kept out come first.
Planner.prototype.remove = function (constraint) {
  constraint.variables.forEach(variable => {
    variable.constraints.splice(variable.constraints.indexOf(constraint), 1);
  });
  this.release(constraint.output).sort((a, b) => a.strength - b.strength).forEach(each => {
    if (!each.isSatisfied()) {
      this.enforce(each);
    }
  });
};

// Returns the unsatisfied constraints of a variable and of all that depends on it.
Planner.prototype.release = function (variable) {
  const unsatisfied = [], pending = [variable];
  variable.release();
  while (pending.length > 0) {
    let next = pending.shift();
    next.constraints.filter(c => !c.isSatisfied()).forEach(c => unsatisfied.push(c));
    next.consumers().forEach(consumer => {
      consumer.recalculate();
      pending.push(consumer.output);
    });
  }
  return unsatisfied;
};

// Returns what to execute, in this order, when the edited variable has changed.
Planner.prototype.plan = function (edit) {
  const plan = [], pending = [edit];
  this.mark++;
  while (pending.length > 0) {
    let next = pending.shift();
    if (next.output.mark !== this.mark && next.inputs().every(input => this.isKnown(input))) {
      plan.push(next);
      next.output.mark = this.mark;
      next.output.consumers().forEach(consumer => pending.push(consumer));
    }
  }
  return plan;
};

Planner.prototype.isKnown = function (variable) {
  return variable.mark === this.mark || variable.isConstant || variable.determinedBy === null;
};

// Moves an edited variable; returns the sum of the values that another one had.
Planner.prototype.drag = function (edit, step, watched) {
  const plan = this.plan(edit);
  let arrived = 0;
  for (let i = 0; i < STEPS; i++) {
    edit.output.value += step;
    plan.forEach(constraint => constraint.execute());
    this.executed += plan.length;
    arrived += watched.value;
  }
  return arrived;
};

Planner.prototype.dragVariable = function (variable, step, watched) {
  const edit = this.add(new Edit(PREFERRED, [variable]));
  const arrived = this.drag(edit, step, watched);
  this.remove(edit);
  return arrived;
};

function variables(n) {
  const variables = [];
  for (let i = 0; i < n; i++) {
    variables.push(new Variable(i));
  }
  return variables;
}

// The head's edit overrides the tail's; without it the values run the other way.
function chain(planner, n) {
  const chained = variables(n + 1);
  for (let i = 0; i < n; i++) {
    planner.add(new Equality(REQUIRED, [chained[i], chained[i + 1]]));
  }
  const head = chained[0], tail = chained[n];
  planner.add(new Stay(NORMAL, [tail]));
  const weaker = planner.add(new Edit(PREFERRED, [tail]));
  const stronger = planner.add(new Edit(STRONG, [head]));
  const forth = planner.drag(stronger, 1, tail);
  planner.remove(stronger);
  const back = planner.drag(weaker, n, head);
  planner.remove(weaker);
  return forth + back;
}

// Sources stay, and destinations follow, unless a destination is what is dragged.
function projections(planner, n) {
  const scale = new Variable(3), offset = new Variable(7);
  const sources = variables(n), destinations = variables(n), last = destinations[n - 1];
  sources.forEach((source, i) => {
    planner.add(new Stay(NORMAL, [source]));
    planner.add(new Stay(WEAK, [destinations[i]]));
    planner.add(new Projection(REQUIRED, [source, destinations[i], scale, offset]));
  });
  let arrived = 0;
  sources.forEach((source, i) => {
    arrived += planner.dragVariable(source, 1, destinations[i]);
  });
  arrived += planner.dragVariable(scale, 1, last) + planner.dragVariable(offset, 2, last);
  destinations.forEach((destination, i) => {
    arrived += planner.dragVariable(destination, scale.value, sources[i]);
  });
  return arrived + ' ' + destinations.reduce((sum, destination) => sum + destination.value, 0);
}

Packages.languages.Work.run('deltablue', arguments[0], n => {
  const planner = new Planner();
  return chain(planner, n) + ' ' + projections(planner, n) + ' ' + planner.executed;
});
