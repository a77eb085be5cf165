// Subjects as leaves of a dendrogram: near ones meet at the right.

CHARTS.dendrogram = class Dendrogram extends Chart {
  constructor(data, options) {
    super(data, options);
    this.subset = new Set(data.subset);
    this.most = Math.max(...data.lines.map(([x]) => x), data.within ?? 0) || 1;
  }

  get row() {
    return this.data.leaves.length <= MANY ? 16 : Math.max(1, 1200 / this.data.leaves.length);
  }

  height() {
    return Math.max(120, Math.ceil(this.row * this.data.leaves.length)) + 44;
  }

  paint(context, width, height) {
    const { data, row } = this;
    const hasNames = data.leaves.length <= MANY;
    this.frame = { left: 12, right: width - (hasNames ? Math.min(NAMES, width / 3) : 12), top: 4, bottom: height - 40 };
    const { frame } = this;
    const x = (distance) => frame.right - (distance / this.most) * (frame.right - frame.left);
    const y = (place) => frame.top + (place + 0.5) * row;
    this.bottomAxis(
      context,
      frame,
      stepsBetween(0, this.most, 8).map((at) => [x(at), String(at)]),
      "distance",
    );
    for (const [x1, y1, x2, y2, isNear] of data.lines) {
      this.line(
        context,
        [
          [x(x1), y(y1)],
          [x(x2), y(y2)],
        ],
        isNear ? "--accent" : "--quiet",
        1.3,
      );
    }
    if (known(data.within))
      this.line(
        context,
        [
          [x(data.within), frame.top],
          [x(data.within), frame.bottom],
        ],
        "--quiet",
        1,
        [4, 4],
      );
    data.leaves.forEach((subject, place) => {
      const isChosen = subject === this.subject;
      if (this.subset.has(subject)) {
        context.beginPath();
        context.arc(frame.right, y(place), 3.5, 0, 2 * Math.PI);
        context.fillStyle = colour("--accent");
        context.fill();
      }
      if (!hasNames) return;
      const font = `${isChosen ? "600 " : ""}11px ${FONT}`;
      context.font = font;
      this.text(context, fitted(context, this.name(subject), width - frame.right - 12), frame.right + 9, y(place), {
        ink: isChosen ? "--accent" : "--ink",
        font,
      });
    });
  }

  at(x, y) {
    const subject = this.data.leaves[Math.floor((y - this.frame.top) / this.row)];
    if (subject === undefined || x < this.frame.right - 12) return null;
    return { title: this.name(subject), subject, rows: this.subset.has(subject) ? [["of the subset", "yes"]] : [] };
  }
};
