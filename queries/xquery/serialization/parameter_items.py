"""Serialization parameters from what fn:serialize takes: an element or a map."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items.atomize import atomize, describe
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.items.types import same_type
from jvmscope.queries.xquery.serialization.parameters import Parameters, set_parameter
from jvmscope.queries.xquery.syntax.expanded_names import OUTPUT, Name
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["parameters_from_element", "parameters_from_map"]

_TYPES = {
    "allow-duplicate-names": "boolean",
    "byte-order-mark": "boolean",
    "cdata-section-elements": "QName",
    "doctype-public": "string",
    "doctype-system": "string",
    "encoding": "string",
    "escape-uri-attributes": "boolean",
    "html-version": "decimal",
    "include-content-type": "boolean",
    "indent": "boolean",
    "item-separator": "string",
    "json-node-output-method": "string",
    "media-type": "string",
    "method": "string",
    "normalization-form": "string",
    "omit-xml-declaration": "boolean",
    "standalone": "boolean",
    "suppress-indentation": "QName",
    "undeclare-prefixes": "boolean",
    "use-character-maps": "map",
    "version": "string",
}
_WHITESPACE = re.compile(r"[ \t\n\r]*\Z")


def _no_prefixes(text: str) -> Name:
    return Name(text, "", "")


def parameters_from_map(options: MapItem, parameters: Parameters) -> Parameters:
    """Returns parameters with those set that a map has (F&O 3.1, section 14.8.3).

    Raises:
        DynamicError: XPTY0004 (a value of the wrong type), SEPM0016 (not allowed).
    """
    for key, value in options.items():
        if not isinstance(key, (str, ep.UntypedAtomic)) or str(key) not in _TYPES:
            continue
        name = str(key)
        if not value:
            continue
        if name == "use-character-maps":
            parameters = replace(parameters, use_character_maps=_character_map(value))
        elif _TYPES[name] == "QName":
            names: Any = frozenset(_to_name(name, item) for item in atomize(value))
            parameters = replace(parameters, **{name.replace("-", "_"): names})
        else:
            parameters = set_parameter(parameters, name, _text(name, value), _no_prefixes)
    return parameters


def _wrong_type(name: str, found: Any) -> DynamicError:
    message = f"the parameter {name} must be an xs:{_TYPES[name]}, found {describe(found)}"
    return DynamicError("XPTY0004", message)


def _text(name: str, value: tuple[Any, ...]) -> str:
    """Returns the text of a parameter whose value has the right type."""
    values = list(atomize(value))
    if len(values) != 1:
        raise DynamicError("XPTY0004", f"the parameter {name} must be one value")
    (only,) = values
    kind = _TYPES[name]
    if not same_type(only, kind) and not isinstance(only, ep.UntypedAtomic):
        is_name = name in {"method", "json-node-output-method"} and isinstance(only, ep.QName)
        if not is_name or only.uri == "":
            raise _wrong_type(name, only)
        raise DynamicError("SEPM0016", f"the method {only} is not known")
    return atomic_to_string(only)


def _to_name(name: str, item: Any) -> Name:
    if not isinstance(item, ep.QName):
        raise _wrong_type(name, item)
    return Name(item.local_name, item.prefix or "", item.uri)


def _character_map(value: tuple[Any, ...]) -> dict[str, str]:
    if len(value) != 1 or not isinstance(value[0], MapItem):
        raise _wrong_type("use-character-maps", value[0])
    mapping = {}
    for key, content in value[0].items():
        values = list(atomize(content))
        if not isinstance(key, str) or len(values) != 1 or not isinstance(values[0], str):
            raise _wrong_type("use-character-maps", key)
        if len(key) != 1:
            raise DynamicError("SEPM0016", f"{key!r} is not one character")
        mapping[str(key)] = str(values[0])
    return mapping


def parameters_from_element(element: Node, parameters: Parameters) -> Parameters:
    """Returns parameters with those set that ``output:serialization-parameters`` contains.

    Raises:
        DynamicError: XPTY0004 (another element), SEPM0017, SEPM0018, SEPM0019, SEPM0016.
    """
    if element.name != Name("serialization-parameters", "output", OUTPUT):
        raise DynamicError("XPTY0004", f"{describe(element)} are not serialization parameters")
    if any(attribute.name and not attribute.name.uri for attribute in element.attributes()):
        raise DynamicError("SEPM0017", "output:serialization-parameters has an attribute")
    seen = set()
    for child in _elements(element):
        name = child.name
        if name is None or not name.uri:
            raise DynamicError("SEPM0017", f"{name} is in no namespace")
        if name in seen:
            raise DynamicError("SEPM0019", f"the parameter {name} occurs twice")
        seen.add(name)
        if name.uri == OUTPUT:
            parameters = _with_element(parameters, child, name.local)
    return parameters


def _with_element(parameters: Parameters, element: Node, name: str) -> Parameters:
    """Returns parameters with the one set that an element tells."""
    if name == "use-character-maps":
        return replace(parameters, use_character_maps=_map_element(element))
    value = _value_attribute(element)
    try:
        return set_parameter(parameters, name, value, _resolver(element))
    except DynamicError as error:
        if error.code != "SEPM0016":
            raise
        # The schema of the element would not let such a value pass.
        raise DynamicError("SEPM0017", error.message) from error


def _elements(node: Node) -> list[Node]:
    elements = []
    for child in node.children():
        if child.kind is Kind.ELEMENT:
            elements.append(child)
        elif child.kind is Kind.TEXT and not _WHITESPACE.match(child.string_value):
            raise DynamicError("SEPM0017", f"there is text in {node.name}")
    return elements


def _attributes(element: Node, allowed: set[str]) -> dict[str, str]:
    found = {}
    for attribute in element.attributes():
        name = attribute.name
        if name is None or name.uri:
            continue
        if name.local not in allowed:
            raise DynamicError("SEPM0017", f"{element.name} has an attribute {name}")
        found[name.local] = attribute.string_value
    return found


def _value_attribute(element: Node) -> str:
    value = _attributes(element, {"value"}).get("value")
    if value is None or _elements(element):
        raise DynamicError("SEPM0017", f"{element.name} must have an attribute value, no content")
    return value


def _map_element(element: Node) -> dict[str, str]:
    _attributes(element, set())
    mapping: dict[str, str] = {}
    for child in _elements(element):
        if child.name != Name("character-map", "output", OUTPUT):
            raise DynamicError("SEPM0017", f"{child.name} is not allowed in use-character-maps")
        values = _attributes(child, {"character", "map-string"})
        character = values.get("character", "")
        if len(character) != 1 or "map-string" not in values:
            raise DynamicError("SEPM0017", "a character map needs a character and a map-string")
        if character in mapping:
            raise DynamicError("SEPM0018", f"{character!r} is mapped twice")
        mapping[character] = values["map-string"]
    return mapping


def _resolver(element: Node) -> Callable[[str], Name]:
    namespaces = element.in_scope_namespaces()

    def resolve(text: str) -> Name:
        prefix, _, local = text.rpartition(":")
        uri = namespaces.get(prefix, "")
        if prefix and not uri:
            raise DynamicError("SEPM0017", f"no namespace is declared for the prefix {prefix}")
        return Name(local, prefix, uri)

    return resolve
