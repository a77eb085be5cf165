"""The tables of a study of overhead, read from the commented SQL files in ``study_tables``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jvmscope.schema.plain_tables import plain_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.schema.definitions import Table

__all__ = ["study_tables"]


@cache
def study_tables() -> Mapping[str, Table]:
    """Returns the tables that every study has, by name.

    >>> study_tables()["dynamic_sample"].order
    'cycle_id, thread_id, entry_ns'
    """
    return plain_tables("study_tables", "jvmscope study overhead")
