// The flame graph: a bar a context, below its caller, as wide as what it and its callees weigh.

const ROW = 21;
const LEAST_WIDTH = 0.6; // narrower bars are not drawn

/** A zoomable flame graph on a canvas; `onFocus(node)` is told which bar is looked at. */
class FlameGraph {
  constructor(tree, { onFocus, onZoom }) {
    Object.assign(this, { tree, onFocus, onZoom, weight: 0, root: 0, focus: 0, hovered: -1, found: null, bars: [] });
    this.canvas = el("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "flame graph",
      "aria-label": "Calling contexts",
      "aria-describedby": "flame-help",
      onmousemove: (event) => this.hover(event),
      onmouseleave: () => this.leave(),
      onclick: (event) => {
        const node = this.at(event);
        if (node >= 0) this.zoom(node);
      },
      onkeydown: (event) => this.press(event),
      onfocus: () => this.draw(),
      onblur: () => this.draw(),
    });
    this.spacer = el("div", { class: "flame-spacer" });
    this.element = el("div", { class: "flame", onscroll: () => this.draw() }, this.canvas, this.spacer);
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.laidOut) this.layOut();
    }).observe(this.element);
    const onResize = () => (this.element.isConnected ? this.layOut() : removeEventListener("resize", onResize));
    addEventListener("resize", onResize);
    this.setWeight(0);
  }

  setWeight(weight) {
    this.weight = weight;
    const { tree } = this;
    const sums = tree.sums[weight];
    // Where each bar begins, and how wide it is, as shares of the whole.
    this.starts = new Float64Array(tree.size);
    this.widths = new Float64Array(tree.size);
    const total = sums[0] || 1;
    const pending = [0];
    while (pending.length) {
      const node = pending.pop();
      this.widths[node] = sums[node] / total;
      let start = this.starts[node];
      for (const child of tree.children(node, weight)) {
        this.starts[child] = start;
        start += sums[child] / total;
        pending.push(child);
      }
    }
    const { root } = this;
    this.root = this.weighing(root);
    this.focus = this.weighing(this.focus);
    this.layOut();
    if (this.root !== root) this.onZoom(this.root);
  }

  /** Returns a node that has a bar: this one, or the nearest of its callers. */
  weighing(node) {
    let at = node;
    while (at && !this.widths[at]) at = this.tree.parents[at];
    return at;
  }

  setFound(found) {
    this.found = found;
    this.draw();
  }

  /** Makes a node as wide as the graph; its callers stay above it. */
  zoom(node) {
    if (!this.widths[node]) return;
    this.root = node;
    this.focus = node;
    this.element.scrollTop = 0;
    this.layOut();
    this.onZoom(node);
    this.onFocus(node);
  }

  layOut() {
    const { tree } = this;
    // Below the root only what is wide enough to be drawn makes the graph higher.
    const width = this.element.clientWidth;
    if (!width) return;
    this.laidOut = width;
    const least = (LEAST_WIDTH / width) * this.widths[this.root];
    let deepest = tree.depths[this.root];
    const pending = [this.root];
    while (pending.length) {
      const node = pending.pop();
      deepest = Math.max(deepest, tree.depths[node]);
      for (const child of tree.children(node, this.weight)) {
        if (this.widths[child] >= least && this.widths[child] > 0) pending.push(child);
      }
    }
    const height = (deepest + 1) * ROW + 2;
    this.spacer.style.height = `${height}px`;
    // As high as the window lets it be, with its tools above and what is told of a bar below.
    const most = Math.max(14 * ROW, window.innerHeight - 330);
    this.element.style.height = `${Math.min(Math.max(height, 6 * ROW), most)}px`;
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const { canvas, element } = this;
    const width = element.clientWidth;
    const height = element.clientHeight;
    if (!width) return;
    const context = drawingOn(canvas, width, height);
    this.colours = {};
    for (const name of [
      "run",
      "thread",
      "application",
      "library",
      "folded",
      "found",
      "bar-text",
      "found-text",
      "focus",
      "paper",
    ]) {
      this.colours[name] = colour(`--flame-${name}`);
    }
    this.fonts = { plain: `12px ${FONT}` };
    context.font = this.fonts.plain;
    this.letter = context.measureText("m").width * 0.8;
    this.bars = [];
    for (const node of this.tree.path(this.root).slice(0, -1)) this.bar(context, node, 0, width, true);
    const zoomed = width / (this.widths[this.root] || 1);
    const pending = [this.root];
    while (pending.length) {
      const node = pending.pop();
      const x = (this.starts[node] - this.starts[this.root]) * zoomed;
      const w = node === this.root ? width : this.widths[node] * zoomed;
      if (w < LEAST_WIDTH) continue;
      this.bar(context, node, x, w, false);
      pending.push(...this.tree.children(node, this.weight));
    }
    this.outline(context);
  }

  bar(context, node, x, w, isCaller) {
    const y = this.tree.depths[node] * ROW - this.element.scrollTop;
    if (y + ROW < 0 || y > this.element.clientHeight) return;
    this.bars.push({ node, x, y, w });
    const kind = this.tree.kind(node);
    const isFound = this.found?.isFound[node];
    // Neighbours of other classes are told apart by their tint.
    context.globalAlpha = (isCaller ? 0.55 : this.found && !isFound ? 0.5 : 1) * (1 - 0.12 * this.tree.tint(node));
    context.fillStyle = isFound ? this.colours.found : this.colours[kind];
    const gap = w > 3 ? 1 : 0;
    context.fillRect(x, y, Math.max(w - gap, 0.5), ROW - 1);
    context.globalAlpha = isCaller ? 0.8 : 1;
    if (w > 24) {
      context.fillStyle = isFound ? this.colours["found-text"] : this.colours["bar-text"];
      context.fillText(this.label(context, this.tree.name(node), w - 9), x + 5, y + ROW / 2);
    }
    context.globalAlpha = 1;
  }

  /** Returns as much of a method's name as fits: its parameters go first, then its package. */
  label(context, name, width) {
    const bare = name.replace(/(?<=.)\(.+\)$/, "()"); // what is folded is all in brackets
    const short = bare.replace(/^(?:[\p{Ll}\d_$]+\.)+(?=[^.]+\.)/u, "");
    for (const text of [name, bare, short]) {
      if (text.length * this.letter * 0.5 <= width && context.measureText(text).width <= width) return text;
    }
    let n = Math.min(short.length, Math.floor(width / (this.letter * 0.55)));
    while (n > 0 && context.measureText(`${short.slice(0, n)}…`).width > width) n -= 1;
    return n > 1 ? `${short.slice(0, n)}…` : "";
  }

  outline(context) {
    const shown = this.hovered >= 0 ? this.hovered : document.activeElement === this.canvas ? this.focus : -1;
    const bar = this.bars.find(({ node }) => node === shown);
    if (!bar) return;
    context.strokeStyle = this.colours.focus;
    context.lineWidth = 2;
    context.strokeRect(bar.x + 1, bar.y + 1, Math.max(bar.w - 3, 1), ROW - 3);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    return this.bars.find((bar) => x >= bar.x && x < bar.x + bar.w && y >= bar.y && y < bar.y + ROW)?.node ?? -1;
  }

  hover(event) {
    const node = this.at(event);
    this.tell(node, event);
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.style.cursor = node >= 0 ? "pointer" : "default";
    this.draw();
    this.onFocus(node >= 0 ? node : this.focus);
  }

  /** Shows a bar's name and weight at the pointer. */
  tell(node, event) {
    if (node < 0) return Tip.hide();
    const sum = this.tree.sums[this.weight][node];
    const { unit } = this.tree.weights[this.weight];
    Tip.show(
      event,
      el("b", {}, node === 0 ? "all threads" : this.tree.name(node)),
      el("span", {}, `${counted(sum, unit)}, ${percent(sum / this.tree.sums[this.weight][0])}`),
    );
  }

  leave() {
    this.hovered = -1;
    Tip.hide();
    this.draw();
    this.onFocus(this.focus);
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = this.target(event.key);
    if (to === undefined) return;
    event.preventDefault();
    if (event.key === "Enter" || event.key === " ") this.zoom(this.focus);
    else if (event.key === "Escape" || event.key === "Home") this.zoom(to);
    else if (to >= 0) this.look(to);
  }

  /** Returns where a key leads: a node, -1 for nowhere, undefined for a key that means nothing. */
  target(key) {
    const { tree, weight, focus, root } = this;
    const visible = (node) => this.widths[node] > 0;
    switch (key) {
      case "ArrowDown":
        return tree.children(focus, weight).find(visible) ?? -1;
      case "ArrowUp":
        return tree.parents[focus];
      case "ArrowLeft":
      case "ArrowRight": {
        if (focus === 0) return -1;
        const siblings = [...tree.children(tree.parents[focus], weight)].filter(visible);
        return siblings[siblings.indexOf(focus) + (key === "ArrowLeft" ? -1 : 1)] ?? -1;
      }
      case "Escape":
        return Math.max(0, tree.parents[root]);
      case "Home":
        return 0;
      case "Enter":
      case " ":
        return focus;
      default:
        return undefined;
    }
  }

  /** Looks at a node: zooms out where it is not below the root, and scrolls to it. */
  look(node) {
    this.focus = node;
    if (!this.tree.path(node).includes(this.root)) {
      this.root = node;
      this.layOut();
      this.onZoom(node);
    }
    const y = this.tree.depths[node] * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (y < scrollTop) this.element.scrollTop = y;
    else if (y + ROW > scrollTop + clientHeight) this.element.scrollTop = y + ROW - clientHeight;
    this.draw();
    this.onFocus(node);
  }
}
