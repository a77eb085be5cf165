"""From items to values: atomization, string values, effective boolean values."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem
from jvmscope.queries.xquery.items.types import is_atomic, local_type, untyped
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.items.types import Atomic, Item, Sequence

__all__ = [
    "atomize",
    "atomize_node",
    "atomize_one",
    "describe",
    "effective_boolean_value",
    "string_value",
]

_TYPED_AS_STRING = {Kind.COMMENT, Kind.PROCESSING_INSTRUCTION, Kind.NAMESPACE}


def atomize_node(node: Node) -> Atomic:
    """Returns the typed value of an untyped node: xs:untypedAtomic or xs:string."""
    if node.kind in _TYPED_AS_STRING:
        return node.string_value
    return untyped(node.string_value)


def atomize(sequence: Sequence) -> Iterator[Atomic]:
    """Returns the atomic values of items (XPath 3.1, section 2.4.2); arrays are flattened.

    Raises:
        DynamicError: FOTY0013, a function or map has no typed value.
    """
    for item in sequence:
        if isinstance(item, Node):
            yield atomize_node(item)
        elif isinstance(item, ArrayItem):
            yield from _atomize_array(item)
        elif isinstance(item, CallableItem):
            raise DynamicError("FOTY0013", f"{describe(item)} has no typed value")
        else:
            yield item


def _atomize_array(array: ArrayItem) -> Iterator[Atomic]:
    """Returns the atomic values within an array at any depth."""
    pending = [itertools.chain.from_iterable(array.members)]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
        elif isinstance(item, ArrayItem):
            pending.append(itertools.chain.from_iterable(item.members))
        else:
            yield from atomize((item,))


def atomize_one(sequence: Sequence, what: str = "a value") -> Atomic | None:
    """Returns the only atomic value of a sequence, or None if it is empty.

    Raises:
        DynamicError: XPTY0004, there are several.
    """
    values = list(itertools.islice(atomize(sequence), 2))
    if len(values) > 1:
        raise DynamicError("XPTY0004", f"{what} is a sequence of more than one item")
    return values[0] if values else None


def string_value(item: Item) -> str:
    """Returns the string value of a node, or an atomic value as a string.

    Raises:
        DynamicError: FOTY0014, a function has no string value.
    """
    if isinstance(item, Node):
        return item.string_value
    if isinstance(item, CallableItem):
        raise DynamicError("FOTY0014", f"{describe(item)} has no string value")
    return atomic_to_string(item)


def effective_boolean_value(sequence: Sequence) -> bool:
    """Returns the effective boolean value of a sequence (XPath 3.1, section 2.4.3).

    Raises:
        DynamicError: FORG0006, it has none.

    >>> effective_boolean_value([]), effective_boolean_value(["x"]), effective_boolean_value([0.0])
    (False, True, False)
    """
    items = iter(sequence)
    first = next(items, None)
    if first is None:
        return False
    if isinstance(first, Node):
        return True
    if next(items, None) is not None:
        message = (
            f"a sequence of several items that begins with {describe(first)} cannot be used as a "
            "condition"
        )
        raise DynamicError("FORG0006", message)
    return _boolean(first)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float, Decimal)):
        return bool(value) and value == value  # noqa: PLR0124 - NaN is false
    if isinstance(value, str):
        return bool(value)
    if isinstance(value, (ep.UntypedAtomic, ep.AnyURI)):
        return bool(value.value)
    raise DynamicError("FORG0006", f"{describe(value)} cannot be used as a condition")


def describe(item: Item) -> str:
    """Returns words for an item in an error message.

    >>> describe(1), describe(ArrayItem())
    ('xs:integer 1', 'an array')
    """
    if isinstance(item, Node):
        kind = item.kind.name.lower().replace("_", "-")
        return f"{kind} node {item.name}" if item.name else f"a {kind} node"
    if isinstance(item, CallableItem):
        name = type(item).__name__.removesuffix("Item").lower()
        return f"an {name}" if name == "array" else f"a {name}"
    if not is_atomic(item):
        return repr(item)
    text = atomic_to_string(item)
    shown = f'"{text[:40]}"' if isinstance(item, str) else text[:40]
    return f"xs:{local_type(item)} {shown}"
