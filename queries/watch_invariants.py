"""Invariants of every watch run: what refers to threads, methods and stacks refers to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.first_rows import first_row
from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.engine import Engine

__all__ = ["broken_watch_invariants"]


def broken_watch_invariants(engine: Engine) -> list[str]:
    """Returns a line for each invariant that a watch run breaks."""
    connection = engine.connect()
    problems = []
    for claim, query in _checks(engine):
        row = first_row(connection, query)
        if row is not None and row[0]:
            problems.append(f"{engine.run}: violated by {row[0]} rows: {claim}")
    return problems


def _checks(engine: Engine) -> Iterator[tuple[str, str]]:
    for name, table in watch_tables().items():
        if name not in engine.manifest.tables:
            continue
        if table.has_dense_key:
            counts = f"COUNT(*) - COUNT(DISTINCT {name}_id)"
            yield f"{name}.{name}_id numbers the rows", f"SELECT {counts} FROM {name}"
        for column in table.columns:
            other = "stack_frame" if column.name == "stack_id" else column.references
            if other is None or name == "stack_frame" == other:
                continue
            key = "stack_id" if other == "stack_frame" else f"{other}_id"
            query = (
                f"SELECT COUNT(*) FROM {name} AS x ANTI JOIN {other} AS o "
                f"ON o.{key} = x.{column.name} WHERE x.{column.name} IS NOT NULL"
            )
            yield f"{name}.{column.name} is a row of {other}", query
