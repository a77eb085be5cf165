// The summary: what was recorded, what was not and why; and the listings of one subject.

const STATUS = { recorded: "recorded", failed: "failed", timeout: "timed out", invalid: "wrong output", truncated: "truncated", missing: "not run" };

/** Returns a button that chooses a subject for the whole page. */
function chooser(name, index) {
  return el("button", { type: "button", class: "link", onclick: () => choose(index) }, breakable(name));
}

let choose = () => {}; // the page sets it

function statusOf(subject) {
  return el("span", { class: `badge ${subject.status}`, title: subject.reason }, STATUS[subject.status] ?? subject.status);
}

/** Notes, the totals of what was recorded, and a table of the subjects. */
function summarySection(report) {
  const isOne = report.subjects.length === 1;
  const notes = report.notes.map((note) => el("p", { class: "note" }, note));
  return section("summary", "Summary", null, tiles(report), notes, isOne ? factsOf(report.subjects[0]) : subjectsTable(report));
}

function tiles(report) {
  const { subjects } = report;
  const sum = (name) => subjects.reduce((all, { facts }) => all + (Number(facts.find(([fact]) => fact === name)?.[1]) || 0), 0);
  const names = [...new Set(subjects.flatMap(({ facts }) => facts.filter(([, value]) => typeof value === "number").map(([name]) => name)))];
  const nRecorded = subjects.filter(({ status }) => status === "recorded").length;
  const tile = (value, label, title) => el("div", { class: "tile", title }, el("b", {}, value), el("span", {}, label));
  const whole = subjects.length > 1
    ? [tile(formatted(nRecorded), nRecorded === subjects.length ? "benchmarks, all recorded" : `of ${counted(subjects.length, "benchmark")} recorded`)]
    : [];
  const additive = names.filter((name) => subjects.length === 1 || !/deep|depth|max|share|status/i.test(name));
  return el("div", { class: "tiles" }, whole,
    additive.slice(0, subjects.length === 1 ? 6 : 5).map((name) => tile(rounded(sum(name)), name, formatted(sum(name)))));
}

function factsOf(subject) {
  const rows = [
    ["status", statusOf(subject)], ["reason", subject.reason], ["command", subject.command && el("code", {}, subject.command)],
    ["JVM", subject.jvmVersion ?? subject.jvm], ...subject.parameters,
    ...subject.facts.map(([name, value, unit]) => [name, typeof value === "number" ? quantity(value, name.includes(unit) ? null : unit) : value]),
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return el("dl", { class: "facts wide" }, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** Returns a number with its unit, if it has one: "26 frames", "0.42 s". */
function quantity(value, unit) {
  const decimals = decimalsFor([value]);
  if (!unit || unit === "1") return formatted(value, decimals);
  return unit.length > 2 ? counted(value, unit, decimals) : `${formatted(value, decimals)} ${unit}`;
}

function subjectsTable(report) {
  const rows = report.subjects.map((subject, index) => ({ subject, index, facts: new Map(subject.facts.map(([name, value]) => [name, value])) }));
  const columns = [
    { title: "Benchmark", isText: true, isHeading: true, value: ({ subject }) => subject.name, show: (name, { index }) => chooser(name, index) },
    {
      title: "Status", isText: true, value: ({ subject }) => `${STATUS[subject.status] ?? subject.status} ${subject.reason ?? ""}`,
      show: (_, { subject }) => el("span", {}, statusOf(subject), subject.reason ? el("small", { class: "why" }, subject.reason) : null),
    },
  ];
  for (const [title, of] of [["Suite", "suite"], ["JVM", "jvm"]]) {
    if (new Set(report.subjects.map((subject) => subject[of])).size > 1) {
      columns.push({ title, isText: true, value: ({ subject }) => subject[of] ?? null });
    }
  }
  const units = new Map(report.subjects.flatMap(({ facts }) => facts.map(([name, , unit]) => [name, unit])));
  for (const name of units.keys()) {
    const values = rows.map(({ facts }) => facts.get(name));
    const isText = values.some((value) => typeof value === "string");
    // What is the same of all says nothing here, and the status says more than the exit status.
    if ((isText || name === "exit status") && new Set(values.filter(known)).size < 2) continue;
    columns.push({
      title: name, isText, class: isText ? "whole" : null, value: ({ facts }) => facts.get(name) ?? null,
      unit: (units.get(name) ?? "").length === 1 && units.get(name) !== "1" ? units.get(name) : null, // seconds
      reason: ({ subject }) => subject.reason ?? "not known",
    });
  }
  const table = new DataTable({ caption: "Benchmarks", rows, columns, search: "Search benchmarks", pageSize: 25 });
  table.element.querySelector("input").dataset.slash = "";
  return table.element;
}

function known(value) { return value !== null && value !== undefined; }

/** What is told of one subject alone: its methods and call sites. */
class DetailsSection {
  constructor(report, contexts) {
    this.report = report;
    this.contexts = contexts;
    this.content = el("div");
    this.element = section("details", "Methods and call sites", null, this.content);
  }

  show(subject) {
    const listings = this.report.details[subject] ?? [];
    if (!listings.length) {
      const { reason } = this.report.subjects[subject];
      replace(this.content, el("p", { class: "note" }, reason ? `Nothing to list: ${reason}.` : "Listings are left out of reports on this many benchmarks: report this one alone."));
      return;
    }
    replace(this.content, listings.map((listing) => el("div", { class: "listing" },
      el("h3", {}, listing.name), listing.description ? el("p", { class: "quiet" }, listing.description) : null,
      this.table(listing),
      listing.nMore ? el("p", { class: "quiet" }, `${formatted(listing.nMore)} more are not listed.`) : null)));
  }

  table(listing) {
    const columns = listing.columns.map(([title, unit, meaning], index) => {
      const isText = listing.rows.every((row) => row[index] === null || typeof row[index] === "string");
      const isMethod = isText && /method|site|called/i.test(title);
      return {
        title, unit: !unit || unit === "1" || plural(unit) === title ? null : plural(unit), hint: meaning, isText,
        class: isText && title !== "status" ? (title === "source" ? "code whole" : "code") : null,
        value: (row) => row[index], reason: () => (title === "source" ? "the class file does not say" : "no value"),
        show: (text) => (isMethod && /\(|\./.test(text)
          ? el("button", { type: "button", class: "link", title: "Find in the flame graph", onclick: () => this.contexts.searchFor(text.replace(/:\d+$/, "")) }, breakable(text))
          : breakable(text)),
      };
    });
    return new DataTable({ caption: listing.name, rows: listing.rows, columns, search: listing.rows.length > 15 ? "Search" : null, pageSize: 20 }).element;
  }
}
