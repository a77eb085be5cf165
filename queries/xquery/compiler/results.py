"""Rows of a part as items: values, and nodes of the run's trees."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath.datatypes import UntypedAtomic

from jvmscope.queries.xquery.compiler.values import (
    DocumentItem,
    LeafItem,
    MapEntries,
    RootItem,
    RowItem,
    Scalar,
    atom,
)
from jvmscope.queries.xquery.items.arithmetic import arithmetic
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.syntax.expanded_names import DCG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.compiler.values import Entry, Item
    from jvmscope.queries.xquery.trees.node import Node
    from jvmscope.queries.xquery.trees.run import RunTree
    from jvmscope.queries.xquery.trees.run.shapes import Interfaces, Shape

__all__ = ["items"]


def items(item: Item, rows: Iterable[tuple[Any, ...]], tree: RunTree) -> Iterator[Any]:
    """Returns the item of each row.

    Args:
        item: what a row of the part is.
        rows: the part's answer.
        tree: the run's trees, to which nodes belong.
    """
    if isinstance(item, Scalar):
        make = _maker(item)
        for row in rows:
            yield make(row)
    elif isinstance(item, MapEntries):
        yield from _maps(item, rows, tree)
    elif isinstance(item, (DocumentItem, RootItem)):
        document = getattr(tree, item.document.name)
        for _ in rows:
            yield document.node if isinstance(item, DocumentItem) else document.root
    else:
        find = _finder(item, tree)
        for row in rows:
            yield find(row)


def _maker(value: Scalar) -> Callable[[tuple[Any, ...]], Any]:
    """Returns what makes an item of the columns of a value."""
    if value.divisor is not None:
        return lambda row: arithmetic("div", row[0], row[1], 0)
    subtype = value.subtype
    if value.type == "integer" and subtype and subtype != "?":
        return lambda row: cast_to(row[0], subtype)
    if value.type == "integer" and value.storage == "huge":  # Arrow's decimals
        return lambda row: 0 if row[0] is None else int(row[0])
    if value.zero_type is not None:
        zero = Decimal(0) if value.zero_type == "decimal" else 0
        return lambda row: zero if row[0] is None else row[0]
    return _MAKERS.get(value.type, lambda row: row[0])


_MAKERS: dict[str, Callable[[tuple[Any, ...]], Any]] = {
    "untyped": lambda row: UntypedAtomic(str(row[0])),
    "string": lambda row: str(row[0]),
    "decimal": lambda row: arithmetic("div", row[0], 1, 0),
}


def _maps(item: MapEntries, rows: Iterable[tuple[Any, ...]], tree: RunTree) -> Iterator[MapItem]:
    makers: list[tuple[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]]] = []
    keys_at = sum(map(_width, (value for _, value in item.entries)))
    at = 0
    for name, value in item.entries:
        width = _width(value)
        if isinstance(value, Scalar):
            make = _maker(value)
            made = _single(make) if value.zero_type is not None else _optional(make)
            makers.append((name, _of_columns(made, slice(at, at + width))))
        else:
            row_item = value if isinstance(value, RowItem) else value.row
            keys = slice(keys_at, keys_at + len(row_item.relation.order))
            made = _of_columns(_optional(_finder(value, tree)), keys)
            makers.append((name, made if value is row_item else _if_there(made, at)))
            keys_at = keys.stop
        at += width
    for row in rows:
        yield MapItem.from_entries((name, make(row)) for name, make in makers)


def _of_columns(
    make: Callable[[tuple[Any, ...]], tuple[Any, ...]], columns: slice
) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Returns what makes of a whole row what some of its columns say."""
    return lambda row: make(row[columns])


def _if_there(
    make: Callable[[tuple[Any, ...]], tuple[Any, ...]], value_at: int
) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Returns what makes a sequence of a node unless its value is null, as where it is left out."""
    return lambda row: () if row[value_at] is None else make(row)


def _width(value: Entry) -> int:
    """Returns how many columns hold a value; those of keys are apart."""
    if isinstance(value, RowItem):
        return 0
    return 1 if atom(value).divisor is None else 2


def _single(make: Callable[[tuple[Any, ...]], Any]) -> Callable[[tuple[Any, ...]], Any]:
    """Returns what makes a sequence of one item, also of a null."""
    return lambda row: (make(row),)


def _optional(make: Callable[[tuple[Any, ...]], Any]) -> Callable[[tuple[Any, ...]], Any]:
    """Returns what makes a sequence of no item or one."""

    def made(row: tuple[Any, ...]) -> tuple[Any, ...]:
        item = None if None in row else make(row)
        return () if item is None else (item,)

    return made


def _finder(item: RowItem | LeafItem, tree: RunTree) -> Callable[[tuple[Any, ...]], Node | None]:
    relation = (item.row if isinstance(item, LeafItem) else item).relation
    shapes = getattr(tree, relation.document).shapes.get(f"Q{{{DCG}}}{relation.element}")
    if shapes is None:  # it was not recorded, so there is no row of it
        return lambda _row: None
    shape: Shape | Interfaces = shapes[0]
    if isinstance(item, RowItem):
        return shape.at
    if item.is_attribute:
        tag = f"Q{{}}{item.leaf.name}"
        return lambda row: shape.at(row).attribute(tag)
    tag = f"Q{{{DCG}}}{item.leaf.name}"
    return lambda row: next(iter(shape.at(row).named_children(tag)), None)
