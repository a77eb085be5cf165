// The section of the callers: the tree read from below, the methods that weigh most first.

class CallersSection {
  constructor(report, view) {
    Object.assign(this, { report, view });
    this.content = el("div");
    this.element = section(
      "callers",
      "Callers",
      "Why methods are hot: at the top, each method with its own weight; below it its callers, their callers, and so on, with their share of that weight. The rows below a row add up to it.",
      this.content,
    );
  }

  show(run, methods) {
    this.methods = methods;
    this.grid = null;
    if (!methods) {
      replace(this.content, el("p", { class: "note" }, run.why));
      return;
    }
    this.tree = ContextTree.inverted(run, this.report.frames);
    this.path = el("p", { class: "quiet told", "aria-live": "polite" });
    this.actions = el("span", { class: "tools" });
    this.grid = new TreeGrid(this.tree, {
      label: "Tree of callers",
      isInverted: true,
      onFocus: (node) => this.tell(node),
      onZoom: (node) => {
        const method = this.method(node);
        if (method !== undefined) this.onMethod(method);
      },
    });
    replace(
      this.content,
      el(
        "div",
        { class: "tools" },
        el("button", { type: "button", onclick: () => this.grid.openHottest() }, "Open the hottest path"),
        el("button", { type: "button", onclick: () => this.grid.closeAll() }, "Close all"),
        this.actions,
      ),
      this.grid.element,
      this.path,
    );
    this.update();
    this.grid.closeAll();
  }

  update() {
    if (!this.grid) return;
    this.grid.setWeight(this.view.part);
    this.tell(this.grid.focus);
  }

  method(node) {
    return this.methods.placeOf.get(this.tree.frameOf[node]);
  }

  tell(node) {
    const { tree, view } = this;
    const method = this.method(node);
    replace(
      this.actions,
      method === undefined
        ? null
        : [
            el(
              "button",
              { type: "button", onclick: () => this.onMethod(method) },
              `About ${shortName(tree.name(node))}`,
            ),
            el("button", { type: "button", onclick: () => this.onFlame(tree.name(node)) }, "Show in the flame graph"),
          ],
    );
    const path = tree.path(node).slice(1);
    const sums = tree.sums[view.part];
    const [hot, ...callers] = path.map((at) => shortName(tree.name(at)));
    if (callers.length > 4) callers.splice(2, callers.length - 3, "…");
    this.path.textContent =
      hot === undefined
        ? view.whole(this.methods)
        : `${percent(sums[node] / sums[0])} of all ${plural(tree.weights[view.part].unit)}: ${[hot, ...callers].join(" ← ")}`;
  }

  /** Leads to a method at the top of the tree, or where it weighs too little says so. */
  open(method) {
    const frame = this.methods.frameOf[method];
    const node = this.grid.children(0).find((each) => this.tree.frameOf[each] === frame);
    this.element.scrollIntoView();
    if (node === undefined) {
      this.path.textContent = `${shortName(this.methods.name(method))} is too light for this tree. Hot methods, above, lists its callers.`;
      return;
    }
    this.grid.isOpen = new Set([0, node]);
    this.grid.update();
    this.grid.look(node);
    this.grid.element.focus({ preventScroll: true });
  }
}
