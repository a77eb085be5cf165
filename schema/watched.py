"""The tables of a watch run, read from the commented SQL files in ``watch_tables``.

The files have the form of those of a recorded run (``schema.definitions``), and are the only
definition of what is watched, too: from them come the events that the VM is asked for, and where
each column's value is found. So a table of one more event is one more file. The header of a table
says, beside its name and description:

    @source     what knows it: the VM's event stream, the operating system, or jvmscope
    @asked      the option that asks for it, without dashes; missing: it is always asked for
    @events     the types of events that its rows are made of, one row an event
    @settings   how the VM is asked for them, as ``threshold 0 ns``
    @fields     for each column, the fields that lead to its value from an event; after ``stack:``
                they lead to a stack. ``>=0`` and ``>0`` leave out other numbers. ``$event`` is the
                name of the event's type, ``$event=NAME`` says whether it is that
    @binned     what becomes of rows that are too many: ``by`` the columns that are kept apart; the
                ``sum``, ``min``, ``max`` of more columns, or of all the ``last``. The result is a
                table of its own, with ``_bin`` behind the name; or ``here``, which is the table
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Literal

from jvmscope.errors import QueryError
from jvmscope.schema.definitions import Table, parse_columns
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.schema.header import Header

__all__ = ["BINNED", "RECORDED", "Binning", "Function", "Origin", "WatchTable", "watch_tables"]

RECORDED = "jvmscope watch"
"""What ``Table.recorded`` says of the tables of watch runs."""

BINNED = "_bin"
"""What stands behind the name of a table in that of its bins."""

_KEYS = frozenset(
    {"table", "description", "source", "asked", "events", "settings", "fields", "binned"}
)
Function = Literal["sum", "min", "max", "last"]
"""What is computed of the values of a column that are put together."""

_FUNCTIONS: tuple[Function, ...] = ("sum", "min", "max", "last")
_ORIGIN = re.compile(
    r"(?P<column>[a-z_]+) (?P<is_stack>stack:)?(?P<path>\$?[A-Za-z.]+)"
    r"(?:(?P<least>>=?0)|=(?P<event>[A-Za-z.]+))?"
)


@dataclass(frozen=True)
class Origin:
    """Where the value of a column is in an event.

    Attributes:
        path: the fields that lead there; ``("$event",)``: the type of the event.
        is_stack: whether it is a stack.
        least: the least number that is one; None: all are.
        event: the type of event that the value is true for; None: it is not about that.
    """

    path: tuple[str, ...]
    is_stack: bool = False
    least: int | None = None
    event: str | None = None


@dataclass(frozen=True)
class Binning:
    """How rows are put together in time bins.

    Attributes:
        is_here: whether the result are rows of the same table, not of one of its own.
        by: the columns whose values are kept apart.
        functions: the other columns that have a value, and how it is computed: ``sum``, ``min``,
            ``max`` or ``last``.
    """

    is_here: bool
    by: tuple[str, ...]
    functions: tuple[tuple[str, Function], ...]


@dataclass(frozen=True)
class WatchTable(Table):
    """A table of watch runs.

    Attributes:
        source: what knows it.
        asked: the option that asks for it, as the manifest has it; empty: it always is.
        events: the types of events that rows are made of; none if other sources know them.
        settings: how the VM is asked for these events, by the names of settings.
        origins: where the value of each column is, by its name.
        binning: how rows that are too many are put together; None: they are few, are names of what
            others refer to, or are bins.
    """

    source: str = ""
    asked: str = ""
    events: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    origins: tuple[tuple[str, Origin], ...] = ()
    binning: Binning | None = None


@cache
def watch_tables() -> Mapping[str, WatchTable]:
    """Returns the tables that every watch run has, by name.

    >>> watch_tables()["collection"].events
    ('jdk.GarbageCollection',)
    """
    folder = resources.files("jvmscope.schema") / "watch_tables"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=str)
    parsed = [_parse(file.name, file.read_text(encoding="utf-8")) for file in files]
    bins = [
        _parse(f"{table.name}{BINNED}.sql", _bin_text(table, table.binning))
        for table in parsed
        if table.binning is not None and not table.binning.is_here
    ]
    return {table.name: table for table in sorted([*parsed, *bins], key=lambda table: table.name)}


def _parse(path: str, text: str) -> WatchTable:
    """Returns the table that a file defines.

    Raises:
        QueryError: the header or a line does not have the form of the module's description.
    """
    name = path.removesuffix(".sql")
    header = parse_header(text, path=path, keys=_KEYS)
    if header is None or header.get("table") != name:
        raise QueryError(f"expected a header with @table {name}", path=path, line=1)
    columns, key = parse_columns(text, header, name, path)
    table = WatchTable(
        name=name,
        description=header.get("description") or "",
        recorded=RECORDED,
        order=columns[0].name if columns[0].name.endswith("_ns") else "",
        columns=columns,
        key=key,
        ddl=text,
        source=header.get("source") or "",
        asked=header.get("asked") or "",
        events=_listed(header, "events"),
        settings=tuple(
            (each.split(" ", 1)[0], each.split(" ", 1)[1]) for each in _listed(header, "settings")
        ),
        origins=tuple(_origin(each, path) for each in _listed(header, "fields")),
        binning=_binning(header.get("binned"), tuple(column.name for column in columns), path),
    )
    if table.events and [name for name, _ in table.origins] != [each.name for each in columns]:
        raise QueryError("expected @fields with every column, in their order", path=path, line=1)
    return table


def _listed(header: Header, key: str) -> tuple[str, ...]:
    return tuple((header.get(key) or "").split(", ")) if header.get(key) else ()


def _origin(text: str, path: str) -> tuple[str, Origin]:
    found = _ORIGIN.fullmatch(text)
    if found is None:
        raise QueryError(f"@fields: expected 'column field', found {text!r}", path=path, line=1)
    least = {None: None, ">=0": 0, ">0": 1}[found["least"]]
    fields = tuple(found["path"].split("."))
    return found["column"], Origin(fields, bool(found["is_stack"]), least, found["event"])


def _binning(text: str | None, columns: tuple[str, ...], path: str) -> Binning | None:
    """Returns what ``@binned`` says.

    >>> _binning("by a; sum b", ("a", "b", "c"), "")
    Binning(is_here=False, by=('a',), functions=(('b', 'sum'),))
    >>> _binning("here last", ("a",), "")
    Binning(is_here=True, by=(), functions=(('a', 'last'),))
    """
    if text is None:
        return None
    rest = text.removeprefix("here ")
    by: tuple[str, ...] = ()
    functions: list[tuple[str, Function]] = []
    for part in rest.split("; "):
        word, _, names = part.partition(" ")
        chosen = tuple(names.split(", ")) if names else columns
        function = next((each for each in _FUNCTIONS if each == word), None)
        if set(chosen) - set(columns) or (function is None and word != "by"):
            raise QueryError(f"@binned: expected 'sum column', found {part!r}", path=path)
        if function is None:
            by += chosen
        else:
            functions.extend((name, function) for name in chosen)
    return Binning(rest != text, by, tuple(functions))


_BIN_TEXT = """/**
 * @table        {name}
 * @description  Older rows of `{of}`, put together by time{by}: how many, and sums.
 * @source       jvmscope
 */
CREATE TABLE {name} (
    start_ns  BIGINT NOT NULL,  -- when the bin begins, since 1970 [ns]
    end_ns  BIGINT NOT NULL,  -- when it ends [ns]
    is_rest  BOOLEAN NOT NULL,  -- whether this is the rest: what was too small to be apart
{columns}
);
"""
_REST = "it is the rest"


def _bin_text(table: WatchTable, binning: Binning) -> str:
    """Returns the definition of the table of a table's bins."""
    columns = {column.name: column for column in table.columns}
    lines = []
    for name in binning.by:
        column = columns[name]
        is_kept = column.sql_type == "BOOLEAN"
        null = f"{column.null_meaning}, or {_REST}" if column.null_meaning else _REST
        refers = f" REFERENCES {column.references} ({column.references}_id)"
        lines.append(
            f"    {name}  {column.sql_type}{' NOT NULL' if is_kept else ''}"
            f"{refers if column.references else ''},  -- {column.meaning}"
            f"{'' if is_kept else f'; null: {null}'}"
        )
    lines.append(
        "    n_events  BIGINT NOT NULL,  -- rows that ended in the bin, or before the first bin"
    )
    for name, _ in binning.functions:
        column = columns[name]
        part = ", of what lies in the bin" if name == "duration_ns" else ""
        null = f"; null: {column.null_meaning}" if column.is_nullable else ""
        lines.append(
            f"    total_{name}  {column.sql_type}{'' if column.is_nullable else ' NOT NULL'},"
            f"  -- sum of `{name}`{part}{null}{f' [{column.unit}]' if column.unit else ''}"
        )
    by = ", ".join(f"`{name}`" for name in binning.by)
    return _BIN_TEXT.format(
        name=f"{table.name}{BINNED}",
        of=table.name,
        by=f" and {by}" if by else "",
        columns="\n".join(lines),
    )
