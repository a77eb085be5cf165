"""Sections of budgets: first those that are exceeded, last those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.cells import dotted, number
from jvmscope.reports.faces.blocks import Grid, Section, Toned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["budget_sections"]

_TITLES = {
    "exceeded": "Budgets that are exceeded",
    "unchecked": "Budgets that cannot be checked",
    "kept": "Budgets that are kept",
}


def budget_sections(rows: Sequence[dict[str, Any]]) -> Iterator[Section]:
    """Yields the rows of ``check_budgets`` by what became of them."""
    has_benchmark = any(row["benchmark"] for row in rows)
    titles = ("budget", *(["benchmark"] if has_benchmark else []), "of", "A", "B", "")
    n_keys = titles.index("A")
    numeric = frozenset({n_keys, titles.index("B")})
    for status, title in _TITLES.items():
        cells = tuple(_cells(row, has_benchmark) for row in rows if row["status"] == status)
        if cells:
            grid = Grid(titles, cells, numeric, names=frozenset(range(n_keys)), n_keys=n_keys)
            yield Section(title, (grid,), is_folded=status == "kept")


def _cells(row: dict[str, Any], has_benchmark: bool) -> tuple[str | Toned, ...]:
    return (
        row["budget"],
        *([row["benchmark"] or ""] if has_benchmark else []),
        ", ".join(map(dotted, (row["row"] or "").split(", "))),
        number(row["a"]),
        number(row["b"]),
        Toned(row["limit"] or row["reason"] or "", "worse" if row["limit"] else "none"),
    )
