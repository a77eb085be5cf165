"""Texts as a run's documents have them: what XML cannot hold is escaped, in SQL.

The names of Ruby's and Scala's methods hold backslashes, which the XML view writes twice. Only the
columns that a query reads as text, and that hold such a character, are read through a view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["UNWRITABLE", "written"]

UNWRITABLE = r"[\\\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]"
"""What is escaped, as a regular expression of DuckDB's."""

_CODES = (*range(9), 0xB, 0xC, *range(0xE, 0x20), 0xFFFE, 0xFFFF)


def written(table: str, columns: Iterable[str]) -> str:
    """Returns the SELECT of a table in which columns are as XML writes them.

    Args:
        table: the table, as it stands in SQL.
        columns: the names of some of its columns.
    """
    changed = ", ".join(f'{_escaped(column)} AS "{column}"' for column in columns)
    return f"SELECT * REPLACE ({changed}) FROM {table}"


def _escaped(column: str) -> str:
    escaped = rf"""replace("{column}", '\', '\\')"""
    for code in _CODES:
        escaped = rf"replace({escaped}, chr({code}), '\u{code:04x}')"
    is_unwritable = f"""regexp_matches("{column}", '{UNWRITABLE}')"""
    return f'CASE WHEN {is_unwritable} THEN {escaped} ELSE "{column}" END'
