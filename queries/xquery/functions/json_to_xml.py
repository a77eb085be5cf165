"""JSON as XML (F&O 3.1, section 17.5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.json_options import JsonOptions
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.notations.json_reader import Event, read_json, replace_escapes
from jvmscope.queries.xquery.syntax.expanded_names import FN, XML, Name
from jvmscope.queries.xquery.trees.builder import TreeBuilder

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.functions import MapItem
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["json_to_xml"]

_ELEMENTS = {
    local: Name(local, "", FN) for local in ("map", "array", "string", "number", "boolean", "null")
}
_NAMESPACES = {"xml": XML, "": FN}
_KEY = Name("key", "", "")
_ESCAPED_KEY = Name("escaped-key", "", "")
_ESCAPED = Name("escaped", "", "")
_POLICIES = ("retain", "use-first", "reject")


@builtin("fn:json-to-xml($json-text as xs:string?) as document-node()?")
@builtin("fn:json-to-xml($json-text as xs:string?, $options as map(*)) as document-node()?")
def json_to_xml(context: Context, text: str | None, options: MapItem | None = None) -> Node | None:
    """Returns a document that represents a JSON text; FOJS0004 if it is to be validated."""
    checked = JsonOptions(options, _POLICIES)
    if checked.validates:
        raise DynamicError("FOJS0004", "there is no schema to validate with")
    return None if text is None else _Writer(context.static.base_uri, checked).write(text)


class _Writer:
    """Makes one document from the events of a JSON text."""

    def __init__(self, base_uri: str | None, options: JsonOptions) -> None:
        self._builder = TreeBuilder(base_uri)
        self._options = options
        self._keys: list[set[str]] = []
        self._key: Event | None = None
        self._skipped = 0  # depth within a value left out, since its key was there already

    def write(self, text: str) -> Node:
        """Returns the document node."""
        self._builder.start_document()
        is_first = True
        for event in read_json(text):
            if self._skipped:
                self._skip(event)
            elif event.kind == "key":
                self._take_key(event)
            elif event.kind == "end":
                self._keys.pop()
                self._builder.end_element()
            else:
                self._start(event, is_first=is_first)
                is_first = False
        self._builder.end_document()
        return self._builder.finish()

    def _skip(self, event: Event) -> None:
        if event.kind in {"map", "array"}:
            self._skipped += 1
        elif event.kind == "end":
            self._skipped -= 1
        if self._skipped == 1 and event.kind != "key":
            self._skipped = 0

    def _take_key(self, event: Event) -> None:
        key = replace_escapes(event.text)
        if key in self._keys[-1] and self._options.duplicates != "retain":
            if self._options.duplicates == "reject":
                raise DynamicError("FOJS0003", f"the key {key!r} occurs twice")
            self._skipped = 1
            return
        self._keys[-1].add(key)
        self._key = event

    def _start(self, event: Event, *, is_first: bool) -> None:
        """Adds the element of a value; those of maps and arrays stay open."""
        self._builder.start_element(_ELEMENTS[event.kind], _NAMESPACES if is_first else None)
        if self._key is not None:
            key = self._options.string(self._key.text)
            self._builder.attribute(_KEY, key)
            if self._options.escapes and "\\" in key:
                self._builder.attribute(_ESCAPED_KEY, "true")
            self._key = None
        if event.kind in {"map", "array"}:
            self._keys.append(set())
            return
        content = self._options.string(event.text) if event.kind == "string" else event.text
        if event.kind == "string" and self._options.escapes and "\\" in content:
            self._builder.attribute(_ESCAPED, "true")
        if event.kind != "null":
            self._builder.text(content)
        self._builder.end_element()
