"""A DuckDB file with every table of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.exports.formats.registry import RunFormat, register

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.queries import Engine

__all__ = ["write_duckdb"]


def write_duckdb(engine: Engine, path: Path, on_progress: Callable[[float], None]) -> None:
    """Writes a file with the tables; see ``write_database``."""
    from jvmscope.reports.exports.database import write_database

    write_database(engine, path, on_progress)


register(
    RunFormat(
        name="duckdb",
        write=write_duckdb,
        rank=90,
        contains="every table, with primary keys (up to 5 million rows), enums, and comments that "
        "say meaning, null, unit and what a key refers to",
        opened_by="DuckDB",
    )
)
