"""One part of a query in SQL: what a SELECT returns for each kind of item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import Record, record
from jvmscope.queries.sql import exp
from jvmscope.queries.sql.writing import in_lines
from jvmscope.queries.xquery.compiler.emission import ordering
from jvmscope.queries.xquery.compiler.operators import text
from jvmscope.queries.xquery.compiler.pruning import prune
from jvmscope.queries.xquery.compiler.sharing import share
from jvmscope.queries.xquery.compiler.sources import Alias, Derived
from jvmscope.queries.xquery.compiler.values import (
    DocumentItem,
    LeafItem,
    MapEntries,
    RootItem,
    RowItem,
    Scalar,
    atom,
    columns_in,
    literal,
    row_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.values import Entry, Item, Rows
    from jvmscope.queries.xquery.syntax import ast
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["Part", "part_of", "part_of_rows"]


@record
class Part(Record):
    """A part of a query in SQL.

    Attributes:
        sql: one SELECT, whose rows are items in order.
        item: what a row is; its columns are those of :func:`_outputs`, in order.
        tables: the tables that the SQL reads.
        text_columns: table and column of what the SQL reads as text: where it holds what XML must
            escape, the SQL has to read it escaped.
        at: the offset of the expression in the main module.
        variable: the name that stands for the part in what is left to trees.
    """

    sql: str
    item: Item
    tables: frozenset[str]
    text_columns: frozenset[tuple[str, str]]
    at: int
    variable: Name | None = None


def part_of(
    compiler: Compiler,
    expression: ast.Expression,
    environment: Environment,
    variable: Name | None = None,
) -> Part:
    """Returns an expression in SQL.

    Raises:
        NotCompiled: it has no form in SQL.
    """
    rows = compiler.deduplicated(compiler.rows(expression, environment))
    return part_of_rows(compiler, rows, expression.at, variable)


def part_of_rows(compiler: Compiler, rows: Rows, at: int, variable: Name | None) -> Part:
    """Returns rows in SQL."""
    query = compiler.emitter.select(rows, _outputs(compiler, rows.item))
    if keys := ordering(rows.order):
        query.set("order", exp.Order(expressions=keys))
    finished = compiler.emitter.finish(query)
    assert isinstance(finished, exp.Select)  # noqa: S101 - as it was before
    written = share(prune(finished))
    tables = frozenset(table.name for table in written.find_all(exp.Table))
    return Part(
        sql=in_lines(written),
        item=rows.item,
        tables=tables,
        text_columns=frozenset(_text_columns_of(compiler)),
        at=at,
        variable=variable,
    )


def _outputs(compiler: Compiler, item: Item) -> list[exp.Expr]:
    """Returns the columns of an item: values, exact quotients as two, and keys of nodes."""
    if isinstance(item, Scalar):
        return _value_columns(compiler, item, "value")
    if isinstance(item, MapEntries):
        values = [
            column
            for name, value in item.entries
            for column in _entry_columns(compiler, value, name)
        ]
        nodes = [(name, row) for name, value in item.entries if (row := row_of(value))]
        keys = [key for name, row in nodes for key in _keys(row, name)]
        return [*values, *keys] or [literal(0)]  # a SELECT has a column, a map may be empty
    if isinstance(item, (DocumentItem, RootItem)):
        return [literal(0)]
    return _keys(item.row if isinstance(item, LeafItem) else item, "")


def _keys(row: RowItem, name: str) -> list[exp.Expr]:
    stem = f"{name} key".lstrip()
    return [exp.alias_(key.copy(), f"{stem} {n}") for n, key in enumerate(row.keys)]


def _entry_columns(compiler: Compiler, value: Entry, name: str) -> list[exp.Expr]:
    return [] if isinstance(value, RowItem) else _value_columns(compiler, atom(value), name)


def _value_columns(compiler: Compiler, value: Scalar, name: str) -> list[exp.Expr]:
    sql = text(compiler, value) if value.type in {"string", "untyped"} else value.sql.copy()
    columns = [exp.alias_(sql, name)]
    if value.divisor is not None:
        columns.append(exp.alias_(value.divisor.copy(), f"{name} divisor"))
    return columns


def _text_columns_of(compiler: Compiler) -> Iterator[tuple[str, str]]:
    """Returns the table columns behind the columns of text that were noted."""
    pending = list(compiler.text_columns)
    while pending:
        alias, column = pending.pop()
        source = compiler.emitter.source(alias)
        if source is None:
            continue
        if isinstance(source, Alias):
            kinds = {leaf.column: leaf.kind for leaf in source.relation.attributes.values()}
            if kinds.get(column) == "text":
                yield source.relation.table, column
            continue
        columns = source.columns.items() if isinstance(source, Derived) else ()
        for inner, name in columns:
            if name == column:
                pending += [(c.table, c.name) for c in columns_in(inner)]
