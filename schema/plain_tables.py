"""Tables that are read from commented SQL files with a header of no more than four entries.

Tables of recorded runs have more to say (``schema.definitions``); so have those of watch runs.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.schema.definitions import Table, parse_columns
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["plain_tables"]

_KEYS = frozenset({"table", "description", "recorded", "order"})


def plain_tables(folder: str, recorded: str) -> Mapping[str, Table]:
    """Returns the tables that a folder beside this module defines, by name.

    Args:
        folder: the name of the folder.
        recorded: what ``Table.recorded`` says of all of them.

    Raises:
        QueryError: the header or a line of a file does not have its form.
    """
    files = (resources.files("jvmscope.schema") / folder).iterdir()
    found = sorted((file for file in files if file.name.endswith(".sql")), key=str)
    parsed = [_parse(file.name, file.read_text(encoding="utf-8"), recorded) for file in found]
    return {table.name: table for table in parsed}


def _parse(path: str, text: str, recorded: str) -> Table:
    name = path.removesuffix(".sql")
    header = parse_header(text, path=path, keys=_KEYS)
    if header is None or header.get("table") != name:
        raise QueryError(f"expected a header with @table {name}", path=path, line=1)
    columns, key = parse_columns(text, header, name, path)
    return Table(
        name=name,
        description=header.get("description") or "",
        recorded=recorded,
        order=header.get("order") or "",
        columns=columns,
        key=key,
        ddl=text,
    )
