"""What a query does to the machine, seen from inside the interpreter."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["watched"]

_FORBIDDEN = (
    "ctypes.", "ftplib.", "http.", "os.chmod", "os.exec", "os.fork", "os.kill", "os.link",
    "os.listdir", "os.mkdir", "os.posix_spawn", "os.putenv", "os.remove", "os.rename", "os.rmdir",
    "os.scandir", "os.spawn", "os.symlink", "os.system", "os.truncate", "shutil.", "socket.",
    "subprocess.", "urllib.", "webbrowser.",
)  # fmt: skip
_STOP = "PyThreadState_SetAsyncExc"  # how a query is ended that does not look at the clock
_CODE = (".py", ".pyc", ".so")  # what is imported when it is first needed


class _Watch:
    """The one audit hook of the process, which cannot be taken away, and what it has seen."""

    is_installed = False
    is_on = False
    seen: ClassVar[list[str]] = []
    allowed: tuple[str, ...] = ()


@contextmanager
def watched(*allowed: Path) -> Iterator[list[str]]:
    """Yields the list of what Python code does to files, the network and processes meanwhile.

    Importing modules is allowed. What DuckDB does to files is not seen here.

    Args:
        allowed: directories in which files may be read.
    """
    if not _Watch.is_installed:
        sys.addaudithook(_hook)
        _Watch.is_installed = True
    _Watch.seen = []
    _Watch.allowed = tuple(map(str, allowed))
    _Watch.is_on = True
    try:
        yield _Watch.seen
    finally:
        _Watch.is_on = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _Watch.is_on:
        return
    if event == "open":
        path, _, flags = arguments
        is_read = not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        name = os.fsdecode(path) if isinstance(path, (str, bytes)) else str(path)
        if not (is_read and name.startswith(_Watch.allowed)) and not name.endswith(_CODE):
            _Watch.seen.append(f"open {name}")
    elif event.startswith(_FORBIDDEN):
        if _is_import(event) or _is_listing(event, arguments) or arguments[1:] == (_STOP,):
            return
        _Watch.seen.append(f"{event} {arguments!r}"[:200])


def _is_listing(event: str, arguments: tuple[Any, ...]) -> bool:
    return event in {"os.listdir", "os.scandir"} and str(arguments[0]).startswith(_Watch.allowed)


def _is_import(event: str) -> bool:
    """Tells whether a listing of a directory, or the writing of byte code, is the import's."""
    if event not in {"os.listdir", "os.mkdir", "os.rename"}:
        return False
    frame: Any = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
