import languages.Work

// Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
// offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
// arrived at the projections' other side, the sum of where they end, and how many constraints
// plans executed.

/** From the strongest to that of a variable nothing determines. */
enum Strength {
    REQUIRED, STRONG, PREFERRED, NORMAL, WEAK, WEAKEST

    boolean isStrongerThan(Strength other) { this < other }
}

class Variable {
    int value
    List<Constraint> constraints = []
    Constraint determinedBy
    int mark = 0
    boolean constant = true
    /** Its walkabout strength: of the weakest constraint that would yield for another value. */
    Strength strength = Strength.WEAKEST

    List<Constraint> consumers() {
        constraints.findAll { it.satisfied && !it.is(determinedBy) }
    }
}

abstract class Constraint {
    Strength strength
    List<Variable> variables
    /** The variable it determines; null: it is not satisfied. */
    Variable output

    Constraint(Strength strength, Variable... variables) {
        this.strength = strength
        this.variables = variables as List
    }

    boolean isSatisfied() { output != null }

    List<Variable> inputs() { variables.findAll { !it.is(output) } }

    void choose(int mark) {
        def chosen = weakest(mark)
        output = chosen.mark != mark && strength.isStrongerThan(chosen.strength) ? chosen : null
    }

    void recalculate() {
        output.strength = outputStrength()
        output.constant = hasConstantOutput()
        if (output.constant) execute()
    }

    boolean hasConstantOutput() { inputs().every { it.constant } }

    /** Returns the variable to determine, if a pass has not marked it. */
    Variable weakest(int mark) { variables.first() }

    Strength outputStrength() { strength }

    void execute() {}
}

/** Keeps a variable as it is. */
class Stay extends Constraint {
    Stay(Strength strength, Variable variable) { super(strength, variable) }
}

/** Lets a variable be changed from outside. */
class Edit extends Constraint {
    Edit(Strength strength, Variable variable) { super(strength, variable) }

    boolean hasConstantOutput() { false }
}

/** Relates two variables, each of which it can determine. */
abstract class Relation extends Constraint {
    Relation(Strength strength, Variable... variables) { super(strength, variables) }

    Variable weakest(int mark) {
        def (one, other) = variables
        if (one.mark == mark) return other
        other.mark == mark || other.strength.isStrongerThan(one.strength) ? one : other
    }

    Strength outputStrength() { [strength, opposite().strength].max() }

    Variable opposite() { output.is(variables[0]) ? variables[1] : variables[0] }
}

class Equality extends Relation {
    Equality(Strength strength, Variable one, Variable other) { super(strength, one, other) }

    void execute() { output.value = opposite().value }
}

class Projection extends Relation {
    Projection(Strength strength, Variable... variables) { super(strength, variables) }

    void execute() {
        def (source, destination, scale, offset) = variables
        if (output.is(destination)) destination.value = source.value * scale.value + offset.value
        else source.value = (destination.value - offset.value).intdiv(scale.value)
    }
}

class Planner {
    static final int STEPS = 10

    int mark = 0, executed = 0

    Constraint add(Constraint constraint) {
        constraint.variables.each { it.constraints << constraint }
        enforce(constraint)
        constraint
    }

    /** Satisfies a constraint if it can, and what it overrides in another way. */
    private void enforce(Constraint constraint) {
        mark++
        while (constraint) constraint = satisfy(constraint)
    }

    /** Returns the constraint that is overridden, or null. */
    private Constraint satisfy(Constraint constraint) {
        constraint.choose(mark)
        def output = constraint.output
        if (!output) {
            assert constraint.strength != Strength.REQUIRED
            return null
        }
        constraint.inputs().each { it.mark = mark }
        def overridden = output.determinedBy
        overridden?.output = null
        output.determinedBy = constraint
        propagate(constraint)
        output.mark = mark
        overridden
    }

    private void propagate(Constraint constraint) {
        def pending = [constraint] as ArrayDeque
        while (pending) {
            def next = pending.remove()
            assert next.output.mark != mark: 'constraints form a cycle'
            next.recalculate()
            pending += next.output.consumers()
        }
    }

    /** Removes a satisfied constraint; the strongest of those that it kept out come first. */
    void remove(Constraint constraint) {
        constraint.variables.each { it.constraints.remove(constraint) }
        release(constraint.output).sort { it.strength }.each { if (!it.satisfied) enforce(it) }
    }

    /** Returns the unsatisfied constraints of a variable and of all that depends on it. */
    private List<Constraint> release(Variable variable) {
        variable.with {
            determinedBy = null
            strength = Strength.WEAKEST
            constant = true
        }
        def unsatisfied = []
        def pending = [variable] as ArrayDeque
        while (pending) {
            def next = pending.remove()
            unsatisfied.addAll(next.constraints.findAll { !it.satisfied })
            next.consumers().each {
                it.recalculate()
                pending << it.output
            }
        }
        unsatisfied
    }

    /** Returns what to execute, in this order, when the edited variable has changed. */
    private List<Constraint> plan(Edit edit) {
        mark++
        def plan = []
        def pending = [edit] as ArrayDeque
        while (pending) {
            def next = pending.remove()
            if (next.output.mark != mark && next.inputs().every { isKnown(it) }) {
                plan << next
                next.output.mark = mark
                pending.addAll(next.output.consumers())
            }
        }
        plan
    }

    private boolean isKnown(Variable variable) {
        variable.mark == mark || variable.constant || !variable.determinedBy
    }

    /** Moves an edited variable; returns the sum of the values that another one had. */
    long drag(Edit edit, int step, Variable watched) {
        def plan = plan(edit)
        (1..STEPS).sum {
            edit.output.value += step
            plan*.execute()
            executed += plan.size()
            watched.value
        }
    }

    long drag(Variable variable, int step, Variable watched) {
        def edit = add(new Edit(Strength.PREFERRED, variable))
        long arrived = drag(edit, step, watched)
        remove(edit)
        arrived
    }
}

List<Variable> variables(int n) { (0..<n).collect { new Variable(value: it) } }

// The head's edit overrides the tail's; without it the values run the other way.
long chain(Planner planner, int n) {
    def variables = variables(n + 1)
    variables.collate(2, 1, false).each { one, other ->
        planner.add(new Equality(Strength.REQUIRED, one, other))
    }
    def head = variables.first(), tail = variables.last()
    planner.add(new Stay(Strength.NORMAL, tail))
    def weaker = planner.add(new Edit(Strength.PREFERRED, tail))
    def stronger = planner.add(new Edit(Strength.STRONG, head))
    long forth = planner.drag(stronger, 1, tail)
    planner.remove(stronger)
    long back = planner.drag(weaker, n, head)
    planner.remove(weaker)
    forth + back
}

// Sources stay, and destinations follow, unless a destination is what is dragged.
String projections(Planner planner, int n) {
    def scale = new Variable(value: 3), offset = new Variable(value: 7)
    def sources = variables(n), destinations = variables(n)
    def pairs = [sources, destinations].transpose()
    pairs.each { source, destination ->
        planner.add(new Stay(Strength.NORMAL, source))
        planner.add(new Stay(Strength.WEAK, destination))
        planner.add(new Projection(Strength.REQUIRED, source, destination, scale, offset))
    }
    long arrived = pairs.sum { source, destination -> planner.drag(source, 1, destination) }
    arrived += planner.drag(scale, 1, destinations.last())
    arrived += planner.drag(offset, 2, destinations.last())
    arrived += pairs.sum { source, destination -> planner.drag(destination, scale.value, source) }
    "$arrived ${destinations.sum { it.value as long }}"
}

Work.run('deltablue', args[0]) { int n ->
    def planner = new Planner()
    "${chain(planner, n)} ${projections(planner, n)} $planner.executed"
}
