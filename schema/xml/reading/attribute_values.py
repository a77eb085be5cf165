"""Attributes and texts as values of their types, or an error that says what was expected."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NoReturn

from jvmscope.errors import did_you_mean
from jvmscope.schema.xml.escaping import unescape
from jvmscope.schema.xml.reading.grammar import MAX_SHOWN, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.schema.xml.vocabulary import Attribute, Element

__all__ = ["MAX_TEXT", "Values"]

MAX_TEXT = 1 << 20
"""Characters of one name or constant; the class file format allows 65,535."""

_SCHEMA_LOCATION = "http://www.w3.org/2001/XMLSchema-instance schemaLocation"
_LIMITS = {"integer": (1 << 31) - 1, "long": (1 << 63) - 1}
_FLAGS = ("true", "false")


class Values(ABC):
    """What reads values; a subclass knows where in which file it is."""

    @abstractmethod
    def reject(self, reason: str, line: int | None = None) -> NoReturn:
        """Raises the one error of the file, at its current line or the given one."""

    def values(self, element: Element, attributes: dict[str, str]) -> list[int | str | bool | None]:
        """Returns the attributes' values in the element's order, each of its type.

        Raises:
            Rejected: one is missing, unknown, or not of its type.
        """
        found: list[int | str | bool | None] = []
        for attribute in element.attributes:
            name, _column, kind, is_required, words = attribute
            text = attributes.pop(name, None)
            if text is None:
                if is_required:
                    self.reject(f'<dcg:{element.name}> has no attribute "{name}"')
                found.append(False if kind == "flag" else None)
            elif kind == "integer" and len(text) < 10 and text.isascii() and text.isdigit():
                found.append(int(text))  # most are surely in range
            elif text in words or (kind == "text" and "\\" not in text and len(text) <= MAX_TEXT):
                found.append(text)
            else:
                found.append(self._value(element.name, attribute, text))
        if attributes:
            self.unknown_attribute(element.name, attributes, [a.name for a in element.attributes])
        return found

    def plain(
        self, name: str, attributes: dict[str, str], required: list[str], optional: list[str]
    ) -> dict[str, str]:
        """Returns the attributes, all of them known and none of the required ones missing."""
        attributes.pop(_SCHEMA_LOCATION, None)  # for editors: it is never opened
        for key in required:
            if key not in attributes:
                self.reject(f'<dcg:{name}> has no attribute "{key}"')
        known = [*required, *optional]
        left = {key: value for key, value in attributes.items() if key not in known}
        if left:
            self.unknown_attribute(name, left, known)
        return attributes

    def number(self, what: str, text: str, limit: int = _LIMITS["long"]) -> int:
        """Returns the number that a text is; ``what`` names it in the error."""
        if not (text.isascii() and text.isdigit()):
            text = text.strip(" \t\r\n")
            if not (text.isascii() and text.isdigit()):
                self.reject(f"{what} is {shown(text)}, expected a whole number from 0 to {limit}")
        number = int(text) if len(text) <= 20 else limit + 1
        if number > limit:
            self.reject(f"{what} is {shown(text)}, expected a whole number from 0 to {limit}")
        return number

    def text(self, what: str, text: str) -> str:
        """Returns the text without its escapes."""
        if len(text) > MAX_TEXT:
            self.reject(f"{what} has {len(text)} characters, more than {MAX_TEXT}")
        try:
            return unescape(text)
        except ValueError as error:
            self.reject(f"{what} is {shown(text)}: {error}")

    def _value(self, name: str, attribute: Attribute, text: str) -> int | str | bool:
        what = f'the attribute "{attribute.name}" of <dcg:{name}>'
        if attribute.kind in _LIMITS:
            return self.number(what, text, _LIMITS[attribute.kind])
        if attribute.kind == "text":
            return self.text(what, text)
        if attribute.kind != "flag" or text not in _FLAGS:
            self._unknown_word(what, text, attribute.words or _FLAGS)
        return text == "true"

    def _unknown_word(self, what: str, text: str, words: Collection[str]) -> NoReturn:
        expected = (
            f"expected one of {', '.join(words)}"
            if len(words) < 10
            else "not one of the class file"
        )
        hint = did_you_mean(text[:MAX_SHOWN], words)
        self.reject(f"{what} is {shown(text)}, {expected}{f'; {hint}' if hint else ''}")

    def unknown_attribute(self, name: str, left: dict[str, str], known: list[str]) -> NoReturn:
        """Rejects the first of the attributes that are left."""
        first = next(iter(left))
        hint = did_you_mean(first[:MAX_SHOWN], known)
        self.reject(
            f"<dcg:{name}> has the unknown attribute {shown(first)}{f'; {hint}' if hint else ''}"
        )
