"""The tables of a study of overhead, read from the commented SQL files in ``study_tables``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.schema.plain_tables import plain_tables

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from jvmscope.schema.definitions import Table

__all__ = ["STUDY_MANIFEST", "is_study", "study_tables"]

STUDY_MANIFEST = "study.json"
"""The name of the file that says how a study is made."""


def is_study(path: str | os.PathLike[str]) -> bool:
    """Returns whether a path is a study: a directory with its manifest."""
    return (Path(path) / STUDY_MANIFEST).is_file()


@cache
def study_tables() -> Mapping[str, Table]:
    """Returns the tables that every study has, by name.

    >>> study_tables()["dynamic_sample"].order
    'cycle_id, thread_id, entry_ns'
    """
    return plain_tables("study_tables", "jvmscope study overhead")
