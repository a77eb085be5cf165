// The summary, the listings of one subject, and how it was recorded: what was not counted, and why.

const STATUS = {
  recorded: "recorded",
  failed: "failed",
  timeout: "timed out",
  invalid: "wrong output",
  truncated: "truncated",
  missing: "not run",
};

/** Returns a button that chooses a subject for the whole page. */
function chooser(name, index) {
  return el("button", { type: "button", class: "link", onclick: () => choose(index) }, breakable(name));
}

let choose; // page.js sets it

function known(value) {
  return value !== null && value !== undefined;
}

function statusOf(subject) {
  return el(
    "span",
    { class: `badge ${subject.status}`, title: subject.reason },
    STATUS[subject.status] ?? subject.status,
  );
}

/** Notes, what was recorded in figures, and of several subjects a table. */
function summarySection(report) {
  const isOne = report.subjects.length === 1;
  const notes = report.notes.map((note) => el("p", { class: "note" }, note));
  const [subject] = report.subjects;
  if (isOne && subject.status !== "recorded")
    notes.unshift(
      el("p", { class: "note" }, `${STATUS[subject.status] ?? subject.status}: ${subject.reason ?? "unknown reason"}`),
    );
  return section("summary", "Summary", null, tiles(report), notes, isOne ? null : subjectsTable(report));
}

/**
 * Returns figures of all subjects together. Only what may be added is added: two benchmarks load
 * the same classes, so their sum counts nothing; of a depth there is a largest one.
 */
function tiles(report) {
  const { subjects } = report;
  const isOne = subjects.length === 1;
  const tile = (value, label, title) => el("div", { class: "tile", title }, el("b", {}, value), el("span", {}, label));
  const nRecorded = subjects.filter(({ status }) => status === "recorded").length;
  const found = isOne
    ? []
    : [
        tile(
          formatted(nRecorded),
          nRecorded === subjects.length
            ? "benchmarks, all recorded"
            : `of ${counted(subjects.length, "benchmark")} recorded`,
        ),
      ];
  const facts = subjects.flatMap((subject) => subject.facts.filter(([, value]) => typeof value === "number"));
  for (const name of new Set(facts.map(([fact]) => fact))) {
    const values = facts.filter(([fact]) => fact === name);
    const [, , unit, together, kind] = values[0];
    if (isOne ? kind !== "amount" : !together) continue;
    const value =
      together === "largest"
        ? Math.max(...values.map(([, each]) => each))
        : values.reduce((all, [, each]) => all + each, 0);
    const some = !isOne && values.length < subjects.length ? ` of ${formatted(values.length)}` : "";
    const label = isOne ? name : together === "largest" ? `${name}, the largest${some}` : `${name}, the sum${some}`;
    const shown = unit === "s" ? `${rounded(value)} s` : rounded(value);
    found.push(tile(shown, label, `${quantity(value, unit)}`));
  }
  return el("div", { class: "tiles" }, found);
}

function factsOf(subject) {
  const rows = [
    ["status", statusOf(subject)],
    ["reason", subject.reason],
    ["command", subject.command && el("code", {}, subject.command)],
    ["JVM", subject.jvmVersion ?? subject.jvm],
    ...subject.parameters,
    ...subject.facts.map(([name, value, unit]) => [
      name,
      typeof value === "number" ? quantity(value, name.includes(unit) ? null : unit) : value,
    ]),
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return el(
    "dl",
    { class: "facts wide" },
    rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** Returns a number with its unit, if it has one: "26 frames", "0.42 s". */
function quantity(value, unit) {
  const decimals = decimalsFor([value]);
  if (!unit || unit === "1") return formatted(value, decimals);
  return unit.length > 2 ? counted(value, unit, decimals) : `${formatted(value, decimals)} ${unit}`;
}

function subjectsTable(report) {
  const rows = report.subjects.map((subject, index) => ({
    subject,
    index,
    facts: new Map(subject.facts.map(([name, value]) => [name, value])),
  }));
  const columns = [
    {
      title: "Benchmark",
      isText: true,
      isHeading: true,
      value: ({ subject }) => subject.name,
      show: (name, { index }) => chooser(name, index),
    },
    {
      title: "Status",
      isText: true,
      value: ({ subject }) => `${STATUS[subject.status] ?? subject.status} ${subject.reason ?? ""}`,
      show: (_, { subject }) =>
        el("span", {}, statusOf(subject), subject.reason ? el("small", { class: "why" }, subject.reason) : null),
    },
  ];
  for (const [title, of] of [
    ["Suite", "suite"],
    ["JVM", "jvm"],
  ]) {
    if (new Set(report.subjects.map((subject) => subject[of])).size > 1) {
      columns.push({ title, isText: true, value: ({ subject }) => subject[of] ?? null });
    }
  }
  const kinds = new Map(
    report.subjects.flatMap(({ facts }) => facts.map(([name, , unit, , kind]) => [name, { unit, kind }])),
  );
  for (const [name, { unit, kind }] of kinds) {
    const values = rows.map(({ facts }) => facts.get(name));
    const isText = values.some((value) => typeof value === "string");
    // What is the same of all says nothing here, and the status says more than the exit status.
    if ((isText || kind === "status") && new Set(values.filter(known)).size < 2) continue;
    columns.push({
      title: name,
      isText,
      class: isText ? "whole" : null,
      value: ({ facts }) => facts.get(name) ?? null,
      unit: unit?.length === 1 && unit !== "1" ? unit : null, // seconds
      reason: ({ subject }) => subject.reason ?? "not known",
    });
  }
  const table = new DataTable({ caption: "Benchmarks", rows, columns, search: "Search benchmarks", pageSize: 25 });
  table.element.querySelector("input").dataset.slash = "";
  return table.element;
}

/** Where code of one subject branches out most, and how much is start-up: its listings, the methods' own left out. */
class ListingsSection {
  constructor(report, onMethod) {
    Object.assign(this, { report, onMethod });
    this.content = el("div");
    this.element = section("details", "Call sites and start-up", null, this.content);
  }

  show(subject) {
    const listings = (this.report.details[subject] ?? []).filter(
      ({ kind }) => kind !== "exclusions" && !(kind === "methods" && this.report.runs[subject]),
    ); // the page has all methods
    if (!listings.length) {
      const { reason } = this.report.subjects[subject];
      replace(
        this.content,
        el(
          "p",
          { class: "note" },
          reason
            ? `Nothing to list: ${reason}.`
            : "Reports on this many benchmarks have no listings: write a report for this benchmark alone.",
        ),
      );
      return;
    }
    replace(
      this.content,
      listings.map((listing) => listed(listing, this.onMethod)),
    );
  }
}

/** Returns a listing with its heading; methods in it lead to who calls them. */
function listed(listing, onMethod) {
  return el(
    "div",
    { class: "listing" },
    el("h3", {}, listing.name),
    listing.description ? el("p", { class: "quiet" }, listing.description) : null,
    listingTable(listing, onMethod),
    listing.nMore ? el("p", { class: "quiet" }, `${formatted(listing.nMore)} more rows are not listed.`) : null,
  );
}

function listingTable(listing, onMethod) {
  const columns = listing.columns.map(([title, unit, meaning, holds], index) => {
    const isText = listing.rows.every((row) => row[index] === null || typeof row[index] === "string");
    const isMethod = onMethod && holds === "method";
    return {
      title,
      unit: !unit || unit === "1" || plural(unit) === title ? null : plural(unit),
      hint: meaning,
      isText,
      class: holds ? (holds === "source" ? "code whole" : "code") : null,
      value: (row) => row[index],
      reason: () => (holds === "source" ? "not in the class file" : "no value"),
      show: (text) =>
        isMethod && text.includes("(")
          ? el(
              "button",
              { type: "button", class: "link", title: "Who calls this", onclick: () => onMethod(text) },
              breakable(text),
            )
          : breakable(text),
    };
  });
  return new DataTable({
    caption: listing.name,
    rows: listing.rows,
    columns,
    search: listing.rows.length > 15 ? "Search" : null,
    pageSize: 20,
  }).element;
}

/** How one subject was recorded, and what was not counted in full. */
class RecordingSection {
  constructor(report) {
    this.report = report;
    this.content = el("div");
    this.element = section("recording", "Recording", null, this.content);
  }

  show(subject) {
    const listings = (this.report.details[subject] ?? []).filter(({ kind }) => kind === "exclusions");
    replace(
      this.content,
      factsOf(this.report.subjects[subject]),
      listings.map((listing) => listed(listing, null)),
    );
  }
}
