// The section of the metrics: every measure, where the chosen subject lies, and the definition.

/** Returns how a measure's numbers are written. */
function written(measure) {
  measure.decimals ??= decimalsFor([...measure.range, ...measure.values]);
  return (value) => formatted(value, measure.decimals);
}

const BETTER = { higher: "higher is better", lower: "lower is better", none: "neither direction is better" };
const ARROWS = { higher: "▲", lower: "▼", none: "" };

/** Every measure in a table, and beside it what the chosen one means. */
class MetricsSection {
  constructor(report) {
    this.report = report;
    this.isOne = report.subjects.length === 1;
    this.subject = 0;
    this.rows = report.metrics.flatMap((metric) =>
      metric.measures.length ? metric.measures.map((measure) => ({ metric, measure })) : [{ metric, measure: null }],
    );
    this.holder = el("div");
    this.panel = el("aside", { class: "definition", "aria-label": "Definition", "aria-live": "polite" });
    const areas = [...new Set(report.metrics.map(({ id }) => id.split(".")[0]))];
    this.area = "";
    this.areas = el(
      "select",
      { "aria-label": "Area", onchange: () => this.choose(this.areas.value) },
      el("option", { value: "" }, "all areas"),
      areas.map((area) => el("option", {}, area)),
    );
    const scope = report.scope === "run" ? "the whole run, including the class library" : report.scope;
    this.element = section(
      "metrics",
      "Metrics",
      `${counted(report.metrics.length, "metric")} over ${scope}. Click one to see its definition${this.isOne ? "" : " and the value of every benchmark"}.`,
      el("div", { class: "with-aside" }, this.holder, this.panel),
    );
  }

  /** Shows the metrics of an area; "": of all. */
  choose(area) {
    this.area = area;
    this.table.setRows(this.shown());
  }

  shown() {
    return this.rows.filter(({ metric }) => !this.area || metric.id.startsWith(`${this.area}.`));
  }

  show(subject) {
    this.subject = subject;
    const before = this.table;
    this.table = new DataTable({
      caption: "Metrics",
      rows: this.shown(),
      columns: this.columns(),
      search: "Search metrics",
      isCurrent: (row) => row === this.current,
      pageSize: 25,
      group: ({ metric }) => (metric.measures.length > 1 ? metric.name : null),
    });
    if (before)
      Object.assign(this.table, {
        page: before.page,
        text: before.text,
        sortBy: before.sortBy,
        isDescending: before.isDescending,
      });
    const search = this.table.element.querySelector("input");
    if (before) search.value = before.text;
    search.dataset.slash = "";
    search.after(this.areas);
    this.table.update();
    replace(this.holder, this.table.element);
    const first = this.rows.find(({ measure }) => measure?.n) ?? this.rows[0];
    if (first) this.define(this.current ?? first);
  }

  columns() {
    const why = ({ metric, measure }) => this.why(metric, measure, this.subject);
    const number = (title, value, hint) => ({
      title,
      hint,
      value: (row) => (row.measure ? value(row.measure) : null),
      cell: (shown, { measure }) => written(measure)(shown),
      reason: (row) => row.measure?.reason ?? row.metric.reason,
    });
    const value = {
      ...number(this.isOne ? "Value" : "This one", (measure) => measure.values[this.subject]),
      reason: why,
      class: "strong",
    };
    const columns = [
      {
        title: "Metric",
        isText: true,
        isHeading: true,
        value: ({ metric, measure }) => `${metric.name} ${metric.id} ${measure?.name ?? ""} ${measure?.key ?? ""}`,
        show: (_, row) => this.title(row),
      },
      value,
    ];
    if (!this.isOne) {
      columns.push(
        {
          title: "Rank",
          decimals: 0,
          hint: "1 is the best; where neither direction is better, the largest",
          value: ({ measure }) => measure?.ranks[this.subject] ?? null,
          reason: why,
          cell: (rank, { measure }) => el("span", {}, formatted(rank), el("small", {}, ` / ${formatted(measure.n)}`)),
        },
        number("Min", (measure) => measure.range[0]),
        number("Median", (measure) => measure.range[1]),
        number("Max", (measure) => measure.range[2]),
        {
          title: "Place",
          hint: "from the smallest to the largest value; the tick is the median, the dot this benchmark",
          value: ({ measure }) => this.place(measure),
          reason: why,
          cell: (_, { measure }) => this.strip(measure),
        },
      );
    }
    columns.push({
      title: "Unit",
      isText: true,
      class: "quiet",
      value: ({ measure }) => measure?.unit ?? "",
      show: (unit, { metric }) =>
        el(
          "span",
          { title: BETTER[metric.better] },
          unit === "1" ? "" : unit,
          ARROWS[metric.better]
            ? el("span", { class: "arrow", "aria-label": BETTER[metric.better] }, ` ${ARROWS[metric.better]}`)
            : null,
        ),
    });
    return columns;
  }

  title(row) {
    const { metric, measure } = row;
    const isMember = metric.measures.length > 1;
    const label = measure?.key ? `${measure.name}: ${measure.key}` : measure?.name;
    const name =
      isMember && this.table?.isGrouped !== false
        ? breakable(label)
        : [metric.name, isMember ? el("small", {}, breakable(label)) : null];
    const button = el(
      "button",
      { type: "button", class: "link", title: metric.id, onclick: () => this.define(row) },
      name,
    );
    return measure ? button : el("span", {}, button, el("small", { class: "why" }, this.why(metric, null)));
  }

  /** Returns why a subject has no value, or null where it has one. */
  why(metric, measure, subject) {
    if (!measure) return metric.reason ?? "too many rows for a table";
    const index = measure.reasons[subject];
    return index === undefined ? (measure.reason ?? this.report.subjects[subject].reason) : this.report.reasons[index];
  }

  place(measure) {
    if (!measure) return null;
    const value = measure.values[this.subject];
    const [least, , most] = measure.range;
    if (value === null || least === null) return null;
    return most > least ? (value - least) / (most - least) : 0.5;
  }

  strip(measure) {
    const [least, median, most] = measure.range;
    const at = (value) => 3 + 64 * (most > least ? (value - least) / (most - least) : 0.5);
    const value = measure.values[this.subject];
    return svg(
      "svg",
      {
        class: "strip",
        width: 70,
        height: 12,
        viewBox: "0 0 70 12",
        role: "img",
        "aria-label": `${percent(this.place(measure))} of the way from the smallest to the largest value`,
      },
      svg("line", { x1: 3, x2: 67, y1: 6, y2: 6, class: "range" }),
      svg("line", { x1: at(median), x2: at(median), y1: 2, y2: 10, class: "median" }),
      svg("circle", { cx: at(value), cy: 6, r: 3.2, class: "dot" }),
    );
  }

  /** Shows the definition of a metric that another part of the page names. */
  defineMetric(id) {
    this.define(this.rows.find(({ metric }) => metric.id === id));
    this.areas.value = "";
    this.choose("");
    const search = this.holder.querySelector("input");
    search.value = id;
    search.dispatchEvent(new Event("input"));
    this.element.scrollIntoView();
    search.focus({ preventScroll: true });
  }

  /** Shows a metric's definition, and what every subject has. */
  define(row) {
    this.current = row;
    const { metric, measure } = row;
    const facts = [
      ["id", measure ? measure.id : metric.id],
      ["unit", measure ? (measure.unit === "1" ? "1 (a number or share)" : measure.unit) : null],
      ["better", BETTER[metric.better]],
      ["grain", metric.grain],
      ["version", metric.version || null],
      ["source", metric.source],
      ["query", metric.file],
      ["tags", metric.tags.join(", ")],
    ].filter(([, value]) => value !== null && value !== "" && value !== undefined);
    replace(
      this.panel,
      el("h3", {}, metric.name),
      el("p", {}, metric.description),
      measure?.meaning
        ? el(
            "p",
            {},
            el("b", {}, measure.key ? `${measure.name}: ${measure.key}` : measure.name),
            ` – ${measure.meaning}`,
          )
        : null,
      metric.reason ? el("p", { class: "note" }, metric.reason) : null,
      el(
        "dl",
        { class: "facts" },
        facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))]),
      ),
      measure && !this.isOne ? this.everyone(metric, measure) : null,
    );
    this.table.update();
  }

  everyone(metric, measure) {
    const rows = this.report.subjects.map((_, index) => index);
    const [, , most] = measure.range;
    return new DataTable({
      caption: `${measure.id} of every benchmark`,
      rows,
      search: rows.length > 15 ? "Search benchmarks" : null,
      sortBy: 2,
      pageSize: 20,
      isCurrent: (index) => index === this.subject,
      columns: [
        {
          title: "Benchmark",
          isText: true,
          isHeading: true,
          value: (index) => this.report.subjects[index].name,
          show: (name, index) => chooser(name, index),
        },
        {
          title: "Value",
          value: (index) => measure.values[index],
          reason: (index) => this.why(metric, measure, index),
          cell: (value) => {
            const bar = el("span", { class: "cell-bar" });
            bar.style.width = `${most > 0 && value > 0 ? (100 * value) / most : 0}%`;
            return el("span", { class: "barred" }, bar, el("span", {}, written(measure)(value)));
          },
        },
        {
          title: "Rank",
          decimals: 0,
          value: (index) => measure.ranks[index],
          reason: (index) => this.why(metric, measure, index),
        },
      ],
    }).element;
  }
}
