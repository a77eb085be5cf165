"""Tables about one subject.

Its hottest methods, its most polymorphic call sites, its start-up beside the rest, and what was
not counted in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jvmscope.metrics.cache import cached_table
from jvmscope.queries import Question
from jvmscope.reports.model import Listing, ListingColumn
from jvmscope.reports.startup import startup_of

if TYPE_CHECKING:
    import pyarrow as pa

    from jvmscope.queries import Engine, Scope

__all__ = ["N_ROWS", "listings_of"]

N_ROWS = 20
"""Rows of a listing, at most."""

_SOURCE = "{class_}.source_file || COALESCE(':' || {line}, '')"


@dataclass(frozen=True)
class _Kind:
    id: str
    rows: Literal["methods", "call_sites", "exclusions"]
    name: str
    description: str
    columns: tuple[ListingColumn, ...]
    sql: str


_METHOD = ListingColumn("method", holds="method")
_SOURCE_COLUMN = ListingColumn(
    "source", None, "file and line, as far as the class file says them", "source"
)

_HOTTEST_METHODS = _Kind(
    "report.hottest_methods",
    "methods",
    "Hottest methods",
    "The methods that executed most bytecodes, callees left out.",
    (
        _METHOD,
        ListingColumn("calls", "call", "executions of the method"),
        ListingColumn("bytecodes", "bytecode", "executed by it"),
        ListingColumn("share", "1", "of all bytecodes executed"),
        _SOURCE_COLUMN,
    ),
    f"""
    WITH executed AS (
        SELECT method_id,
               SUM(n_calls)::BIGINT AS n_calls,
               SUM(n_bytecodes)::BIGINT AS n_bytecodes
        FROM thread_method
        GROUP BY method_id
        HAVING SUM(n_calls) > 0 OR SUM(n_bytecodes) > 0
    ),
    hottest AS (
        SELECT *,
               n_bytecodes::DOUBLE / NULLIF(SUM(n_bytecodes) OVER (), 0) AS share,
               COUNT(*) OVER () AS n
        FROM executed
        ORDER BY n_bytecodes DESC, n_calls DESC, method_id
        LIMIT {N_ROWS}
    )
    SELECT n, name.method, n_calls, n_bytecodes, share,
           {_SOURCE.format(class_="class", line="method.first_line")} AS source
    FROM hottest
    JOIN names.methods() AS name USING (method_id)
    JOIN run.method AS method USING (method_id)
    JOIN run.class AS class ON class.class_id = method.class_id
    ORDER BY n_bytecodes DESC, n_calls DESC, method_id
    """,
)
_POLYMORPHIC_SITES = _Kind(
    "report.polymorphic_sites",
    "call_sites",
    "Call sites with most targets",
    "Dynamically dispatched call sites that reached more than one method.",
    (
        _METHOD,
        ListingColumn("called", None, "the method's name that the call site gives", "code"),
        ListingColumn("targets", "method", "distinct methods reached"),
        ListingColumn("calls", "call", "made through the site"),
        _SOURCE_COLUMN,
    ),
    f"""
    WITH found AS (
        SELECT *, COUNT(*) OVER () AS n
        FROM dispatch.sites()
        WHERE n_targets > 1
        ORDER BY n_targets DESC, n_calls DESC, call_site_id
        LIMIT {N_ROWS}
    )
    SELECT n, name.method, site.name AS called, n_targets, n_calls,
           {_SOURCE.format(class_="class", line="site.line")} AS source
    FROM found
    JOIN run.call_site AS site USING (call_site_id)
    JOIN names.methods() AS name ON name.method_id = site.caller_id
    JOIN run.class AS class ON class.class_id = name.class_id
    ORDER BY n_targets DESC, n_calls DESC, call_site_id
    """,
)

_EXCLUSIONS = _Kind(
    "report.exclusions",
    "exclusions",
    "Not counted in full",
    "Methods and classes whose code is not instrumented, or not all of it, by reason. What they "
    "execute is missing from every count, unless the reason says otherwise; the table exclusion "
    "names each of them.",
    (
        ListingColumn("reason", None, "why"),
        ListingColumn("exclusions", "exclusion", "methods, or classes as a whole"),
        ListingColumn("classes", "class", "that have them"),
        ListingColumn("example", None, "the first by name", "code"),
    ),
    f"""
    WITH found AS (
        SELECT reason,
               COUNT(*) AS n_exclusions,
               COUNT(DISTINCT class_name) AS n_classes,
               MIN(replace(class_name, '/', '.') || COALESCE('.' || method_name, '')) AS example
        FROM run.exclusion
        GROUP BY reason
    )
    SELECT COUNT(*) OVER () AS n, reason, n_exclusions, n_classes, example
    FROM found
    ORDER BY n_exclusions DESC, reason
    LIMIT {N_ROWS}
    """,
)


def listings_of(engine: Engine, scope: Scope, *, is_cached: bool = True) -> tuple[Listing, ...]:
    """Returns the listings of a run.

    Args:
        engine: the run.
        scope: the part of the run that they are about.
        is_cached: whether to use and keep them under ``RUN/metrics``.

    Raises:
        QueryError: a query failed, or the run does not have the scope.
    """
    kinds = [_HOTTEST_METHODS, _POLYMORPHIC_SITES]
    listings = [_listing(engine, kind, scope, is_cached=is_cached) for kind in kinds]
    if scope.kind == "run":
        listings.append(startup_of(engine, is_cached=is_cached))
    if "exclusion" in engine.manifest.tables:
        listings.append(_listing(engine, _EXCLUSIONS, scope, is_cached=is_cached))
    return tuple(listings)


def _listing(engine: Engine, kind: _Kind, scope: Scope, *, is_cached: bool) -> Listing:
    def compute() -> pa.Table:
        return engine.query(Question(kind.sql, "sql", scope=scope)).arrow()

    decisive = {"query": kind.sql, "scope": str(scope)}
    table = cached_table(engine, kind.id, decisive, compute, is_cached=is_cached)
    n_in_all, *columns = (column.to_pylist() for column in table.columns)
    n: int = next(iter(n_in_all), 0) or 0
    return Listing(
        name=kind.name,
        description=kind.description,
        columns=kind.columns,
        rows=tuple(zip(*columns, strict=True)),
        n_more=n - len(n_in_all),
        id=kind.id,
        kind=kind.rows,
    )
