"""How much of a run is the start of the JVM: the parts of its trees side by side.

The parts are scopes, so what a row says can be asked of every metric, with ``--scope``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.metrics.cache import cached_table
from jvmscope.queries import WHOLE_RUN, Question, Scope
from jvmscope.reports.model import Listing, ListingColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import Engine

__all__ = ["startup_of"]

_APPLICATION = Scope("application+")
_COLUMNS = (
    ListingColumn("part", None, "of the trees of all threads"),
    ListingColumn("scope", None, "what --scope calls it"),
    ListingColumn("bytecodes", "bytecode", "executed in it"),
    ListingColumn("share", "1", "of all bytecodes executed"),
    ListingColumn("calls", "call", "executions of methods in it"),
    ListingColumn("contexts", "context", "its calling contexts"),
    ListingColumn("classes", "class", "with a method executed in it; the rest: and nowhere else"),
)
_SUMS = """
    SELECT COALESCE(SUM(t.n_bytecodes), 0)::BIGINT,
           COALESCE(SUM(t.n_calls), 0)::BIGINT,
           (SELECT COUNT(*) FROM context WHERE method_id IS NOT NULL),
           COUNT(DISTINCT m.class_id)
    FROM thread_method AS t
    JOIN run.method AS m ON m.method_id = t.method_id
"""
_TYPES = (pa.string(), pa.string(), pa.int64(), pa.float64(), pa.int64(), pa.int64(), pa.int64())
_SCHEMA = pa.schema(
    [pa.field(column.name, type_) for column, type_ in zip(_COLUMNS, _TYPES, strict=True)]
)


def startup_of(engine: Engine, *, is_cached: bool = True) -> Listing:
    """Returns what main and the application execute with all that they call, and what is left.

    A part has nulls if the run cannot tell it: no main was counted, or calls were folded across
    the part's border.

    Args:
        engine: the run.
        is_cached: whether to use and keep the rows under ``RUN/metrics``.

    Raises:
        QueryError: a query failed.
    """
    main = engine.manifest.main.class_name
    table = cached_table(
        engine,
        "report.startup",
        {"query": _SUMS, "main": main},
        lambda: pa.Table.from_pylist(list(_rows(engine, main)), _SCHEMA),
        is_cached=is_cached,
    )
    columns = (column.to_pylist() for column in table.columns)
    return Listing(
        name="Start of the JVM and the rest",
        description="The application with all that it calls, and the rest, add up to everything. "
        "Any report is about one of these parts with --scope.",
        columns=_COLUMNS,
        rows=tuple(zip(*columns, strict=True)),
        id="report.startup",
        kind="parts",
    )


def _rows(engine: Engine, main: str | None) -> Iterator[dict[str, Any]]:
    whole = _sums(engine, WHOLE_RUN) or (0, 0, 0, 0)
    inside = _sums(engine, _APPLICATION)
    left = inside and tuple(every - part for every, part in zip(whole, inside, strict=True))
    if main is not None:
        below = Scope("subtree", f"{main}.main")
        yield _row("main, with all that it calls", below, _sums(engine, below), whole)
    yield _row("the application, with all that it calls", _APPLICATION, inside, whole)
    yield _row("the rest: start and end of the JVM, other threads", None, left, whole)
    yield _row("everything", WHOLE_RUN, whole, whole)


def _sums(engine: Engine, scope: Scope) -> tuple[int, ...] | None:
    """Returns a scope's bytecodes, calls, contexts and classes; None: the run cannot tell them."""
    try:
        engine.scopes.bind(scope)
    except QueryError:
        return None
    (sums,) = engine.query(Question(_SUMS, "sql", scope=scope)).rows()
    return tuple(sums)


def _row(
    part: str, scope: Scope | None, sums: tuple[int, ...] | None, whole: tuple[int, ...]
) -> dict[str, Any]:
    bytecodes, calls, contexts, classes = sums or (None,) * len(whole)
    return {
        "part": part,
        "scope": None if scope is None else str(scope),
        "bytecodes": bytecodes,
        "share": None if bytecodes is None or not whole[0] else bytecodes / whole[0],
        "calls": calls,
        "contexts": contexts,
        "classes": classes,
    }
