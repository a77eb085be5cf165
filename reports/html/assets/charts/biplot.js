// Subjects on two principal components, with the features that weigh most.

CHARTS.biplot = class Biplot extends Chart {
  constructor(data, options) {
    super(data, options);
    this.subset = new Set(data.subset);
    const places = [...data.points.map(([, x, y]) => [x, y]), ...data.arrows.map(([, , x, y]) => [x, y])];
    const range = (axis) => {
      const values = places.map((place) => place[axis]);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      const room = 0.06 * (most - least) || 1;
      return [least - room, most + room];
    };
    this.whole = [range(0), range(1)];
    this.ranges = this.whole;
    this.listen();
  }

  listen() {
    const { canvas } = this;
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", () => {
      from = null;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const moved = [event.clientX - from[0], from[1] - event.clientY];
      from = [event.clientX, event.clientY];
      const sizes = [this.frame.right - this.frame.left, this.frame.bottom - this.frame.top];
      this.ranges = this.ranges.map(([least, most], axis) => {
        const by = (moved[axis] / sizes[axis]) * (most - least);
        return [least - by, most - by];
      });
      this.draw();
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.shiftKey) return;
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        const { left, right, top, bottom } = this.frame;
        const at = [
          (event.clientX - box.left - left) / (right - left),
          (bottom - event.clientY + box.top) / (bottom - top),
        ];
        const factor = Math.exp((event.deltaY || event.deltaX) / 400);
        this.ranges = this.ranges.map(([least, most], axis) => {
          const fixed = least + at[axis] * (most - least);
          return [fixed + (least - fixed) * factor, fixed + (most - fixed) * factor];
        });
        this.draw();
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", () => {
      this.ranges = this.whole;
      this.draw();
    });
  }

  height() {
    return 460;
  }

  x(value) {
    return (
      this.frame.left +
      ((value - this.ranges[0][0]) / (this.ranges[0][1] - this.ranges[0][0])) * (this.frame.right - this.frame.left)
    );
  }

  y(value) {
    return (
      this.frame.bottom -
      ((value - this.ranges[1][0]) / (this.ranges[1][1] - this.ranges[1][0])) * (this.frame.bottom - this.frame.top)
    );
  }

  paint(context, width, height) {
    this.frame = { left: 52, right: width - 12, top: 8, bottom: height - 42 };
    const { frame } = this;
    this.bottomAxis(
      context,
      frame,
      stepsBetween(...this.ranges[0], 8).map((at) => [this.x(at), String(at)]),
      this.data.x,
    );
    this.leftAxis(
      context,
      frame,
      stepsBetween(...this.ranges[1], 6).map((at) => [this.y(at), String(at)]),
      this.data.y,
    );
    context.save();
    context.beginPath();
    context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    context.clip();
    this.taken = [];
    for (const [, key, x, y] of this.data.arrows) {
      this.line(
        context,
        [
          [this.x(0), this.y(0)],
          [this.x(x), this.y(y)],
        ],
        "--second",
        1,
      );
      this.dot(context, this.x(x), this.y(y), 2.5, "--second", true);
      this.label(context, key, this.x(x), this.y(y), x < 0, "--second");
    }
    // The names of the subset come first where names would be in each other's way.
    const points = [...this.data.points].sort((a, b) => this.rank(b[0]) - this.rank(a[0]));
    for (const [subject, x, y] of points) {
      this.dot(context, this.x(x), this.y(y), 4, "--accent", this.subset.has(subject));
      if (subject === this.subject) this.dot(context, this.x(x), this.y(y), 8, "--ink", false);
    }
    for (const [subject, x, y] of points) {
      this.label(
        context,
        this.name(subject),
        this.x(x),
        this.y(y),
        this.x(x) > 0.7 * width,
        "--ink",
        subject === this.subject,
      );
    }
    context.restore();
  }

  rank(subject) {
    return (subject === this.subject ? 2 : 0) + (this.subset.has(subject) ? 1 : 0);
  }

  dot(context, x, y, radius, ink, isFull) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    if (isFull) {
      context.fillStyle = colour(ink);
      context.fill();
    }
    context.strokeStyle = colour(ink);
    context.lineWidth = radius > 6 ? 2 : 1.5;
    context.stroke();
  }

  /** Writes a name beside its place, unless it would be in another's way. */
  label(context, text, x, y, isLeft, ink, isForced = false) {
    const wide = context.measureText(text).width;
    const start = isLeft ? x - 8 - wide : x + 8;
    const box = [start, y - 7, start + wide, y + 7];
    const isFree = this.taken.every(([l, t, r, b]) => box[2] < l || box[0] > r || box[3] < t || box[1] > b);
    if (!isFree && !isForced) return;
    this.taken.push(box);
    this.text(context, text, start, y, { ink });
  }

  at(x, y) {
    const near = ([px, py]) => Math.hypot(this.x(px) - x, this.y(py) - y);
    const point = this.data.points.find(([, px, py]) => near([px, py]) < 8);
    if (point)
      return {
        title: this.name(point[0]),
        subject: point[0],
        rows: [
          ["component 1", point[1].toFixed(2)],
          ["component 2", point[2].toFixed(2)],
        ],
      };
    const arrow = this.data.arrows.find(([, , ax, ay]) => near([ax, ay]) < 8);
    return arrow
      ? {
          title: arrow[0],
          rows: [
            ["loading on component 1", String(arrow[4])],
            ["loading on component 2", String(arrow[5])],
          ],
        }
      : null;
  }
};
