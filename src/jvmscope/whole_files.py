"""Files that appear under their names when they are whole, and leave nothing otherwise.

What is written has a name that ends with ``.partial`` until then. An error or a signal removes it
on its way out; ``remove_unfinished`` is for a process that ends without one.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from os import getpid
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["remove_unfinished", "replace_directory", "unfinished", "whole_file"]

_LONGEST = 50
"""How much of a name goes into another one: 255 bytes are all that a file's name may have."""

_unfinished: set[Path] = set()


@contextmanager
def whole_file(path: Path, *, has_rivals: bool = False) -> Iterator[Path]:
    """Yields the name under which to write a file, which then takes the place of `path`.

    Args:
        path: the file.
        has_rivals: whether other processes may write the same file now.

    Raises:
        OSError: it cannot be written.
    """
    own = f".{getpid()}" if has_rivals else ""
    with unfinished(path.with_name(f"{path.name}{own}.partial")) as partial:
        partial.unlink(missing_ok=True)  # a killed process may have left it
        yield partial
        partial.replace(path)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Removes a file or directory at the end, unless it has got another name by then."""
    _unfinished.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _unfinished.discard(path)


def replace_directory(source: Path, target: Path) -> None:
    """Gives a directory another name, in place of the directory that has it, if there is one.

    What is replaced is in a directory of its own meanwhile: any name may be of somebody's backup.

    Raises:
        OSError: it cannot be renamed; what was there is there again.
    """
    from jvmscope.signals import held  # which imports this module

    if not target.is_dir():
        source.rename(target)
        return
    place = Path(tempfile.mkdtemp(prefix=f"{target.name[:_LONGEST]}.replaced-", dir=target.parent))
    old = place / "replaced"
    with unfinished(place), held():  # a signal in between would remove both
        target.rename(old)
        try:
            source.rename(target)
        except OSError:
            old.rename(target)
            raise


def remove_unfinished() -> None:
    """Removes what this process has begun to write and not finished."""
    for path in list(_unfinished):
        _remove(path)
        _unfinished.discard(path)


def _remove(path: Path) -> None:
    with suppress(OSError):  # of a file that cannot be written, its writer says so
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
