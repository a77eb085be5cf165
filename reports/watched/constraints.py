r"""Constraints: resources that a value has to be of, combined by AND and OR.

A path names a resource, and everything below it: ``/APCode/app/Service``. AND binds more strongly
than OR, and parentheses group. In a path, a backslash stands before a comma, brace, parenthesis or
backslash that is part of a name, and before a word AND or OR that is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "HIERARCHIES",
    "AllOf",
    "AnyOf",
    "Constraint",
    "ConstraintParser",
    "Focus",
    "Place",
    "written_path",
]

HIERARCHIES = ("APCode", "APThreads", "APSyncObj", "Code")
"""The hierarchies of resources that constraints are of: the application's, and the VM's code."""

_MOST_NESTED = 50
_WORD_BEHIND = r"(?=[\s(){},/]|$)"
_PATH = re.compile(rf"/(?:\\.|(?!\s+(?:AND|OR){_WORD_BEHIND})[^\\,{{}}()])*")
_OPERATOR = re.compile(rf"(AND|OR){_WORD_BEHIND}")
_ANYTHING = re.compile(r"[^\s,{}()]+")
_ESCAPED = re.compile(r"\\(.)")
_SPECIAL = re.compile(r"[\\,{}()]|(?<=\s)(?=(?:AND|OR)(?:[\s/]|$))")
_BLANK = re.compile(r"\s*")
_HINT = "with a backslash before it, a parenthesis is part of a name"


@dataclass(frozen=True)
class Place:
    """Where a text stands: on the command line, or in a line of a file."""

    path: str
    line: int
    source: str

    def error(self, at: int, length: int, message: str, hint: str | None) -> QueryError:
        """Returns an error about characters of the line, counted from 0."""
        return QueryError(
            message,
            path=self.path,
            line=self.line,
            column=at + 1,
            source="\n" * (self.line - 1) + self.source,
            length=max(1, length),
            hint=hint,
        )


@dataclass(frozen=True)
class Focus:
    """One resource: its hierarchy, its path below that, the root being empty; and its place."""

    hierarchy: str
    path: str
    place: Place
    at: int = 0

    def __str__(self) -> str:
        """Returns the whole path."""
        return f"/{self.hierarchy}/{self.path}".rstrip("/")

    def foci(self) -> Iterator[Focus]:
        """Yields the resources that are named."""
        yield self

    def error(self, message: str, hint: str | None) -> QueryError:
        """Returns an error about this."""
        return self.place.error(self.at, len(str(self)), message, hint)


@dataclass(frozen=True)
class AllOf:
    """What is true if all parts are."""

    parts: tuple[Constraint, ...]

    def foci(self) -> Iterator[Focus]:
        """Yields the resources that are named, in their order."""
        for part in self.parts:
            yield from part.foci()


@dataclass(frozen=True)
class AnyOf:
    """What is true if one of the parts is."""

    parts: tuple[Constraint, ...]

    def foci(self) -> Iterator[Focus]:
        """Yields the resources that are named, in their order."""
        for part in self.parts:
            yield from part.foci()


Constraint = Focus | AllOf | AnyOf


def written_path(hierarchy: str, path: str) -> str:
    r"""Returns the text of a resource, as it has to be written in a pair.

    >>> print(written_path("APThreads", "RMI (2)"), written_path("APThreads", "this OR that"))
    /APThreads/RMI \(2\) /APThreads/this \OR that
    """
    return f"/{hierarchy}/{_SPECIAL.sub(lambda found: chr(92) + found[0], path)}".rstrip("/")


class ConstraintParser:
    """Reads constraints from a line, and keeps where it stands.

    Args:
        place: the line.
        at: the first character that is read.
    """

    def __init__(self, place: Place, at: int) -> None:
        self._place = place
        self._text = place.source
        self._nested = 0
        self.at = at

    def listed(self) -> Constraint:
        """Returns the constraints between braces: all of them, where commas divide them.

        Raises:
            QueryError: there are none, or two foci are of one hierarchy.
        """
        self.expect("{")
        parts = [self._either()]
        while self._skips(","):
            part = self._either()
            self._refuse_second(part, parts)
            parts.append(part)
        self.expect("}")
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def expect(self, character: str) -> None:
        """Reads a character."""
        if not self._skips(character):
            at = self.at
            found = "the end" if at >= len(self._text) else repr(self._text[at])
            hint = _HINT if self._text[at : at + 1] in ("(", ")") else None
            raise self._place.error(at, 1, f"expected {character!r}, found {found}", hint)

    def expect_end(self) -> None:
        """Raises an error if anything stands behind what was read."""
        self._blanks()
        rest = len(self._text) - self.at
        if rest > 0:
            raise self._place.error(self.at, rest, "expected the end of the pair", None)

    def _either(self) -> Constraint:
        parts = [self._both()]
        while self._skips_word("OR"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _both(self) -> Constraint:
        parts = [self._term()]
        while self._skips_word("AND"):
            parts.append(self._term())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _term(self) -> Constraint:
        if not self._skips("("):
            return self._focus()
        self._nested += 1
        if self._nested > _MOST_NESTED:
            message = f"more than {_MOST_NESTED} parentheses within each other"
            raise self._place.error(self.at - 1, 1, message, None)
        found = self._either()
        self.expect(")")
        self._nested -= 1
        return found

    def _focus(self) -> Focus:
        self._blanks()
        start = self.at
        found = _PATH.match(self._text, start)
        if found is None:
            other = _ANYTHING.match(self._text, start)
            hint = f"hierarchies: {', '.join(f'/{name}' for name in HIERARCHIES)}"
            message = "expected a path such as /APCode/app"
            raise self._place.error(start, len(other[0]) if other else 1, message, hint)
        self.at = found.end()
        hierarchy, _, path = found[0].rstrip()[1:].partition("/")
        if hierarchy not in HIERARCHIES:
            hint = did_you_mean(hierarchy, HIERARCHIES) or f"there are {', '.join(HIERARCHIES)}"
            message = f"there is no hierarchy {hierarchy!r}"
            raise self._place.error(start + 1, len(hierarchy), message, hint)
        return Focus(hierarchy, _ESCAPED.sub(r"\1", path).rstrip("/"), self._place, start)

    def _refuse_second(self, part: Constraint, before: list[Constraint]) -> None:
        if not isinstance(part, Focus):
            return
        others = [other for other in before if isinstance(other, Focus)]
        if any(other.hierarchy == part.hierarchy for other in others):
            raise part.error(
                f"a second focus in /{part.hierarchy}: a pair has at most one in each hierarchy",
                "join them by OR or AND, or give two pairs",
            )

    def _skips(self, character: str) -> bool:
        self._blanks()
        if self._text[self.at : self.at + 1] != character:
            return False
        self.at += 1
        return True

    def _skips_word(self, word: str) -> bool:
        self._blanks()
        found = _OPERATOR.match(self._text, self.at)
        if found is None or found[1] != word:
            return False
        self.at = found.end()
        return True

    def _blanks(self) -> None:
        found = _BLANK.match(self._text, self.at)
        self.at = found.end() if found else self.at
