"""What a page consists of, for people to read: a terminal and Markdown show the same blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = [
    "Bars",
    "Block",
    "Bullets",
    "Drawing",
    "Grid",
    "Heading",
    "Note",
    "Paragraph",
    "Section",
    "Sparks",
    "Tone",
    "Toned",
    "Verdict",
]

Tone = Literal["worse", "better", "other", "none"]
"""What a change is: for the worse, for the better, neither, or none at all."""


class Toned(NamedTuple):
    """The text of a cell that tells of a change, coloured where there are colours."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page begins with that judges something.

    Attributes:
        title: what is judged.
        text: the judgement in one line.
        scope: the part of the runs that it is about.
        has_failed: whether it is bad; None: nobody asked.
    """

    title: str
    text: str
    scope: str
    has_failed: bool | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the page's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on what stands above it."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of short texts."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts that are made up already.

    Attributes:
        titles: a title for each column, of one line or several.
        rows: the cells.
        numeric: the columns, by index, that are numbers, and so aligned at the right.
        is_tree: the last column is indented, so its blanks count, and its lines are not broken.
        names: the columns that are names, which are shortened where a line has no room for the
            table; other texts are broken into lines. If that is not enough, the table is divided.
        n_keys: columns at the left that say what a row is about; all parts of a table have them,
            those of a tree its last column instead.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str | Toned, ...], ...]
    numeric: frozenset[int] = frozenset()
    is_tree: bool = False
    names: frozenset[int] | None = None
    n_keys: int = 1


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each row, divided into segments.

    Attributes:
        segments: their labels.
        rows: a name, and the shares of the segments, or why there are none.
    """

    segments: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...] | str], ...]


@dataclass(frozen=True, slots=True)
class Sparks:
    """A small curve for each row, of heights from 0 to 1; null leaves a gap.

    Attributes:
        rows: a name, the heights or why there are none, and what is said beside it.
    """

    rows: tuple[tuple[str, tuple[float | None, ...] | str, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines in which every character has its place."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a title, close together.

    Attributes:
        title: the title.
        blocks: what is below.
        is_folded: where it can be opened and closed, it is closed.
    """

    title: str
    blocks: tuple[Block, ...]
    is_folded: bool = False


Block = Verdict | Heading | Paragraph | Note | Bullets | Grid | Bars | Sparks | Drawing | Section
