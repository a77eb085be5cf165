"""The list of tables at the head of each XML file: what was recorded, and how many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.definitions import ALWAYS, tables
from jvmscope.schema.manifest import SCHEMA_VERSION
from jvmscope.schema.xml.reading.grammar import Node, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.schema.xml.reading.document import Document

__all__ = ["TablesList"]


class TablesList:
    """The ``dcg:table`` elements of a file.

    Args:
        document: the file.
        names: the tables that it may list.
    """

    def __init__(self, document: Document, names: Sequence[str]) -> None:
        self.node = Node("table", self._start)
        self._document = document
        self._names = names
        self._rows: dict[str, tuple[int | None, int]] = {}  # rows if given, and the line

    def check_version(self, text: str) -> None:
        """Rejects another version of the schema than this one."""
        version = self._document.number('the attribute "schemaVersion"', text)
        if version != SCHEMA_VERSION:
            self._document.reject(
                f"the schema version is {version}, this jvmscope reads {SCHEMA_VERSION}"
            )

    def is_recorded(self, table: str) -> bool:
        """Says whether the run has the table: it is listed, or every run has it."""
        return table in self._rows or tables()[table].recorded == ALWAYS

    def check(self, table: str) -> None:
        """Rejects a row of a table that is not listed."""
        if not self.is_recorded(table):
            self._document.reject(
                f'a row of the table {table}, which no <dcg:table name="{table}"> lists'
            )

    def check_rows(self, n_rows: Mapping[str, int]) -> None:
        """Rejects a file whose tables have other numbers of rows than it says."""
        for table, (rows, line) in self._rows.items():
            if rows is not None and rows != n_rows[table]:
                self._document.reject(
                    f"the table {table} has {n_rows[table]} rows, expected the {rows} said here",
                    line,
                )

    def _start(self, attributes: dict[str, str]) -> None:
        found = self._document.plain("table", attributes, ["name"], ["rows"])
        name = found["name"]
        if name not in self._names:
            self._document.reject(f"the table {shown(name)} is unknown in this file")
        if name in self._rows:
            self._document.reject(f"the table {name} is listed twice")
        rows = None
        if "rows" in found:
            rows = self._document.number('the attribute "rows" of <dcg:table>', found["rows"])
        self._rows[name] = (rows, self._document.line)
