"""The tables of a run without the calling context tree, of which only native code is recorded.

Those of native code are the same as beside a tree. Threads, classes and methods have tables of
their own in ``native_tables``, under the same names, with what the library for native code knows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jvmscope.schema.definitions import ALWAYS, tables
from jvmscope.schema.plain_tables import plain_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.schema.definitions import Table

__all__ = ["SHARED", "native_tables"]

SHARED = (
    *("native_clock", "native_method", "native_time", "native_transition", "thread_time"),
    "unfollowed_native",
)
"""The tables that mean the same beside a tree."""


@cache
def native_tables() -> Mapping[str, Table]:
    """Returns the tables by name, a table after those that it refers to.

    >>> [*native_tables()][:3]
    ['class', 'method', 'thread']
    """
    own = plain_tables("native_tables", ALWAYS)
    shared = {name: tables()[name] for name in SHARED}
    return {**own, **shared}
