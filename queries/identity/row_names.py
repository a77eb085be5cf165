"""Names of rows that are the same in every run, in place of keys, which differ.

A class is its name and loader, a block its method and number; the tables' definitions say so with
``@named_by``. From that follow the queries by which two runs are compared, for every table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from jvmscope.schema.definitions import Column, Table, tables

__all__ = ["FactNames", "Rows", "class_content", "fact_names", "is_measured", "named_rows"]

_ALIAS = re.compile(r"\b([a-z_]+)\.")


def is_measured(name: str) -> bool:
    """Returns whether a table has measurements, by which runs are not compared.

    >>> is_measured("native_time"), is_measured("context"), is_measured("unknown")
    (True, False, False)
    """
    table = tables().get(name)
    return table is not None and table.is_measured


@dataclass
class Rows:
    """A query of a table's rows, being made: ``source`` its FROM clause, ``names`` expressions."""

    source: str
    names: list[str] = field(default_factory=list)

    def add(self, table: Table, alias: str, column: Column, until: str | None = None) -> None:
        """Adds what a column of a joined table says: its value, or the name of what it refers to.

        Args:
            table: the table.
            alias: its alias in ``source``.
            column: one of its columns.
            until: the table that names need not lead up to, since the rows are compared within
                one row of it; None: they are whole.
        """
        value = f'{alias}."{column.name}"'
        if column.list_of is not None:
            self.names.append(_list_of_names(column.list_of, value))
        elif column.references is None:
            self.names.append(value)
        elif not (column == table.owner and column.references == until):
            other = tables()[column.references]
            self.names += self.join(other, alias, column.name, until)

    def join(self, other: Table, alias: str, column: str, until: str | None) -> list[str]:
        """Joins the table that a column refers to, and returns what names its row."""
        joined = f"{alias}_{column.removesuffix('_id')}"
        self.source += (
            f' LEFT JOIN "{other.name}" AS {joined} ON {joined}.{other.name}_id = {alias}.{column}'
        )
        names = Rows(self.source)
        for named in other.columns:
            if named.name in other.named_by:
                names.add(other, joined, named, until)
        self.source = names.source
        return names.names


def _list_of_names(table: str, value: str) -> str:
    other = tables()[table]
    names = ", ".join(f'x."{name}"' for name in other.named_by)
    return (
        f"(SELECT list(hash({names}) ORDER BY k.i) FROM (SELECT UNNEST({value}) AS id, "
        f"generate_subscripts({value}, 1) AS i) AS k "
        f'JOIN "{other.name}" AS x ON x.{other.name}_id = k.id)'
    )


@cache
def named_rows(name: str, *, of_method: bool = False) -> Rows:
    """Returns the rows of a table of facts as names and counts; the table's alias is ``f``.

    Args:
        name: the table.
        of_method: the rows are compared within a context, so that code is named within its method,
            and the context not at all.
    """
    table = tables()[name]
    rows = Rows(f'"{name}" AS f')
    for column in table.columns:
        if of_method and column == table.owner:
            continue
        rows.add(table, "f", column, "method" if of_method else None)
    return rows


def class_content(name: str) -> Rows:
    """Returns the rows of a table of the classes' document; the first name is the class's key."""
    table = tables()[name]
    rows = Rows(f'"{name}" AS f')
    for column in table.columns:
        if column.name != f"{name}_id":
            rows.add(table, "f", column, "class" if column == table.owner else None)
    alias, owner = "f", table.owner
    while owner is not None and owner.references not in (None, "class"):
        alias = f"{alias}_{owner.name.removesuffix('_id')}"
        owner = tables()[owner.references or ""].owner
    rows.names.insert(0, f"{alias}.class_id")
    # What the run added has no name of its own, as the place of the VM's calls in a method.
    named = " AND ".join(f'f."{name}" IS NOT NULL' for name in table.named_by)
    rows.source += f" WHERE {named or 'TRUE'}"
    return rows


@dataclass(frozen=True)
class FactNames:
    """Facts about contexts in words: a FROM clause, and an expression that names a row of ``f``."""

    source: str
    name: str


@cache
def fact_names(name: str) -> FactNames:
    """Returns what the rows of a table of facts count, as ``block 2 at offset 10``."""
    table = tables()[name]
    if table.fact is None:
        rows = named_rows(name, of_method=True)
        counts = {f'f."{column.name}"' for column in table.counts}
        names = [f"COALESCE({n}::VARCHAR, '-')" for n in rows.names if n not in counts]
        words = f"'{name.replace('_', ' ')}'"
        return FactNames(rows.source, f"concat_ws(' ', {', '.join([words, *names])})")
    source = f'"{name}" AS f'
    joined: dict[str, Table] = {}
    wanted = dict.fromkeys(_ALIAS.findall(table.fact))
    for holder, alias in ((table, "f"), *((t, a) for a, t in _referred(table).items())):
        for other, definition in _referred(holder).items():
            if other in wanted and other not in joined:
                if alias not in ("f", *joined):
                    continue
                joined[other] = definition
                column = f"{other}_id"
                source += (
                    f' LEFT JOIN "{definition.name}" AS {other} '
                    f"ON {other}.{definition.name}_id = {alias}.{column}"
                )
    return FactNames(source, table.fact)


def _referred(table: Table) -> dict[str, Table]:
    """Returns the tables that a table refers to, by the columns' names without ``_id``."""
    return {
        column.name.removesuffix("_id"): tables()[column.references]
        for column in table.columns
        if column.references is not None
    }
