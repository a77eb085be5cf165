"""The kinds of nodes that the compiler's SQL has, and short ways to make some.

Names are texts: that of a column with its table's, of a table with its schema's, of what has an
alias with the alias. Their quotes are a matter of writing.
"""

from __future__ import annotations

from typing import Self

from jvmscope.queries.sql.sql_nodes import Expr

__all__ = [
    "EQ",
    "GT",
    "GTE",
    "LT",
    "LTE",
    "NEQ",
    "Abs",
    "Add",
    "AggFunc",
    "Alias",
    "And",
    "Anonymous",
    "Array",
    "Avg",
    "Binary",
    "Boolean",
    "Case",
    "Cast",
    "Coalesce",
    "Column",
    "CommonTable",
    "Count",
    "Distinct",
    "Div",
    "Exists",
    "Expr",
    "Filter",
    "From",
    "Group",
    "If",
    "IntDiv",
    "Is",
    "Join",
    "Limit",
    "Literal",
    "Max",
    "Min",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Null",
    "Or",
    "Order",
    "Ordered",
    "Paren",
    "RowNumber",
    "Select",
    "Star",
    "Sub",
    "Subquery",
    "Sum",
    "Table",
    "Unnest",
    "Where",
    "Window",
    "With",
    "alias_",
    "and_",
    "column",
    "false",
    "func",
    "null",
    "or_",
    "true",
]

# -- values


class Column(Expr):
    """``"table"."this"``."""

    __slots__ = ()

    @property
    def table(self) -> str:
        """The name of the table, empty if there is none."""
        return self.args.get("table") or ""


class Literal(Expr):
    """A text or a number, ``this``; ``is_string`` tells which."""

    __slots__ = ()

    @classmethod
    def number(cls, value: int) -> Self:
        """Returns a number, which must not be below zero."""
        return cls(this=str(value), is_string=False)

    @classmethod
    def string(cls, value: str) -> Self:
        """Returns a text."""
        return cls(this=value, is_string=True)

    @property
    def is_string(self) -> bool:
        """Tells whether it is a text."""
        return bool(self.args["is_string"])


class Boolean(Expr):
    """``TRUE`` or ``FALSE``."""

    __slots__ = ()


class Null(Expr):
    """``NULL``."""

    __slots__ = ()


class Star(Expr):
    """``*``."""

    __slots__ = ()


class Array(Expr):
    """``[expressions]``."""

    __slots__ = ()


class Alias(Expr):
    """``this AS "alias"``: an output."""

    __slots__ = ()

    def unalias(self) -> Expr:
        """Returns the value without its name."""
        value: Expr = self.this
        return value


# -- operators


class Binary(Expr):
    """An operator between ``this`` and ``expression``."""

    __slots__ = ()

    @property
    def left(self) -> Expr:
        """What is before the operator."""
        side: Expr = self.this
        return side

    @property
    def right(self) -> Expr:
        """What is behind the operator."""
        side: Expr = self.expression
        return side


class Add(Binary):
    """A sum."""

    __slots__ = ()


class Sub(Binary):
    """A difference."""

    __slots__ = ()


class Mul(Binary):
    """A product."""

    __slots__ = ()


class Div(Binary):
    """A quotient of doubles."""

    __slots__ = ()


class IntDiv(Binary):
    """A quotient of whole numbers, cut off behind the point."""

    __slots__ = ()


class Mod(Binary):
    """What a division of whole numbers leaves."""

    __slots__ = ()


class EQ(Binary):
    """Equality."""

    __slots__ = ()


class NEQ(Binary):
    """Inequality."""

    __slots__ = ()


class LT(Binary):
    """Less than."""

    __slots__ = ()


class LTE(Binary):
    """Less than or equal."""

    __slots__ = ()


class GT(Binary):
    """Greater than."""

    __slots__ = ()


class GTE(Binary):
    """Greater than or equal."""

    __slots__ = ()


class Is(Binary):
    """``this IS expression``."""

    __slots__ = ()


class And(Expr):
    """A conjunction of ``expressions``."""

    __slots__ = ()


class Or(Expr):
    """A disjunction of ``expressions``."""

    __slots__ = ()


class Not(Expr):
    """A negation."""

    __slots__ = ()


class Neg(Expr):
    """A number with the other sign."""

    __slots__ = ()


class Paren(Expr):
    """Parentheses, which are written where they are needed only because they are nodes."""

    __slots__ = ()


class Case(Expr):
    """``ifs``, and the value if none of them holds, ``default``."""

    __slots__ = ()


class If(Expr):
    """A branch of a ``CASE``: the condition, ``this``, and the value where it holds, ``true``."""

    __slots__ = ()


class Cast(Expr):
    """``this`` as a type, ``to``, which is a text."""

    __slots__ = ()


# -- functions


class Anonymous(Expr):
    """A function of which only the name is known, ``this``, and the arguments, ``expressions``."""

    __slots__ = ()


class Abs(Expr):
    """A number without its sign."""

    __slots__ = ()


class Coalesce(Expr):
    """The first of ``this`` and ``expressions`` that is not null."""

    __slots__ = ()


class Unnest(Expr):
    """A row for each entry of the list ``this``."""

    __slots__ = ()


class RowNumber(Expr):
    """The number of a row in its window."""

    __slots__ = ()


class Window(Expr):
    """``this`` over rows, by ``partition_by`` in an ``order``."""

    __slots__ = ()


class AggFunc(Expr):
    """An aggregate of ``this``."""

    __slots__ = ()


class Avg(AggFunc):
    """The mean."""

    __slots__ = ()


class Count(AggFunc):
    """How many there are."""

    __slots__ = ()


class Max(AggFunc):
    """The greatest."""

    __slots__ = ()


class Min(AggFunc):
    """The least."""

    __slots__ = ()


class Sum(AggFunc):
    """The sum."""

    __slots__ = ()


class Filter(Expr):
    """An aggregate, ``this``, of the rows that pass a ``WHERE``, ``expression``."""

    __slots__ = ()


# -- statements


class Select(Expr):
    """A SELECT: ``expressions``, and then the clauses that it has."""

    __slots__ = ()

    def add_common_table(self, name: str, query: Select) -> None:
        """Adds a common table expression, which is computed once."""
        with_ = self.args.get("with") or With(expressions=[])
        with_.set("expressions", [*with_.expressions, CommonTable(this=query, alias=name)])
        self.set("with", with_)


class With(Expr):
    """The common table expressions of a SELECT."""

    __slots__ = ()


class CommonTable(Expr):
    """A SELECT that others name."""

    __slots__ = ()


class From(Expr):
    """The table before all joins."""

    __slots__ = ()


class Join(Expr):
    """A table joined ``on`` a condition; ``side`` is ``LEFT`` if its row may be missing."""

    __slots__ = ()


class Table(Expr):
    """A table, ``this`` in the schema ``db``, under an ``alias``."""

    __slots__ = ()


class Subquery(Expr):
    """A SELECT in parentheses: a value, or a table under an ``alias``."""

    __slots__ = ()


class Exists(Expr):
    """Whether a SELECT has any rows."""

    __slots__ = ()


class Where(Expr):
    """The condition that rows pass."""

    __slots__ = ()


class Group(Expr):
    """The keys of groups."""

    __slots__ = ()


class Distinct(Expr):
    """What makes rows, or the values that an aggregate reads, count once."""

    __slots__ = ()


class Order(Expr):
    """Sort keys, of rows or, after ``this``, of what an aggregate reads."""

    __slots__ = ()


class Ordered(Expr):
    """A sort key, ``desc`` and ``nulls_first`` or not."""

    __slots__ = ()


class Limit(Expr):
    """How many rows there may be."""

    __slots__ = ()


# -- short ways


def column(name: str, table: str | None = None) -> Expr:
    """Returns a column, by the name of its table."""
    return Column(this=name, table=table)


def alias_(value: Expr, name: str) -> Expr:
    """Returns a value as an output with a name."""
    return Alias(this=value, alias=name)


def func(name: str, *arguments: Expr) -> Anonymous:
    """Returns a call of a function."""
    return Anonymous(this=name, expressions=list(arguments))


def true() -> Boolean:
    """Returns ``TRUE``."""
    return Boolean(this=True)


def false() -> Boolean:
    """Returns ``FALSE``."""
    return Boolean(this=False)


def null() -> Null:
    """Returns ``NULL``."""
    return Null()


def and_(*conditions: Expr) -> Expr:
    """Returns a conjunction of copies of conditions, at least one.

    >>> from jvmscope.queries.sql import exp
    >>> exp.and_(exp.column("a"), exp.or_(exp.column("b"), exp.column("c")))
    "a" AND ("b" OR "c")
    """
    return _combined(And, conditions)


def or_(*conditions: Expr) -> Expr:
    """Returns a disjunction of copies of conditions, at least one."""
    return _combined(Or, conditions)


def _combined(kind: type[And | Or], conditions: tuple[Expr, ...]) -> Expr:
    copies = [condition.copy() for condition in conditions]
    return kind(expressions=list(map(_enclosed, copies))) if len(copies) > 1 else copies[0]


def _enclosed(condition: Expr) -> Expr:
    return Paren(this=condition) if isinstance(condition, (And, Or)) else condition
