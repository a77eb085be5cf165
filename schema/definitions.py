"""The tables of a run, read from the commented SQL files beside this module.

The files are the only definition: from them come the Arrow schemas, the scopes, the comparison of
runs, the XML view with its schema, ``jvmscope show TABLE`` and docs/run-format.md. No other place
lists the tables, so a file is all that a new one needs; code names a table only where it means that
table, as the invariants of contexts do. They keep to a narrow form, one column a
line with its comment::

    name TYPE [PRIMARY KEY | NOT NULL] [CHECK (name >= 1)] [REFERENCES table (key)],
                                                          -- meaning; null: meaning [unit]

A list of keys says of which table they are: ``INTEGER[] NOT NULL /* class */``.

The header of a table says, beside its name and description:

    @recorded    always, or the option of ``jvmscope record`` that records it; of probes, one or
                 several: ``--probes a, b or c``
    @order       the columns that its rows are sorted by
    @element     the name of its element in the XML view
    @within      the table whose elements hold it, or the document, classes or cct, and its number
                 among what they hold, from 1; a new table takes the next. ``last`` is behind all
    @sums        instead of these: the table whose rows it sums, so that the XML view leaves it out
    @named_by    the columns that tell a row of any run, since keys differ from run to run
    @counted_at  ``caller``, if a row of a context counts what the caller did, as a call
    @folded      what its rows lack where calls were folded into other contexts
    @reaches     ``run``, if rows tell of other contexts, too, anywhere in the run: then what they
                 lack is lost wherever calls were folded, in the scope or outside of it
    @needs       what a machine must have beside the option; elsewhere the table is missing
    @measured    ``yes``, if the rows are measurements, which differ from run to run: two runs are
                 not compared by them
    @fact        an SQL expression that names what a row of a context counts; a table that the row
                 refers to stands for its row
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib import resources
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow as pa

    from jvmscope.schema.header import Header

__all__ = [
    "ALWAYS",
    "Column",
    "Place",
    "Table",
    "WordSet",
    "code_tables",
    "facts_of",
    "parse_columns",
    "sums",
    "tables",
    "tables_within",
    "word_sets",
]

ALWAYS = "always"
"""What ``Table.recorded`` says of a table that every run has."""

_KEYS = frozenset(
    {
        "table", "description", "recorded", "order",
        "element", "within", "sums", "named_by", "counted_at", "fact", "folded", "measured",
        "needs", "reaches",
    }
)  # fmt: skip
_SQL_TYPES = frozenset({"INTEGER", "BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "INTEGER[]"})
_COLUMN = re.compile(
    r'\s+"?(?P<name>[a-z_]+)"?\s+(?P<type>[A-Za-z_]+(?:\[\])?)'
    r"(?P<required>\s+PRIMARY KEY|\s+NOT NULL)?"
    r"(?P<positive>\s+CHECK \((?P=name) >= 1\))?"
    r"(?:\s+REFERENCES (?P<table>[a-z_]+) \([a-z_]+\))?"
    r"(?:\s+/\* (?P<list_of>[a-z_]+) \*/)?,?"
    r"\s+-- (?P<meaning>[^\[]*?)(?:; null: (?P<null>[^\[]*?))?(?: \[(?P<unit>[a-z]+)\])?"
)
_UNIT = re.compile(r"--.*\[(?P<unit>[^\]]*)\]\s*$")
_COMPOSITE_KEY = re.compile(r"\s+PRIMARY KEY \((?P<columns>[a-z_, ]+)\)")
_WITHIN = re.compile(r"(?P<table>[a-z_]+)(?: (?P<rank>\d+)|, last)")
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
    """One column: its types, what a value means, and what null means where it may be null.

    ``references`` is the table whose key it holds, ``list_of`` that whose keys it lists, or None;
    ``is_positive`` says that every value is at least 1.
    """

    name: str
    sql_type: str
    is_nullable: bool
    meaning: str
    null_meaning: str | None
    unit: str | None
    references: str | None
    is_positive: bool = False
    list_of: str | None = None

    @property
    def arrow_type(self) -> pa.DataType:
        """The type in Arrow and in the table's file."""
        if words := word_sets().get(self.sql_type):
            return words.arrow_type
        return _arrow_types()[self.sql_type]

    @property
    def collation(self) -> Callable[[Any], Any] | None:
        """What makes of a value, not null, one that sorts as rows do; None: it does so itself.

        Words of a closed set sort by their number, as in SQL, and texts by their UTF-16 units, as
        in Java.
        """
        if words := word_sets().get(self.sql_type):
            return words.words.index
        return _utf16_units if self.sql_type == "VARCHAR" else None


def _utf16_units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


@dataclass(frozen=True)
class Place:
    """Where the rows of a table stand in the XML view.

    ``element`` is the name of their element; ``within`` the table whose elements hold them, or
    ``classes`` or ``cct``, a document; ``rank`` their place among the tables that these hold, None:
    behind all others.
    """

    element: str
    within: str
    rank: int | None


@dataclass(frozen=True)
class Table:
    """One table: its columns in order, its key and the order of its rows.

    ``recorded`` is ``ALWAYS``, or the option of ``jvmscope record`` that records the table.
    ``place`` is None for a table that sums others. ``named_by`` are the columns that tell a row
    of any run, none where nothing refers to the rows. ``fact`` is an SQL expression, or None.
    ``lost_by_folding`` says what the rows lack where calls were folded; None: nothing. That is
    lost in every scope if the rows tell of contexts anywhere, as ``reaches_run`` says.
    ``is_measured`` says that the rows are measurements, by which two runs are not compared.
    ``needs`` is what a machine must have beside the option to record the table, or None.
    """

    name: str
    description: str
    recorded: str
    order: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    ddl: str
    place: Place | None = None
    named_by: tuple[str, ...] = ()
    is_counted_at_caller: bool = False
    fact: str | None = None
    lost_by_folding: str | None = None
    reaches_run: bool = False
    is_measured: bool = False
    needs: str | None = None

    @property
    def owner(self) -> Column | None:
        """The column with the row of the table ``place.within``; None in a document's root."""
        if self.place is None:
            return None
        within = self.place.within
        return next((column for column in self.columns if column.references == within), None)

    @property
    def counts(self) -> tuple[Column, ...]:
        """The columns that were counted while the program ran."""
        return tuple(column for column in self.columns if column.name.startswith("n_"))

    @property
    def sorted_by(self) -> tuple[tuple[str, bool], ...]:
        """The columns that the rows are sorted by, and whether null comes first; else it is last.

        >>> tables()["back_edge"].sorted_by
        (('context_id', False), ('call_site_id', True), ('target_context_id', False))
        """
        columns = (text.partition(" ") for text in self.order.split(", "))
        return tuple((name, nulls == "(null first)") for name, _, nulls in columns)

    @property
    def is_sorted_by_key(self) -> bool:
        """Whether the columns of the order tell all rows apart.

        Keys that are numbers may number rows that are equal there, and exclusions lack the loader.

        >>> tables()["receiver"].is_sorted_by_key, tables()["class"].is_sorted_by_key
        (True, False)
        """
        first = next(column for column in self.columns if column.name == self.sorted_by[0][0])
        return not self.has_dense_key and first.references is not None

    @property
    def has_dense_key(self) -> bool:
        """Whether a column of its own numbers the rows from 0."""
        return self.key == (f"{self.name}_id",)

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
        "DOUBLE": pa.float64(),
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
    parsed = {
        table.name: table
        for table in (_parse(name, text) for name, text in sorted(_files().items()))
    }
    graph = {
        table.name: sorted({c.references for c in table.columns if c.references} - {table.name})
        for table in parsed.values()
    }
    return {name: parsed[name] for name in TopologicalSorter(graph).static_order()}


@cache
def tables_within(holder: str) -> tuple[str, ...]:
    """Returns the tables whose rows belong to those of another, or to a document, in their order.

    >>> tables_within("cct"), tables_within("basic_block")
    (('thread',), ('instruction', 'block_segment'))
    """
    held = [
        (table.place.rank is None, table.place.rank or 0, table.name)
        for table in tables().values()
        if table.place is not None and table.place.within == holder
    ]
    return tuple(name for _is_last, _rank, name in sorted(held))


@cache
def facts_of(holder: str) -> tuple[str, ...]:
    """Returns the tables whose rows say something of those of another: no rows belong to them.

    >>> facts_of("thread")[:2], facts_of("context")[:2]
    (('call_order', 'branch_order'), ('context_block', 'context_segment'))
    """
    return tuple(table for table in tables_within(holder) if not tables_within(table))


@cache
def code_tables() -> tuple[str, ...]:
    """Returns the tables whose rows are code: methods and what lies in them, holders first.

    Rows without a key are not among them: nothing refers to these.

    >>> code_tables()
    ('method', 'basic_block', 'call_site', 'instruction', 'block_segment')
    """
    found: tuple[str, ...] = ()
    more: tuple[str, ...] = ("method",)
    while more:
        found += more
        parts = (part for table in more for part in tables_within(table))
        more = tuple(part for part in parts if tables()[part].has_dense_key)
    return found


@cache
def sums() -> tuple[str, ...]:
    """Returns the tables that sum others."""
    return tuple(table.name for table in tables().values() if table.place is None)


def _files() -> dict[str, str]:
    """Returns the texts of the definitions by the names of their files."""
    folder = resources.files("jvmscope.schema") / "tables"
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    }


def _parse(path: str, text: str) -> Table:
    """Returns the table that a file defines.

    Raises:
        QueryError: the header or a line does not have the form of the module's description.
    """
    header = parse_header(text, path=path, keys=_KEYS)
    name = path.removesuffix(".sql")
    if header is None or header.get("table") != name:
        raise QueryError(f"expected a header with @table {name}", path=path, line=1)
    columns, key = parse_columns(text, header, name, path)
    return Table(
        name=name,
        description=header.get("description") or "",
        recorded=header.get("recorded") or ALWAYS,
        order=header.get("order") or "",
        columns=columns,
        key=key,
        ddl=text,
        place=_place(header, path),
        named_by=tuple((header.get("named_by") or "").split(", "))
        if header.get("named_by")
        else (),
        is_counted_at_caller=header.get("counted_at") == "caller",
        fact=header.get("fact"),
        lost_by_folding=header.get("folded"),
        reaches_run=header.get("reaches") == "run",
        is_measured=header.get("measured") == "yes",
        needs=header.get("needs"),
    )


def parse_columns(
    text: str, header: Header, name: str, path: str
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Returns the columns that the body of a definition has, and the names of those of its key.

    Raises:
        QueryError: a line does not have the form of the module's description.
    """
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
            columns.append(_column(found, path, number))
            if found["required"] and "PRIMARY" in found["required"]:
                key = (found["name"],)
        else:
            raise QueryError(_expected(line, name), path=path, line=number, source=text)
    return tuple(columns), key or composite


def _expected(line: str, name: str) -> str:
    """Returns the message for a line that does not parse as a column."""
    if line.endswith("(") or line.lower().startswith("create"):
        return f"expected CREATE TABLE {name} ("
    if line.startswith(")"):
        return "expected );"
    unit = _UNIT.search(line)
    if unit and not re.fullmatch("[a-z]+", unit["unit"]):
        return f"a unit is a word of lower-case letters, found [{unit['unit']}]"
    return "expected a column with its comment: NAME TYPE,  -- what it means"


def _place(header: Header, path: str) -> Place | None:
    element, within = header.get("element"), _WITHIN.fullmatch(header.get("within") or "")
    if header.get("sums"):
        return None
    if element is None or within is None:
        raise QueryError("expected @element NAME and @within TABLE RANK, or @sums", path=path)
    return Place(element, within["table"], int(within["rank"]) if within["rank"] else None)


def _column(found: re.Match[str], path: str, line: int) -> Column:
    sql_type = found["type"]
    is_nullable = found["required"] is None
    if sql_type not in word_sets() and sql_type not in _SQL_TYPES:
        raise QueryError(f"unknown type {sql_type}", path=path, line=line)
    if is_nullable != (found["null"] is not None):
        raise QueryError(
            "a nullable column, and only such a column, needs '; null: …'", path=path, line=line
        )
    return Column(
        name=found["name"],
        sql_type=sql_type,
        is_nullable=is_nullable,
        meaning=found["meaning"],
        null_meaning=found["null"],
        unit=found["unit"],
        references=found["table"],
        is_positive=found["positive"] is not None,
        list_of=found["list_of"],
    )
