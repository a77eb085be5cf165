// The section of what is hot: methods by what they weigh, and of one who calls it and what it calls.

/** The methods of one subject at a time, in the scope and by the weight that the page shows. */
class HotSection {
  constructor(report, view) {
    Object.assign(this, { report, view, text: "" });
    this.content = el("div");
    this.element = section(
      "hot",
      "Hot methods",
      "The weight of every method, itself and with everything it calls; recursive calls count once. The numbers are exact even if the flame graph folds contexts. Click a method to see its callers.",
      this.content,
    );
  }

  show(run, methods) {
    this.methods = methods;
    this.run = run;
    this.method = null;
    this.isChosen = false;
    if (!methods) {
      replace(this.content, el("p", { class: "note" }, run.why));
      return;
    }
    this.status = el("p", { class: "status told", role: "status" });
    this.holder = el("div");
    this.card = el("aside", { class: "definition method-card", "aria-label": "Method", "aria-live": "polite" });
    this.search = searchBox("Search methods", (text) => this.find(text));
    this.search.dataset.slash = "";
    this.search.value = this.text;
    replace(
      this.content,
      this.notes(),
      el("div", { class: "tools" }, this.search, this.status),
      el("div", { class: "with-aside" }, this.holder, this.card),
    );
    this.update();
  }

  notes() {
    const { methods } = this;
    if (!methods.nCallsFolded) return null;
    return el(
      "p",
      { class: "note" },
      `${counted(methods.nCallsFolded, "call")} ${methods.nCallsFolded === 1 ? "was" : "were"} folded into other contexts during the recording. Numbers that begin with ≥ lack some of them.`,
    );
  }

  /** Shows the weights of the scope and the weight that the page is at now. */
  update() {
    if (!this.methods) return;
    const { methods, view } = this;
    const scope = methods.scopes[view.scope];
    const unit = plural(methods.weights[view.weight].unit);
    const total = scope.totals[view.weight];
    const rows = this.rows();
    const largest = rows.reduce((most, method) => Math.max(most, scope.own[view.weight][method]), 1);
    const share = (value) =>
      el("span", { class: "barred" }, bar(value / largest), el("span", {}, percent(value / total)));
    const least = (text, method) => (methods.atLeast.has(method) ? `≥ ${text}` : text);
    this.table = new DataTable({
      caption: "Methods",
      pageSize: 20,
      sortBy: 1,
      isDescending: true,
      rows,
      isCurrent: (method) => method === this.method,
      columns: [
        {
          title: "Method",
          isText: true,
          isHeading: true,
          class: "code",
          value: (method) => methods.name(method),
          show: (_, method) => this.mention(method),
        },
        {
          title: "itself",
          unit: "%",
          value: (method) => scope.own[view.weight][method],
          cell: share,
          hint: `${unit} of the method itself, without callees`,
        },
        { title: "itself", unit, decimals: 0, value: (method) => scope.own[view.weight][method] },
        {
          title: "with callees",
          unit: "%",
          value: (method) => scope.inclusive[view.weight][method],
          cell: (value, method) => least(percent(value / total), method),
          hint: "of the method with everything it calls; recursive calls count once",
        },
        {
          title: "with callees",
          unit,
          decimals: 0,
          value: (method) => scope.inclusive[view.weight][method],
          cell: (value, method) => least(formatted(value), method),
        },
      ],
    });
    replace(this.holder, this.table.element, this.foot());
    const heaviest = this.table.found()[0] ?? null;
    this.find(this.search.value.trim(), true);
    if (this.isChosen) this.look(this.method);
    else this.look(this.table.found()[0] ?? heaviest, false);
  }

  rows() {
    const { own, inclusive, rows } = this.methods.scopes[this.view.scope];
    const { weight } = this.view;
    return rows.filter((method) => own[weight][method] > 0 || inclusive[weight][method] > 0);
  }

  foot() {
    const { methods } = this;
    const unlisted = methods.nExecuted - methods.size;
    const weightless = methods.size - this.rows().length;
    const unit = plural(methods.weights[this.view.weight].unit);
    return el(
      "p",
      { class: "quiet" },
      unlisted
        ? `The page has ${formatted(methods.size)} of ${counted(methods.nExecuted, "executed method")}; with callees, each of the others has at most ${bound(methods.below)} of any weight in any scope.`
        : `The page has all ${formatted(methods.nExecuted)} executed methods.`,
      weightless ? ` ${formatted(weightless)} with no ${unit} in this scope are left out.` : "",
    );
  }

  mention(method) {
    const source = this.methods.source(method);
    const name = this.methods.name(method);
    const kind = this.methods.kind(method);
    return el(
      "div",
      { class: "mention" },
      el("span", { class: `kind ${kind}`, title: kind === "library" ? "class library" : kind }),
      el(
        "button",
        {
          type: "button",
          class: "link",
          title: name,
          "aria-label": name,
          onclick: () => {
            this.look(method);
            this.showCard();
          },
        },
        breakable(withoutPackages(name)),
      ),
      el("small", { class: "why" }, [packageOf(name), source].filter(Boolean).join(" · ")),
    );
  }

  find(text, isQuiet = false) {
    this.text = text;
    const { methods, view } = this;
    const found = text ? methods.matching(text) : null;
    const inside = new Set(found);
    this.table.setRows(found ? this.rows().filter((method) => inside.has(method)) : this.rows());
    this.status.textContent = found ? methods.told(found, view.scope, view.weight) : view.whole(methods);
    if (found?.length === 1 && !isQuiet) this.look(found[0]);
  }

  /** Leads to a method that another part of the page names: a place, or the text of a name. */
  open(method) {
    if (typeof method === "string") {
      const found = this.methods?.matching(method) ?? [];
      if (found.length !== 1) {
        this.search.value = method;
        this.find(method);
      }
      [method] = found;
    }
    this.element.scrollIntoView();
    if (method === undefined) return;
    this.look(method);
    this.showCard();
    this.card.focus({ preventScroll: true });
  }

  /** Scrolls to the card where it is not beside the table, but below it. */
  showCard() {
    const isBeside = this.card.getBoundingClientRect().left >= this.holder.getBoundingClientRect().right;
    if (!isBeside) this.card.scrollIntoView();
  }

  /** Shows who calls a method, and what it calls; unless it was chosen, only until the view changes. */
  look(method, isChosen = true) {
    Object.assign(this, { method, isChosen });
    this.table?.update();
    const { methods, view } = this;
    if (method === null) {
      const isEmpty = !methods.scopes[view.scope].rows.length;
      const what = isEmpty ? "Nothing was executed" : `No ${plural(methods.weights[view.weight].unit)}`;
      return replace(this.card, el("p", { class: "quiet" }, `${what} in this scope.`));
    }
    const { totals, own, inclusive } = methods.scopes[view.scope];
    const least = methods.atLeast.has(method) ? "≥ " : "";
    this.card.tabIndex = -1;
    replace(
      this.card,
      el("h3", { class: "code" }, breakable(methods.name(method))),
      el(
        "p",
        { class: "quiet" },
        methods.source(method) ? `in ${methods.source(method)}` : "source unknown",
        ` · ${methods.kind(method) === "application" ? "application" : "class library"}`,
      ),
      el(
        "table",
        { class: "plain" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("td"),
            el("th", { scope: "col", colspan: "2" }, "itself"),
            el("th", { scope: "col", colspan: "2" }, "with callees"),
          ),
        ),
        el(
          "tbody",
          {},
          methods.weights.map(({ name }, weight) =>
            el(
              "tr",
              { class: weight === view.weight ? "current" : null },
              el("th", { scope: "row" }, name),
              el("td", { class: "number" }, formatted(own[weight][method])),
              el("td", { class: "number" }, percent(own[weight][method] / totals[weight])),
              el("td", { class: "number" }, least + formatted(inclusive[weight][method])),
              el("td", { class: "number" }, least + percent(inclusive[weight][method] / totals[weight])),
            ),
          ),
        ),
      ),
      el(
        "p",
        { class: "tools" },
        el("button", { type: "button", onclick: () => this.onFlame(methods.name(method)) }, "Show in the flame graph"),
        el("button", { type: "button", onclick: () => this.onCallers(method) }, "Show in the tree of callers"),
      ),
      this.related(
        "Called by",
        "Caller",
        methods.callersOf(method, view.scope, view.weight),
        "Its weight in calls from each of these methods; the rows add up to the weight of the method.",
      ),
      this.related(
        "Calls",
        "Callee",
        methods.calleesOf(method, view.scope, view.weight),
        `The weight of each of these methods in calls from this method.${this.unlisted()}`,
      ),
    );
  }

  /** Says how many callees there may be that no row tells. */
  unlisted() {
    const { callee, nPairs } = this.methods.scopes[this.view.scope].callers;
    return nPairs > callee.length
      ? ` The page lists the heaviest ${formatted(callee.length)} of ${formatted(nPairs)} pairs of caller and callee.`
      : "";
  }

  related(title, column, rows, about) {
    const { methods, view } = this;
    const total = methods.scopes[view.scope].totals[view.weight];
    const name = ({ method }) =>
      method === null ? "(other callers, each of little weight)" : method < 0 ? CALLERS[method] : methods.name(method);
    const isHeavier = rows.some(({ inclusive }) => inclusive) ? 2 : 1;
    return el(
      "div",
      { class: "related" },
      el("h4", {}, title),
      el("p", { class: "quiet" }, about),
      rows.length
        ? new DataTable({
            caption: title,
            rows,
            pageSize: 8,
            sortBy: isHeavier,
            isDescending: true,
            columns: [
              {
                title: column,
                isText: true,
                class: "code",
                value: name,
                show: (text, { method }) =>
                  method === null || method < 0
                    ? text
                    : el(
                        "button",
                        { type: "button", class: "link", onclick: () => this.look(method) },
                        breakable(shortName(text)),
                        el("span", { class: "unseen" }, text),
                      ),
              },
              {
                title: "itself",
                unit: "%",
                value: ({ own }) => own,
                cell: (value) => el("span", { title: formatted(value) }, percent(value / total)),
              },
              {
                title: "with callees",
                unit: "%",
                value: ({ inclusive }) => inclusive,
                cell: (value) => el("span", { title: formatted(value) }, percent(value / total)),
              },
            ],
          }).element
        : el(
            "p",
            { class: "quiet" },
            methods.nCallsFolded ? "Unknown for this weight, because calls were folded." : "None in this scope.",
          ),
    );
  }
}

/** Returns a method's name with its class and parameters, each without its package. */
function withoutPackages(name) {
  return name.replace(/(?:[\p{Ll}_][\p{L}\d_]*\.)+(?=[\p{Lu}$])/gu, "");
}

/** Returns the package of a method's class, or nothing. */
function packageOf(name) {
  const owner = name.replace(/\(.*$/, "").split(".").slice(0, -2);
  return owner.join(".");
}

/** Returns a bar behind a number. */
function bar(share) {
  const mark = el("span", { class: "cell-bar" });
  mark.style.width = `${Math.min(100, 100 * share)}%`;
  return mark;
}
