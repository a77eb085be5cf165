"""Sections of values: where conditions hold, the largest changes, and what cannot be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.reports.changes.budgets import describe_row
from jvmscope.reports.changes.cells import (
    delta_text,
    is_change,
    is_comparable,
    number,
    percent,
    short,
    size_of,
    tone_of,
)
from jvmscope.reports.faces.blocks import Grid, Note, Section, Toned
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmscope.reports.changes.condition_results import Held

    Row = dict[str, Any]

__all__ = ["change_sections", "condition_sections", "reason_sections"]

_FOREMOST = "n_bytecodes"  # the measure that comes first, however much others change
_PLAINEST = "execution.totals"  # of metrics that share a measure


def condition_sections(held: Iterable[Held], most: int | None) -> Iterator[Section]:
    """Yields the rows for which each condition holds, the first of them if there are too many."""
    for each in held:
        rows = each.rows.to_pylist()
        null = f" (null for {each.n_null:,})" if each.n_null else ""
        title = (
            f"Holds for {len(rows):,} of {counted(each.n_rows, 'value')}{null}: {each.condition}"
        )
        yield from _section(title, rows, most)


def change_sections(rows: Sequence[Row], most: int | None) -> Iterator[Section]:
    """Yields what changed in whole runs, then in parts of them, the largest changes first.

    Of whole runs, bytecodes come before all else.

    Args:
        rows: all values, those that cannot be compared included.
        most: how many of each to show; None: all in their order, also values that are the same.
    """
    shown = [row for row in rows if is_comparable(row) and (most is None or is_change(row))]
    whole = [row for row in shown if not describe_row(row)]
    parts = [row for row in shown if describe_row(row)]
    if most is not None:
        whole, parts = (sorted(_once(found), key=size_of, reverse=True) for found in (whole, parts))
        whole.sort(key=lambda row: row["measure"] != _FOREMOST)
    yield from _section("Changes of whole runs", whole, most)
    yield from _section("Largest changes in parts of runs", parts, most, is_folded=True)


def reason_sections(rows: Iterable[Row]) -> Iterator[Section]:
    """Yields the values that cannot be compared, by their reasons."""
    by_reason: dict[str, dict[str, int]] = {}
    for row in rows:
        if not is_comparable(row):
            counts = by_reason.setdefault(row["reason"] or "", {})
            counts[row["metric"]] = counts.get(row["metric"], 0) + 1
    found = tuple(
        (f"{sum(counts.values()):,}", ", ".join(counts), reason)
        for reason, counts in by_reason.items()
    )
    if found:
        grid = Grid(("values", "metrics", "reason"), found, frozenset({0}))
        yield Section("Not compared", (grid,), is_folded=True)


def _section(
    title: str, rows: Sequence[Row], most: int | None, *, is_folded: bool = False
) -> Iterator[Section]:
    if not rows:
        return
    shown = rows if most is None else rows[:most]
    n_more = len(rows) - len(shown)
    notes = [Note(f"… and {n_more:,} more")] if n_more else []
    yield Section(title, (_grid(shown), *notes), is_folded)


def _grid(rows: Sequence[Row]) -> Grid:
    """Returns a table of values; benchmarks and names have columns where a row has them."""
    has_benchmark = any(row["benchmark"] for row in rows)
    has_keys = any(describe_row(row) for row in rows)
    titles = [*(["benchmark"] if has_benchmark else []), "metric", "measure"]
    titles += [*(["of"] if has_keys else []), "A", "B", "delta", "%"]
    cells = []
    for row in rows:
        tone = tone_of(row)
        names = [row["benchmark"] or ""] if has_benchmark else []
        names += [row["metric"], row["measure"]]
        names += [short(row)] if has_keys else []
        numbers = (number(row["a"]), number(row["b"]))
        delta = Toned(delta_text(row), tone)
        cells.append((*names, *numbers, delta, Toned(percent(row["delta_pct"]), tone)))
    n_keys = len(titles) - 4
    numeric, keys = frozenset(range(n_keys, len(titles))), frozenset(range(n_keys))
    return Grid(tuple(titles), tuple(cells), numeric, names=keys, n_keys=n_keys)


def _once(rows: Iterable[Row]) -> list[Row]:
    """Returns each fact once: several metrics have the same measure, as what they divide by."""
    same: dict[tuple[Any, ...], list[Row]] = {}
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
