"""The tables of a run without the calling context tree, of which only native code is recorded.

Those of native code are the same as beside a tree. Threads, classes and methods have tables of
their own in ``native_tables``, under the same names, with what the library for native code knows.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.schema.definitions import ALWAYS, Table, parse_columns, tables
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SHARED", "native_tables"]

SHARED = (
    *("native_clock", "native_method", "native_time", "native_transition", "thread_time"),
    "unfollowed_native",
)
"""The tables that mean the same beside a tree."""

_KEYS = frozenset({"table", "description", "recorded", "order"})


@cache
def native_tables() -> Mapping[str, Table]:
    """Returns the tables by name, a table after those that it refers to.

    >>> [*native_tables()][:3]
    ['class', 'method', 'thread']
    """
    folder = resources.files("jvmscope.schema") / "native_tables"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=str)
    own = [_parse(file.name, file.read_text(encoding="utf-8")) for file in files]
    shared = {name: tables()[name] for name in SHARED}
    return {**{table.name: table for table in own}, **shared}


def _parse(path: str, text: str) -> Table:
    """Returns the table that a file defines.

    Raises:
        QueryError: the header or a line does not have its form.
    """
    name = path.removesuffix(".sql")
    header = parse_header(text, path=path, keys=_KEYS)
    if header is None or header.get("table") != name:
        raise QueryError(f"expected a header with @table {name}", path=path, line=1)
    columns, key = parse_columns(text, header, name, path)
    return Table(
        name=name,
        description=header.get("description") or "",
        recorded=ALWAYS,
        order=header.get("order") or "",
        columns=columns,
        key=key,
        ddl=text,
    )
