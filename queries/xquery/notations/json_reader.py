"""Reading JSON text as events, at any depth (F&O 3.1, section 17.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Event", "read_json", "replace_escapes"]

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\(.)"
)
_CHARACTERS = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_WORDS = {"true": True, "false": False, "null": None}


class Event(NamedTuple):
    """One event: the beginning or end of a map or array, a key, or a value.

    Attributes:
        kind: ``map``, ``array``, ``end``, ``key``, ``string``, ``number``, ``boolean``, ``null``.
        text: of a key or string as written between the quotes, with its escapes; of a number or
            boolean as written.
    """

    kind: str
    text: str = ""


def replace_escapes(text: str) -> str:
    r"""Returns the string that an escaped text stands for; lone surrogates stay as they are.

    >>> replace_escapes(r"a\n\u00e9\uD83D\uDE00") == "a\n\xe9\U0001f600"
    True
    """
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: re.Match[str]) -> str:
    high, low, code, letter = match.groups()
    if letter:
        return _CHARACTERS[letter]
    if code:
        return chr(int(code, 16))
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)


def _error(text: str, at: int, expected: str) -> DynamicError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    found = repr(text[at : at + 10]) if at < len(text) else "the end"
    message = f"JSON, line {line}, column {column}: {expected} expected, found {found}"
    return DynamicError("FOJS0001", message)


def read_json(text: str) -> Iterator[Event]:
    """Returns the events of a JSON text.

    Raises:
        DynamicError: FOJS0001, it is not JSON.

    >>> [event.kind for event in read_json('{"a": [1, null]}')]
    ['map', 'key', 'array', 'number', 'null', 'end', 'end']
    """
    at = _skip(text, 0)
    nesting: list[str] = []
    while True:
        opened = text[at : at + 1]
        if opened in {"{", "["}:
            nesting.append("}" if opened == "{" else "]")
            yield Event("map" if opened == "{" else "array")
            at = _skip(text, at + 1)
            if text[at : at + 1] != nesting[-1]:
                if opened == "{":
                    key, at = _key(text, at)
                    yield key
                continue
        else:
            event, at = _value(text, at)
            yield event
        at = _skip(text, at)
        while nesting and text[at : at + 1] == nesting[-1]:
            nesting.pop()
            yield Event("end")
            at = _skip(text, at + 1)
        if not nesting:
            break
        if text[at : at + 1] != ",":
            raise _error(text, at, f"a comma or {nesting[-1]}")
        at = _skip(text, at + 1)
        if nesting[-1] == "}":
            key, at = _key(text, at)
            yield key
    if at < len(text):
        raise _error(text, at, "nothing more")


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _key(text: str, at: int) -> tuple[Event, int]:
    """Returns a key, and the offset of its value."""
    found = _STRING.match(text, at)
    if found is None:
        raise _error(text, at, "a string")
    after = _skip(text, found.end())
    if text[after : after + 1] != ":":
        raise _error(text, after, "a colon")
    return Event("key", found[1]), _skip(text, after + 1)


def _value(text: str, at: int) -> tuple[Event, int]:
    """Returns a string, number, boolean or null, and the offset after it."""
    if found := _STRING.match(text, at):
        return Event("string", found[1]), found.end()
    if found := _NUMBER.match(text, at):
        return Event("number", found[0]), found.end()
    for word, value in _WORDS.items():
        if text.startswith(word, at):
            return Event("null" if value is None else "boolean", word), at + len(word)
    raise _error(text, at, "a value")
