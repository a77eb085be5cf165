"""Paths of files as Arrow takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["local"]


def local(path: Path) -> str:
    """Returns a file's absolute path: Arrow takes a relative one with a colon for a URI."""
    return str(path.absolute())
