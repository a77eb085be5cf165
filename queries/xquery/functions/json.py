"""JSON as maps and arrays (F&O 3.1, section 17.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.documents import read_text
from jvmscope.queries.xquery.functions.json_options import JsonOptions
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, MapItem
from jvmscope.queries.xquery.notations.json_reader import Event, read_json

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["json_doc", "parse_json"]

_POLICIES = ("use-first", "use-last", "reject")


@builtin("fn:parse-json($json-text as xs:string?) as item()?")
@builtin("fn:parse-json($json-text as xs:string?, $options as map(*)) as item()?")
def parse_json(text: str | None, options: MapItem | None = None) -> Item | None:
    """Returns what a JSON text denotes: maps, arrays, strings, doubles, booleans, nothing."""
    checked = JsonOptions(options, _POLICIES)
    return None if text is None else _build(text, checked)


@builtin("fn:json-doc($href as xs:string?) as item()?")
@builtin("fn:json-doc($href as xs:string?, $options as map(*)) as item()?")
def json_doc(context: Context, href: str | None, options: MapItem | None = None) -> Item | None:
    """Returns what the JSON text of a resource denotes."""
    if href is None:
        return None
    return parse_json(read_text(context, href, is_xml=False), options)


class _Open:
    """A map or array that is being read."""

    def __init__(self, *, is_map: bool) -> None:
        self.is_map = is_map
        self.key = ""
        self.entries: dict[Any, tuple[Any, tuple[Any, ...]]] = {}
        self.members: list[tuple[Any, ...]] = []

    def add(self, value: tuple[Any, ...], policy: str) -> None:
        """Adds a member, or the value of the key that was read last."""
        if not self.is_map:
            self.members.append(value)
        elif self.key not in self.entries or policy == "use-last":
            self.entries[self.key] = (self.key, value)
        elif policy == "reject":
            raise DynamicError("FOJS0003", f"the key {self.key!r} occurs twice")

    def close(self) -> MapItem | ArrayItem:
        """Returns the map or array."""
        return MapItem(self.entries) if self.is_map else ArrayItem(tuple(self.members))


def _build(text: str, options: JsonOptions) -> Item | None:
    nesting: list[_Open] = []
    result: tuple[Any, ...] = ()
    for event in read_json(text):
        match event.kind:
            case "map" | "array":
                nesting.append(_Open(is_map=event.kind == "map"))
                continue
            case "key":
                nesting[-1].key = options.string(event.text)
                continue
            case "end":
                value: tuple[Any, ...] = (nesting.pop().close(),)
            case _:
                value = _scalar(event, options)
        if nesting:
            nesting[-1].add(value, options.duplicates)
        else:
            result = value
    return result[0] if result else None


def _scalar(event: Event, options: JsonOptions) -> tuple[Any, ...]:
    match event.kind:
        case "string":
            return (options.string(event.text),)
        case "number":
            return (float(event.text),)
        case "boolean":
            return (event.text == "true",)
        case _:
            return ()
