"""The tables of a run, read from the commented SQL files beside this module.

The files are the only definition: Arrow schemas, ``jvmscope show TABLE`` and docs/run-format.md
are derived from them. They keep to a narrow form, one column a line with its comment::

    name TYPE [PRIMARY KEY | NOT NULL] [REFERENCES table (key)], -- meaning; null: meaning [unit]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib import resources
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    import pyarrow as pa

__all__ = ["ALWAYS", "Column", "Table", "WordSet", "tables", "word_sets"]

ALWAYS = "always"
"""What ``Table.recorded`` says of a table that every run has."""

_KEYS = frozenset({"table", "description", "recorded", "order"})
_SQL_TYPES = frozenset({"INTEGER", "BIGINT", "VARCHAR", "BOOLEAN", "INTEGER[]"})
_COLUMN = re.compile(
    r'\s+"?(?P<name>[a-z_]+)"?\s+(?P<type>[A-Za-z_]+(?:\[\])?)'
    r"(?P<required>\s+PRIMARY KEY|\s+NOT NULL)?"
    r"(?:\s+REFERENCES (?P<table>[a-z_]+) \([a-z_]+\))?,?"
    r"\s+-- (?P<meaning>[^\[]*?)(?:; null: (?P<null>[^\[]*?))?(?: \[(?P<unit>[a-z]+)\])?"
)
_COMPOSITE_KEY = re.compile(r"\s+PRIMARY KEY \((?P<columns>[a-z_, ]+)\)")
_WORD_SET = re.compile(r"CREATE TYPE (\w+) AS ENUM \(([^)]*)\);")


@dataclass(frozen=True)
class WordSet:
    """A closed set of words, as the opcodes: an SQL enum, in Arrow a dictionary of strings."""

    name: str
    words: tuple[str, ...]

    @property
    def arrow_type(self) -> pa.DataType:
        """The Arrow type of a column that holds the words."""
        import pyarrow as pa

        return pa.dictionary(pa.int16(), pa.string())


@dataclass(frozen=True)
class Column:
    """One column: its types, what a value means, and what null means where it may be null."""

    name: str
    sql_type: str
    is_nullable: bool
    meaning: str
    null_meaning: str | None
    unit: str | None
    references: str | None

    @property
    def arrow_type(self) -> pa.DataType:
        """The type in Arrow and in the table's file."""
        if words := word_sets().get(self.sql_type):
            return words.arrow_type
        return _arrow_types()[self.sql_type]


@dataclass(frozen=True)
class Table:
    """One table: its columns in order, its key and the order of its rows.

    ``recorded`` is ``ALWAYS``, or the option of ``jvmscope record`` that records the table.
    """

    name: str
    description: str
    recorded: str
    order: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    ddl: str

    @property
    def arrow_schema(self) -> pa.Schema:
        """The schema of the table's Parquet file."""
        import pyarrow as pa

        return pa.schema(
            [
                pa.field(column.name, column.arrow_type, column.is_nullable)
                for column in self.columns
            ]
        )


@cache
def _arrow_types() -> Mapping[str, pa.DataType]:
    import pyarrow as pa

    return {
        "INTEGER": pa.int32(),
        "BIGINT": pa.int64(),
        "VARCHAR": pa.string(),
        "BOOLEAN": pa.bool_(),
        "INTEGER[]": pa.list_(pa.int32()),
    }


@cache
def word_sets() -> Mapping[str, WordSet]:
    """Returns the closed sets of words by name; the opcodes are in the order of their numbers."""
    text = (resources.files("jvmscope.schema") / "types.sql").read_text(encoding="utf-8")
    return {
        name: WordSet(name, tuple(re.findall(r"'(\w+)'", words)))
        for name, words in _WORD_SET.findall(text)
    }


@cache
def tables() -> Mapping[str, Table]:
    """Returns every table by name, a table after those that it refers to."""
    folder = resources.files("jvmscope.schema") / "tables"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    parsed = {table.name: table for table in (_parse(file) for file in files if _is_sql(file))}
    graph = {
        table.name: sorted({c.references for c in table.columns if c.references} - {table.name})
        for table in parsed.values()
    }
    return {name: parsed[name] for name in TopologicalSorter(graph).static_order()}


def _is_sql(file: Traversable) -> bool:
    return file.name.endswith(".sql")


def _parse(file: Traversable) -> Table:
    """Returns the table that a file defines.

    Raises:
        QueryError: the header or a line does not have the form of the module's description.
    """
    text = file.read_text(encoding="utf-8")
    header = parse_header(text, path=file.name, keys=_KEYS)
    name = file.name.removesuffix(".sql")
    if header is None or header.get("table") != name:
        raise QueryError(f"expected a header with @table {name}", path=file.name, line=1)
    first_line = text.count("\n", 0, header.body_offset) + 1
    body = text[header.body_offset :].split("\n")
    columns: list[Column] = []
    composite: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    for number, line in enumerate(body, first_line):
        if not line.strip() or line in (f"CREATE TABLE {name} (", ");"):
            continue
        if found := _COMPOSITE_KEY.fullmatch(line):
            composite = tuple(found["columns"].split(", "))
        elif found := _COLUMN.fullmatch(line):
            columns.append(_column(found, file.name, number))
            if found["required"] and "PRIMARY" in found["required"]:
                key = (found["name"],)
        else:
            raise QueryError(
                "expected a column with its comment", path=file.name, line=number, source=text
            )
    return Table(
        name=name,
        description=header.get("description") or "",
        recorded=header.get("recorded") or ALWAYS,
        order=header.get("order") or "",
        columns=tuple(columns),
        key=key or composite,
        ddl=text,
    )


def _column(found: re.Match[str], path: str, line: int) -> Column:
    sql_type = found["type"]
    is_nullable = found["required"] is None
    if sql_type not in word_sets() and sql_type not in _SQL_TYPES:
        raise QueryError(f"unknown type {sql_type}", path=path, line=line)
    if is_nullable != (found["null"] is not None):
        raise QueryError("a nullable column, and no other, says '; null: …'", path=path, line=line)
    return Column(
        name=found["name"],
        sql_type=sql_type,
        is_nullable=is_nullable,
        meaning=found["meaning"],
        null_meaning=found["null"],
        unit=found["unit"],
        references=found["table"],
    )
