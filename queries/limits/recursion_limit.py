"""Python's recursion limit, raised while at least one thread needs it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["frames_allowed"]

_LOCK = Lock()


class _Needs:
    """What those need who are at work, and the limit that holds where nobody is."""

    frames: ClassVar[list[int]] = []
    usual = 0


@contextmanager
def frames_allowed(frames: int) -> Iterator[None]:
    """Lets Python recurse that deep at least.

    The limit is the interpreter's, not the thread's: it is what the neediest of all threads needs,
    and the usual one again when the last of them is done, in whatever order they end.
    """
    with _LOCK:
        if not _Needs.frames:
            _Needs.usual = sys.getrecursionlimit()
        _Needs.frames.append(frames)
        _set()
    try:
        yield
    finally:
        with _LOCK:
            _Needs.frames.remove(frames)
            _set()


def _set() -> None:
    sys.setrecursionlimit(max([_Needs.usual, *_Needs.frames]))
