r"""Metric-focus pairs, and the text in which they are written.

A pair is the name of a metric function and, in braces, foci: paths in the hierarchies of resources,
at most one in each. A value counts if it is of all of them. ``lock_waits{/APThreads/main,
/APSyncObj/app}`` are the waits of the thread ``main`` for monitors of classes below ``app``. A
comma, brace or backslash in a name has a backslash before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

__all__ = ["HIERARCHIES", "Focus", "Pair", "parse_pair"]

HIERARCHIES = ("APCode", "APThreads", "APSyncObj", "Code")
"""The hierarchies of resources that foci are of: the application's, and the VM's code."""

_OPTION = "--metric"
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_PATH = re.compile(r"\s*((?:\\[\\,{}]|[^\\,{}])*)")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True)
class Focus:
    """One resource: its hierarchy, and its path below that; the root is empty."""

    hierarchy: str
    path: str
    column: int = 1

    def __str__(self) -> str:
        """Returns the whole path."""
        return f"/{self.hierarchy}/{self.path}".rstrip("/")


@dataclass(frozen=True)
class Pair:
    """A metric function and the foci that constrain it, none twice in a hierarchy."""

    text: str
    metric: str
    foci: tuple[Focus, ...]

    def error(self, message: str, focus: Focus, hint: str | None) -> QueryError:
        """Returns an error about a focus, with its place in the text."""
        return QueryError(
            message,
            path=_OPTION,
            line=1,
            column=focus.column,
            source=self.text,
            length=len(str(focus)),
            hint=hint,
        )


def parse_pair(text: str) -> Pair:
    """Returns the pair that a text names.

    Raises:
        QueryError: the text is none; with its place and what was expected.

    >>> [str(focus) for focus in parse_pair("lock_waits{/APThreads/main, /APSyncObj/app}").foci]
    ['/APThreads/main', '/APSyncObj/app']
    >>> parse_pair("samples{ /Code }").foci
    (Focus(hierarchy='Code', path='', column=10),)
    """
    name = _NAME.match(text)
    if name is None:
        raise _error(text, 0, 1, "expected the name of a metric", _known())
    if name[1] not in METRIC_FUNCTIONS:
        hint = did_you_mean(name[1], METRIC_FUNCTIONS)
        message = f"there is no metric function {name[1]!r}"
        raise _error(text, name.start(1), len(name[1]), message, hint or _known())
    at = name.end()
    foci: list[Focus] = []
    if at < len(text):
        at = _expect(text, at, "{")
        while True:
            focus, at = _focus(text, at)
            _refuse_second(text, focus, foci)
            foci.append(focus)
            if text[at : at + 1] != ",":
                break
            at += 1
        at = _expect(text, at, "}")
        if text[at:].strip():
            raise _error(text, at, len(text) - at, "expected the end of the pair", None)
    return Pair(text, name[1], tuple(foci))


def _focus(text: str, at: int) -> tuple[Focus, int]:
    found = _PATH.match(text, at)
    written = found[1].rstrip() if found else ""
    start = found.start(1) if found else at
    if not written.startswith("/"):
        hint = f"hierarchies: {', '.join(f'/{name}' for name in HIERARCHIES)}"
        raise _error(text, start, max(1, len(written)), "expected a path such as /APCode/app", hint)
    hierarchy, _, path = written[1:].partition("/")
    if hierarchy not in HIERARCHIES:
        hint = did_you_mean(hierarchy, HIERARCHIES) or f"there are {', '.join(HIERARCHIES)}"
        message = f"there is no hierarchy {hierarchy!r}"
        raise _error(text, start + 1, max(1, len(hierarchy)), message, hint)
    plain = _ESCAPED.sub(r"\1", path).rstrip("/")
    return Focus(hierarchy, plain, start + 1), found.end() if found else at


def _refuse_second(text: str, focus: Focus, before: list[Focus]) -> None:
    if any(other.hierarchy == focus.hierarchy for other in before):
        message = f"a second focus in /{focus.hierarchy}: a pair has at most one in each hierarchy"
        raise _error(text, focus.column - 1, len(str(focus)), message, "give two pairs")


def _expect(text: str, at: int, character: str) -> int:
    if text[at : at + 1] != character:
        found = "the end" if at >= len(text) else repr(text[at])
        raise _error(text, at, 1, f"expected {character!r}, found {found}", None)
    return at + 1


def _error(text: str, at: int, length: int, message: str, hint: str | None) -> QueryError:
    return QueryError(
        message, path=_OPTION, line=1, column=at + 1, source=text, length=length, hint=hint
    )


def _known() -> str:
    return f"metric functions: {', '.join(METRIC_FUNCTIONS)}"
