// Curves of shares: a line for each subject, or of many the bands in which they lie.

CHARTS.curves = class CurvesChart extends Chart {
  height() {
    return 300;
  }

  paint(context, width, height) {
    this.frame = { left: 56, right: width - 22, top: 8, bottom: height - 42 };
    const { frame } = this;
    this.bottomAxis(
      context,
      frame,
      PERCENTS.map(([share, text]) => [this.x(share), text]),
      this.data.x,
    );
    this.leftAxis(
      context,
      frame,
      PERCENTS.map(([share, text]) => [this.y(share), text]),
      this.data.y,
    );
    if (this.data.bands) this.paintBands(context);
    else this.paintLines(context);
  }

  x(share) {
    return this.frame.left + share * (this.frame.right - this.frame.left);
  }

  y(share) {
    return this.frame.bottom - share * (this.frame.bottom - this.frame.top);
  }

  paintLines(context) {
    const places = (points) => points.map(([x, y]) => [this.x(x), this.y(y)]);
    context.globalAlpha = 0.45;
    this.data.lines.forEach((points, subject) => {
      if (points && subject !== this.subject) this.line(context, places(points), "--quiet");
    });
    context.globalAlpha = 1;
    const chosen = this.data.lines[this.subject];
    if (chosen) this.line(context, places(chosen), "--accent", 2.5);
  }

  paintBands(context) {
    const { x, quantiles } = this.data.bands;
    const last = quantiles.length - 1;
    context.fillStyle = colour("--accent");
    for (let i = 0; i < last / 2; i++) {
      context.globalAlpha = 0.16;
      context.beginPath();
      for (let place = 0; place < x.length; place++) context.lineTo(this.x(x[place]), this.y(quantiles[i][place]));
      for (let place = x.length - 1; place >= 0; place--)
        context.lineTo(this.x(x[place]), this.y(quantiles[last - i][place]));
      context.fill();
    }
    context.globalAlpha = 1;
    this.line(
      context,
      x.map((at, place) => [this.x(at), this.y(quantiles[last / 2][place])]),
      "--accent",
      2,
    );
  }

  at(x, y) {
    const { left, right, top, bottom } = this.frame;
    if (x < left || x > right || y < top || y > bottom) return null;
    const share = (x - left) / (right - left);
    if (this.data.bands) {
      const { x: places, quantiles } = this.data.bands;
      const place = nearest(places, (at) => Math.abs(at - share));
      const [least, tenth, lower, median, upper, ninetieth, most] = quantiles.map((row) => percent(row[place]));
      return {
        title: `${percent(places[place])} of them`,
        rows: [
          ["median", median],
          ["half of the benchmarks", `${lower} to ${upper}`],
          ["80 %", `${tenth} to ${ninetieth}`],
          ["all", `${least} to ${most}`],
        ],
      };
    }
    let found = null;
    this.data.lines.forEach((points, subject) => {
      if (!points) return;
      const place = nearest(points, ([at]) => Math.abs(at - share));
      const distance = Math.abs(this.y(points[place][1]) - y) - (subject === this.subject ? 4 : 0);
      if (!found || distance < found.distance) found = { distance, subject, point: points[place] };
    });
    if (!found) return null;
    return {
      title: this.name(found.subject),
      subject: found.subject,
      rows: [
        [this.data.x, percent(found.point[0])],
        [this.data.y, percent(found.point[1])],
      ],
    };
  }
};

/** Returns the place of what is nearest. */
function nearest(all, distance) {
  let best = 0;
  for (let place = 1; place < all.length; place++) if (distance(all[place]) < distance(all[best])) best = place;
  return best;
}
