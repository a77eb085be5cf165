"""Files of test cases, separated by lines of dashes.

Lines that begin with ``#`` before the first case are comments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Refused", "read_cases", "read_refused"]


class Refused(NamedTuple):
    """A query with the error that it ends in."""

    code: str
    line: int
    column: int
    words: str
    query: str


def read_cases(path: Path) -> list[str]:
    """Returns the texts of a file's cases."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    while lines and lines[0].startswith("#"):
        lines.pop(0)
    return [case.removesuffix("\n") for case in "".join(lines).split("---\n")]


def read_refused(path: Path) -> list[Refused]:
    """Returns a file's cases, each of which begins with a line ``CODE LINE:COLUMN words``."""
    found = []
    for case in read_cases(path):
        head, query = case.split("\n", 1)
        code, place, words = head.split(" ", 2)
        line, column = place.split(":")
        found.append(Refused(code, int(line), int(column), words, query))
    return found
