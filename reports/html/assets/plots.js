// The plots: Vega-Lite specifications that altair wrote, drawn when the page has time for it.

const isRead = new Promise((done) => {
  if (document.readyState !== "loading") done();
  else document.addEventListener("DOMContentLoaded", done, { once: true });
});

/** The plots of one section, each drawn again when the theme or the chosen subject changes. */
class Plots {
  constructor(report, plots) {
    this.report = report;
    this.figures = Object.entries(plots).map(([id, plot]) => ({ id, plot, view: null, frame: el("div", { class: "plot", role: "img", "aria-label": plot.title }) }));
    this.subject = null;
  }

  /** Returns the figures of a part of the page. */
  of(part) {
    return this.figures.filter(({ plot }) => plot.part === part).map(({ plot, frame }) =>
      el("figure", { class: plot.isWide ? "wide" : null },
        el("figcaption", {}, el("h3", {}, plot.title), description(plot.description), this.metricOf(plot)), key(plot.legend), frame));
  }

  /** Returns a button that leads to the definition of a plot's metric. */
  metricOf({ metric }) {
    if (!this.report.metrics.some(({ id }) => id === metric)) return null;
    return el("button", { type: "button", class: "link of-metric", onclick: () => this.onMetric(metric) }, metric);
  }

  /** Draws all, one after another, so that the page answers in between; then it says so. */
  async drawAll() {
    const turn = this.turn = {};
    delete document.documentElement.dataset.state;
    await isRead; // what draws is the last script of the page, and the page may come slowly
    for (const figure of this.figures) {
      await new Promise((done) => idle(done));
      if (this.turn !== turn) return; // drawn anew from the beginning, under another theme
      await this.draw(figure);
    }
    document.documentElement.dataset.state = "drawn";
    performance.mark("drawn");
  }

  async draw(figure) {
    figure.view?.finalize();
    figure.view = null;
    const result = await window.vegaEmbed(figure.frame, coloured(figure.plot.spec), {
      ast: true, actions: false, defaultStyle: false, renderer: "canvas", config: theme(),
      tooltip: { disableDefaultStyle: true, theme: "custom" },
    });
    figure.view = result;
    figure.frame.setAttribute("aria-label", figure.plot.title);
    result.view.addEventListener("click", (_, item) => this.chosenBy(item?.datum));
    this.mark(figure);
  }

  /** Tells every plot which subject is chosen. */
  choose(name) {
    this.subject = name;
    this.figures.forEach((figure) => this.mark(figure));
  }

  /** Chooses the subject whose mark was clicked. */
  chosenBy(datum) {
    const index = this.report.subjects.findIndex(({ name }) => name === datum?.subject);
    if (index >= 0) choose(index);
  }

  mark({ view }) {
    if (!view || this.subject === null) return;
    try {
      view.view.signal("chosen", this.subject).runAsync();
    } catch {
      // this plot has nothing of single subjects
    }
  }
}

/** Returns what the colours of a plot stand for; they follow the theme by themselves. */
function key(legend) {
  if (!legend.length) return null;
  return el("p", { class: "key" }, legend.map(([text, name]) => {
    const mark = el("i", { class: "kind", "aria-hidden": "true" });
    mark.style.background = `var(${name})`;
    return el("span", {}, mark, text);
  }));
}

/** Returns a text that opens if it is long. */
function description(text) {
  if (text.length < 120) return el("p", { class: "quiet" }, text);
  return el("details", { class: "quiet" }, el("summary", {}, "What it shows"), el("p", {}, text));
}

function idle(callback) {
  if (window.requestIdleCallback) requestIdleCallback(callback, { timeout: 400 });
  else setTimeout(callback, 20);
}

/** Returns Vega's configuration for the page's colours. */
function theme() {
  const ink = colour("--ink");
  const quiet = colour("--quiet");
  const line = colour("--line");
  const accent = colour("--accent");
  return {
    background: "transparent", font: FONT, view: { stroke: null },
    axis: {
      labelColor: quiet, titleColor: quiet, domainColor: line, tickColor: line, gridColor: line,
      gridOpacity: 0.6, labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 220, titlePadding: 8,
    },
    legend: { labelColor: ink, titleColor: quiet, titleFontWeight: "normal", labelFontSize: 11, titleFontSize: 12, labelLimit: 260, symbolStrokeWidth: 0 },
    title: { color: ink }, text: { color: ink }, line: { color: accent }, point: { color: accent }, rule: { color: quiet }, bar: { color: accent },
  };
}

/** Returns a specification with the colours that its custom properties are under this theme. */
function coloured(part) {
  if (typeof part === "string") return part.startsWith("--") ? colour(part) : part;
  if (Array.isArray(part)) return part.map(coloured);
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) =>
    [key, DATA.has(key) ? value : coloured(value)]));
}

const DATA = new Set(["datasets", "data", "params", "domain", "sort"]); // names of others' making
