"""The lexical forms of XML: names, white space, characters that XML allows."""

from __future__ import annotations

import re

__all__ = [
    "NAME_CHARS",
    "NAME_START",
    "STRING_PATTERNS",
    "collapse",
    "first_invalid",
    "is_ncname",
    "is_xml_character",
]

NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""What a name may begin with beside the colon (XML 1.0, fifth edition), within a class."""
NAME_CHARS = NAME_START + "0-9.\u00b7\u0300-\u036f\u203f\u2040-"

_NCNAME = re.compile(f"[{NAME_START}][{NAME_CHARS}]*\\Z")

STRING_PATTERNS = {
    "language": re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*\Z"),
    "NMTOKEN": re.compile(f"[:{NAME_CHARS}]+\\Z"),
    "Name": re.compile(f"[:{NAME_START}][:{NAME_CHARS}]*\\Z"),
    "NCName": _NCNAME,
    "ID": _NCNAME,
    "IDREF": _NCNAME,
    "ENTITY": _NCNAME,
}
"""What collapsed text of each type derived from xs:token must match."""

_INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def collapse(text: str) -> str:
    """Returns a text with runs of XML's white space made one space, none at the ends.

    >>> collapse(" a\\t b\\u00a0 ")
    'a b\\xa0'
    """
    for space in "\t\n\r":
        if space in text:
            text = text.replace(space, " ")
    return " ".join(word for word in text.split(" ") if word)


def is_ncname(text: str) -> bool:
    """Tells whether a text is a name without a colon."""
    return _NCNAME.match(text) is not None


def is_xml_character(codepoint: int) -> bool:
    """Tells whether XML 1.0 allows a character."""
    return codepoint <= 0x10FFFF and not _INVALID.match(chr(codepoint))


def first_invalid(text: str) -> str | None:
    """Returns the first character that XML 1.0 does not allow, or None."""
    found = _INVALID.search(text)
    return None if found is None else found.group()
