// Tables that are sorted by their headings, searched, and shown a page at a time.

const ROWS_A_PAGE = 50;

/**
 * A table.
 *
 * A column is {title, unit?, hint?, isText?, value(row), show?(value, row)}: what it sorts by, and
 * the text or node that it shows; a value of null is absent, sorts last either way, and shows a
 * dash with `reason?(row)` as its title. While it is not sorted, rows of the same `group?(row)`, a
 * text or null, stand below a heading.
 */
class DataTable {
  constructor({
    caption,
    columns,
    rows,
    search,
    sortBy = null,
    isDescending = false,
    isCurrent,
    group,
    pageSize = ROWS_A_PAGE,
  }) {
    Object.assign(this, { columns, rows, sortBy, isDescending, isCurrent, group, pageSize, page: 0, text: "" });
    this.head = el("tr");
    this.body = el("tbody");
    this.status = el("p", { class: "status", role: "status" });
    this.pager = el("div", { class: "pager" });
    const filter = search
      ? searchBox(search, (text) => {
          this.text = text.toLowerCase();
          this.page = 0;
          this.update();
        })
      : null;
    this.element = el(
      "div",
      { class: "data-table" },
      el("div", { class: "tools" }, filter, this.status),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
        el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, this.head), this.body),
      ),
      this.pager,
    );
    this.columns.forEach((column, index) => {
      // What people see of a row is what they search.
      column.show ??= (value) => String(value);
      if (!column.isText && column.decimals === undefined) {
        column.decimals = decimalsFor(rows.map((row) => column.value(row)));
      }
      this.head.append(
        el(
          "th",
          { scope: "col", class: column.isText ? "text" : "number", title: column.hint },
          el(
            "button",
            { type: "button", onclick: () => this.sort(index) },
            column.title,
            column.unit ? el("small", {}, column.unit) : null,
          ),
        ),
      );
    });
    this.update();
  }

  /** Shows other rows in the same columns. */
  setRows(rows) {
    this.rows = rows;
    this.page = 0;
    this.update();
  }

  /** Sorts by a column: numbers by the largest first, then the other way, then as it was. */
  sort(index) {
    const first = !this.columns[index].isText;
    if (this.sortBy !== index) [this.sortBy, this.isDescending] = [index, first];
    else if (this.isDescending === first) this.isDescending = !first;
    else this.sortBy = null;
    this.page = 0;
    this.update();
  }

  found() {
    const words = this.text.split(/\s+/).filter(Boolean);
    let rows = this.rows;
    if (words.length) {
      const texts = this.columns.filter((column) => column.isText);
      rows = rows.filter((row) => {
        const text = texts
          .map((column) => column.value(row) ?? "")
          .join(" ")
          .toLowerCase();
        return words.every((word) => text.includes(word));
      });
    }
    if (this.sortBy === null) return rows;
    const { value } = this.columns[this.sortBy];
    const sign = this.isDescending ? -1 : 1;
    return rows
      .map((row, index) => ({ row, index, key: value(row) }))
      .sort(
        (a, b) =>
          (a.key === null) - (b.key === null) ||
          (a.key === null ? 0 : sign * compared(a.key, b.key)) ||
          a.index - b.index,
      )
      .map(({ row }) => row);
  }

  update() {
    const rows = this.found();
    const nPages = Math.max(1, Math.ceil(rows.length / this.pageSize));
    this.page = Math.min(this.page, nPages - 1);
    const shown = rows.slice(this.page * this.pageSize, (this.page + 1) * this.pageSize);
    [...this.head.children].forEach((cell, index) => {
      if (index === this.sortBy) {
        cell.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
      } else cell.removeAttribute("aria-sort");
    });
    replace(
      this.body,
      shown.map((row, index) => [this.heading(row, shown[index - 1]), this.row(row)]),
    );
    if (!shown.length) {
      replace(this.body, el("tr", {}, el("td", { colspan: this.columns.length, class: "none" }, "Nothing found.")));
    }
    this.status.textContent =
      rows.length === this.rows.length
        ? nPages > 1
          ? counted(rows.length, "row")
          : ""
        : `${formatted(rows.length)} of ${counted(this.rows.length, "row")}`;
    this.showPages(nPages);
  }

  /** Returns the heading of a row's group, if the row before is of another. */
  heading(row, before) {
    if (!this.isGrouped) return null;
    const group = this.group(row);
    if (group === null || (before && this.group(before) === group)) return null;
    return el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: this.columns.length }, group));
  }

  get isGrouped() {
    return Boolean(this.group) && this.sortBy === null;
  }

  row(row) {
    const cells = this.columns.map((column) => {
      const value = column.value(row);
      const kind = column.isText ? "text" : "number";
      const style = column.class ? ` ${column.class}` : "";
      if (value === null || value === undefined) return absent(column.reason?.(row), kind + style);
      const shown = column.isText
        ? column.show(value, row)
        : (column.cell?.(value, row) ?? formatted(value, column.decimals));
      return el(column.isHeading ? "th" : "td", { class: kind + style, scope: column.isHeading ? "row" : null }, shown);
    });
    const kinds = [this.isCurrent?.(row) ? "current" : "", this.isGrouped && this.group(row) !== null ? "member" : ""];
    return el("tr", { class: kinds.join(" ").trim() || null }, cells);
  }

  showPages(nPages) {
    if (nPages === 1) return replace(this.pager);
    const turn = (label, text, page) =>
      el(
        "button",
        {
          type: "button",
          "aria-label": label,
          disabled: page < 0 || page >= nPages,
          onclick: () => {
            this.page = page;
            this.update();
          },
        },
        text,
      );
    replace(
      this.pager,
      turn("First page", "«", this.page ? 0 : -1),
      turn("Previous page", "‹", this.page - 1),
      el("span", {}, `page ${formatted(this.page + 1)} of ${formatted(nPages)}`),
      turn("Next page", "›", this.page + 1),
      turn("Last page", "»", this.page < nPages - 1 ? nPages - 1 : nPages),
    );
  }
}

/** Returns a cell without a value, which says why on demand; never a zero. */
function absent(reason, kind) {
  const why = reason || "no value";
  return el(
    "td",
    { class: `${kind} absent`, title: why },
    el("span", { "aria-hidden": "true" }, "–"),
    el("span", { class: "unseen" }, `no value: ${why}`),
  );
}

const _collator = new Intl.Collator("en", { numeric: true });

function compared(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : _collator.compare(a, b);
}
