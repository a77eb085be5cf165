"""What a SELECT reads: tables, subqueries, lists of constants, and what is joined to each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from jvmscope.queries.sql import exp

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.relations import Relation
    from jvmscope.queries.xquery.compiler.values import Rows

__all__ = ["Alias", "Derived", "Listed", "Lookup", "Source", "Summed"]


@dataclass(eq=False)
class Lookup:
    """What is joined to each row of a source: one row at most, so that the rows stay as many.

    Attributes:
        source: what is joined.
        on: which row of it, in terms of both.
        is_certain: there is one for every row.
    """

    source: Source
    on: exp.Expr
    is_certain: bool = False


class Alias:
    """A relation's name in a FROM clause.

    Attributes:
        name: the name.
        relation: the relation.
        is_whole: it is the whole run's relation, whatever the scope.
        known: columns that the rows to which this is joined have as well.
        lookups: what is joined to each row, by what it is.
    """

    def __init__(self, name: str, relation: Relation, *, is_whole: bool = False) -> None:
        self.name = name
        self.relation = relation
        self.is_whole = is_whole
        self.known: dict[str, exp.Expr] = {}
        self.lookups: dict[str, Lookup] = {}

    def column(self, name: str) -> exp.Expr:
        """Returns a column of the relation."""
        if name in self.known:
            return self.known[name].copy()
        return exp.column(name, table=self.name)


class Summed:
    """A table of counts by thread, summed over the threads, by the key of what is counted."""

    COLUMNS: ClassVar = {
        "thread_method": ("method_id", ("n_calls", "n_bytecodes")),
        "thread_block": ("basic_block_id", ("n_executions",)),
    }
    """The key and the counts of each such table."""

    def __init__(self, name: str, table: str) -> None:
        self.name = name
        self.table = table
        self.lookups: dict[str, Lookup] = {}

    def column(self, name: str) -> exp.Expr:
        """Returns the key or a sum."""
        return exp.column(name, table=self.name)


class Listed:
    """Values that the query itself lists, in the columns ``value`` and ``place``."""

    def __init__(self, name: str, values: exp.Expr) -> None:
        self.name = name
        self.values = values
        self.lookups: dict[str, Lookup] = {}

    def column(self, name: str) -> exp.Expr:
        """Returns the value, or its place from 0."""
        return exp.column(name, table=self.name)


@dataclass(eq=False)
class Derived:
    """A SELECT in a FROM clause; columns are added as the query around it asks for them.

    Attributes:
        name: its alias.
        rows: what it selects from.
        keys: what it groups by, or None.
        is_distinct: equal rows count once.
        limit: how many rows to keep, in the order of ``rows``; None: all.
        counts_in_group: its windows count the tuples of each group apart.
        outside: of a lookup, what the keys must equal and what must hold for it to be joined.
        columns: the name of each expression that is asked for.
        lookups: what is joined to each row, by what it is.
    """

    name: str
    rows: Rows
    keys: tuple[exp.Expr, ...] | None = None
    is_distinct: bool = False
    limit: int | None = None
    counts_in_group: bool = False
    outside: tuple[exp.Expr, ...] = ()
    columns: dict[exp.Expr, str] = field(default_factory=dict)
    lookups: dict[str, Lookup] = field(default_factory=dict)

    def column(self, inner: exp.Expr) -> exp.Expr:
        """Returns an inner expression as a column of the derived table."""
        if inner not in self.columns:
            self.columns[inner.copy()] = f"c{len(self.columns)}"
        return exp.column(self.columns[inner], table=self.name)


Source: TypeAlias = Alias | Derived | Listed | Summed
