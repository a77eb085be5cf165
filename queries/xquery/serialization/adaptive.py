"""The adaptive output method (Serialization 3.1, section 10)."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, MapItem
from jvmscope.queries.xquery.items.numbers import shortest_decimal
from jvmscope.queries.xquery.items.types import Float, primitive
from jvmscope.queries.xquery.serialization.characters import CharacterWriter
from jvmscope.queries.xquery.syntax.expanded_names import ARRAY, FN, MAP, MATH, XS
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.serialization.parameters import Parameters
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["AdaptiveWriter"]

_PREFIXES = {FN: "fn", MATH: "math", MAP: "map", ARRAY: "array", XS: "xs"}


class AdaptiveWriter:
    """Writes any sequence, each item in a form that shows its type.

    Args:
        parameters: those of the method.
        serialize: serializes nodes, by the xml method.
    """

    def __init__(
        self, parameters: Parameters, serialize: Callable[[Iterable[Any], Parameters], str]
    ) -> None:
        self._parameters = parameters
        self._serialize = serialize
        self._characters = CharacterWriter(parameters)

    def write(self, items: Iterable[Any]) -> Iterator[str]:
        """Returns the parts of the text."""
        separator = self._parameters.item_separator
        for at, item in enumerate(items):
            if at:
                yield "\n" if separator is None else separator
            yield from self._item(item)

    def _item(self, item: Any) -> Iterator[str]:
        """Returns the parts of one item; what is open waits in a list, at any depth."""
        pending: list[Iterator[Any]] = [iter((item,))]
        while pending:
            part = next(pending[-1], None)
            if part is None:
                pending.pop()
            elif isinstance(part, _Written):
                yield part.text
            elif isinstance(part, ArrayItem):
                pending.append(_array(part))
            elif isinstance(part, MapItem):
                pending.append(_map(part))
            else:
                yield self._scalar(part)

    def _scalar(self, item: Any) -> str:
        if isinstance(item, Node):
            return self._node(item)
        if isinstance(item, CallableItem):
            return f"{_function_name(item.name)}#{item.arity}"
        return self._characters.plain(_atomic(item))

    def _node(self, node: Node) -> str:
        if node.kind is Kind.ATTRIBUTE:
            return f'{node.name}="{self._characters.attribute(node.string_value)}"'
        if node.kind is Kind.NAMESPACE:
            prefix = f":{node.name}" if node.name is not None and node.name.local else ""
            return f'xmlns{prefix}="{self._characters.attribute(node.string_value)}"'
        parameters = replace(
            self._parameters, method="xml", omit_xml_declaration=True, item_separator=None
        )
        return self._serialize((node,), parameters)


class _Written:
    """Text that is ready, among items that are not."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _sequence(items: tuple[Any, ...]) -> Iterator[Any]:
    if len(items) == 1:
        yield items[0]
        return
    yield _Written("(")
    for at, item in enumerate(items):
        if at:
            yield _Written(",")
        yield item
    yield _Written(")")


def _array(array: ArrayItem) -> Iterator[Any]:
    yield _Written("[")
    for at, member in enumerate(array.members):
        if at:
            yield _Written(",")
        yield from _sequence(member)
    yield _Written("]")


def _map(map_: MapItem) -> Iterator[Any]:
    yield _Written("map{")
    for at, (key, value) in enumerate(map_.items()):
        if at:
            yield _Written(",")
        yield key
        yield _Written(":")
        yield from _sequence(value)
    yield _Written("}")


def _function_name(name: Name | None) -> str:
    if name is None:
        return "(anonymous-function)"
    prefix = _PREFIXES.get(name.uri or "")
    return f"{prefix}:{name.local}" if prefix else name.expanded


def _atomic(value: Any) -> str:
    """Returns an atomic value as it would be written in a query, or nearly so."""
    text = atomic_to_string(value)
    if isinstance(value, bool):
        return f"{text}()"
    if isinstance(value, (int, Decimal)):
        return text
    if isinstance(value, float) and not isinstance(value, Float):
        return _double(value)
    if primitive(value) in {"string", "untypedAtomic", "anyURI"}:
        return '"{}"'.format(text.replace('"', '""'))
    if isinstance(value, ep.QName):
        return f"Q{{{value.uri}}}{value.local_name}"
    return f'xs:{primitive(value)}("{text}")'


def _double(number: float) -> str:
    """Returns a double with an exponent.

    >>> _double(1.0), _double(0.05), _double(0.0)
    ('1.0e0', '5.0e-2', '0.0e0')
    """
    if not math.isfinite(number):
        return atomic_to_string(number)
    sign, digits, _ = shortest_decimal(number).as_tuple()
    exponent = shortest_decimal(number).adjusted() if number else 0
    mantissa = "".join(map(str, digits)).rstrip("0") or "0"
    return f"{'-' * sign}{mantissa[0]}.{mantissa[1:] or '0'}e{exponent}"
