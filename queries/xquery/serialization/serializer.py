"""Serialization: a sequence as text, by one of six methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.serialization.adaptive import AdaptiveWriter
from jvmscope.queries.xquery.serialization.characters import CharacterWriter
from jvmscope.queries.xquery.serialization.events import normalized
from jvmscope.queries.xquery.serialization.html import HtmlWriter, XhtmlWriter
from jvmscope.queries.xquery.serialization.json import JsonWriter
from jvmscope.queries.xquery.serialization.parameters import Parameters
from jvmscope.queries.xquery.serialization.xml import XmlWriter
from jvmscope.queries.xquery.trees.node import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["serialize", "serialize_parts"]


def serialize(items: Iterable[Any], parameters: Parameters | None = None) -> str:
    """Returns the text of a sequence.

    Args:
        items: the sequence.
        parameters: None for those of the xml method.

    Raises:
        DynamicError: with the codes of the specification, SENR0001 and so on.

    >>> serialize([1, "<"], Parameters(omit_xml_declaration=True))
    '1 &lt;'
    """
    return "".join(serialize_parts(items, parameters or Parameters()))


def serialize_parts(items: Iterable[Any], parameters: Parameters) -> Iterator[str]:
    """Returns the text of a sequence in parts, of which nothing is kept."""
    if parameters.byte_order_mark and parameters.encoding.upper().startswith("UTF"):
        yield "\ufeff"
    match parameters.method:
        case "html":
            yield from HtmlWriter(parameters).write(items)
        case "xhtml":
            yield from XhtmlWriter(parameters).write(items)
        case "text":
            yield from _text(items, parameters)
        case "json":
            yield from JsonWriter(parameters, serialize).write(items)
        case "adaptive":
            yield from AdaptiveWriter(parameters, serialize).write(items)
        case _:
            yield from XmlWriter(parameters).write(items)


def _text(items: Iterable[Any], parameters: Parameters) -> Iterator[str]:
    """Returns the string values, by the text method."""
    characters = CharacterWriter(parameters)
    for part in normalized(items, parameters.item_separator):
        if isinstance(part, str):
            yield characters.plain(part)
        elif part.kind is Kind.ELEMENT:
            yield characters.plain(part.string_value)
