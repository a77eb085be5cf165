"""XML that represents JSON, as JSON (F&O 3.1, section 17.5.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.functions.signatures import parse_type
from jvmscope.queries.xquery.items.conversion import converter
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse
from jvmscope.queries.xquery.items.numbers import number_to_string, parse_double
from jvmscope.queries.xquery.notations.json_reader import replace_escapes
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.items.functions import MapItem

__all__ = ["xml_to_json"]

_TRUE, _FALSE = {"true", "1"}, {"false", "0"}
_SPECIAL = re.compile('["\\\\/\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_ESCAPED_SPECIAL = re.compile('\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})|["/\x00-\x1f\x7f-\x9f]|\\\\')
_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "/": "\\/",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}


@builtin("fn:xml-to-json($input as node()?) as xs:string?")
@builtin("fn:xml-to-json($input as node()?, $options as map(*)) as xs:string?")
def xml_to_json(node: Node | None, options: MapItem | None = None) -> str | None:
    """Returns the JSON text that a tree represents; FOJS0006 if it represents none."""
    is_indented = False
    if options is not None and "indent" in options:
        (is_indented,) = converter(parse_type("xs:boolean"))(options.get("indent"))
    if node is None:
        return None
    top = node
    if node.kind is Kind.DOCUMENT:
        children = _content(node)
        if len(children) != 1:
            raise _invalid("a document must have one element")
        (top,) = children
    return "".join(_write(top, is_indented=is_indented))


def _invalid(message: str) -> DynamicError:
    return DynamicError("FOJS0006", message)


def _content(node: Node) -> list[Node]:
    """Returns the elements in a node in which text may be white space alone."""
    elements = []
    for child in node.children():
        if child.kind is Kind.ELEMENT:
            elements.append(child)
        elif child.kind is Kind.TEXT and child.string_value.strip(" \t\n\r"):
            raise _invalid("there is text between elements")
    return elements


def _write(top: Node, *, is_indented: bool) -> Iterator[str]:
    """Returns the parts of the text; maps and arrays that are open wait in a list."""
    _kind(top)
    pending: list[tuple[Iterator[Node], str, bool]] = []
    node: Node | None = top
    is_key_allowed = False
    while True:
        if node is not None:
            kind = _kind(node)
            yield _key(node, is_allowed=is_key_allowed)
            if kind in {"map", "array"}:
                yield "{" if kind == "map" else "["
                pending.append((_entries(node, kind), "}" if kind == "map" else "]", True))
            else:
                yield _scalar(node, kind)
        if not pending:
            return
        children, closing, is_first = pending[-1]
        node = next(children, None)
        is_key_allowed = closing == "}"
        indent = "\n" + "  " * len(pending) if is_indented else ""
        if node is None:
            pending.pop()
            yield (indent[:-2] if not is_first else "") + closing
        else:
            pending[-1] = (children, closing, False)
            yield indent if is_first else f",{indent}"


def _kind(node: Node) -> str:
    """Returns an element's local name, which must be one of the six."""
    name = node.name
    if (
        node.kind is not Kind.ELEMENT
        or name is None
        or name.uri != FN
        or name.local not in {"map", "array", "string", "number", "boolean", "null"}
    ):
        raise _invalid(f"{name or 'the node'} is not an element that represents JSON")
    return name.local


def _attributes(node: Node) -> dict[str, str]:
    """Returns the attributes in no namespace; those of fn's are refused."""
    found = {}
    for attribute in node.attributes():
        name = attribute.name
        assert name is not None  # noqa: S101 - for the type checker
        if not name.uri:
            found[name.local] = attribute.string_value
        elif name.uri == FN:
            raise _invalid(f"the attribute {name} must be in no namespace")
    return found


def _boolean(text: str) -> bool:
    word = collapse(text)
    if word not in _TRUE | _FALSE:
        raise _invalid(f"{text!r} is not a boolean")
    return word in _TRUE


def _key(node: Node, *, is_allowed: bool) -> str:
    attributes = _attributes(node)
    if unknown := attributes.keys() - {"key", "escaped-key", "escaped"}:
        raise _invalid(f"the attribute {min(unknown)} is not allowed on {node.name}")
    is_escaped = _boolean(attributes.get("escaped-key", "false"))
    if not is_allowed:
        return ""
    if "key" not in attributes:
        raise _invalid("an element in a map has no key")
    return f"{_string(attributes['key'], is_escaped=is_escaped)}:"


def _entries(node: Node, kind: str) -> Iterator[Node]:
    """Returns the elements in a map or array; keys must differ."""
    seen = set()
    for child in _content(node):
        if kind == "map":
            attributes = _attributes(child)
            key = attributes.get("key", "")
            if _boolean(attributes.get("escaped-key", "false")):
                key = replace_escapes(_checked(key))
            if key in seen:
                raise _invalid(f"the key {key!r} occurs twice")
            seen.add(key)
        yield child


def _scalar(node: Node, kind: str) -> str:
    if any(child.kind is Kind.ELEMENT for child in node.children()):
        raise _invalid(f"there is an element in {node.name}")
    text = "".join(child.string_value for child in node.children() if child.kind is Kind.TEXT)
    match kind:
        case "string":
            is_escaped = _boolean(_attributes(node).get("escaped", "false"))
            return _string(text, is_escaped=is_escaped)
        case "number":
            return _number(text)
        case "boolean":
            return "true" if _boolean(text) else "false"
        case _:
            if text:
                raise _invalid("null is not empty")
            return "null"


def _number(text: str) -> str:
    try:
        number = parse_double(text)
    except ValueError as error:
        raise _invalid(f"{text!r} is not a number") from error
    if number - number:  # NaN and the infinite give NaN, which is true
        raise _invalid(f"{text!r} is not a JSON number")
    return number_to_string(number)


def _checked(text: str) -> str:
    """Returns an escaped text; FOJS0007 if an escape in it is invalid."""
    for match in _ESCAPED_SPECIAL.finditer(text):
        if match.group() == "\\":
            raise DynamicError("FOJS0007", f"{text!r} contains a bad escape")
    return text


def _string(text: str, *, is_escaped: bool) -> str:
    if not is_escaped:
        return f'"{_SPECIAL.sub(lambda match: _escape(match.group()), text)}"'
    return f'"{_ESCAPED_SPECIAL.sub(lambda match: _escape(match.group()), _checked(text))}"'


def _escape(found: str) -> str:
    """Returns a character escaped; an escape as it is."""
    if len(found) > 1:
        return found
    return _SHORT.get(found) or f"\\u{ord(found):04X}"
