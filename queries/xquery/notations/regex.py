"""Translation of XPath's regular expressions (F&O 3.1, section 5.6.1) to Python's.

The Unicode categories and blocks are elementpath's; its own translation differs from the
specification in too many places (docs/elementpath.md).
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.notations.backtracking import ONE_WAY, Ways
from jvmscope.queries.xquery.notations.character_classes import (
    NOT_NEWLINE,
    ClassReader,
    class_escape,
    single_escape,
)
from jvmscope.queries.xquery.notations.searching import Regex

__all__ = ["compile_regex"]

_QUANTITY = re.compile(r"\{(\d+)(,(\d*))?\}")
_SPACE = re.compile(r"[\t\n\r ]+")
_MAX_REPEAT = 2**31
_COMPARISON = ONE_WAY.repeated(0, None)
_SIGNS: dict[str, tuple[str, int, int | None]] = {
    "?": ("?", 0, 1),
    "*": ("*", 0, None),
    "+": ("+", 1, None),
}


@lru_cache(512)
def compile_regex(text: str, flags: str = "") -> Regex:
    """Returns a compiled regular expression.

    Args:
        text: XPath's regular expression.
        flags: letters among ``smixq``.

    Raises:
        DynamicError: FORX0001 (flags), FORX0002 (expression).

    >>> compile_regex(r"[a-z-[aeiou]]+").pattern.findall("regular")
    ['r', 'g', 'l', 'r']
    """
    if not set(flags) <= set("smixq"):
        raise DynamicError("FORX0001", f"{flags!r} are not valid flags")
    options = re.IGNORECASE if "i" in flags else re.NOFLAG
    if "q" in flags:
        return Regex(re.compile(re.escape(text), options), (), len(text), ONE_WAY)
    translator = _Translator(text, flags)
    try:
        pattern = re.compile(translator.translate(), options)
        return Regex(
            pattern,
            tuple(translator.parents),
            len(text),
            translator.ways,
            folds_groups=translator.refers_to_groups and "i" in flags,
        )
    except (re.error, OverflowError, RecursionError) as error:
        raise DynamicError("FORX0002", f"{text!r} is not a regular expression: {error}") from error


class _Translator:
    """One translation, from the first character to the last.

    Attributes:
        parents: for each group from 1 the number of the group around it, 0 for none.
        refers_to_groups: whether what a group matched is matched again.
    """

    def __init__(self, text: str, flags: str) -> None:
        self._text = _without_space(text) if "x" in flags else text
        self._flags = flags
        self._at = 0
        self._output: list[str] = []
        self._open: list[int] = []
        self._closed: set[int] = set()
        self._is_atom = False  # whether what was read last can be repeated
        self._levels = [_Level()]  # the whole, and the groups that are open
        self.parents: list[int] = []
        self.refers_to_groups = False

    @property
    def ways(self) -> Ways:
        """How many ways there are to match what was translated."""
        return self._levels[0].ways

    def _error(self, message: str) -> DynamicError:
        return DynamicError("FORX0002", f"{message} in the regular expression {self._text!r}")

    def translate(self) -> str:
        """Returns Python's expression."""
        text = self._text
        while self._at < len(text):
            character = text[self._at]
            handler = self._HANDLERS.get(character)
            if handler is not None:
                handler(self)
            else:
                self._atom(re.escape(character), 1)
        if self._open:
            raise self._error("a parenthesis is not closed")
        return "".join(self._output)

    def _atom(self, translated: str, length: int, ways: Ways = ONE_WAY) -> None:
        self._output.append(translated)
        self._is_atom = True
        self._at += length
        self._levels[-1].add(ways)

    def _alternative(self) -> None:
        self._atom("|", 1)
        self._is_atom = False
        self._levels[-1].begin_alternative()

    def _group(self) -> None:
        captures = not self._text.startswith("(?", self._at)
        if not captures and not self._text.startswith("(?:", self._at):
            raise self._error("(? must be (?:")
        if captures:
            self.parents.append(next((group for group in reversed(self._open) if group), 0))
            self._open.append(len(self.parents))
        else:
            self._open.append(0)
        self._atom("(" if captures else "(?:", 1 if captures else 3)
        self._is_atom = False
        self._levels.append(_Level())

    def _group_end(self) -> None:
        if not self._open:
            raise self._error("a parenthesis is not opened")
        self._closed.add(self._open.pop())
        self._atom(")", 1, self._levels.pop().ways)

    def _quantifier(self) -> None:
        if not self._is_atom:
            raise self._error(f"there is nothing for {self._text[self._at]} to repeat")
        sign = self._text[self._at]
        found, least, most = _SIGNS[sign] if sign in _SIGNS else self._quantity()
        if self._text.startswith("?", self._at + len(found)):
            found += "?"
        self._levels[-1].repeat(least, most)
        self._atom(found, len(found))
        self._is_atom = False

    def _quantity(self) -> tuple[str, int, int | None]:
        match = _QUANTITY.match(self._text, self._at)
        if match is None:
            raise self._error("{ must be followed by numbers")
        least = int(match[1])
        most = least if match[2] is None else int(match[3]) if match[3] else None
        if most is not None and most < least:
            raise self._error(f"{least} is more than {most}")
        if max(least, most or 0) >= _MAX_REPEAT:
            raise self._error("there are too many repetitions")
        return match.group(), least, most

    def _dot(self) -> None:
        self._atom(r"[\s\S]" if "s" in self._flags else NOT_NEWLINE, 1)

    def _start(self) -> None:
        self._atom(r"(?:\A|(?<=\n)(?!\Z))" if "m" in self._flags else r"(?:\A)", 1)

    def _end(self) -> None:
        self._atom(r"(?:\Z|(?=\n))" if "m" in self._flags else r"(?:\Z)", 1)

    def _class(self) -> None:
        reader = ClassReader(self._text, self._at, ignores_case="i" in self._flags)
        translated = reader.read()
        self._atom(translated, reader.at - self._at)

    def _escape(self) -> None:
        following = self._text[self._at + 1 : self._at + 2]
        if following.isdigit() and following in "123456789":
            self._back_reference()
            return
        found = class_escape(self._text, self._at)
        if found is not None:
            content, length = found
            self._atom(f"(?-i:[{content}])" if "i" in self._flags else f"[{content}]", length)
            return
        self._atom(re.escape(single_escape(self._text, self._at)), 2)

    def _back_reference(self) -> None:
        """Takes as many digits as make the number of a group; one that is open is an error."""
        end = self._at + 2
        while self._text[end : end + 1].isdigit() and int(self._text[self._at + 1 : end + 1]) <= (
            len(self.parents)
        ):
            end += 1
        number = int(self._text[self._at + 1 : end])
        if number not in self._closed:
            raise self._error(f"there is no group {number} before the reference to it")
        self.refers_to_groups = True
        # A group that took no part matches the empty string, where Python would fail.
        # To compare costs as much as to repeat.
        self._atom(f"(?:(?({number})\\{number}|))", end - self._at, _COMPARISON)

    def _stray(self) -> None:
        raise self._error(f"{self._text[self._at]} must be escaped")

    _HANDLERS = {  # noqa: RUF012 - a table of functions
        "|": _alternative,
        "(": _group,
        ")": _group_end,
        "?": _quantifier,
        "*": _quantifier,
        "+": _quantifier,
        "{": _quantifier,
        "}": _stray,
        "]": _stray,
        ".": _dot,
        "^": _start,
        "$": _end,
        "[": _class,
        "\\": _escape,
    }


class _Level:
    """What is known of the ways to match the whole or a group, as far as it was read."""

    def __init__(self) -> None:
        self._alternatives: list[Ways] = []
        self._before = ONE_WAY
        self._last = ONE_WAY

    @property
    def ways(self) -> Ways:
        """Those of all alternatives."""
        return reduce(Ways.otherwise, [*self._alternatives, self._before.then(self._last)])

    def add(self, ways: Ways) -> None:
        """Adds a part that follows the last one."""
        self._before = self._before.then(self._last)
        self._last = ways

    def repeat(self, least: int, most: int | None) -> None:
        """Has the last part repeated."""
        self._last = self._last.repeated(least, most)

    def begin_alternative(self) -> None:
        """Begins another alternative."""
        self._alternatives.append(self._before.then(self._last))
        self._before = self._last = ONE_WAY


def _without_space(text: str) -> str:
    """Returns an expression without white space outside of character classes (flag ``x``)."""
    parts = []
    depth = 0
    escaped = False
    for character in text:
        if depth == 0 and _SPACE.match(character):
            continue
        if not escaped:
            depth = max(0, depth + (character == "[") - (character == "]"))
        escaped = character == "\\" and not escaped
        parts.append(character)
    return "".join(parts)
