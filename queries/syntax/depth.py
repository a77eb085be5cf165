"""How deep a query may nest, and the stack that such a query needs.

Everything that walks a query recurses with it. Frames of Python functions lie on the heap, so
the only bound is the interpreter's own recursion limit, which is raised while a query is worked
on; a query that nests deeper than :data:`MAX_DEPTH` is refused with a coded error.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_DEPTH", "MAX_HEIGHT", "deep_stack"]

MAX_DEPTH = 3000
"""Levels of expressions in each other: operators, parentheses, constructors, types."""

MAX_HEIGHT = 2 * MAX_DEPTH
"""Nodes of a query's syntax above each other: parentheses and what they hold are two."""

_FRAMES_PER_LEVEL = 16
_LOCK = Lock()


class _Users:
    count = 0
    limit_before = 0


@contextmanager
def deep_stack() -> Iterator[None]:
    """Lets Python recurse as deep as a query of :data:`MAX_DEPTH` levels needs.

    The limit is the interpreter's, not the thread's: it falls back when the last user is done.
    """
    needed = MAX_DEPTH * _FRAMES_PER_LEVEL
    with _LOCK:
        if _Users.count == 0:
            _Users.limit_before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(needed, _Users.limit_before))
        _Users.count += 1
    try:
        yield
    finally:
        with _LOCK:
            _Users.count -= 1
            if _Users.count == 0:
                sys.setrecursionlimit(_Users.limit_before)
