"""Steps from many nodes: skips nodes whose results other nodes' results include.

What follows any of some nodes follows the one that ends first, and what precedes any precedes the
last. Walking from each of them would take the square of the time, for the same nodes again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.trees.node import Kind
from jvmscope.queries.xquery.trees.order import sort_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["COVERING"]

_ASIDE = {Kind.ATTRIBUTE, Kind.NAMESPACE}


def _that_end_first(nodes: Iterable[Node]) -> list[Node]:
    """Returns of each tree the node that ends first: the first, or the first within it."""
    chosen: list[Node] = []
    is_settled = False
    for node in sort_distinct(nodes):
        if not chosen or node.root != chosen[-1].root:
            chosen.append(node)
            is_settled = node.kind in _ASIDE  # an attribute's step begins within its element
        elif not is_settled:
            if chosen[-1] in node.ancestors():
                chosen[-1] = node
                is_settled = node.kind in _ASIDE
            else:
                is_settled = True
    return chosen


def _last(nodes: Iterable[Node]) -> list[Node]:
    """Returns the last node of each tree; of an attribute the element, which it does not precede.

    What precedes a node does not hold its ancestors, but all that precedes these.
    """
    return list({node.root: node for node in sort_distinct(nodes)}.values())


def _first_children(nodes: Iterable[Node]) -> list[Node]:
    """Returns of the children of each parent the first."""
    return list({node.parent: node for node in reversed(_siblings(nodes))}.values())


def _last_children(nodes: Iterable[Node]) -> list[Node]:
    """Returns of the children of each parent the last."""
    return list({node.parent: node for node in _siblings(nodes)}.values())


def _siblings(nodes: Iterable[Node]) -> list[Node]:
    return [
        node for node in sort_distinct(nodes) if node.parent is not None and node.kind not in _ASIDE
    ]


COVERING: dict[str, Callable[[Iterable[Node]], list[Node]]] = {
    "following": _that_end_first,
    "preceding": _last,
    "following-sibling": _first_children,
    "preceding-sibling": _last_children,
}
"""By axis, from nodes to those of them from which as much is reached; predicates may not count."""
