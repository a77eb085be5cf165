// What the whole page is looked at by: a scope, the part of a run, and a weight.

const SCOPES = {
  run: ["whole run", "everything, including the VM's start and the class library"],
  "application+": ["application with everything it calls", "the application's methods and everything that they call"],
  application: ["application alone", "the application's own methods, without the class library that they call"],
};

/** The chosen scope and weight, kept by name while the subject changes. */
class View {
  constructor(scope, weight, onChange) {
    Object.assign(this, { scopeName: scope, weightName: weight, onChange, scope: 0, weight: 0 });
    this.element = el("div", { class: "view" });
  }

  /** Takes what a run has, and shows the choices. */
  show(run) {
    this.run = run;
    if (!run) return replace(this.element);
    this.settle();
    const option = (name, isTold) =>
      el(
        "option",
        {
          value: name,
          selected: name === this.scopeName,
          disabled: !isTold,
          title: run.untold[name] ?? SCOPES[name]?.[1],
        },
        SCOPES[name]?.[0] ?? name,
        isTold ? "" : " (unknown)",
      );
    const scopes = el(
      "select",
      {
        "aria-label": "Scope",
        onchange: () => {
          this.scopeName = scopes.value;
          this.settle();
          this.onChange();
        },
      },
      run.scopes.map((name) => option(name, true)),
      Object.keys(run.untold).map((name) => option(name, false)),
    );
    scopes.value = run.scopes[this.scope];
    replace(
      this.element,
      el("label", { class: "chooser" }, el("span", {}, "Scope"), scopes),
      choice(
        "Weight",
        run.weights.map(([name], index) => [index, name]),
        this.weight,
        (weight) => {
          this.weightName = run.weights[weight][0];
          this.settle();
          this.onChange();
        },
      ),
    );
  }

  settle() {
    this.scope = Math.max(0, this.run.scopes.indexOf(this.scopeName));
    this.weight = Math.max(
      0,
      this.run.weights.findIndex(([name]) => name === this.weightName),
    );
    this.part = this.scope * this.run.weights.length + this.weight;
  }

  /** Says what shares are of: "of 5,346 bytecodes in the application with everything it calls". */
  whole(methods) {
    const total = methods.scopes[this.scope].totals[this.weight];
    const every = methods.scopes[0].totals[this.weight];
    const scope = this.run.scopes[this.scope];
    const [label] = SCOPES[scope] ?? [`scope ${scope}`];
    const share = this.scope ? `, ${percent(total / every)} of the run` : "";
    return `Shares are of ${counted(total, methods.weights[this.weight].unit)} in the ${label}${share}.`;
  }
}
