"""The types of a chunk, which it describes itself, and the readers made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.watch.flight.encoding import PRIMITIVES, Reference, read_text, read_unsigned

if TYPE_CHECKING:
    from jvmscope.watch.flight.encoding import Reader

__all__ = ["Type", "Types", "read_types"]

_STRING = "java.lang.String"
_TICKS = "TICKS"


@dataclass(frozen=True)
class _Field:
    name: str
    type_id: int
    is_constant: bool
    is_array: bool
    is_ticks: bool


@dataclass(frozen=True)
class Type:
    """A type of events or of the values in them.

    ``is_simple`` says that the type is no more than its only field.
    """

    type_id: int
    name: str
    is_event: bool
    is_simple: bool
    fields: tuple[_Field, ...]

    @property
    def ticks(self) -> frozenset[str]:
        """The names of the fields that count the VM's clock: times and durations."""
        return frozenset(each.name for each in self.fields if each.is_ticks)


@dataclass
class _Element:
    name: str
    attributes: dict[str, str]
    children: list[_Element] = field(default_factory=list)


class Types:
    """The types of a chunk by their numbers, with a reader for each."""

    def __init__(self) -> None:
        self._types: dict[int, Type] = {}
        self._readers: dict[int, Reader] = {}
        self.string_id = -1

    @property
    def event_names(self) -> frozenset[str]:
        """The names of the types of events."""
        return frozenset(each.name for each in self._types.values() if each.is_event)

    def add(self, types: dict[int, Type]) -> None:
        """Adds the types of a description; those that are known may have changed."""
        self._types.update(types)
        self._readers.clear()
        for each in types.values():
            if each.name == _STRING:
                self.string_id = each.type_id

    def get(self, type_id: int) -> Type | None:
        """Returns the type with a number; None if no description had it."""
        return self._types.get(type_id)

    def reader(self, type_id: int) -> Reader:
        """Returns the reader of a type's values: a struct is a dictionary by names of fields."""
        if type_id not in self._readers:
            self._readers[type_id] = self._made(self._types[type_id])
        return self._readers[type_id]

    def _made(self, kind: Type) -> Reader:
        if kind.name == _STRING:
            return self._read_string
        if kind.name in PRIMITIVES:
            return PRIMITIVES[kind.name]
        if kind.is_simple and len(kind.fields) == 1:
            return self._reader_of(kind.fields[0])
        return _struct(tuple((each.name, self._reader_of(each)) for each in kind.fields))

    def _reader_of(self, each: _Field) -> Reader:
        reader = _reference(each.type_id) if each.is_constant else self.reader(each.type_id)
        return _array(reader) if each.is_array else reader

    def _read_string(self, data: bytes, at: int) -> tuple[Any, int]:
        value, at = read_text(data, at)
        return (Reference(self.string_id, value) if isinstance(value, int) else value), at


def _struct(fields: tuple[tuple[str, Reader], ...]) -> Reader:
    def read(data: bytes, at: int) -> tuple[dict[str, Any], int]:
        values = {}
        for name, reader in fields:
            values[name], at = reader(data, at)
        return values, at

    return read


def _array(reader: Reader) -> Reader:
    def read(data: bytes, at: int) -> tuple[list[Any], int]:
        length, at = read_unsigned(data, at)
        values = []
        for _ in range(length):
            value, at = reader(data, at)
            values.append(value)
        return values, at

    return read


def _reference(type_id: int) -> Reader:
    def read(data: bytes, at: int) -> tuple[Reference, int]:
        key, at = read_unsigned(data, at)
        return Reference(type_id, key), at

    return read


def read_types(data: bytes, at: int) -> dict[int, Type]:
    """Returns the types that a metadata event describes.

    Args:
        data: the chunk's bytes.
        at: where the event's strings begin, behind its size, type, times and number.
    """
    n_strings, at = read_unsigned(data, at)
    strings: list[str] = []
    for _ in range(n_strings):
        text, at = read_text(data, at)
        strings.append(text if isinstance(text, str) else "")
    root, _ = _read_element(data, at, strings)
    metadata = next(child for child in root.children if child.name == "metadata")
    types = [_type(element) for element in metadata.children if element.name == "class"]
    return {each.type_id: each for each in types}


def _read_element(data: bytes, at: int, strings: list[str]) -> tuple[_Element, int]:
    name, at = read_unsigned(data, at)
    element = _Element(strings[name], {})
    n_attributes, at = read_unsigned(data, at)
    for _ in range(n_attributes):
        key, at = read_unsigned(data, at)
        value, at = read_unsigned(data, at)
        element.attributes[strings[key]] = strings[value]
    n_children, at = read_unsigned(data, at)
    for _ in range(n_children):
        child, at = _read_element(data, at, strings)
        element.children.append(child)
    return element, at


def _type(element: _Element) -> Type:
    attributes = element.attributes
    return Type(
        type_id=int(attributes["id"]),
        name=attributes["name"],
        is_event=attributes.get("superType") == "jdk.jfr.Event",
        is_simple=attributes.get("simpleType") == "true",
        fields=tuple(_field(child) for child in element.children if child.name == "field"),
    )


def _field(element: _Element) -> _Field:
    attributes = element.attributes
    return _Field(
        name=attributes["name"],
        type_id=int(attributes["class"]),
        is_constant=attributes.get("constantPool") == "true",
        is_array=attributes.get("dimension") == "1",
        is_ticks=any(_TICKS in child.attributes.values() for child in element.children),
    )
