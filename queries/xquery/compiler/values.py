"""What an expression is in SQL: single atomic values, nodes, and sequences as joined rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.records import Record, record
from jvmscope.queries.sql import exp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.compiler.relations import Document, Leaf, Relation
    from jvmscope.queries.xquery.compiler.sources import Alias, Source

__all__ = [
    "DocumentItem",
    "Entry",
    "Item",
    "LeafItem",
    "MapEntries",
    "NotCompiled",
    "RootItem",
    "RowItem",
    "Rows",
    "Scalar",
    "TooMuch",
    "atom",
    "cast",
    "columns_in",
    "literal",
    "present",
    "row_of",
]


class NotCompiled(Exception):
    """An expression that the compiler leaves to the tree evaluator.

    Args:
        reason: why, as ``query --explain`` shows it.
        at: the offset of the expression in its module.
    """

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


class TooMuch(Exception):
    """A query whose SQL would be too long, because its variables are repeated at each use."""


@record
class Scalar(Record):
    """An atomic value, or none where ``is_optional`` and the SQL is null.

    Attributes:
        sql: the value as it is stored.
        type: ``integer``, ``decimal``, ``double``, ``string``, ``untyped`` or ``boolean``:
            what it is in XQuery.
        storage: ``int`` (32 bits), ``big``, ``huge``, ``double``, ``text``, ``flag`` (true, or
            else absent) or ``boolean``: what it is in DuckDB.
        is_optional: it may be absent.
        divisor: of an exact quotient of integers, whose numerator ``sql`` is.
        zero_type: ``integer`` or ``decimal``: of a number that is an xs:double, the type of the 0
            that its null stands for, as a sum is of no items.
        subtype: of an integer that was cast to it: ``long`` or ``int``; ``?`` where that, or
            whether a decimal is an integer, is known only when it is computed, which few can tell.
        or_zero: the value, and 0 where it is absent, if that is simpler than a ``COALESCE``.
    """

    sql: exp.Expr
    type: str
    storage: str
    is_optional: bool = False
    divisor: exp.Expr | None = None
    zero_type: str | None = None
    subtype: str | None = None
    or_zero: exp.Expr | None = None

    @property
    def filled(self) -> Scalar:
        """The value with an xs:double 0 for its null, where the type of a 0 does not matter."""
        if self.zero_type is None:
            return self
        sql = exp.Coalesce(this=self.sql.copy(), expressions=[exp.Literal.number(0)])
        return replace(self, sql=sql, zero_type=None)

    @property
    def is_numeric(self) -> bool:
        """Tells whether it is a number in XQuery."""
        return self.type in {"integer", "decimal", "double"}


@record
class DocumentItem(Record):
    """A document node."""

    document: Document


@record
class RootItem(Record):
    """A document's root element."""

    document: Document


@record
class RowItem(Record):
    """An element that is a row."""

    alias: Alias

    @property
    def relation(self) -> Relation:
        """What kind of element it is."""
        return self.alias.relation

    @property
    def keys(self) -> tuple[exp.Expr, ...]:
        """The columns that identify the row and sort it into document order."""
        return tuple(self.alias.column(name) for name in self.relation.order)


@record
class LeafItem(Record):
    """An attribute or count element of a row: a node whose typed value is ``value``."""

    row: RowItem
    leaf: Leaf
    is_attribute: bool
    value: Scalar


Entry: TypeAlias = Scalar | LeafItem | RowItem


@record
class MapEntries(Record):
    """A map with fixed keys, each of one value or none: a row of a result table."""

    entries: tuple[tuple[str, Entry], ...]


Item: TypeAlias = Scalar | RowItem | LeafItem | MapEntries | DocumentItem | RootItem


@record
class Rows(Record):
    """A sequence: for each joined row that passes the conditions, one item, in an order.

    Attributes:
        item: the item, in terms of the relations.
        sources: what is joined, in order: aliases of tables, and derived tables.
        conditions: all must hold.
        order: the keys that sort the items, outermost first.
        has_duplicates: a node may come more than once; a path would have it once.
        is_many: one item here stands for those of all tuples of a group, so that steps from it
            may meet; without it, no join is one item.
    """

    item: Item
    sources: tuple[Source, ...] = ()
    conditions: tuple[exp.Expr, ...] = ()
    order: tuple[exp.Expr, ...] = ()
    has_duplicates: bool = False
    is_many: bool = False

    @property
    def may_meet(self) -> bool:
        """Tells that steps upwards from the items may lead to the same node."""
        return bool(self.sources) or self.is_many

    @property
    def is_single(self) -> bool:
        """Tells that there is at most one item, without a join."""
        return not self.sources

    def where(self, *conditions: exp.Expr) -> Rows:
        """Returns the rows that pass further conditions."""
        return replace(self, conditions=(*self.conditions, *conditions))


def atom(item: Item) -> Scalar:
    """Returns an item's typed value.

    Raises:
        NotCompiled: it is not an attribute, count or value.
    """
    if isinstance(item, Scalar):
        return item
    if isinstance(item, LeafItem):
        return item.value
    raise NotCompiled("the text of an element with others inside")


def row_of(item: Item) -> RowItem | None:
    """Returns the row that a node is or belongs to, None for other nodes."""
    if isinstance(item, LeafItem):
        return item.row
    return item if isinstance(item, RowItem) else None


def literal(value: str | int | bool) -> exp.Expr:
    """Returns a constant.

    >>> literal("it's"), literal(-3)
    ('it''s', -3)
    """
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, int):
        number = exp.Literal.number(abs(value))
        return exp.Neg(this=number) if value < 0 else number
    return exp.Literal.string(value)


def cast(sql: exp.Expr, kind: str) -> exp.Expr:
    """Returns an expression cast to a DuckDB type."""
    return exp.Cast(this=sql, to=kind)


def present(sql: exp.Expr) -> exp.Expr:
    """Returns that a value is there, which is never null.

    Of a value that is there under a condition, ``CASE WHEN c THEN COALESCE(x, 0) END``, it is
    the condition.
    """
    if isinstance(sql, exp.Case) and len(sql.args["ifs"]) == 1 and not sql.args.get("default"):
        branch = sql.args["ifs"][0]
        if isinstance(branch.args["true"], exp.Coalesce):
            return exp.Coalesce(this=branch.this.copy(), expressions=[exp.false()])
    return exp.Not(this=exp.Is(this=sql.copy(), expression=exp.null()))


def columns_in(value: exp.Expr) -> Iterator[exp.Column]:
    """Returns the columns that may be part of a value; what decides between branches is none."""
    if isinstance(value, exp.Column):
        yield value
        return
    if isinstance(value, exp.Case):
        branches = [branch.args["true"] for branch in value.args["ifs"]]
        parts = [*branches, value.args.get("default")]
    else:
        parts = list(value.iter_expressions())
    for part in parts:
        if part is not None:
            yield from columns_in(part)
