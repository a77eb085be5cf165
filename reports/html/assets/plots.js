// The plots of the page's parts, drawn one after another when the page has time for it.

class Plots {
  constructor(report, plots) {
    this.report = report;
    this.figures = Object.values(plots).map((plot) => {
      const chart = new CHARTS[plot.chart.kind](plot.chart, {
        title: plot.title,
        subjects: report.subjects,
        onChoose: (subject) => choose(subject),
      });
      // As large as it will be when it is drawn: links lead to sections below it before that.
      Object.assign(chart.canvas.style, { width: "100%", height: `${chart.height()}px` });
      return { plot, chart };
    });
  }

  /** Returns the figures of a part of the page. */
  of(part) {
    return this.figures
      .filter(({ plot }) => plot.part === part)
      .map(({ plot, chart }) =>
        el(
          "figure",
          { class: plot.chart.kind },
          el("figcaption", {}, el("h3", {}, plot.title), description(plot.description), this.metricOf(plot)),
          chart.element,
        ),
      );
  }

  /** Returns a button that leads to the definition of a plot's metric. */
  metricOf({ metric }) {
    if (!this.report.metrics.some(({ id }) => id === metric)) return null;
    return el("button", { type: "button", class: "link of-metric", onclick: () => this.onMetric(metric) }, metric);
  }

  /** Draws all, one after another, so that the page answers in between; then it says so. */
  async drawAll() {
    const turn = {};
    this.turn = turn;
    delete document.documentElement.dataset.state;
    for (const { chart } of this.figures) {
      await new Promise((done) => idle(done));
      if (this.turn !== turn) return; // drawn anew from the beginning, under another theme
      chart.draw();
    }
    document.documentElement.dataset.state = "drawn";
    performance.mark("drawn");
  }

  /** Tells every plot which subject is chosen. */
  choose(subject) {
    for (const { chart } of this.figures) chart.choose(subject);
  }
}

/** Returns a text that opens if it is long. */
function description(text) {
  if (text.length < 120) return el("p", { class: "quiet" }, text);
  return el("details", { class: "quiet" }, el("summary", {}, "Description"), el("p", {}, text));
}

function idle(callback) {
  if (window.requestIdleCallback) requestIdleCallback(callback, { timeout: 400 });
  else setTimeout(callback, 20);
}
