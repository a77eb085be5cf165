"""The text of a query module, and places in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Source"]


@dataclass(frozen=True, eq=False)
class Source:
    """A module's text, line ends normalised to newlines (XQuery 3.1, A.2.3).

    Attributes:
        text: the module.
        path: its file, or None for a text from elsewhere.

    >>> Source("let $x := 1\\nreturn $x").line_and_column(12)
    (2, 1)
    """

    text: str
    path: Path | None = None
    _line_starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Normalises line ends and notes where lines start."""
        text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        starts = [0]
        starts.extend(at + 1 for at, character in enumerate(text) if character == "\n")
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_line_starts", starts)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Returns the line and column, both from 1, of the character at an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Returns a line's text, without its end; lines count from 1."""
        start = self._line_starts[number - 1]
        return self.text[start:].split("\n", 1)[0]
