"""How deep a query may nest, and the stack that such a query needs.

Everything that walks a query recurses with it. Frames of Python functions lie on the heap, so
the only bound is the interpreter's own recursion limit, which is raised while a query is worked
on; a query that nests deeper than :data:`MAX_DEPTH` is refused with a coded error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.limits.recursion_limit import frames_allowed

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["MAX_DEPTH", "MAX_HEIGHT", "deep_stack"]

MAX_DEPTH = 3000
"""Levels of expressions in each other: operators, parentheses, constructors, types."""

MAX_HEIGHT = 2 * MAX_DEPTH
"""Nodes of a query's syntax above each other: parentheses and what they hold are two."""

_FRAMES_PER_LEVEL = 16


def deep_stack() -> AbstractContextManager[None]:
    """Lets Python recurse as deep as a query of :data:`MAX_DEPTH` levels needs."""
    return frames_allowed(MAX_DEPTH * _FRAMES_PER_LEVEL)
