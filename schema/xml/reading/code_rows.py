"""Rows of the tables of code and classes: made of elements, and checked, one at a time."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import code_tables, facts_of, tables
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.schema.definitions import Table
    from jvmscope.schema.xml.reading.document import Document
    from jvmscope.schema.xml.reading.table_files import TableRows

__all__ = ["CodeRows"]


class CodeRows:
    """The rows of one table, each inside a row of the table that holds it.

    Args:
        document: what reads values, and rejects.
        table: the table.
        others: the tables whose rows may hold these, by name.
        rows_of: returns the table that is being written, by name.

    Attributes:
        key: the key of the row that was read last: rows of other tables may be inside.
        methods: the method of each row, if contexts refer to such rows.
    """

    def __init__(
        self,
        document: Document,
        table: str,
        others: Mapping[str, CodeRows],
        rows_of: Callable[[str], TableRows],
    ) -> None:
        self.table = table
        self.element = elements()[table]
        self.key = -1
        self.methods = array("i") if table in _referred_by_contexts() else None
        self._document = document
        self._rows_of = rows_of
        self._rows: TableRows | None = None
        self._holder = others.get(self.element.within)
        self._method: CodeRows | None = others.get("method")
        definition = tables()[table]
        columns = [column for column in definition.columns if column.list_of is None]
        places = {column.name: place for place, column in enumerate(columns)}
        self._owner_place = places[self.element.owner] if self.element.owner else -1
        self._positive = [(places[c.name], c.name) for c in columns if c.is_positive]
        self._references = [
            (places[c.name], c.name.removesuffix("_id"), c.references)
            for c in columns
            if c.references is not None and c.name != self.element.owner
        ]
        self._largest: dict[tuple[str, str], tuple[int, int | None]] = {}
        self._order = _order(definition, places)
        self._last: tuple[Any, ...] = ()

    def add(self, attributes: dict[str, str]) -> None:
        """Adds the row of an element."""
        values = self.read(attributes)
        self._written().append(tuple(values))

    def read(self, attributes: dict[str, str]) -> list[Any]:
        """Returns the row of an element, without its lists."""
        values: list[Any] = self._document.values(self.element, attributes)
        self.key = self._written().n_rows
        if self.element.has_key and values[0] != self.key:
            self._document.reject(
                f"<dcg:{self.element.name}> has the id {values[0]}, expected {self.key}, "
                "the next one"
            )
        if self._holder is not None:
            values.insert(self._owner_place, self._holder.key)
        if self.methods is not None and self._method is not None:
            self.methods.append(self._method.key)
        for place, name, table in self._references:
            self.refer(name, table, values[place])
        for place, name in self._positive:
            if not values[place]:
                self._document.reject(
                    f"<dcg:{self.element.name}> has the {name} 0, expected at least 1"
                )
        if self._order:
            self._check_order(values)
        return values

    def _written(self) -> TableRows:
        if self._rows is None:
            self._rows = self._rows_of(self.table)
        return self._rows

    def refer(self, name: str, table: str, key: int | None) -> None:
        """Takes a reference to a row that may come later in the file."""
        if key is not None and key > self._largest.get((name, table), (-1, None))[0]:
            self._largest[name, table] = (key, self._document.line)

    def check_references(self, n_rows: Mapping[str, int]) -> None:
        """Rejects a reference to a row that did not come."""
        for (name, table), (key, line) in self._largest.items():
            n = n_rows.get(table, 0)
            if key >= n:
                what, rows = name.replace("_", " "), _plural(table)
                self._document.reject(f"the {what} {key} is not there: there are {n} {rows}", line)

    def _check_order(self, values: list[Any]) -> None:
        found = tuple(
            (
                (values[place] is None) != is_null_first,
                0 if values[place] is None else of(values[place]),
            )
            for place, is_null_first, of in self._order
        )
        if found <= self._last:
            self._document.reject(f"<dcg:{self.element.name}> occurs twice or is out of order")
        self._last = found


def _referred_by_contexts() -> set[str]:
    """Returns the tables of code to whose rows contexts and their facts refer."""
    referred = {
        column.references
        for table in ("context", *facts_of("context"))
        for column in tables()[table].columns
        if column.references is not None
    }
    return referred & {*code_tables()} - {"method"}


def _order(
    definition: Table, places: Mapping[str, int]
) -> list[tuple[int, bool, Callable[[Any], Any]]]:
    """Returns the places of what tells the rows apart and sorts them; none if it is a key.

    With each come whether null is first, and what makes a value sortable.
    """
    if not definition.is_sorted_by_key:
        return []
    of = {column.name: column.collation or _itself for column in definition.columns}
    return [(places[name], is_null_first, of[name]) for name, is_null_first in definition.sorted_by]


def _itself(value: Any) -> Any:
    return value


def _plural(table: str) -> str:
    """Returns the rows of a table in words.

    >>> _plural("class"), _plural("call_site")
    ('classes', 'call sites')
    """
    return f"{table.replace('_', ' ')}{'es' if table.endswith('ss') else 's'}"
