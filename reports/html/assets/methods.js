// What every listed method of a run weighs, exactly: by scope and weight, alone and with callees.

const CALLERS = {
  "-1": "(the VM: a thread begins)",
  "-2": "(methods that are not listed)",
  "-3": "(unknown: calls were folded)",
};

/** The methods of one run; a method is its place in their list. */
class Methods {
  constructor(run, frames) {
    const { methods } = run;
    this.frames = frames;
    this.weights = run.weights.map(([name, unit]) => ({ name, unit }));
    this.frameOf = methods.frames;
    this.size = methods.frames.length;
    this.atLeast = new Set(methods.atLeast);
    this.nExecuted = methods.nExecuted;
    this.below = methods.below;
    this.nCallsFolded = methods.nCallsFolded;
    this.placeOf = new Map(methods.frames.map((frame, place) => [frame, place]));
    this.scopes = methods.scopes.map((scope) => this.spread(scope));
  }

  /** Returns a scope's amounts by method, and who is in it. */
  spread({ totals, rows, own, inclusive, callers }) {
    const spread = (values) => {
      const all = new Float64Array(this.size);
      rows.forEach((place, row) => {
        all[place] = values[row];
      });
      return all;
    };
    return {
      totals,
      rows,
      own: own.map(spread),
      inclusive: inclusive.map(spread),
      callers,
      byCallee: null,
      byCaller: null,
    };
  }

  name(method) {
    return this.frames[this.frameOf[method]][0];
  }

  kind(method) {
    return this.frames[this.frameOf[method]][1];
  }

  source(method) {
    const [, , file, line] = this.frames[this.frameOf[method]];
    return file ? (line ? `${file}:${line}` : file) : null;
  }

  /** Returns the methods of a name, or where none has it those whose names have the text in them. */
  matching(text) {
    const wanted = text.toLowerCase();
    const exact = [];
    const found = [];
    for (let method = 0; method < this.size; method++) {
      const name = this.name(method);
      if (name === text) exact.push(method);
      if (name.toLowerCase().includes(wanted)) found.push(method);
    }
    return exact.length ? exact : found;
  }

  /**
   * Returns what methods weigh together in a scope: `own` exactly; with callees at least `least`
   * and at most `most`, which differ where several methods may call each other or calls were folded.
   */
  weighed(methods, scope, weight) {
    const { totals, own, inclusive } = this.scopes[scope];
    let sum = 0;
    let largest = 0;
    let all = 0;
    let isFolded = false;
    for (const method of methods) {
      sum += own[weight][method];
      all += inclusive[weight][method];
      largest = Math.max(largest, inclusive[weight][method]);
      isFolded ||= this.atLeast.has(method);
    }
    const total = totals[weight];
    return {
      n: methods.length,
      own: sum,
      least: Math.max(sum, largest),
      most: isFolded ? total : Math.min(total, all),
      total,
    };
  }

  /** Says what methods weigh together. */
  told(methods, scope, weight) {
    const { n, own, least, most, total } = this.weighed(methods, scope, weight);
    const unit = plural(this.weights[weight].unit);
    const unlisted = this.nExecuted - this.size;
    const rest = unlisted
      ? ` ${counted(unlisted, "lighter method")}, each at most ${bound(this.below)}, ${unlisted === 1 ? "is" : "are"} not listed and not searched.`
      : "";
    if (!n) return `No method name contains this.${rest}`;
    const both =
      least === most
        ? percent(least / total)
        : n === 1
          ? `at least ${percent(least / total)}`
          : `${percent(least / total)} to ${percent(most / total)}`;
    const why = least === most || n === 1 ? "" : " (they may call each other)";
    const who = n === 1 ? "itself" : "themselves";
    return `${counted(n, "method")}: ${percent(own / total)} of the ${unit} ${who}, ${both} with callees${why}.${rest}`;
  }

  /** Returns the rows of callers of a method in a scope, and what of it no row tells. */
  callersOf(method, scope, weight) {
    const rows = this.edges(scope, "callee").get(method) ?? [];
    return this.shared(rows, "caller", method, scope, weight);
  }

  /** Returns the rows of what a method calls in a scope. */
  calleesOf(method, scope, weight) {
    const { callers } = this.scopes[scope];
    return (this.edges(scope, "caller").get(method) ?? [])
      .map((row) => ({
        method: callers.callee[row],
        own: callers.own[weight][row],
        inclusive: callers.inclusive[weight][row],
      }))
      .filter(({ own, inclusive }) => own || inclusive);
  }

  shared(rows, side, method, scope, weight) {
    const { callers, own, inclusive } = this.scopes[scope];
    const together = new Map();
    const rest = { own: own[weight][method], inclusive: inclusive[weight][method] };
    for (const row of rows) {
      const caller = callers[side][row];
      const each = together.get(caller) ?? { method: caller, own: 0, inclusive: 0 };
      each.own += callers.own[weight][row];
      each.inclusive += callers.inclusive[weight][row];
      rest.own -= callers.own[weight][row];
      rest.inclusive -= callers.inclusive[weight][row];
      together.set(caller, each);
    }
    const found = [...together.values()].filter((each) => each.own || each.inclusive);
    if (rest.own > 0 || rest.inclusive > 0) found.push({ method: null, ...rest });
    return found;
  }

  /** Returns the places of a scope's pairs of callee and caller, by one of them. */
  edges(scope, side) {
    const told = this.scopes[scope];
    const key = side === "callee" ? "byCallee" : "byCaller";
    if (!told[key]) {
      told[key] = new Map();
      told.callers[side].forEach((method, row) => {
        if (told[key].has(method)) told[key].get(method).push(row);
        else told[key].set(method, [row]);
      });
    }
    return told[key];
  }
}
