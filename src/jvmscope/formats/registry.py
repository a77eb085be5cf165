"""What a format of results is, and the table of those that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.queries import Result

__all__ = ["FORMATS", "Format", "format_of_file", "register"]


@dataclass(frozen=True)
class Format:
    """A format of results.

    A truncated result says so, if the format has room for it.

    Attributes:
        name: what ``--format`` calls it; also an ending of its files.
        write: writes a result to a stream.
        rank: its place in lists of formats; equal ones are sorted by name.
        endings: other endings of its files, without the point.
        write_within: writes a result for a terminal with lines of so many characters; None: as
            ``write`` does.
        is_binary: whether a terminal cannot show it.
        takes_rows: whether it reads rows; else it reads Arrow batches.
    """

    name: str
    write: Callable[[Result, BinaryIO], None]
    rank: int = 100
    endings: tuple[str, ...] = ()
    write_within: Callable[[Result, BinaryIO, int], None] | None = None
    is_binary: bool = False
    takes_rows: bool = True


FORMATS: dict[str, Format] = {}
"""The formats by name, in the order in which they are listed."""


def register(form: Format) -> None:
    """Adds a format."""
    known = sorted([*FORMATS.values(), form], key=lambda each: (each.rank, each.name))
    FORMATS.clear()
    FORMATS.update({each.name: each for each in known})


def format_of_file(file: Path) -> str | None:
    """Returns the name of the format that a file's ending stands for; None: of none.

    >>> from pathlib import Path
    >>> [format_of_file(Path(name)) for name in ("a.csv", "a.md", "a.svg")]
    ['csv', 'markdown', None]
    """
    ending = file.suffix.removeprefix(".")
    found = (form.name for form in FORMATS.values() if ending in (form.name, *form.endings))
    return next(found, None)
