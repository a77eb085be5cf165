"""From rows to one SELECT.

A derived table hides the aliases inside it. Expressions are written in terms of the innermost
aliases throughout, and only here is each column replaced by that of the outermost derived table
that hides it; so a derived table has just the columns that are asked of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from jvmscope.queries.compiler.values import Alias, Derived

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.compiler.values import Rows

__all__ = ["Emitter"]

_PLACEHOLDER = "?"  # no table's name


class Emitter:
    """Makes the SQL of rows, and knows which derived table hides which alias."""

    def __init__(self) -> None:
        self._hidden: dict[str, Derived] = {}
        self._sources: dict[str, Alias | Derived] = {}
        self._n_names = 0

    def name(self, stem: str) -> str:
        """Returns a name that no other alias has."""
        self._n_names += 1
        return f"{stem}_{self._n_names}"

    def source(self, name: str) -> Alias | Derived | None:
        """Returns what a name stands for, None if nothing is selected from it."""
        return self._sources.get(name)

    def derive(self, rows: Rows, stem: str, **options: object) -> Derived:
        """Returns a derived table of rows, which hides their aliases from now on."""
        derived = Derived(self.name(stem), rows, **options)  # type: ignore[arg-type]
        for source in rows.sources:
            self._hidden[source.name] = derived
        return derived

    def select(self, rows: Rows, outputs: Sequence[exp.Expr]) -> exp.Select:
        """Returns a SELECT in which derived tables are placeholders still."""
        query = exp.Select(expressions=[output.copy() for output in outputs])
        sources = [self._placeholder(source) for source in rows.sources]
        if sources:
            query.set("from_", exp.From(this=sources[0]))
            joins = [exp.Join(this=source, kind="CROSS") for source in sources[1:]]
            query.set("joins", joins)
        if rows.conditions:
            query.set("where", exp.Where(this=exp.and_(*rows.conditions, copy=True)))
        return query

    def finish(self, query: exp.Expr) -> exp.Expr:
        """Returns the query with its derived tables written out; no placeholder is left."""
        return self._finished(query, ())

    def _finished(self, query: exp.Expr, opened: tuple[Derived, ...]) -> exp.Expr:
        query = query.transform(lambda node: self._visible(node, opened))
        for table in list(query.find_all(exp.Table)):
            if table.name == _PLACEHOLDER:
                source = self._sources[table.alias]
                table.replace(
                    _table(source) if isinstance(source, Alias) else self._written(source, opened)
                )
        return query

    def _visible(self, node: exp.Expr, opened: tuple[Derived, ...]) -> exp.Expr:
        while isinstance(node, exp.Column):
            derived = self._hidden.get(node.table)
            if derived is None or derived in opened:
                break
            node = derived.column(node)
        return node

    def _written(self, derived: Derived, opened: tuple[Derived, ...]) -> exp.Expr:
        columns = derived.columns.values()
        outputs = [exp.alias_(inner.copy(), name, quoted=True) for name, inner in columns]
        query = self.select(derived.rows, outputs or [exp.Literal.number(1)])
        if derived.keys is not None:
            query.set("group", exp.Group(expressions=[key.copy() for key in derived.keys]))
        if derived.is_distinct:
            query.set("distinct", exp.Distinct())
        inner = self._finished(query, (*opened, derived))
        return exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(derived.name)))

    def _placeholder(self, source: Alias | Derived) -> exp.Table:
        self._sources[source.name] = source
        name = exp.TableAlias(this=exp.to_identifier(source.name))
        return exp.Table(this=exp.to_identifier(_PLACEHOLDER, quoted=True), alias=name)


def _table(alias: Alias) -> exp.Expr:
    name = exp.TableAlias(this=exp.to_identifier(alias.name))
    if alias.relation.is_list:
        return exp.Subquery(this=_parsed(_LISTED[alias.relation.table]).copy(), alias=name)
    if not alias.with_counts:
        table = exp.to_identifier(alias.relation.table, quoted=True)
        schema = exp.to_identifier("run") if alias.is_whole else None
        return exp.Table(this=table, db=schema, alias=name)
    return exp.Subquery(this=_parsed(_COUNTED[alias.relation.table]).copy(), alias=name)


# Counts that the classes' document shows: sums over the threads, absent where nothing was
# counted, which is not zero.
_COUNTED = {
    "method": """
        SELECT m.*,
               CASE WHEN m.coverage <> 'none' OR t.n_calls > 0
                    THEN COALESCE(t.n_calls, 0) END AS "callCount",
               CASE WHEN m.coverage <> 'none' OR t.n_calls > 0
                    THEN COALESCE(t.n_bytecodes, 0) END AS "bytecodeCount"
        FROM method AS m
        LEFT JOIN (
            SELECT method_id, SUM(n_calls)::BIGINT AS n_calls,
                   SUM(n_bytecodes)::BIGINT AS n_bytecodes
            FROM thread_method GROUP BY method_id
        ) AS t ON t.method_id = m.method_id
    """,
    "basic_block": """
        SELECT b.*,
               CASE WHEN m.coverage = 'full' OR t.n_executions > 0
                    THEN COALESCE(t.n_executions, 0) END AS "executionCount"
        FROM basic_block AS b
        JOIN method AS m ON m.method_id = b.method_id
        LEFT JOIN (
            SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
            FROM thread_block GROUP BY basic_block_id
        ) AS t ON t.basic_block_id = b.basic_block_id
    """,
}


# Elements that are entries of a list in a row, and their place in it.
_LISTED = {
    "interface": """
        SELECT class_id,
               UNNEST(interface_ids) AS interface_id,
               UNNEST(range(length(interface_ids))) AS place
        FROM class
    """,
}


@cache
def _parsed(sql: str) -> exp.Expr:
    return sqlglot.parse_one(sql, dialect="duckdb")
