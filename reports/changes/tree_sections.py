"""Sections of differential trees: a line for each node, indented below its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.cells import dotted, number, percent, signed
from jvmscope.reports.faces.blocks import Grid, Note, Section, Toned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.reports.faces.blocks import Tone

__all__ = ["tree_sections"]

_MARKS = {"only_a": "- ", "only_b": "+ ", "own": "* "}
_LEGEND = Note("+ only in B, - only in A, * its own weight differs, :line of the call")


def tree_sections(rows: Iterable[dict[str, Any]], weight: str) -> Iterator[Section]:
    """Yields the rows of ``compare_trees``, a section for each benchmark."""
    by_benchmark: dict[str | None, list[dict[str, Any]]] = {}
    for row in rows:
        by_benchmark.setdefault(row["benchmark"], []).append(row)
    for benchmark, nodes in by_benchmark.items():
        title = f"Tree of calling contexts, by {weight}{f': {benchmark}' if benchmark else ''}"
        cells = tuple(map(_cells, nodes))
        titles = ("delta", "%", "A", "B", "context")
        grid = Grid(titles, cells, numeric=frozenset(range(4)), is_tree=True)
        yield Section(title, (grid, _LEGEND), is_folded=True)


def _cells(row: dict[str, Any]) -> tuple[str | Toned, ...]:
    tone: Tone = "other" if row["delta"] else "none"
    return (
        Toned(signed(row["delta"]), tone),
        Toned(percent(row["delta_pct"]), tone),
        number(row["a"]),
        number(row["b"]),
        f"{_MARKS.get(row['difference'], '  ')}{'  ' * row['level']}{_name(row)}",
    )


def _name(row: dict[str, Any]) -> str:
    if row["difference"] == "folded":
        return f"({row['n_nodes']:,} more)"
    line = f":{row['line']}" if row["line"] else ""
    return f"{row['thread'] or dotted(row['method'] or '')}{line}"
