"""Tables as compiled queries read them: every row can be told from the others, and found again.

A node of a run's documents is a table and a row. Of a table with a dense key the key is the
number of the row. The rows of the others (``receiver``, ``exclusion``, ...) may be alike in every
column, and a column that would identify them may be null; they are told by ``row_number``, the
place in the table's file, which is their place in document order, too.

A probe's table that was not recorded has no rows here: the documents have none of its elements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.schema import tables, word_sets
from jvmscope.schema.definitions import ALWAYS
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.schema import Column

__all__ = ["ROW_NUMBER", "numbered_views", "scoped_views"]

ROW_NUMBER = "row_number"
"""The column that identifies a row of a table without a key."""


def numbered_views(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields name and SELECT of each table that compiled queries do not read as the run has it.

    Of tables that every run has, none is yielded that is not there: the recording failed, which
    is an error where the table is read.

    Args:
        files: the file of each of the run's tables, as an SQL literal.
    """
    for name, element in elements().items():
        if (file := files.get(name)) is None:
            if tables()[name].recorded != ALWAYS:
                yield name, _empty(name)
        elif not element.has_key:
            yield name, f"SELECT *, file_row_number AS {ROW_NUMBER} FROM read_parquet({file})"


def scoped_views(schema: str, bodies: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields name and SELECT of each such table in a scope.

    Args:
        schema: holds the tables of the whole run with their numbers.
        bodies: the SELECT of each of the scope's relations, over the tables of the run.
    """
    for name, body in bodies.items():
        if name in elements() and not elements()[name].has_key:
            yield name, re.sub(rf"\brun\.{name}\b", f"{schema}.{name}", body)


def _empty(table: str) -> str:
    columns = [f'NULL::{_type(c)} AS "{c.name}"' for c in tables()[table].columns]
    return f"SELECT {', '.join(columns)}, NULL::BIGINT AS {ROW_NUMBER} WHERE FALSE"


def _type(column: Column) -> str:
    return "VARCHAR" if column.sql_type in word_sets() else column.sql_type
