// The page: sections, navigation, the chosen subject, the theme, and keys.

const THEMES = [
  ["auto", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
];

function readBlock(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

function themeSwitch(onChange) {
  let theme = "auto";
  try {
    theme = localStorage.getItem("jvmscope-theme") ?? "auto";
  } catch {
    /* a file may have no storage */
  }
  const set = (chosen) => {
    theme = chosen;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("jvmscope-theme", theme);
    } catch {
      /* likewise */
    }
    onChange();
  };
  document.getElementById("theme").replaceWith(choice("Colours", THEMES, theme, set));
  if (theme !== "auto") document.documentElement.dataset.theme = theme;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
  matchMedia("print").addEventListener("change", onChange);
}

function subtitleOf(report) {
  const { subjects } = report;
  const jvms = [...new Set(subjects.map(({ jvmVersion }) => jvmVersion).filter(Boolean))];
  return [
    subjects.length === 1 ? null : counted(subjects.length, "benchmark"),
    jvms.length === 1 ? `Java ${jvms[0].replace(/^java /i, "")}` : jvms.length ? `${jvms.length} JVMs` : null,
    report.scope === "run" ? null : `metrics of the scope ${report.scope}`,
    subjects.length === 1 ? subjects[0].command : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Returns the subset that stands for all, as a table of who stands for whom. */
function likenessNotes(report) {
  const { clusters, subjects } = report;
  const parts = [];
  if (clusters.reason) return [el("p", { class: "note" }, clusters.reason)];
  const { subset } = clusters;
  if (subset) {
    const rows = subset.subjects.map((index) => ({
      index,
      others: subset.representatives.flatMap((chosen, each) => (chosen === index && each !== index ? [each] : [])),
    }));
    parts.push(
      el(
        "h3",
        {},
        `A subset that covers the rest: ${formatted(subset.subjects.length)} of ${formatted(subjects.length)}`,
      ),
      el(
        "p",
        { class: "quiet" },
        `${clusters.description} ${subset.atLeast === subset.subjects.length ? "This is the smallest." : `A smaller one would have at least ${formatted(subset.atLeast)}.`}`,
      ),
      new DataTable({
        caption: "The subset",
        rows,
        pageSize: 20,
        columns: [
          {
            title: "Benchmark",
            isText: true,
            isHeading: true,
            value: ({ index }) => subjects[index].name,
            show: (name, { index }) => chooser(name, index),
          },
          { title: "Covers", decimals: 0, value: ({ others }) => others.length },
          {
            title: "These",
            isText: true,
            class: "quiet names",
            value: ({ others }) => others.map((each) => subjects[each].name).join(", "),
          },
        ],
      }).element,
    );
  }
  return parts;
}

function start() {
  const report = readBlock("report");
  const plots = new Plots(report, readBlock("plots"));
  const main = document.getElementById("main");
  const isOne = report.subjects.length === 1;
  document.getElementById("subtitle").textContent = subtitleOf(report);
  const view = new View(report.scope, report.weight, () => {
    for (const each of weighed) each.update();
  });
  const hot = new HotSection(report, view);
  const callers = new CallersSection(report, view);
  const contexts = new ContextsSection(report, view);
  const weighed = [hot, callers, contexts];
  const metrics = new MetricsSection(report);
  const sites = new ListingsSection(report, (text) => hot.open(text));
  const recording = new RecordingSection(report);
  hot.onFlame = callers.onFlame = (name) => contexts.searchFor(name);
  hot.onCallers = (method) => callers.open(method);
  callers.onMethod = contexts.onMethod = (method) => hot.open(method);
  plots.onMetric = (id) => metrics.defineMetric(id);
  const looks = plots.of("looks");
  const likeness = plots.of("likeness");
  const over = `Over the ${SCOPES[report.scope]?.[0] ?? report.scope}, independent of the scope selected above.`;
  // What is hot, why, what it is made of, how it compares; then definitions.
  const sections = [
    summarySection(report),
    hot.element,
    callers.element,
    contexts.element,
    looks.length
      ? section(
          "looks",
          "Behaviour",
          isOne ? over : `${over} The selected benchmark is coloured or framed.`,
          el("div", { class: "figures" }, looks),
        )
      : null,
    sites.element,
    isOne
      ? null
      : section("likeness", "Likeness", null, el("div", { class: "figures" }, likeness), likenessNotes(report)),
    metrics.element,
    recording.element,
  ].filter(Boolean);
  main.append(...sections);
  document
    .getElementById("sections")
    .append(
      ...sections.map((each) => el("li", {}, el("a", { href: `#${each.id}` }, each.querySelector("h2").textContent))),
    );
  document.getElementById("view").replaceWith(view.element);
  const select = document.getElementById("subject");
  choose = (index) => {
    select.value = String(index);
    const run = report.runs[index];
    const why = `No calling contexts: ${report.untold[index] ?? report.subjects[index].reason ?? "nothing was recorded"}.`;
    const methods = run ? new Methods(run, report.frames) : null;
    view.show(run);
    for (const each of weighed) each.show(run ?? { why }, methods);
    for (const each of [metrics, sites, recording]) each.show(index);
    plots.choose(index);
  };
  if (!isOne) {
    document.getElementById("chooser").hidden = false;
    select.append(
      ...report.subjects.map(({ name, status }, index) =>
        el("option", { value: index }, status === "recorded" ? name : `${name} (${STATUS[status] ?? status})`),
      ),
    );
    select.addEventListener("change", () => choose(Number(select.value)));
  }
  themeSwitch(() => {
    contexts.flame?.draw();
    plots.drawAll();
  });
  const first = report.subjects.findIndex((_, index) => report.runs[index]);
  if (report.subjects.length) choose(Math.max(0, first));
  document.addEventListener("keydown", searchBySlash);
  watchSections(sections);
  performance.mark("usable");
  plots.drawAll();
}

/** "/" leads to the search of the section that is in sight. */
function searchBySlash(event) {
  if (event.key !== "/" || event.altKey || event.ctrlKey || event.metaKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
  const boxes = [...document.querySelectorAll("[data-slash]")];
  const middle = innerHeight / 2;
  const distance = (box) => {
    const { top, bottom } = box.closest("section").getBoundingClientRect();
    return top <= middle && bottom >= middle ? 0 : Math.min(Math.abs(top - middle), Math.abs(bottom - middle));
  };
  const nearest = boxes.sort((a, b) => distance(a) - distance(b))[0];
  if (!nearest) return;
  event.preventDefault();
  nearest.focus();
  nearest.select();
}

function watchSections(sections) {
  const links = new Map([...document.querySelectorAll("#sections a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target.id);
        else seen.delete(target.id);
      }
      const current = sections.find(({ id }) => seen.has(id))?.id;
      for (const [id, link] of links) {
        if (id === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -60% 0px" },
  );
  for (const each of sections) watcher.observe(each);
}

start();
