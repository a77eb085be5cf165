"""What people are shown: a verdict, and sections of rows, the largest changes first.

The terminal and Markdown show the same sections.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.budgets import describe_row
from jvmscope.reports.changes.cells import (
    Cell,
    Tone,
    delta_text,
    dotted,
    is_change,
    is_comparable,
    number,
    percent,
    short,
    signed,
    size_of,
    tone_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries import Result
    from jvmscope.reports.changes.condition import Held

__all__ = ["Outcome", "Section", "sections"]

_PLAINEST = "execution.totals"  # of metrics that share a measure


@dataclass(frozen=True)
class Section:
    """Rows under a title.

    Attributes:
        title: the title.
        columns: the names of the columns.
        rows: the cells.
        numeric: the columns that hold numbers, by name.
        note: what is said below.
        is_detail: whether a short summary folds it away.
    """

    title: str
    columns: tuple[str, ...]
    rows: list[list[Cell]]
    numeric: frozenset[str] = frozenset()
    note: str | None = None
    is_detail: bool = False


@dataclass(frozen=True)
class Outcome:
    """A comparison with all that was asked of it.

    Attributes:
        a: what the first side is called.
        b: what the second side is called.
        scope: the part of the runs that was measured.
        changes: what ``measuring.changes`` returns; None: the trees alone are compared.
        held: what became of each condition.
        budgets: the rows of ``budgets.check_budgets``; None: there are no budgets.
        tree: what ``trees.compare_trees`` returns; None: trees are not compared.
        weight: what these are weighed by.
    """

    a: str
    b: str
    scope: str
    changes: Result | None
    held: Sequence[Held] = ()
    budgets: Result | None = None
    tree: Result | None = None
    weight: str = "bytecodes"

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The changes."""
        rows: list[dict[str, Any]] = self.changes.arrow().to_pylist() if self.changes else []
        return rows

    @cached_property
    def budget_rows(self) -> list[dict[str, Any]]:
        """The outcomes of the budgets."""
        rows: list[dict[str, Any]] = self.budgets.arrow().to_pylist() if self.budgets else []
        return rows

    @property
    def fails(self) -> bool:
        """Whether a condition holds or a budget is exceeded."""
        return any(held.rows.num_rows for held in self.held) or any(
            row["status"] == "exceeded" for row in self.budget_rows
        )

    @property
    def verdict(self) -> str:
        """The result in one line."""
        n_held = sum(1 for held in self.held if held.rows.num_rows)
        exceeded = {r["budget"] for r in self.budget_rows if r["status"] == "exceeded"}
        parts = []
        if self.held:
            parts.append(f"{n_held} of {len(self.held)} conditions hold")
        if self.budgets is not None:
            n_budgets = len({row["budget"] for row in self.budget_rows})
            parts.append(f"{len(exceeded)} of {n_budgets} budgets are exceeded")
        table = self.changes.arrow() if self.changes else None
        rows = table.select(["a", "b", "delta", "reason"]).to_pylist() if table else []
        n_changed = sum(1 for row in rows if is_change(row))
        if rows:
            parts.append(f"{n_changed:,} of {len(rows):,} values differ")
        is_asked = self.held or self.budgets is not None
        word = "fails: " if self.fails else "passes: " if is_asked else ""
        return word + ", ".join(parts) if parts else "the trees alone were compared"

    @property
    def failures(self) -> list[str]:
        """A line for each condition that holds, and each budget that is not kept."""
        lines = [
            f"holds for {held.rows.num_rows:,} of {held.n_rows:,} values: {held.condition}"
            for held in self.held
            if held.rows.num_rows
        ]
        for row in self.budget_rows:
            about = ", ".join(filter(None, (row["budget"], row["benchmark"], row["row"])))
            if row["status"] == "exceeded":
                values = f"{number(row['a']) or 'none'} → {number(row['b'])}"
                lines.append(f"budget exceeded: {about}: {values}, {row['limit']}")
            elif row["status"] == "unchecked":
                lines.append(f"budget not checked: {about}: {row['reason']}")
        return lines


def sections(outcome: Outcome, *, most: int | None) -> list[Section]:
    """Returns what to show of a comparison.

    Args:
        outcome: the comparison.
        most: how many rows of a section to show; None: all, and values that are the same, too.
    """
    rows = outcome.rows
    shown = [row for row in rows if is_change(row)] if most is not None else rows
    shown = [row for row in shown if is_comparable(row)]
    whole = [row for row in shown if not describe_row(row)]
    parts = [row for row in shown if describe_row(row)]
    if most is not None:
        whole, parts = (sorted(_once(found), key=size_of, reverse=True) for found in (whole, parts))
    found = [_of_condition(held, most) for held in outcome.held if held.rows.num_rows]
    found += _of_budgets(outcome.budget_rows)
    found.append(_table("Changes of whole runs", whole, most))
    found.append(_table("Largest changes in parts of runs", parts, most, is_detail=True))
    by_benchmark: dict[str | None, list[dict[str, Any]]] = {}
    for row in outcome.tree.arrow().to_pylist() if outcome.tree else ():
        by_benchmark.setdefault(row["benchmark"], []).append(row)
    found += [_of_tree(outcome.weight, name, nodes) for name, nodes in by_benchmark.items()]
    found.append(_of_reasons(rows))
    return [section for section in found if section.rows]


def _of_condition(held: Held, most: int | None) -> Section:
    rows = held.rows.to_pylist()
    null = f" (null for {held.n_null:,})" if held.n_null else ""
    title = f"Holds for {len(rows):,} of {held.n_rows:,} values{null}: {held.condition}"
    return _table(title, rows, most)


def _of_budgets(rows: list[dict[str, Any]]) -> list[Section]:
    by_status: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_status.setdefault(row["status"], []).append(row)
    titles = {
        "exceeded": "Budgets that are exceeded",
        "unchecked": "Budgets that cannot be checked",
        "kept": "Budgets that are kept",
    }
    has_benchmark = any(row["benchmark"] for row in rows)
    columns = ("budget", *(["benchmark"] if has_benchmark else []), "of", "A", "B", "")
    found = []
    for status, title in titles.items():
        cells = [
            [
                Cell(row["budget"]),
                *([Cell(row["benchmark"] or "")] if has_benchmark else []),
                Cell(short(row["row"] or "")),
                Cell(number(row["a"])),
                Cell(number(row["b"])),
                Cell(row["limit"] or row["reason"] or "", "worse" if row["limit"] else "none"),
            ]
            for row in by_status.get(status, [])
        ]
        is_detail = status == "kept"
        found.append(Section(title, columns, cells, frozenset("AB"), is_detail=is_detail))
    return found


def _table(
    title: str, rows: Sequence[dict[str, Any]], most: int | None, *, is_detail: bool = False
) -> Section:
    """Returns the section of changes, the first of them if there are too many."""
    shown = rows if most is None else rows[:most]
    has_benchmark = any(row["benchmark"] for row in shown)
    has_keys = any(describe_row(row) for row in shown)
    columns = [*(["benchmark"] if has_benchmark else []), "metric", "measure"]
    columns += [*(["of"] if has_keys else []), "A", "B", "delta", "%"]
    cells = []
    for row in shown:
        tone = tone_of(row)
        keys = [Cell(row["benchmark"] or "")] if has_benchmark else []
        keys += [Cell(row["metric"]), Cell(row["measure"])]
        keys += [Cell(short(describe_row(row)))] if has_keys else []
        numbers = [Cell(number(row["a"])), Cell(number(row["b"]))]
        cells.append(
            [*keys, *numbers, Cell(delta_text(row), tone), Cell(percent(row["delta_pct"]), tone)]
        )
    n_more = len(rows) - len(shown)
    note = f"… and {n_more:,} more" if n_more else None
    numeric = frozenset({"A", "B", "delta", "%"})
    return Section(title, tuple(columns), cells, numeric, note, is_detail)


def _of_tree(weight: str, benchmark: str | None, rows: list[dict[str, Any]]) -> Section:
    cells = []
    for row in rows:
        mark = {"only_a": "- ", "only_b": "+ ", "own": "* "}.get(row["difference"], "  ")
        name = row["thread"] or dotted(row["method"] or "")
        if row["difference"] == "folded":
            name = f"({row['n_nodes']:,} more)"
        line = f":{row['line']}" if row["line"] else ""
        tone: Tone = "other" if row["delta"] else "none"
        cells.append(
            [
                Cell(signed(row["delta"]), tone),
                Cell(percent(row["delta_pct"]), tone),
                Cell(number(row["a"])),
                Cell(number(row["b"])),
                Cell(f"{mark}{'  ' * row['level']}{name}{line}"),
            ]
        )
    title = f"Tree of calling contexts, by {weight}{f': {benchmark}' if benchmark else ''}"
    note = "+ only in B, - only in A, * its own weight differs, :line of the call"
    numeric = frozenset({"delta", "%", "A", "B"})
    return Section(title, ("delta", "%", "A", "B", "context"), cells, numeric, note, is_detail=True)


def _of_reasons(rows: Iterable[dict[str, Any]]) -> Section:
    """Returns the values that cannot be compared, by their reasons."""
    by_reason: dict[str, dict[str, int]] = {}
    for row in rows:
        if not is_comparable(row):
            counts = by_reason.setdefault(row["reason"] or "", {})
            counts[row["metric"]] = counts.get(row["metric"], 0) + 1
    cells = [
        [Cell(f"{sum(counts.values()):,}"), Cell(", ".join(counts)), Cell(reason)]
        for reason, counts in by_reason.items()
    ]
    columns = ("values", "metrics", "reason")
    return Section("Not compared", columns, cells, frozenset({"values"}), is_detail=True)


def _once(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns each fact once: several metrics have the same measure, as what they divide by."""
    same: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        fact = row["benchmark"], row["measure"], row["unit"], row["a"], row["b"], describe_row(row)
        same.setdefault(fact, []).append(row)
    found = []
    for group in same.values():
        first = min(group, key=lambda row: (row["metric"] != _PLAINEST, row["metric"]))
        others = {row["metric"] for row in group} - {first["metric"]}
        more = f" and {len(others)} more" if others else ""
        found.append({**first, "metric": f"{first['metric']}{more}"})
    return found
