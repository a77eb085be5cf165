"""Subqueries that a statement has more than once: a common table expression each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["share"]

_MOST_ROUNDS = 8
_COSTLY = (exp.Group, exp.Distinct, exp.Window, exp.AggFunc)


def share(query: exp.Select) -> exp.Select:
    """Returns a SELECT in which no costly subquery is written twice, except for its columns.

    A ``let`` is compiled where its variable is read, so its subqueries differ in names alone.
    """
    for n in range(1, _MOST_ROUNDS + 1):
        again = _repeated(query)
        if not again:
            break
        _replace(query, again, f"shared_{n}")
    return query


class _Subquery:
    """A subquery that depends on nothing around it, and its text without its own names."""

    def __init__(self, node: exp.Subquery) -> None:
        self.node = node
        self.select = node.this
        self.is_table = isinstance(node.parent, (exp.From, exp.Join))
        plain = self.select.transform(_without_names(self.select))
        self.columns = [column.unalias().sql(dialect="duckdb") for column in plain.expressions]
        if self.is_table and not plain.args.get("distinct"):
            plain.set("expressions", [])
        self.text = f"{self.is_table} {plain.sql(dialect='duckdb')}"


def _repeated(query: exp.Select) -> list[_Subquery]:
    """Returns subqueries with one text, of those with no other such subqueries in them."""
    nodes = [node for node in query.find_all(exp.Subquery) if _is_costly(node)]
    alike = Counter(map(_outline, nodes)) if len(nodes) > 1 else Counter()
    by_text: dict[str, list[_Subquery]] = {}
    for node in reversed(nodes):  # the innermost first
        if alike[_outline(node)] > 1 and _is_closed(node):
            found = _Subquery(node)
            by_text.setdefault(found.text, []).append(found)
    return next((found for found in by_text.values() if len(found) > 1), [])


def _outline(node: exp.Subquery) -> tuple[str, ...]:
    """Returns the tables and SELECTs in a subquery, which tells most of those that differ apart."""
    parts = node.this.find_all(exp.Table, exp.Select)
    return tuple(part.name if isinstance(part, exp.Table) else "SELECT" for part in parts)


def _is_costly(node: exp.Subquery) -> bool:
    select = node.this
    return (
        isinstance(select, exp.Select)
        and select.args.get("from_") is not None
        and (not isinstance(node.parent, (exp.From, exp.Join)) or bool(node.alias))
        and (select.find(*_COSTLY) is not None)
    )


def _is_closed(node: exp.Subquery) -> bool:
    names = _names(node.this)
    return all(column.table in names or not column.table for column in _columns(node.this))


def _columns(select: exp.Select) -> Iterable[exp.Column]:
    return select.find_all(exp.Column)


def _names(select: exp.Select) -> list[str]:
    """Returns the names of all tables in a SELECT, outermost first, each in the order written."""
    return [
        source.alias_or_name
        for source in select.find_all(exp.Table, exp.Subquery)
        if source.alias_or_name
    ]


def _without_names(select: exp.Select) -> Callable[[exp.Expr], exp.Expr]:
    numbers = {name: f"t{n}" for n, name in enumerate(dict.fromkeys(_names(select)))}

    def renamed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.table in numbers:
            node.set("table", exp.to_identifier(numbers[node.table], quoted=True))
        elif isinstance(node, exp.TableAlias) and node.name in numbers:
            node.set("this", exp.to_identifier(numbers[node.name]))
        return node

    return renamed


def _replace(query: exp.Select, found: list[_Subquery], name: str) -> None:
    """Puts a common table expression in the place of equal subqueries."""
    first = found[0]
    places: dict[str, str] = {}
    outputs: list[exp.Expr] = []
    renamed: dict[tuple[str, str], str] = {}
    for subquery in found:
        names = _same_names(first.select, subquery.select)
        for text, output in zip(subquery.columns, subquery.select.expressions, strict=True):
            if text not in places:
                places[text] = f"c{len(outputs)}"
                value = output.unalias().transform(names)
                outputs.append(exp.alias_(value, places[text], quoted=True))
            renamed[subquery.node.alias, output.alias_or_name] = places[text]
    shared = first.select.copy()
    shared.set("expressions", outputs)
    for subquery in found:
        table = exp.to_table(name)
        if subquery.is_table:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(subquery.node.alias)))
            subquery.node.replace(table)
        else:
            value = exp.Select(expressions=[exp.column("c0", quoted=True)])
            value.set("from_", exp.From(this=table))
            subquery.node.set("this", value)
    for column in list(query.find_all(exp.Column)):
        if new := renamed.get((column.table, column.name)):
            column.set("this", exp.to_identifier(new, quoted=True))
    query.with_(name, as_=shared, materialized=True, copy=False)


def _same_names(one: exp.Select, other: exp.Select) -> Callable[[exp.Expr], exp.Expr]:
    names = dict(zip(dict.fromkeys(_names(other)), dict.fromkeys(_names(one)), strict=True))

    def renamed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.table in names:
            node.set("table", exp.to_identifier(names[node.table], quoted=True))
        return node

    return renamed
