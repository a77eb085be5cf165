"""The first row of an answer, of which nothing stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duckdb import DuckDBPyConnection

__all__ = ["first_row"]


def first_row(
    connection: DuckDBPyConnection, query: str, parameters: Mapping[str, Any] | None = None
) -> tuple[Any, ...] | None:
    """Returns the first row of an answer that has few; None: it has no row.

    What ``fetchone`` leaves unread keeps a connection of DuckDB from registering tables and from
    making relations until the next statement.
    """
    rows = connection.execute(query, parameters).fetchall()
    return rows[0] if rows else None
