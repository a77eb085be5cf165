"""Columns of a condition that no row has: misspelled ones, and those of metrics not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import catalogue
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_parts import nodes
from jvmscope.reports.changes.condition_text import error_at
from jvmscope.reports.changes.names_of_keys import NAMED, key_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.reports.changes.condition_parts import Node

__all__ = ["refuse_absent_columns"]


def refuse_absent_columns(condition: str, present: Sequence[str]) -> None:
    """Refuses a condition that names a column which no row has.

    Raises:
        QueryError: it does; the error says which metrics have the column, or the nearest name.
    """
    for node in nodes(parsed_condition(condition)):
        if node.get("class") != "COLUMN_REF":
            continue
        name = node["column_names"][-1].lower()
        if name not in present:
            raise _absent(condition, node, name, present)


def _absent(condition: str, node: Node, name: str, present: Sequence[str]) -> QueryError:
    metrics = {
        query.id: {key.name for key in key_columns([query])} for query in catalogue().values()
    }
    having = sorted(
        (id_ for id_, columns in metrics.items() if name in columns),
        key=lambda id_: len(catalogue()[id_].requires),  # a few tables need no probe
    )
    if having:
        lacking = f"is about each {name}" if name in NAMED else f"has {name}"
        advice = "add one that is" if name in NAMED else "add one that has it"
        message = f"none of these metrics {lacking}"
        return error_at(message, condition, node, f"{advice}: metric = '{having[0]}' AND …")
    hint = did_you_mean(name, [*present, *set().union(*metrics.values())])
    columns = f"columns: {', '.join(present)}"
    return error_at(f'there is no column "{name}"', condition, node, hint or columns)
