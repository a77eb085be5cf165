"""Paths as Python callers give them: one, or several of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["paths_of"]


def paths_of(given: str | Path | Iterable[str | Path]) -> list[Path]:
    """Returns the paths; a text is one path, not one for each of its characters.

    >>> [path.as_posix() for path in paths_of("/a")]
    ['/a']
    >>> [path.as_posix() for path in paths_of(["a", "b"])]
    ['a', 'b']
    """
    several = [given] if isinstance(given, str | Path) else given
    return [Path(path) for path in several]
