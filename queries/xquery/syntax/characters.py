"""The characters of XML 1.0 and of names.

What is ASCII is matched by small expressions. Those of all characters are compiled when a text
first needs them: their classes take Python ten milliseconds.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["is_ncname", "is_xml_character", "name_end", "qname_end", "stray_character"]

_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MORE = "-.0-9\u00b7\u0300-\u036f\u203f\u2040"
_XML = "\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff"
_ASCII_NAME = re.compile(r"[A-Za-z_][-.\w]*", re.ASCII)
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@cache
def _any_name() -> re.Pattern[str]:
    return re.compile(f"[{_START}][{_MORE}{_START}]*")


@cache
def _not_xml() -> re.Pattern[str]:
    return re.compile(f"[^{_XML}]")


def name_end(text: str, at: int) -> int:
    """Returns the offset after the name without colon at an offset; the offset if there is none.

    Names are those of Namespaces in XML 1.0, production 4.

    >>> name_end("a-1:b", 0), name_end("1", 0), name_end("\u00e4b c", 0)
    (3, 0, 2)
    """
    match = _ASCII_NAME.match(text, at)
    end = match.end() if match else at
    if text[end : end + 1] > "\x7f":
        match = _any_name().match(text, at)
        return match.end() if match else at
    return end


def qname_end(text: str, at: int) -> int:
    """Returns the same for a name with or without a prefix.

    >>> qname_end("a:b c", 0), qname_end("a: b", 0), qname_end(":a", 0)
    (3, 1, 0)
    """
    end = name_end(text, at)
    if end > at and text[end : end + 1] == ":":
        local_end = name_end(text, end + 1)
        return local_end if local_end > end + 1 else end
    return end


def is_ncname(text: str) -> bool:
    """Tells whether a text is a name without a colon.

    >>> is_ncname("a.b-c"), is_ncname("a:b"), is_ncname("")
    (True, False, False)
    """
    return bool(text) and name_end(text, 0) == len(text)


def stray_character(text: str) -> int:
    """Returns the offset of the first character that no XML document may contain, or -1.

    >>> stray_character("a b"), stray_character("ab" + chr(0))
    (-1, 2)
    """
    match = (_ASCII_CONTROL if text.isascii() else _not_xml()).search(text)
    return match.start() if match else -1


def is_xml_character(code: int) -> bool:
    """Tells whether a code point is a character of XML 1.0.

    >>> is_xml_character(0x41), is_xml_character(0), is_xml_character(0xD800)
    (True, False, False)
    """
    return code < 0x110000 and stray_character(chr(code)) < 0
