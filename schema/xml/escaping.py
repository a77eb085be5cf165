r"""How strings that XML cannot hold are written in it, without loss.

XML 1.0 has no NUL, no other control characters than tab, line feed and carriage return, no lone
surrogates and neither U+FFFE nor U+FFFF, and JVM names and constants may hold all of them. The
XML view writes such a UTF-16 code unit as ``\uXXXX``, and a backslash as two. Nothing else is
changed, so ordinary names read as they are.

A table's strings are UTF-8; a lone surrogate in one is three bytes, as in modified UTF-8.
"""

from __future__ import annotations

import re

__all__ = ["escape", "markup", "unescape"]

_UNWRITABLE = re.compile("[\\\\\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPE = re.compile(r"\\(?:\\|u([0-9a-f]{4})|)")
_MARKUP = re.compile('[&<>"\t\n\r]')
_REFERENCES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",  # attribute values are normalised: written plainly, these would become spaces
    "\n": "&#10;",
    "\r": "&#13;",
}


def escape(text: str) -> str:
    r"""Returns the text with every character that XML cannot hold as ``\uXXXX``.

    >>> escape("a\\b\x00c\ud800")
    'a\\\\b\\u0000c\\ud800'
    """
    return _UNWRITABLE.sub(_escaped, text)


def unescape(text: str) -> str:
    r"""Returns the text that ``escape`` was given.

    Raises:
        ValueError: a backslash begins neither ``\\`` nor ``\uXXXX``, or the ``\uXXXX`` stands
            for a character that is written as itself.

    >>> unescape("a\\\\b\\u0000c\\ud800") == "a\\b\x00c\ud800"
    True
    >>> unescape("\\x")
    Traceback (most recent call last):
    ValueError: a backslash must be followed by a backslash or by u and four of 0-9a-f
    """
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def markup(text: str) -> str:
    r"""Returns the escaped text as it stands in an attribute or element.

    >>> markup('List<"a">\n')
    'List&lt;&quot;a&quot;&gt;&#10;'
    """
    return _MARKUP.sub(_reference, escape(text))


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    return "\\\\" if character == "\\" else f"\\u{ord(character):04x}"


def _unescaped(found: re.Match[str]) -> str:
    if found[1] is None:
        if found[0] == "\\":
            raise ValueError(
                "a backslash must be followed by a backslash or by u and four of 0-9a-f"
            )
        return "\\"
    character = chr(int(found[1], 16))
    if not _UNWRITABLE.fullmatch(character) or character == "\\":
        raise ValueError(f"{found[0]} must be written as itself")
    return character


def _reference(found: re.Match[str]) -> str:
    return _REFERENCES[found[0]]
