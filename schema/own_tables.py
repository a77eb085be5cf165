"""The tables of a user's own probe: definitions that a run brings with it.

A definition is a file of the same form as those of ``schema/tables``. It is read when the probe
records, and again out of every run that it recorded, whoever wrote that: it is only ever parsed
for names and types, and what SQL sees is made of these. The rows are those of ``probe_count``.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.schema.definitions import parse_columns, tables
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from jvmscope.schema.definitions import Column
    from jvmscope.schema.header import Header

__all__ = ["OwnTable", "parse_own_table"]

_KEYS = frozenset({"table", "description", "order", "within", "counted_at"})
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_KINDS = {"INTEGER": "i", "BIGINT": "l", "VARCHAR": "t", "BOOLEAN": "b"}
_PLACES = ("instruction", "basic_block", "call_site")
_HOLDERS = ("context", "thread", "method", "classes", *_PLACES)
_COMPUTED = frozenset(
    {
        "opcode", "call", "call_edge", "lineage", "loaded_class", "block_part", "context_part",
        "thread_part", "member", "line", "scope_method",
    }
)  # fmt: skip
"""The names of the other relations of a run and of scopes."""

_MOST_VALUES = 4
_MOST_TEXT = 20_000


@dataclass(frozen=True)
class OwnTable:
    """One table of a probe.

    Attributes:
        name: its name, by which SQL finds it.
        within: what a row belongs to: a context, thread, method, call site, ...
        order: the order of its rows that queries can ask for.
        columns: all columns, in order.
        keys: those whose values snippets give, in order; a context tells the others.
        counts: those that snippets count in, in order.
        ddl: the definition.
    """

    name: str
    description: str
    within: str
    is_counted_at_caller: bool
    order: str
    columns: tuple[Column, ...]
    ddl: str = field(repr=False)
    recorded: str = "--probe DIR"
    key: tuple[str, ...] = ()

    @property
    def counts(self) -> tuple[Column, ...]:
        """The columns that snippets count in."""
        return tuple(column for column in self.columns if column.name.startswith("n_"))

    @property
    def keys(self) -> tuple[Column, ...]:
        """The columns whose values snippets give."""
        return tuple(
            column
            for column in self.columns
            if column not in self.counts
            and column.references not in ("context", "thread", "method")
        )

    @property
    def kinds(self) -> str:
        """The kinds of keys, as the agent's ``SnippetKeys`` has them."""
        return "".join(
            kind.upper() if column.is_nullable else kind
            for column in self.keys
            for kind in [_kind(column)]
        )


def _kind(column: Column) -> str:
    if column.references in _PLACES:
        return "s"
    return "c" if column.references == "class" else _KINDS[column.sql_type]


def parse_own_table(text: str, path: str) -> OwnTable:
    """Returns the table that a definition describes.

    Args:
        text: the definition.
        path: the name of its file, for messages.

    Raises:
        QueryError: it does not have the form, or asks for what tables of a probe cannot have.
    """
    if len(text) > _MOST_TEXT:
        raise QueryError(f"a definition has at most {_MOST_TEXT:,} characters", path=path, line=1)
    header = parse_header(text, path=path, keys=_KEYS)
    if header is None:
        raise QueryError(
            "expected a header: /** @table NAME … */", path=path, line=1, hint=_hint_of_keys()
        )
    name, within, is_of_caller = _place(header, path)
    columns, _key = parse_columns(text, header, name, path)
    description, order = header.get("description") or "", header.get("order") or ""
    table = OwnTable(name, description, within, is_of_caller, order, columns, text)
    _check_columns(table, path)
    _check_order(table, header, path)
    return table


def _place(header: Header, path: str) -> tuple[str, str, bool]:
    """Returns a table's name, what its rows belong to, and whether callers count them."""
    lines = {entry.key: entry.line for entry in header.entries}
    name = header.get("table") or ""
    if not _NAME.fullmatch(name):
        raise QueryError(
            f"expected @table NAME of lower-case letters, digits and _, found {name!r}",
            path=path,
            line=lines.get("table", 1),
        )
    if name in tables() or name in _COMPUTED:
        raise QueryError(
            f"every run may have a table {name}; choose another name",
            path=path,
            line=lines["table"],
        )
    within = header.get("within") or ""
    if within not in _HOLDERS:
        raise QueryError(
            f"expected @within {', '.join(_HOLDERS[:-1])} or {_HOLDERS[-1]}, found {within!r}",
            path=path,
            line=lines.get("within", 1),
        )
    counted_at = header.get("counted_at")
    if counted_at not in (None, "caller") or (counted_at and within != "context"):
        raise QueryError(
            "expected @counted_at caller, and only within context",
            path=path,
            line=lines["counted_at"],
        )
    return name, within, counted_at is not None


def _hint_of_keys() -> str:
    return f"known keys: {', '.join(sorted(_KEYS))}"


def _check_order(table: OwnTable, header: Header, path: str) -> None:
    """Refuses an order by what the table has not."""
    names = [column.name for column in table.columns]
    line = next((entry.line for entry in header.entries if entry.key == "order"), 1)
    for text in filter(None, table.order.split(", ")):
        name, _, nulls = text.partition(" ")
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            raise QueryError(
                f"@order: the table has no column {name}",
                path=path,
                line=line,
                hint=f"did you mean {near[0]}?" if near else f"its columns: {', '.join(names)}",
            )
        if nulls not in ("", "(null first)", "(null last)"):
            raise QueryError(
                f"@order: expected {name} (null first) or {name} (null last), found {text}",
                path=path,
                line=line,
            )


def _check_columns(table: OwnTable, path: str) -> None:
    """Refuses columns that rows of ``probe_count`` cannot have."""
    first = 1
    for column in table.columns:
        line = _line_of(table, column.name)
        if column.sql_type not in _KINDS:
            _refuse(f"{column.name}: a column of a probe has no type {column.sql_type}", path, line)
        if column.references not in (None, *_HOLDERS, "class"):
            _refuse(f"{column.name}: a probe does not refer to {column.references}", path, line)
        if column.name.startswith("n_") and (column.sql_type != "BIGINT" or column.is_nullable):
            _refuse(f"{column.name}: a count is BIGINT NOT NULL", path, line)
    names = [column.name for column in table.columns]
    for name in names:
        if names.count(name) > 1:
            _refuse(f"{name}: two columns have the name", path, _line_of(table, name))
    if not table.counts:
        _refuse("expected a column of counts: n_NAME BIGINT NOT NULL", path, first)
    owners = [c for c in table.columns if c.references == table.within]
    if table.within != "classes" and [c.name for c in owners] != [f"{table.within}_id"]:
        _refuse(f"expected a column {table.within}_id, since @within says so", path, first)
    others = {"context", "thread", "method"} - {table.within}
    for column in table.columns:
        if column.references in others:
            _refuse(
                f"{column.name}: a table within {table.within} has no {column.references}",
                path,
                _line_of(table, column.name),
            )
    kinds = table.kinds.lower()
    if kinds.count("s") > 1 or kinds.count("c") > 1:
        _refuse("a row refers to one place in code and to one class at most", path, first)
    if sum(kinds.count(kind) for kind in "iltb") > _MOST_VALUES:
        _refuse(
            f"expected at most {_MOST_VALUES} columns beside counts and references", path, first
        )


def _refuse(message: str, path: str, line: int) -> None:
    raise QueryError(message, path=path, line=line)


def _line_of(table: OwnTable, name: str) -> int:
    """Returns the line of a column in its definition."""
    lines = table.ddl.split("\n")
    found = [number for number, line in enumerate(lines, 1) if re.match(rf'\s+"?{name}"?\s', line)]
    return found[-1] if found else 1
