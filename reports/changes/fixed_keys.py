"""Conditions on keys that have the same values in every run, as the percentages of cut-offs.

``percent = 15`` would pass every comparison where 10 and 20 are measured, and 15 is not. Of other
numbers, as of the targets of a call site, a condition may ask for what no run has yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.metrics import catalogue
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_parts import (
    alternatives,
    at_best,
    columns_of,
    parts,
    reduced,
    weakened,
)
from jvmscope.reports.changes.condition_results import truths
from jvmscope.reports.changes.condition_text import error_at
from jvmscope.reports.changes.vocabulary import DEFINED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmscope.errors import QueryError
    from jvmscope.reports.changes.condition_parts import Node, Part

__all__ = ["check_fixed_keys"]

_SHOWN = 12


def check_fixed_keys(condition: str, changes: pa.Table) -> None:
    """Refuses a condition that asks a fixed key for values which it has in no run.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        changes: the changes of what it is about; without rows of it, nothing is known.

    Raises:
        QueryError: no row can meet it, or a part of it that OR joins; with its place, and the
            values that there are.
    """
    metrics = _distinct(changes, "metric")
    keys = frozenset().union(*(catalogue()[id_].fixed for id_ in metrics))
    for choice in alternatives(parsed_condition(condition)):
        for part in parts(choice):
            columns = columns_of(part.node)
            if len(columns) == 1 and columns <= keys:
                _check(condition, choice, part, changes)


def _check(condition: str, choice: Node, part: Part, changes: pa.Table) -> None:
    (key,) = columns_of(part.node)
    columns = [*DEFINED, key]
    rows = changes.group_by(columns, use_threads=False).aggregate([])
    about, can_be = truths(
        condition, rows, [reduced(choice, weakened(DEFINED)), reduced(choice, at_best(columns))]
    )
    if any(can_be):
        return
    meant = rows.filter(pa.array([each is not False for each in about], pa.bool_()))
    metrics = [id_ for id_ in _distinct(meant, "metric") if _has(id_, key)]
    measured = meant.filter(pc.is_valid(meant[key]))
    is_known = set(metrics) == {*_distinct(measured, "metric")}  # else one had no rows
    if metrics and is_known and all(key in catalogue()[id_].fixed for id_ in metrics):
        raise _error(condition, part, metrics, _distinct(measured, key))


def _distinct(rows: pa.Table, column: str) -> list[Any]:
    """Returns what a column holds, in the order in which it comes."""
    found: list[Any] = rows[column].unique().to_pylist()
    return found


def _has(metric: str, key: str) -> bool:
    return any(column.name == key for column in catalogue()[metric].keys)


def _error(
    condition: str, part: Part, metrics: Sequence[str], known: Collection[float | str]
) -> QueryError:
    (key,) = columns_of(part.node)
    whose = f"{metrics[0]} has" if len(metrics) == 1 else "the metrics have"
    return error_at(f"{whose} no such {key}", condition, part.node, _known(known))


def _known(values: Collection[float | str]) -> str:
    """Says which values there are, all of a few.

    >>> _known([90.0, 99.9]), _known(range(1, 101))
    ('known: 90, 99.9', 'known: 100 from 1 to 100')
    """
    ordered = sorted(values)
    if len(ordered) > _SHOWN:
        return f"known: {len(ordered)} from {_written(ordered[0])} to {_written(ordered[-1])}"
    return f"known: {', '.join(map(_written, ordered))}"


def _written(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
