"""From characters to markup: escaping, character maps, encodings, normalization."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from jvmscope.queries.xquery.serialization.parameters import Parameters

__all__ = ["CharacterWriter"]

_TEXT = re.compile("[&<>\r\x7f-\x9f\u2028]")
_ATTRIBUTE = re.compile('[&<>"\t\n\r\x7f-\x9f\u2028]')
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_UNICODE = re.compile(r"utf-?(8|16|32)", re.IGNORECASE)


def _reference(match: re.Match[str]) -> str:
    character = match.group()
    return _NAMED.get(character) or f"&#x{ord(character):X};"


class CharacterWriter:
    """Escapes texts for one set of parameters."""

    def __init__(self, parameters: Parameters) -> None:
        self._mapping = parameters.use_character_maps
        self._mapped = (
            re.compile("[" + "".join(map(re.escape, self._mapping)) + "]")
            if self._mapping
            else None
        )
        self._form = parameters.normalization_form
        self._encoding = parameters.encoding
        self._is_unicode = _UNICODE.match(parameters.encoding) is not None

    def text(self, text: str) -> str:
        """Returns the content of an element."""
        return self._write(text, _TEXT)

    def attribute(self, text: str) -> str:
        """Returns an attribute's value for double quotes."""
        return self._write(text, _ATTRIBUTE)

    def plain(self, text: str) -> str:
        """Returns a text without any escaping; SERE0008 if the encoding lacks a character."""
        return "".join(
            part if is_mapped else self.check(self._normalize(part))
            for part, is_mapped in self._split(text)
        )

    def unmapped(self, text: str) -> str:
        """Returns a text in the normalization form asked for; nothing is mapped or escaped."""
        return self._normalize(text)

    def escaped(self, text: str, special: re.Pattern[str]) -> str:
        """Returns a text with its special characters as references."""
        return self._write(text, special)

    def _write(self, text: str, special: re.Pattern[str]) -> str:
        if self._mapped is None and self._form == "none":
            return self._encodable(special.sub(_reference, text))
        return "".join(
            part if is_mapped else self._encodable(special.sub(_reference, self._normalize(part)))
            for part, is_mapped in self._split(text)
        )

    def _split(self, text: str) -> list[tuple[str, bool]]:
        """Returns parts of a text, and whether each is the replacement of a mapped character."""
        if self._mapped is None:
            return [(text, False)]
        parts = []
        at = 0
        for match in self._mapped.finditer(text):
            parts += [(text[at : match.start()], False), (self._mapping[match.group()], True)]
            at = match.end()
        return [*parts, (text[at:], False)]

    def _normalize(self, text: str) -> str:
        if self._form == "none":
            return text
        if self._form == "fully-normalized":
            if text and unicodedata.combining(text[0]):
                raise DynamicError("SERE0012", "a text begins with a combining character")
            return unicodedata.normalize("NFC", text)
        return unicodedata.normalize(self._form, text)  # type: ignore[arg-type]

    def _encodable(self, text: str) -> str:
        """Returns a text with references for the characters that the encoding lacks."""
        if self._is_unicode or text.isascii():
            return text
        return text.encode(self._encoding, "xmlcharrefreplace").decode(self._encoding)

    def check(self, text: str) -> str:
        """Returns a text where no reference is possible; SERE0008 if a character is lacking."""
        if not self._is_unicode and not text.isascii():
            try:
                text.encode(self._encoding)
            except UnicodeEncodeError as error:
                found = text[error.start]
                message = f"{self._encoding} has no character U+{ord(found):04X}"
                raise DynamicError("SERE0008", message) from error
        return text

    def can_encode(self, character: str) -> bool:
        """Tells whether the encoding has a character."""
        try:
            self.check(character)
        except DynamicError:
            return False
        return True
