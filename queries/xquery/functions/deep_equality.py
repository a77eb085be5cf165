"""Deep equality (F&O 3.1, section 14.2.1)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.comparison import value_compare
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, MapItem
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.collations import Collation
    from jvmscope.queries.xquery.items.types import Sequence

__all__ = ["deep_equal"]

_MISSING = object()
_IGNORED = {Kind.COMMENT, Kind.PROCESSING_INSTRUCTION}


@builtin("fn:deep-equal($parameter1 as item()*, $parameter2 as item()*) as xs:boolean", lazy=True)
@builtin(
    "fn:deep-equal($parameter1 as item()*, $parameter2 as item()*, $collation as xs:string)"
    " as xs:boolean",
    lazy=True,
)
def deep_equal(
    context: Context, left: Sequence, right: Sequence, collation: str | None = None
) -> bool:
    """Tells whether two sequences have equal items; FOTY0015 if functions are among them."""
    return _Comparison(collation_of(context, collation), context.timezone).equal(left, right)


class _Comparison:
    """One comparison; pairs that are still to be compared wait in a list, at any depth."""

    def __init__(self, collation: Collation | None, zone: int) -> None:
        self._collation = collation
        self._zone = zone
        self._pending: list[Any] = []

    def equal(self, left: Iterable[Any], right: Iterable[Any]) -> bool:
        """Tells whether two sequences are equal."""
        self._pending.append(itertools.zip_longest(left, right, fillvalue=_MISSING))
        while self._pending:
            pair = next(self._pending[-1], None)
            if pair is None:
                self._pending.pop()
            elif not self._items_equal(*pair):
                return False
        return True

    def _later(self, left: Iterable[Any], right: Iterable[Any]) -> bool:
        self._pending.append(itertools.zip_longest(left, right, fillvalue=_MISSING))
        return True

    def _items_equal(self, left: Any, right: Any) -> bool:
        for item in (left, right):
            if isinstance(item, CallableItem) and not isinstance(item, (MapItem, ArrayItem)):
                raise DynamicError("FOTY0015", f"{describe(item)} cannot be compared")
        if left is _MISSING or right is _MISSING:
            return False
        if isinstance(left, Node):
            return isinstance(right, Node) and self._nodes_equal(left, right)
        if isinstance(left, MapItem):
            return isinstance(right, MapItem) and self._maps_equal(left, right)
        if isinstance(left, ArrayItem):
            return isinstance(right, ArrayItem) and self._arrays_equal(left, right)
        if isinstance(right, (Node, CallableItem)):
            return False
        return self._values_equal(left, right)

    def _values_equal(self, left: Any, right: Any) -> bool:
        if left != left and right != right:  # noqa: PLR0124 - NaN equals NaN here
            return True
        try:
            return value_compare("eq", left, right, self._collation, self._zone)
        except DynamicError as error:
            if error.code == "XPTY0004":
                return False
            raise

    def _maps_equal(self, left: MapItem, right: MapItem) -> bool:
        identities = left.identities()
        if set(identities) != set(right.identities()):
            return False
        for identity in identities:
            self._later(left.at(identity) or (), right.at(identity) or ())
        return True

    def _arrays_equal(self, left: ArrayItem, right: ArrayItem) -> bool:
        if len(left) != len(right):
            return False
        for one, other in zip(left.members, right.members, strict=True):
            self._later(one, other)
        return True

    def _texts_equal(self, left: Node, right: Node) -> bool:
        return self._values_equal(left.string_value, right.string_value)

    def _nodes_equal(self, left: Node, right: Node) -> bool:
        if left.kind is not right.kind or left.name != right.name:
            return False
        if left.kind not in {Kind.ELEMENT, Kind.DOCUMENT}:
            return self._texts_equal(left, right)
        return self._attributes_equal(left, right) and self._later(
            _compared_children(left), _compared_children(right)
        )

    def _attributes_equal(self, left: Node, right: Node) -> bool:
        one = {attribute.name: attribute for attribute in left.attributes()}
        other = {attribute.name: attribute for attribute in right.attributes()}
        return one.keys() == other.keys() and all(
            self._texts_equal(attribute, other[name]) for name, attribute in one.items()
        )


def _compared_children(node: Node) -> Iterable[Node]:
    return (child for child in node.children() if child.kind not in _IGNORED)
