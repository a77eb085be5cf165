"""A DuckDB database that reaches nothing but the files it was opened with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

    from jvmscope.queries.locked.limits import Limits

__all__ = ["COMMON_SETTINGS", "allow_only_files", "locked_config"]

COMMON_SETTINGS: dict[str, Any] = {
    "errors_as_json": True,
    "autoinstall_known_extensions": False,
    "python_enable_replacements": False,
    # Of one ROW_NUMBER above another that a filter keeps the first of, it makes columns of a wrong
    # type (DuckDB 2.0.0): an internal error, after which the database answers nothing.
    "disabled_optimizers": "top_n_window_elimination",
}
"""Settings of every database, locked or not."""


def locked_config(limits: Limits | None) -> dict[str, Any] | None:
    """Returns the settings with which a locked database is opened; None without limits."""
    if limits is None:
        return None
    return {
        **COMMON_SETTINGS,
        "autoload_known_extensions": False,
        "temp_directory": "",  # can be set here alone, and would be allowed to be read
        "memory_limit": f"{limits.memory_bytes}B",
        "threads": limits.threads,
    }


def allow_only_files(connection: duckdb.DuckDBPyConnection, paths: Iterable[Path]) -> None:
    """Allows a database the given files, nothing else from outside, and no change of this.

    Views that read the files must be there already; binding them is allowed, since DuckDB
    compares the paths as they are written.
    """
    listed = ", ".join("'" + str(path.absolute()).replace("'", "''") + "'" for path in paths)
    connection.execute(f"SET allowed_paths = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
