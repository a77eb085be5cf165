// Stacks of shares: a bar for each subject, and of one subject its shares in figures.

CHARTS.stack = class StackChart extends Chart {
  constructor(data, options) {
    super(data, options);
    this.isOne = options.subjects.length === 1;
    this.legend = el("p", { class: "key" });
    this.element.prepend(this.legend);
    this.tell();
  }

  get row() {
    const n = this.data.order.length;
    return this.isOne ? 26 : n <= MANY ? 17 : Math.max(1, 1200 / n);
  }

  height() {
    return Math.ceil(this.row * this.data.order.length) + (this.isOne ? 0 : 22);
  }

  choose(subject) {
    super.choose(subject);
    this.tell();
  }

  /** Says what the colours are, with the shares of the chosen subject. */
  tell() {
    const { keys, colours, shares } = this.data;
    replace(
      this.legend,
      keys.map((text, segment) => {
        const mark = el("i", { class: "kind", "aria-hidden": "true" });
        mark.style.background = `var(${colours[segment]})`;
        const share = shares[segment][this.subject];
        return el("span", {}, mark, text, el("small", {}, ` ${known(share) ? percent(share) : "–"}`));
      }),
    );
  }

  paint(context, width) {
    const { data, row } = this;
    const n = data.order.length;
    const hasNames = !this.isOne && n <= MANY;
    this.frame = { left: hasNames ? Math.min(NAMES, width / 3) : 0, right: width - 22, top: 0, bottom: row * n };
    const { frame } = this;
    if (this.isOne) frame.right = width;
    const breadth = frame.right - frame.left;
    const fills = data.colours.map(colour);
    const gap = row > 8 ? 2 : 0;
    data.order.forEach((subject, place) => {
      let at = frame.left;
      data.keys.forEach((_, segment) => {
        const wide = (data.shares[segment][subject] ?? 0) * breadth;
        context.fillStyle = fills[segment];
        context.fillRect(at, place * row, Math.max(0, wide - (wide > 3 ? 0.5 : 0)), Math.max(row - gap, 0.5));
        at += wide;
      });
      const isChosen = subject === this.subject && !this.isOne;
      if (hasNames) {
        const font = `${isChosen ? "600 " : ""}11px ${FONT}`;
        context.font = font;
        this.text(
          context,
          fitted(context, this.name(subject), frame.left - 8),
          frame.left - 6,
          (place + 0.5) * row - 1,
          { align: RIGHT, ink: isChosen ? "--accent" : "--ink", font },
        );
      }
    });
    const chosen = data.order.indexOf(this.subject);
    if (!this.isOne && chosen >= 0) {
      context.strokeStyle = colour("--ink");
      context.lineWidth = 1.5;
      context.strokeRect(frame.left + 0.75, chosen * row, breadth - 1.5, Math.max(row - gap, 2));
    }
    context.font = `11px ${FONT}`;
    if (!this.isOne)
      this.bottomAxis(
        context,
        frame,
        PERCENTS.map(([share, text]) => [frame.left + share * breadth, text]),
        null,
        false,
      );
  }

  at(x, y) {
    const { data, frame } = this;
    const subject = data.order[Math.floor(y / this.row)];
    if (subject === undefined) return null;
    let at = (x - frame.left) / (frame.right - frame.left);
    const found =
      at < 0
        ? -1
        : data.keys.findIndex((_, segment) => {
            at -= data.shares[segment][subject] ?? 0;
            return at < 0;
          });
    const rows =
      found < 0
        ? []
        : [
            [data.by, data.keys[found]],
            ["share", percent(data.shares[found][subject])],
          ];
    return { title: this.name(subject), rows, subject };
  }
};
