"""Columns of subqueries that nothing reads.

DuckDB leaves them out as well, but late: an aggregate that is not read still decides how the
others are computed.
"""

from __future__ import annotations

from collections import Counter

from jvmscope.queries.sql import exp

__all__ = ["prune"]


def prune(query: exp.Select) -> exp.Select:
    """Returns a SELECT without the columns of its derived tables that nothing reads.

    >>> outputs = [exp.alias_(exp.column(name), name) for name in "ab"]
    >>> inner = exp.Select(expressions=outputs, from_=exp.From(this=exp.Table(this="z")))
    >>> table = exp.From(this=exp.Subquery(this=inner, alias="t"))
    >>> prune(exp.Select(expressions=[exp.column("a", "t")], from_=table))
    SELECT "t"."a" FROM (SELECT "a" AS "a" FROM "z") AS t
    """
    readers = Counter((column.table, column.name) for column in query.find_all(exp.Column))
    for subquery in list(query.find_all(exp.Subquery)):  # the outermost first
        select = subquery.this
        if not _is_table(subquery) or select.args.get("distinct"):
            continue
        name = subquery.alias
        unread = [o for o in select.expressions if not readers[name, o.alias_or_name]]
        if not unread or any(output.find(exp.Unnest) for output in unread):
            continue
        for output in unread:
            readers.subtract((c.table, c.name) for c in output.find_all(exp.Column))
        kept = [output for output in select.expressions if output not in unread]
        select.set("expressions", kept or [exp.Literal.number(1)])
    return query


def _is_table(subquery: exp.Subquery) -> bool:
    is_source = isinstance(subquery.parent, (exp.From, exp.Join)) and bool(subquery.alias)
    return is_source and isinstance(subquery.this, exp.Select)
