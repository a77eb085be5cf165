// The same tree as rows that open and close; only rows in sight are elements.

const LINE = 27;

/** A tree of contexts with their weights; `onFocus(node)`, and `onZoom(node)` when one is chosen. */
class TreeGrid {
  constructor(tree, { onFocus, onZoom, label = "Tree of calling contexts", isInverted = false }) {
    Object.assign(this, { tree, onFocus, onZoom, isInverted, weight: 0, isOpen: new Set([0]), focus: 0, rows: [] });
    TreeGrid.n = (TreeGrid.n ?? 0) + 1;
    this.id = `grid-${TreeGrid.n}`;
    this.body = el("div", { class: "grid-rows" });
    this.scroller = el(
      "div",
      {
        class: "grid-body",
        onscroll: () => {
          this.heads.scrollLeft = this.scroller.scrollLeft;
          this.paint();
        },
      },
      this.body,
    );
    this.heads = el("div", { role: "row", class: "grid-row grid-head" });
    this.element = el(
      "div",
      {
        class: `grid${isInverted ? " inverted" : ""}`,
        role: "treegrid",
        tabindex: "0",
        "aria-label": label,
        onkeydown: (event) => this.press(event),
        onfocus: () => this.paint(),
      },
      this.heads,
      this.scroller,
    );
    new ResizeObserver(() => this.paint()).observe(this.scroller);
    this.setWeight(0);
    this.openHottest();
  }

  setWeight(weight) {
    this.weight = weight;
    const unit = plural(this.tree.weights[weight].unit);
    const titles = this.isInverted
      ? ["Method, with its callers below", "itself", "%"]
      : ["Method", "with callees", "%", "itself", "%", "folded"];
    replace(
      this.heads,
      titles.map((title, index) =>
        el(
          "span",
          { role: "columnheader", class: index ? "number" : "text" },
          title,
          index === 1 || index === 3 ? el("small", {}, unit) : null,
        ),
      ),
    );
    this.update();
  }

  openHottest() {
    const path = this.tree.hottestPath(this.weight, 0.02);
    for (const node of path) this.isOpen.add(node);
    this.update();
    this.look(path.at(-1));
  }

  closeAll() {
    this.isOpen = new Set([0]);
    this.update();
    this.look(0);
  }

  /** Opens all callers of a node, and looks at it. */
  reveal(node) {
    for (const caller of this.tree.path(node).slice(0, -1)) this.isOpen.add(caller);
    this.update();
    this.look(node);
  }

  /** Returns the children that are shown: in a part of the run, those that weigh something there. */
  children(node) {
    const { tree, weight } = this;
    return [...tree.children(node, weight)].filter(
      (child) => (weight < tree.nWeights && !this.isInverted) || tree.sums[weight][child],
    );
  }

  update() {
    this.rows = [];
    const pending = [0];
    while (pending.length) {
      const node = pending.pop();
      this.rows.push(node);
      if (this.isOpen.has(node)) pending.push(...this.children(node).reverse());
    }
    this.places = new Map(this.rows.map((node, place) => [node, place]));
    this.focus = this.visible(this.focus);
    this.element.setAttribute("aria-rowcount", this.rows.length + 1);
    this.body.style.height = `${this.rows.length * LINE}px`;
    this.paint();
  }

  /** Returns a node that has a row: this one, or the nearest of its callers. */
  visible(node) {
    return this.tree
      .path(node)
      .filter((each) => this.places.has(each))
      .at(-1);
  }

  paint() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / LINE) - 4);
    const last = Math.min(this.rows.length, first + Math.ceil((this.scroller.clientHeight || 400) / LINE) + 9);
    replace(
      this.body,
      this.rows.slice(first, last).map((node, index) => this.row(node, first + index)),
    );
    if (this.places.get(this.focus) >= first && this.places.get(this.focus) < last) {
      this.element.setAttribute("aria-activedescendant", `${this.id}-${this.focus}`);
    } else this.element.removeAttribute("aria-activedescendant");
  }

  row(node, place) {
    const { tree, weight } = this;
    const total = tree.sums[weight][0];
    const sum = tree.sums[weight][node];
    const own = tree.kind(node) === "folded" ? null : tree.own[weight][node];
    const hasChildren = this.children(node).length > 0;
    const isOpen = this.isOpen.has(node);
    const bar = el("span", { class: "grid-bar" });
    bar.style.width = `${(100 * sum) / (total || 1)}%`;
    const name = el(
      "span",
      { role: "gridcell", class: "text grid-name", title: tree.name(node) },
      el(
        "span",
        {
          class: "twist",
          "aria-hidden": "true",
          onclick: (event) => {
            event.stopPropagation();
            this.toggle(node);
          },
        },
        hasChildren ? (isOpen ? "▾" : "▸") : "",
      ),
      el("span", { class: `kind ${tree.kind(node)}`, "aria-hidden": "true" }),
      el("span", { class: "grid-text" }, node || !this.isInverted ? tree.name(node) : "all methods"),
    );
    name.style.setProperty("--depth", Math.min(tree.depths[node], 24));
    const cell = (text, ...more) => el("span", { role: "gridcell", class: "number" }, text, more);
    const element = el(
      "div",
      {
        role: "row",
        id: `${this.id}-${node}`,
        class: `grid-row${node === this.focus ? " focus" : ""}`,
        "aria-level": tree.depths[node] + 1,
        "aria-rowindex": place + 2,
        "aria-selected": String(node === this.focus),
        "aria-expanded": hasChildren ? String(isOpen) : null,
        onclick: () => this.look(node),
        ondblclick: () => this.toggle(node),
      },
      name,
      cell(formatted(sum)),
      cell(percent(sum / total), bar),
      this.isInverted
        ? []
        : [
            cell(own === null ? "–" : formatted(own)),
            cell(own === null ? "" : percent(own / total)),
            cell(own === null ? counted(tree.contexts[node], "context") : ""),
          ],
    );
    element.style.transform = `translateY(${place * LINE}px)`;
    return element;
  }

  toggle(node) {
    if (!this.isOpen.delete(node)) this.isOpen.add(node);
    this.update();
    this.look(node);
  }

  /** Looks at a node, or where it has no row at the nearest above it. */
  look(wanted) {
    const node = this.visible(wanted);
    this.focus = node;
    const y = this.places.get(node) * LINE;
    const { scrollTop, clientHeight } = this.scroller;
    if (y < scrollTop) this.scroller.scrollTop = y;
    else if (clientHeight && y + LINE > scrollTop + clientHeight) this.scroller.scrollTop = y + LINE - clientHeight;
    this.paint();
    this.onFocus(node);
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const place = this.places.get(this.focus);
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / LINE) - 1);
    const to = (index) => this.look(this.rows[Math.min(Math.max(index, 0), this.rows.length - 1)]);
    const keys = {
      ArrowDown: () => to(place + 1),
      ArrowUp: () => to(place - 1),
      PageDown: () => to(place + page),
      PageUp: () => to(place - page),
      Home: () => to(0),
      End: () => to(this.rows.length - 1),
      ArrowRight: () => {
        if (!this.children(this.focus).length) return;
        if (this.isOpen.has(this.focus)) to(place + 1);
        else this.toggle(this.focus);
      },
      ArrowLeft: () => {
        if (this.isOpen.has(this.focus)) this.toggle(this.focus);
        else if (this.focus) this.look(this.tree.parents[this.focus]);
      },
      Enter: () => this.onZoom(this.focus),
      " ": () => this.toggle(this.focus),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}
