"""Character classes of XPath's regular expressions (XML Schema 1.1 part 2, appendix G)."""

from __future__ import annotations

import re
import sys
from functools import cache

from elementpath.regex import RegexError, unicode_subset

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import NAME_CHARS, NAME_START

__all__ = ["NOT_NEWLINE", "ClassReader", "class_escape", "single_escape"]

NOT_NEWLINE = r"[^\n\r]"
_SINGLE = {"n": "\n", "r": "\r", "t": "\t"}
_LITERAL = frozenset("\\|.?*+(){}-[]^$")
_PROPERTY = re.compile(r"\\[pP]\{([A-Za-z0-9-]+)\}")
_MAX_NESTING = 50

_Ranges = tuple[tuple[int, int], ...]
"""Sorted codepoint ranges, each with its last codepoint."""


def _error(message: str, text: str) -> DynamicError:
    return DynamicError("FORX0002", f"{message} in the regular expression {text!r}")


@cache
def _property(name: str) -> _Ranges:
    """Returns the codepoints of a category (``Lu``) or block (``IsGreek``)."""
    found = []
    for entry in unicode_subset(name).codepoints:
        first, end = (entry, entry + 1) if isinstance(entry, int) else entry
        found.append((first, end - 1))
    return tuple(found)


def _complement(ranges: _Ranges) -> _Ranges:
    gaps = []
    start = 0
    for first, last in sorted(ranges):
        if start < first:
            gaps.append((start, first - 1))
        start = max(start, last + 1)
    if start <= sys.maxunicode:
        gaps.append((start, sys.maxunicode))
    return tuple(gaps)


def _content(ranges: _Ranges) -> str:
    """Returns what stands between the brackets of Python's class."""
    return "".join(
        f"\\U{first:08x}" if first == last else f"\\U{first:08x}-\\U{last:08x}"
        for first, last in ranges
    )


@cache
def _multi(letter: str) -> str:
    """Returns the content for ``\\d``, ``\\w``, ``\\i`` and so on."""
    ranges = _multi_ranges(letter.lower())
    return _content(ranges if letter.islower() else _complement(ranges))


def _multi_ranges(letter: str) -> _Ranges:
    match letter:
        case "d":
            return _property("Nd")
        case "w":
            return _complement(_property("P") + _property("Z") + _property("C"))
        case "s":
            return _written(" \t\n\r")
        case "i":
            return _written(f":{NAME_START}")
        case _:
            return _written(f":{NAME_CHARS}")


def _written(content: str) -> _Ranges:
    """Returns the ranges that a class's content names.

    >>> _written("a-cx-")
    ((97, 99), (120, 120), (45, 45))
    """
    return tuple(
        (ord(first), ord(last or first))
        for first, last in re.findall("(.)(?:-(.))?", content, re.DOTALL)
    )


def class_escape(text: str, at: int) -> tuple[str, int] | None:
    """Returns the content for a class escape at an offset, and its length; None for others.

    >>> class_escape(r"a\\s", 1)
    ('\\\\U00000020\\\\U00000009\\\\U0000000a\\\\U0000000d', 2)
    """
    letter = text[at + 1 : at + 2]
    if letter and letter in "dDwWsSiIcC":
        return _multi(letter), 2
    if letter not in {"p", "P"}:
        return None
    found = _PROPERTY.match(text, at)
    if found is None:
        raise _error(f"\\{letter} must be followed by a name in braces", text)
    try:
        ranges = _property(found[1])
    except RegexError as error:
        raise _error(f"{found[1]} is not a category or block", text) from error
    content = _content(ranges if letter == "p" else _complement(ranges))
    return content, len(found[0])


def single_escape(text: str, at: int) -> str:
    """Returns the character for an escape of one at an offset."""
    letter = text[at + 1 : at + 2]
    if letter in _SINGLE:
        return _SINGLE[letter]
    if letter not in _LITERAL:
        raise _error(f"\\{letter} is not an escape", text)
    return letter


class ClassReader:
    """Reads one class expression in brackets.

    Args:
        text: the regular expression.
        at: the offset of the opening bracket; afterwards that after the closing one.
        ignores_case: whether the class does; category escapes in it never do.
    """

    def __init__(self, text: str, at: int, *, ignores_case: bool, depth: int = 0) -> None:
        self.at = at
        self._text = text
        self._ignores_case = ignores_case
        self._depth = depth
        self._plain: list[str] = []
        self._fixed: list[str] = []

    def _peek(self, length: int = 1) -> str:
        found = self._text[self.at : self.at + length]
        if not found:
            raise _error("a bracket is not closed", self._text)
        return found

    def read(self) -> str:
        """Returns Python's expression for the class."""
        if self._depth > _MAX_NESTING:
            raise _error("brackets are nested too deeply", self._text)
        self.at += 1
        is_negative = self._peek() == "^"
        self.at += is_negative
        subtracted = ""
        start = self.at
        while self._peek() != "]":
            if self._peek(2) == "-[":
                subtracted = self._subtraction(start)
                break
            self._part(start)
        if self.at == start:
            raise _error("a class is empty", self._text)
        self.at += 1
        inner = self._alternatives()
        positive = rf"(?!{inner})[\s\S]" if is_negative else inner
        return f"(?:{subtracted}{positive})"

    def _subtraction(self, start: int) -> str:
        if self.at == start:
            raise _error("there is nothing to subtract from", self._text)
        self.at += 1
        reader = ClassReader(
            self._text, self.at, ignores_case=self._ignores_case, depth=self._depth + 1
        )
        translated = reader.read()
        self.at = reader.at
        if self._peek() != "]":
            raise _error("a subtraction must end its class", self._text)
        return f"(?!{translated})"

    def _alternatives(self) -> str:
        plain, fixed = "".join(self._plain), "".join(self._fixed)
        if not self._ignores_case or not fixed:
            return f"[{plain}{fixed}]"
        if not plain:
            return f"(?-i:[{fixed}])"
        return f"(?:[{plain}]|(?-i:[{fixed}]))"

    def _part(self, start: int) -> None:
        """Takes an escape, a character or a range."""
        if self._peek() == "\\":
            found = class_escape(self._text, self.at)
            if found is not None:
                self._fixed.append(found[0])
                self.at += found[1]
                if self._peek() == "-" and self._peek(2) not in {"-]", "-["}:
                    raise _error("a range begins with a class", self._text)
                return
        hyphen_at = self.at
        first = self._character()
        is_lone_hyphen = first == "-" and self._text[hyphen_at] == "-"
        if self._peek() != "-" or self._peek(2) in {"-]", "-["} or is_lone_hyphen:
            if is_lone_hyphen and hyphen_at != start and self._peek() == "-":
                raise _error("a range begins with a hyphen", self._text)
            self._add(first, first)
            return
        self.at += 1
        last = self._range_end()
        if last < first:
            raise _error(f"{first}-{last} is not a range", self._text)
        self._add(first, last)

    def _range_end(self) -> str:
        if self._peek() == "\\" and class_escape(self._text, self.at) is not None:
            raise _error("a range ends with a class", self._text)
        if self._peek() == "-":
            raise _error("a range ends with a hyphen", self._text)
        return self._character()

    def _add(self, first: str, last: str) -> None:
        self._plain.append(_content(((ord(first), ord(last)),)))

    def _character(self) -> str:
        character = self._peek()
        if character == "\\":
            character = single_escape(self._text, self.at)
            self.at += 1
        elif character == "[":
            raise _error("[ must be escaped", self._text)
        self.at += 1
        return character
