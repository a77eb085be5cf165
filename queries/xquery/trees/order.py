"""Document order: sorting without repetition, and the set operators on nodes."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.trees.leaves import Text
from jvmscope.queries.xquery.trees.memory import Document, Element

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["except_nodes", "intersect_nodes", "sort_distinct", "union_nodes"]

_PLACED = {Document, Element, Text}
_by_key = attrgetter("order_key")
_by_place = attrgetter("place")


def sort_distinct(nodes: Iterable[Node]) -> list[Node]:
    """Returns the nodes in document order, each once.

    Nodes of one tree in memory are sorted by place, which costs a third of the general keys.
    """
    distinct = list(dict.fromkeys(nodes))
    if len(distinct) < 2:
        return distinct
    if {type(node) for node in distinct} <= _PLACED:
        tree = distinct[0].tree  # type: ignore[attr-defined]
        if all(node.tree is tree for node in distinct):  # type: ignore[attr-defined]
            distinct.sort(key=_by_place)
            return distinct
    distinct.sort(key=_by_key)
    return distinct


def union_nodes(left: Iterable[Node], right: Iterable[Node]) -> list[Node]:
    """Returns the nodes of either sequence in document order."""
    return sort_distinct([*left, *right])


def intersect_nodes(left: Iterable[Node], right: Iterable[Node]) -> list[Node]:
    """Returns the nodes of both sequences in document order."""
    kept = set(right)
    return sort_distinct([node for node in left if node in kept])


def except_nodes(left: Iterable[Node], right: Iterable[Node]) -> list[Node]:
    """Returns the nodes of the first sequence that are not in the second, in document order."""
    dropped = set(right)
    return sort_distinct([node for node in left if node not in dropped])
