"""Subqueries that a statement has more than once: a common table expression each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp

if TYPE_CHECKING:
    from collections.abc import Callable

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
    """A subquery that depends on nothing around it, and what it is without its own names."""

    def __init__(self, node: exp.Subquery, names: dict[str, int]) -> None:
        self.node = node
        self.select = node.this
        self.names = names
        self.is_table = isinstance(node.parent, (exp.From, exp.Join))
        numbers = {name: f"t{number}" for name, number in names.items()}
        plain = self.select.transform(_renaming(numbers))
        self.columns = [column.unalias() for column in plain.expressions]
        if self.is_table and not plain.args.get("distinct"):
            plain.set("expressions", [])
        self.key = (self.is_table, plain)


def _repeated(query: exp.Select) -> list[_Subquery]:
    """Returns equal subqueries, the first of those with no other such subqueries in them."""
    nodes = [node for node in query.find_all(exp.Subquery) if _is_costly(node)]
    alike = Counter(map(_outline, nodes)) if len(nodes) > 1 else Counter()
    by_key: dict[tuple[bool, exp.Expr], list[_Subquery]] = {}
    for node in reversed(nodes):  # the innermost first
        if alike[_outline(node)] > 1 and (names := _names_if_closed(node)) is not None:
            found = _Subquery(node, names)
            by_key.setdefault(found.key, []).append(found)
    return next((found for found in by_key.values() if len(found) > 1), [])


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


def _names_if_closed(node: exp.Subquery) -> dict[str, int] | None:
    """Returns the names of all tables in a subquery, numbered as they are written.

    It is None if the subquery reads a column of another table.
    """
    sources = node.this.find_all(exp.Table, exp.Subquery)
    names = dict.fromkeys(name for source in sources if (name := source.alias_or_name))
    if any(column.table and column.table not in names for column in node.find_all(exp.Column)):
        return None
    return {name: number for number, name in enumerate(names)}


def _renaming(names: dict[str, str]) -> Callable[[exp.Expr], exp.Expr]:
    """Returns what gives tables other names, where they are named and where they are read."""

    def renamed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.table in names:
            node.set("table", names[node.table])
        elif isinstance(node, (exp.Table, exp.Subquery)) and node.alias in names:
            node.set("alias", names[node.alias])
        return node

    return renamed


def _replace(query: exp.Select, found: list[_Subquery], name: str) -> None:
    """Puts a common table expression in the place of equal subqueries."""
    first = found[0]
    places: dict[exp.Expr, str] = {}
    outputs: list[exp.Expr] = []
    renamed: dict[tuple[str, str], str] = {}
    for subquery in found:
        names = dict(zip(subquery.names, first.names, strict=True))
        for column, output in zip(subquery.columns, subquery.select.expressions, strict=True):
            if column not in places:
                places[column] = f"c{len(outputs)}"
                value = output.unalias().transform(_renaming(names))
                outputs.append(exp.alias_(value, places[column]))
            renamed[subquery.node.alias, output.alias_or_name] = places[column]
    shared = first.select.copy()
    shared.set("expressions", outputs)
    for subquery in found:
        table = exp.Table(this=name)
        if subquery.is_table:
            table.set("alias", subquery.node.alias)
            subquery.node.replace(table)
        else:
            value = exp.Select(expressions=[exp.column("c0")])
            value.set("from_", exp.From(this=table))
            subquery.node.set("this", value)
    for column in list(query.find_all(exp.Column)):
        if new := renamed.get((column.table, column.name)):
            column.set("this", new)
    query.add_common_table(name, shared)
