// The section of the calling contexts: what they are weighed by, search, flame graph and tree.

/** The contexts of one subject at a time. */
class ContextsSection {
  constructor(report, view) {
    Object.assign(this, { report, view, text: "" });
    this.content = el("div");
    this.element = section(
      "contexts",
      "Calling contexts",
      "Who called whom, and at what cost: each bar is a method in one calling context; its width is the weight of the method with everything it calls.",
      this.content,
    );
  }

  show(run, methods) {
    this.methods = methods;
    this.flame = null;
    if (!methods) {
      replace(this.content, el("p", { class: "note" }, run.why));
      return;
    }
    this.tree = ContextTree.of(run, this.report.frames);
    this.facts = el("div", { class: "facts-of-context", "aria-live": "polite" });
    this.crumbs = el("nav", { class: "crumbs", "aria-label": "Zoomed into" });
    this.hits = el("p", { class: "status", role: "status" });
    const onFocus = (node) => this.tell(node);
    this.flame = new FlameGraph(this.tree, { onFocus, onZoom: (node) => this.trail(node) });
    this.grid = new TreeGrid(this.tree, {
      onFocus,
      onZoom: (node) => {
        this.tabs.choose("flame");
        this.flame.zoom(node);
        this.flame.canvas.focus();
      },
    });
    this.search = searchBox("Search methods", (text) => this.find(text));
    this.search.dataset.slash = "";
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.next();
    });
    this.tabs = tabs("View", [
      ["flame", "Flame graph", this.flamePanel()],
      ["tree", "Tree", this.treePanel()],
    ]);
    replace(
      this.content,
      el("div", { class: "tools" }, this.tabs.list, this.search, this.hits),
      this.tabs.panels,
      this.facts,
      this.foot(),
    );
    this.update();
    this.trail(0);
    this.tell(0);
  }

  flamePanel() {
    const key = [
      ["application", "application"],
      ["library", "class library"],
      ["folded", "folded"],
      ["found", "found"],
    ];
    return el(
      "div",
      {},
      this.crumbs,
      this.flame.element,
      el(
        "p",
        { class: "key", id: "flame-help" },
        key.map(([kind, text]) => el("span", {}, el("i", { class: `kind ${kind}`, "aria-hidden": "true" }), text)),
        el("span", { class: "quiet" }, "Click or press Enter to zoom in, Esc to zoom out, arrow keys to move."),
      ),
    );
  }

  treePanel() {
    return el(
      "div",
      {},
      el(
        "div",
        { class: "tools" },
        el("button", { type: "button", onclick: () => this.grid.openHottest() }, "Open the hottest path"),
        el("button", { type: "button", onclick: () => this.grid.closeAll() }, "Close all"),
      ),
      this.grid.element,
    );
  }

  foot() {
    const nodes = [...this.tree.contexts.keys()];
    const folded = nodes.reduce(
      (sum, node) => sum + (this.tree.kind(node) === "folded" ? this.tree.contexts[node] : 0),
      0,
    );
    const all = [...this.tree.contexts].reduce((sum, n) => sum + n, 0);
    return el(
      "p",
      { class: "quiet" },
      folded
        ? `${formatted(all - folded)} of ${counted(all, "context")} of methods are shown; the lighter ones below each caller are folded into one bar with their total weight, so every total is exact.`
        : all === 1
          ? "The only context of a method is shown."
          : `All ${formatted(all)} contexts of methods are shown.`,
    );
  }

  /** Shows the scope and the weight that the page is at now. */
  update() {
    if (!this.flame) return;
    this.flame.setWeight(this.view.part);
    this.grid.setWeight(this.view.part);
    if (this.search.value) this.find(this.search.value.trim());
    this.tell(this.looked());
  }

  /** Returns the node that the flame graph or the tree looks at, whichever is shown. */
  looked() {
    return this.grid.element.closest("[hidden]") ? this.flame.focus : this.grid.focus;
  }

  /** Marks what is found, and says what it weighs: all of it, wherever it was executed. */
  find(text) {
    const { methods, view, tree } = this;
    this.at = -1;
    this.found = null;
    this.hits.textContent = "";
    if (text) {
      const found = methods.matching(text);
      const frames = new Set(found.map((method) => methods.frameOf[method]));
      const wanted = text.toLowerCase();
      this.found = tree.marked(
        (frame) =>
          frames.has(frame) ||
          (this.report.frames[frame][1] === "thread" && this.report.frames[frame][0].toLowerCase().includes(wanted)),
        view.part,
      );
      const { own, total } = methods.weighed(found, view.scope, view.weight);
      const folded = own - this.found.own;
      const unseen =
        folded > 0
          ? `, and ${percent(folded / total)} of the ${plural(methods.weights[view.weight].unit)} in folded bars`
          : "";
      this.hits.textContent = `${methods.told(found, view.scope, view.weight)} ${counted(this.found.n, "bar")}${unseen}.`;
    }
    this.flame.setFound(this.found);
  }

  /** Looks at the next of what was found, the heaviest first. */
  next() {
    if (this.search.value.trim() && !this.found) this.find(this.search.value.trim());
    if (!this.found?.n) return;
    const sums = this.tree.sums[this.view.part];
    const order = [...this.found.isFound.keys()]
      .filter((node) => this.found.isFound[node])
      .sort((a, b) => sums[b] - sums[a] || a - b);
    this.at = (this.at + 1) % order.length;
    this.flame.look(order[this.at]);
    this.grid.reveal(order[this.at]);
  }

  /** Searches for a method that another part of the page names. */
  searchFor(text) {
    this.search.value = text;
    this.find(text);
    this.next();
    this.element.scrollIntoView();
    this.search.focus({ preventScroll: true });
  }

  trail(node) {
    const path = this.tree.path(node);
    const shown = path.length > 6 ? [...path.slice(0, 2), null, ...path.slice(-3)] : path;
    replace(
      this.crumbs,
      shown.map((at) =>
        at === null
          ? el("span", { class: "quiet" }, "…")
          : el(
              "button",
              {
                type: "button",
                title: this.tree.name(at),
                "aria-current": at === node ? "true" : null,
                onclick: () => this.flame.zoom(at),
              },
              at === 0 ? "all threads" : shortName(this.tree.name(at)),
            ),
      ),
    );
  }

  /** Shows what is known of a node. */
  tell(node) {
    const { tree, view } = this;
    const kind = tree.kind(node);
    const source = tree.source(node);
    const line = tree.lines[node];
    const about = [
      source ? `in ${source}` : kind === "application" || kind === "library" ? "source unknown" : null,
      line ? `called in line ${line}` : null,
      kind === "folded" ? `${counted(tree.contexts[node], "context")}, folded` : null,
      kind === "thread" ? "thread" : null,
    ]
      .filter(Boolean)
      .join(" · ");
    const first = view.scope * tree.nWeights;
    const rows = tree.weights.slice(first, first + tree.nWeights).map(({ name }, weight) => {
      const [own, sums] = [tree.own[first + weight], tree.sums[first + weight]];
      return el(
        "tr",
        { class: weight === view.weight ? "current" : null },
        el("th", { scope: "row" }, name),
        el("td", { class: "number" }, formatted(sums[node])),
        el("td", { class: "number" }, percent(sums[node] / sums[0])),
        el("td", { class: "number" }, kind === "folded" ? "–" : formatted(own[node])),
        el("td", { class: "number" }, kind === "folded" ? "" : percent(own[node] / sums[0])),
      );
    });
    const method = this.methods.placeOf.get(tree.frameOf[node]);
    replace(
      this.facts,
      el(
        "div",
        {},
        el("p", { class: "method" }, node === 0 ? "all threads" : tree.name(node)),
        el("p", { class: "quiet" }, about || "\u00a0"),
        method === undefined
          ? null
          : el(
              "p",
              { class: "tools" },
              el("button", { type: "button", onclick: () => this.onMethod(method) }, "Who calls this"),
              el("button", { type: "button", onclick: () => this.searchFor(tree.name(node)) }, "Find all"),
            ),
      ),
      el(
        "table",
        { class: "plain" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("td"),
            el("th", { scope: "col", colspan: "2" }, "with callees"),
            el("th", { scope: "col", colspan: "2" }, "itself"),
          ),
        ),
        el("tbody", {}, rows),
      ),
    );
  }
}

/** Returns a method without package and parameters. */
function shortName(name) {
  return name.startsWith("(")
    ? name
    : name
        .replace(/\(.*\)$/, "")
        .split(".")
        .slice(-2)
        .join(".");
}

/** Returns tabs: a list of buttons, the panels, and `choose(id)`. */
function tabs(label, parts) {
  const panels = el(
    "div",
    {},
    parts.map(([id, , panel]) => {
      panel.id = `panel-${id}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${id}`);
      return panel;
    }),
  );
  const buttons = parts.map(([id, text], index) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": `panel-${id}`,
        onclick: () => choose(id),
        onkeydown: (event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const next = (index + step + parts.length) % parts.length;
          choose(parts[next][0]);
          buttons[next].focus();
        },
      },
      text,
    ),
  );
  const choose = (chosen) =>
    parts.forEach(([id, , panel], index) => {
      const isChosen = id === chosen;
      buttons[index].setAttribute("aria-selected", String(isChosen));
      buttons[index].tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
    });
  choose(parts[0][0]);
  return { list: el("div", { class: "choice", role: "tablist", "aria-label": label }, buttons), panels, choose };
}
