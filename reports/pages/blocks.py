"""What a page consists of, for people to read: a terminal and Markdown show the same blocks."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Bars",
    "Block",
    "Bullets",
    "Drawing",
    "Grid",
    "Heading",
    "Paragraph",
    "Sparks",
]


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
class Bullets:
    """A list of short texts."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts that are made up already.

    Attributes:
        titles: a title for each column.
        rows: the cells.
        numeric: the columns, by index, that are numbers, and so aligned at the right.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()


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
    """A small curve for each row, of heights from 0 to 1.

    Attributes:
        rows: a name, the heights or why there are none, and what is said beside it.
    """

    rows: tuple[tuple[str, tuple[float, ...] | str, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines in which every character has its place."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Bullets | Grid | Bars | Sparks | Drawing
