"""The json output method (Serialization 3.1, section 9)."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, MapItem
from jvmscope.queries.xquery.serialization.characters import CharacterWriter
from jvmscope.queries.xquery.trees.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.serialization.parameters import Parameters

__all__ = ["JsonWriter"]

_SPECIAL = re.compile('["\\\\/\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_SHORT = dict(zip('"\\/\b\f\n\r\t', '"\\/bfnrt', strict=True))


class JsonWriter:
    """Writes one item as JSON.

    Args:
        parameters: those of the method.
        serialize: serializes nodes, by another method.
    """

    def __init__(
        self, parameters: Parameters, serialize: Callable[[Iterable[Any], Parameters], str]
    ) -> None:
        self._parameters = parameters
        self._serialize = serialize
        self._mapping = parameters.use_character_maps
        self._characters = CharacterWriter(replace(parameters, use_character_maps={}))

    def write(self, items: Iterable[Any]) -> Iterator[str]:
        """Returns the parts of the text; what is open waits in a list, at any depth."""
        pending: list[tuple[Iterator[tuple[str, Any]], str, bool]] = []
        content: Any = tuple(items)
        prefix = ""
        while True:
            yield prefix
            item = self._only(content)
            if isinstance(item, (MapItem, ArrayItem)):
                yield "{" if isinstance(item, MapItem) else "["
                closing = "}" if isinstance(item, MapItem) else "]"
                pending.append((self._members(item), closing, True))
            else:
                yield self._scalar(item)
            while pending:
                members, closing, is_first = pending[-1]
                following = next(members, None)
                if following is not None:
                    break
                pending.pop()
                yield ("" if is_first else self._indent(len(pending))) + closing
            else:
                return
            pending[-1] = (members, closing, False)
            yield ("" if is_first else ",") + self._indent(len(pending))
            prefix, content = following

    def _indent(self, depth: int) -> str:
        return "\n" + "  " * depth if self._parameters.indent else ""

    def _only(self, content: tuple[Any, ...]) -> Any:
        if len(content) > 1:
            raise DynamicError("SERE0023", "JSON has no sequences of more than one item")
        return content[0] if content else None

    def _members(self, item: MapItem | ArrayItem) -> Iterator[tuple[str, Any]]:
        """Returns the values, each with its key as it is written before it."""
        if isinstance(item, ArrayItem):
            for member in item.members:
                yield "", member
            return
        seen = set()
        for key, value in item.items():
            text = atomic_to_string(key)
            if text in seen and not self._parameters.allow_duplicate_names:
                raise DynamicError("SERE0022", f"the key {text!r} occurs twice")
            seen.add(text)
            yield f"{self._string(text)}:{' ' * self._parameters.indent}", value

    def _scalar(self, item: Any) -> str:
        if item is None:
            return "null"
        if isinstance(item, Node):
            return self._string(self._node(item))
        if isinstance(item, CallableItem):
            raise DynamicError("SERE0021", f"{describe(item)} has no form in JSON")
        if isinstance(item, bool):
            return "true" if item else "false"
        if isinstance(item, (int, float, Decimal)):
            if isinstance(item, float) and not math.isfinite(item):
                raise DynamicError("SERE0020", f"{atomic_to_string(item)} has no form in JSON")
            return atomic_to_string(item)
        return self._string(atomic_to_string(item))

    def _node(self, node: Node) -> str:
        parameters = replace(
            self._parameters,
            method=self._parameters.json_node_output_method,
            omit_xml_declaration=True,
            item_separator=None,
            use_character_maps={},
            indent=False,
        )
        return self._serialize((node,), parameters)

    def _string(self, text: str) -> str:
        parts = []
        for part in self._split(text):
            mapped = self._mapping.get(part) if len(part) == 1 else None
            parts.append(self._escaped(part) if mapped is None else mapped)
        return f'"{"".join(parts)}"'

    def _split(self, text: str) -> Iterable[str]:
        """Returns parts of a text; a mapped character is one by itself."""
        if not self._mapping:
            return (text,)
        characters = "".join(map(re.escape, self._mapping))
        return re.split(f"([{characters}])", text)

    def _escaped(self, text: str) -> str:
        escaped = _SPECIAL.sub(
            lambda match: "\\" + (_SHORT.get(match.group()) or f"u{ord(match.group()):04X}"),
            self._characters.unmapped(text),
        )
        if escaped.isascii():
            return escaped
        return "".join(
            character if self._characters.can_encode(character) else _unicode_escape(character)
            for character in escaped
        )


def _unicode_escape(character: str) -> str:
    octets = character.encode("utf-16-be")
    return "".join(f"\\u{octets[at : at + 2].hex().upper()}" for at in range(0, len(octets), 2))
