"""Whether the tuples of a FLWOR expression all differ in a node.

They do if its row determines the rows of all other variables, as a block does its method's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.sources import Alias, Derived
from jvmscope.queries.xquery.compiler.values import LeafItem, RowItem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.compiler.sources import Source
    from jvmscope.queries.xquery.compiler.values import Item, Rows

__all__ = ["tells_tuples"]


def tells_tuples(item: Item, rows: Rows) -> bool:
    """Tells whether no two tuples have the same node: its row determines all rows of the tuple."""
    row = item.row if isinstance(item, LeafItem) else item
    if not isinstance(row, RowItem):
        return False
    flat = list(_flat(rows))
    sources = [source for source, _ in flat if source is not None]
    if len(sources) == 1 and isinstance(only := sources[0], Derived) and only.is_distinct:
        return row.alias in only.rows.sources
    same = [condition for _, condition in flat if isinstance(condition, exp.EQ)]
    known = {row.alias.name}
    while more := {s.name for s in sources if s.name not in known and _is_found(s, same, known)}:
        known |= more
    return row.alias in sources and all(source.name in known for source in sources)


def _flat(rows: Rows) -> Iterator[tuple[Source | None, exp.Expr | None]]:
    """Returns the sources of rows and their conditions, derived tables of the same rows opened."""
    for condition in rows.conditions:
        yield None, condition
    for source in rows.sources:
        if isinstance(source, Derived) and source.keys is None and not source.is_distinct:
            yield from _flat(source.rows)
        else:
            yield source, None


def _is_found(source: Source, same: list[exp.EQ], known: set[str]) -> bool:
    """Tells whether one row of a source equals in its key what is known."""
    if isinstance(source, Alias):
        keys = {source.relation.key or ""}
    elif isinstance(source, Derived) and source.keys:
        keys = {source.columns.get(key, "") for key in source.keys}
    else:
        return False
    found = {
        one.name
        for condition in same
        for one, other in (
            (condition.left, condition.right),
            (condition.right, condition.left),
        )
        if isinstance(one, exp.Column) and isinstance(other, exp.Column)
        if one.table == source.name and other.table in known
    }
    return keys <= found
