"""Rows that B may have for all that anybody knows: of a measure that was not measured there.

Where B was not measured, the rows of its metric are those of A, or one without keys. A condition
on a method, or on a number of classes, may be about none of them, and still be about one of B's.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.metrics import catalogue
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.reports.changes.condition_parts import weakened
from jvmscope.reports.changes.condition_results import truths
from jvmscope.reports.changes.names_of_keys import key_columns
from jvmscope.reports.changes.nulls import is_unmeasured
from jvmscope.reports.changes.vocabulary import OF_VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["unseen_rows"]

_Group = list[tuple[dict[str, Any], bool]]


def unseen_rows(
    condition: str, changes: pa.Table, rows: Sequence[dict[str, Any]], is_about: Sequence[bool]
) -> list[tuple[dict[str, Any], bool | None]]:
    """Returns rows without keys that stand for those of B, and what a condition is for them.

    There is one for each measure that the condition may be about although it is about none of its
    rows, since B was not measured. What the condition says of keys is unknown.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        changes: the changes.
        rows: the same, row by row.
        is_about: whether the condition is about each of them.
    """
    groups: dict[tuple[str | None, str, str], _Group] = {}
    for row, is_meant in zip(rows, is_about, strict=True):
        key = row["benchmark"], row["metric"], row["measure"]
        groups.setdefault(key, []).append((row, is_meant))
    by_keys: dict[frozenset[str], list[dict[str, Any]]] = {}
    for (_, metric, _), group in groups.items():
        if any(is_meant or not is_unmeasured(row, "b") for row, is_meant in group):
            continue
        keys = _keys_of(metric)
        by_keys.setdefault(keys, []).append(_without_keys(group, keys))
    found: list[tuple[dict[str, Any], bool | None]] = []
    for keys, unseen in by_keys.items():
        known = {name.lower() for name in changes.column_names if name not in keys}
        table = pa.Table.from_pylist(unseen, schema=changes.schema)
        rewrites = [weakened(known - OF_VALUES), weakened(known)]
        about, holds = truths(condition, table, rewrites)
        chosen = zip(unseen, about, holds, strict=True)
        found += [(row, is_true) for row, may_be, is_true in chosen if may_be is not False]
    return found


@cache
def _keys_of(metric: str) -> frozenset[str]:
    """Returns the columns that say what a row of a metric is about."""
    return frozenset(key.name for key in key_columns([catalogue()[metric]]))


def _without_keys(group: _Group, keys: frozenset[str]) -> dict[str, Any]:
    """Returns a row of a measure that neither run is known to have."""
    row = {name: None if name in keys else value for name, value in group[0][0].items()}
    if any(not is_unmeasured(each, "a") for each, _ in group):
        row |= {"a": None, "reason_code_a": ReasonCode.NO_ROW}
    return row
