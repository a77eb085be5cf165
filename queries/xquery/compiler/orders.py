"""Leaves out sort keys that cannot change the order of the items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.sources import Alias, Derived
from jvmscope.queries.xquery.compiler.values import Scalar

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.sources import Source
    from jvmscope.queries.xquery.compiler.values import Item

__all__ = ["needed"]


def needed(
    order: tuple[exp.Expr, ...], item: Item, sources: tuple[Source, ...]
) -> tuple[exp.Expr, ...]:
    """Returns the first sort keys, as many as decide the order.

    Rows that are equal in these are the same row, or have the same value as their item. Further
    keys, mostly those of document order, would be computed for nothing.
    """
    known: set[exp.Expr] = set()
    for n, key in enumerate(order, 1):
        known.add(key.this if isinstance(key, exp.Ordered) else key)
        if _is_told(item, known) or (sources and all(_is_unique(s, known) for s in sources)):
            return order[:n]
    return order


def _is_unique(source: Source, known: set[exp.Expr]) -> bool:
    """Tells whether values that are known belong to one row of a source."""
    if isinstance(source, Alias):
        return all(source.column(name) in known for name in source.relation.order)
    if not isinstance(source, Derived) or not source.keys:
        return False
    names = [source.columns.get(key) for key in source.keys]
    return all(name is not None and exp.column(name, table=source.name) in known for name in names)


def _is_told(item: Item, known: set[exp.Expr]) -> bool:
    """Tells whether an item is a value that depends on what is known alone."""
    if not isinstance(item, Scalar) or item.divisor is not None or item.storage == "double":
        return False  # doubles that sort alike may be 0 and -0
    return _depends(item.sql, known)


def _depends(sql: exp.Expr, known: set[exp.Expr]) -> bool:
    if sql in known:
        return True
    if isinstance(sql, (exp.Column, exp.Select)):
        return False
    return all(_depends(part, known) for part in sql.iter_expressions())
