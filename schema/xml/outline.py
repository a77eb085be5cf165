"""What each element of the XML view may hold, as its XML Schema says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Outline", "outlines"]

_FOLDER = Path(__file__).with_name("xsd")
_SHARED = "types"
_XS = "{http://www.w3.org/2001/XMLSchema}"


@dataclass(frozen=True)
class Outline:
    """The names of the attributes and of the child elements that an element may have."""

    attributes: frozenset[str] = frozenset()
    children: frozenset[str] = frozenset()

    def __or__(self, other: Outline) -> Outline:
        """Returns what either may have."""
        return Outline(self.attributes | other.attributes, self.children | other.children)


@cache
def outlines(document: str | None = None) -> Mapping[str, Outline]:
    """Returns the outline of every element of a document by local name; None: of both together.

    >>> sorted(outlines()["interface"].attributes)
    ['ref']
    >>> "callCount" in outlines("cct")["context"].children
    True
    >>> "callCount" in outlines("classes")["context"].children
    Traceback (most recent call last):
    KeyError: 'context'
    """
    names = [path.stem for path in _FOLDER.glob("*.xsd")] if document is None else [document]
    paths = [_FOLDER / f"{name}.xsd" for name in sorted({*names, _SHARED})]
    schemas = [ET.parse(path).getroot() for path in paths]  # noqa: S314 - our own files
    found: dict[str, Outline] = {}
    for schema in schemas:
        for element in schema.iter(f"{_XS}element"):
            if name := element.get("name"):
                found[name] = found.get(name, Outline()) | _outline(element, schemas)
    return found


def _outline(element: ET.Element, schemas: list[ET.Element]) -> Outline:
    holder = element.find(f"{_XS}complexType")
    if holder is None:
        holder = _named_type(element.get("type", "").partition(":")[2], schemas)
    if holder is None:
        return Outline()
    parts = list(_parts(holder))
    names = {
        kind: frozenset(
            part.get("name") or part.get("ref", "").partition(":")[2]
            for part in parts
            if part.tag == f"{_XS}{kind}"
        )
        for kind in ("attribute", "element")
    }
    return Outline(names["attribute"], names["element"])


def _named_type(name: str, schemas: list[ET.Element]) -> ET.Element | None:
    of_name = (schema.find(f"{_XS}complexType[@name='{name}']") for schema in schemas)
    return next((type_ for type_ in of_name if type_ is not None), None)


def _parts(holder: ET.Element) -> Iterator[ET.Element]:
    """Yields what a type is made of, but not what its parts are made of."""
    for part in holder:
        yield part
        if part.tag != f"{_XS}element":
            yield from _parts(part)
