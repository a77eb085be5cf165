// How much each principal component explains: a bar for it alone, a line for it with those before.

CHARTS.scree = class ScreeChart extends Chart {
  height() {
    return 300;
  }

  paint(context, width, height) {
    this.frame = { left: 56, right: width - 22, top: 8, bottom: height - 42 };
    const { data, frame } = this;
    this.step = (frame.right - frame.left) / data.shares.length;
    this.leftAxis(
      context,
      frame,
      PERCENTS.map(([share, text]) => [this.y(share), text]),
      "share of the variance",
    );
    this.bottomAxis(
      context,
      frame,
      data.numbers.map((number, place) => [this.x(place), String(number)]),
      "component",
      false,
    );
    const wide = Math.min(0.6 * this.step, 60);
    context.fillStyle = colour("--accent");
    data.shares.forEach((share, place) => {
      context.fillRect(this.x(place) - wide / 2, this.y(share), wide, frame.bottom - this.y(share));
    });
    this.line(
      context,
      data.cumulative.map((share, place) => [this.x(place), this.y(share)]),
      "--ink",
      2,
    );
  }

  x(place) {
    return this.frame.left + (place + 0.5) * this.step;
  }

  y(share) {
    return this.frame.bottom - share * (this.frame.bottom - this.frame.top);
  }

  at(x, y) {
    const { data, frame } = this;
    const place = Math.floor((x - frame.left) / this.step);
    if (data.shares[place] === undefined || y < frame.top || y > frame.bottom) return null;
    return {
      title: `component ${data.numbers[place]}`,
      rows: [
        ["explains", percent(data.shares[place])],
        ["with those before it", percent(data.cumulative[place])],
      ],
    };
  }
};
