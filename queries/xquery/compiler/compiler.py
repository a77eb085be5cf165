"""The compiler: expressions to rows, values and conditions.

Three questions are asked of an expression: which rows it is (:meth:`Compiler.rows`), which single
value (:meth:`Compiler.scalar`), and whether it holds (:meth:`Compiler.condition`). What has no
answer raises :class:`NotCompiled`, and is then evaluated on trees. What goes wrong while the SQL
runs (an overflow, two rows where one may be) is evaluated on trees as well, which gives the right
error or the right answer; so the SQL may fail where XQuery would not, and must never differ.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler import (
    conditions,
    flwor,
    functions,
    groups,
    lists,
    lookups,
    node_sets,
    operators,
    paths,
)
from jvmscope.queries.xquery.compiler.emission import Emitter, ordering, turned
from jvmscope.queries.xquery.compiler.equivalents import equivalent
from jvmscope.queries.xquery.compiler.sources import Alias
from jvmscope.queries.xquery.compiler.values import (
    LeafItem,
    NotCompiled,
    RowItem,
    Rows,
    Scalar,
    TooMuch,
    atom,
    present,
)
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.relations import Relation
    from jvmscope.queries.xquery.compiler.sources import Source
    from jvmscope.queries.xquery.compiler.values import Item
    from jvmscope.queries.xquery.syntax.expanded_names import Name


__all__ = ["MOST_LEVELS", "Compiler", "Steps"]

_T = TypeVar("_T")

MOST_LEVELS = 300
"""So many expressions may be in each other, also where a variable stands for one."""

_OF_GROUPS = (ast.Path, ast.Predicate, ast.SimpleMap, ast.VariableReference, ast.Flwor)


class Steps:
    """Counts compiled expressions, and refuses queries that would need too many.

    A binding is compiled wherever it is read, so a short query can be a long one.
    """

    def __init__(self, most: int = 20_000) -> None:
        self._left = most

    def take(self) -> None:
        """Counts one more.

        Raises:
            TooMuch: none is left.
        """
        self._left -= 1
        if self._left < 0:
            raise TooMuch


def _nested(compile_: Callable[..., _T]) -> Callable[..., _T]:
    """Has a method of the compiler count its calls, and how many of them are open."""

    @wraps(compile_)
    def counted(self: Compiler, expression: ast.Expression, environment: Environment) -> _T:
        self._steps.take()
        self._level += 1
        try:
            if self._level > MOST_LEVELS:
                raise NotCompiled(f"nested deeper than {MOST_LEVELS} levels", expression.at)
            return compile_(self, expression, environment)
        finally:
            self._level -= 1

    return counted


class Compiler:
    """Compiles the expressions of one query.

    Args:
        functions: the declared functions by name and arity, which calls are replaced with.
        steps: how much may be compiled.
    """

    def __init__(
        self,
        declared: dict[tuple[Name, int], ast.FunctionDeclaration] | None = None,
        steps: Steps | None = None,
    ) -> None:
        self.emitter = Emitter()
        self.declared = declared or {}
        self.text_columns: set[tuple[str, str]] = set()
        self.depth = 0
        self._steps = steps or Steps()
        self._level = 0
        self._apart: tuple[tuple[Sequence[Source], tuple[exp.Expr, ...]], ...] = ()

    @_nested
    def rows(self, expression: ast.Expression, environment: Environment) -> Rows:
        """Returns an expression's items as joined rows."""
        expression = self.plain(expression, environment)
        if isinstance(expression, _OF_GROUPS) and environment.has_groups:
            spelled = groups.spelled_out(expression, environment)
            if (group := groups.group_of(spelled, environment)) is not None:
                return groups.in_group(self, spelled, group, environment)
        if handler := _ROWS.get(type(expression)):
            return handler(self, expression, environment)
        if isinstance(expression, ast.If):
            self._refuse_nodes(expression, environment)
        if type(expression) in _SCALARS or _is_condition(expression):
            return self.rows_of_item(self.exact(expression, environment))
        raise NotCompiled(f"{_words(expression)} has no form in SQL", expression.at)

    def plain(self, expression: ast.Expression, environment: Environment) -> ast.Expression:
        """Returns an equivalent expression of a kind that the compiler can translate."""
        if isinstance(expression, ast.Switch):
            cases = [operand for case in expression.cases for operand in case.operands]
            if self.scalar(expression.operand, environment).storage == "double":
                raise NotCompiled("a switch over doubles, where NaN is a case", expression.at)
            if any(self.scalar(operand, environment).is_optional for operand in cases):
                raise NotCompiled("a case that may be absent", expression.at)
        return equivalent(expression) or expression

    def _refuse_nodes(self, expression: ast.If, environment: Environment) -> None:
        """Refuses branches that are nodes: a value stands for them only where it is asked for."""
        pending = [expression.otherwise, expression.then]
        while pending:
            branch = self.plain(pending.pop(), environment)
            if isinstance(branch, ast.If):
                pending += [branch.otherwise, branch.then]
            elif not isinstance(self.rows(branch, environment).item, Scalar):
                raise NotCompiled("a branch that is a node", branch.at)

    def scalar(self, expression: ast.Expression, environment: Environment) -> Scalar:
        """Returns an expression that is atomic after atomization, and at most one item.

        The sum of no untyped values is an xs:double here, where only its value matters.
        """
        value = self._value(expression, environment)
        return self.single(value) if isinstance(value, Rows) else value.filled

    def exact(self, expression: ast.Expression, environment: Environment) -> Scalar:
        """Returns what :meth:`scalar` does, with the type that the sum of no values has."""
        value = self._value(expression, environment)
        return self.exact_single(value) if isinstance(value, Rows) else value

    @_nested
    def _value(self, expression: ast.Expression, environment: Environment) -> Scalar | Rows:
        """Returns a value, or the rows that are at most one."""
        expression = self.plain(expression, environment)
        if isinstance(expression, ast.FunctionCall) and functions.is_scalar(expression):
            return functions.scalar(self, expression, environment)
        if handler := _SCALARS.get(type(expression)):
            return handler(self, expression, environment)
        if conditions.is_value_comparison(expression):
            assert isinstance(expression, ast.Comparison)  # noqa: S101 - it is one
            return conditions.value_comparison(self, expression, environment)
        if _is_condition(expression):
            return Scalar(self.condition(expression, environment), "boolean", "boolean")
        return self.rows(expression, environment)

    @_nested
    def condition(self, expression: ast.Expression, environment: Environment) -> exp.Expr:
        """Returns an expression's effective boolean value, which is never null."""
        expression = self.plain(expression, environment)
        if isinstance(expression, ast.FunctionCall) and functions.is_condition(expression):
            return functions.condition(self, expression, environment)
        if handler := _CONDITIONS.get(type(expression)):
            return handler(self, expression, environment)
        if type(expression) in _SCALARS:
            scalar = self.scalar(expression, environment)
            return conditions.effective_boolean_value(scalar, expression.at)
        return self._truth(self.rows(expression, environment), expression.at)

    def _truth(self, rows: Rows, at: int) -> exp.Expr:
        if isinstance(rows.item, Scalar):
            return conditions.effective_boolean_value(self.single(rows), at)
        return self.exists(rows)

    def predicate(self, expression: ast.Expression, environment: Environment) -> exp.Expr:
        """Returns whether an item passes a predicate; a number would be a position."""
        if _is_condition(expression):
            return self.condition(expression, environment)
        rows = self.rows(expression, environment)
        if isinstance(rows.item, Scalar) and rows.item.is_numeric:
            raise NotCompiled("a predicate that is a position", expression.at)
        if type(expression) in _SCALARS:
            return self.condition(expression, environment)
        return self._truth(rows, expression.at)

    def exists(self, rows: Rows) -> exp.Expr:
        """Returns whether there are rows."""
        rows = lookups.by_key(self.emitter, rows)
        if rows.is_single:
            return exp.and_(*rows.conditions) if rows.conditions else exp.true()
        if found := lookups.grouped(self.emitter, rows):
            return self.emitter.test(found)
        return exp.Exists(this=self.emitter.select(rows, [exp.Literal.number(1)]))

    def single(self, rows: Rows) -> Scalar:
        """Returns the value of at most one row; DuckDB fails if there are two."""
        rows = lookups.by_key(self.emitter, rows)
        value = atom(rows.item).filled
        if rows.is_single:
            if not rows.conditions:
                return value
            return self.guarded(value, exp.and_(*rows.conditions))
        if value.divisor is not None:
            raise NotCompiled("an exact quotient inside a sequence")
        query = self.emitter.select(self.deduplicated(rows), [value.sql])
        return replace(value, sql=exp.Subquery(this=query), is_optional=True)

    def exact_single(self, rows: Rows) -> Scalar:
        """Returns what :meth:`single` does, with the type that the sum of no values has."""
        rows = lookups.by_key(self.emitter, rows)
        if not isinstance(rows.item, Scalar) or rows.item.zero_type is None:
            return self.single(rows)
        if rows.is_single and not rows.conditions:
            return rows.item
        raise NotCompiled("a sum of untyped values where there may be none")

    def guarded(self, value: Scalar, condition: exp.Expr) -> Scalar:
        """Returns the value where the condition holds, and none elsewhere."""
        if condition == present(value.sql):
            return replace(value, is_optional=True)
        sql = exp.Case(ifs=[exp.If(this=condition.copy(), true=value.sql.copy())])
        return replace(value, sql=sql, is_optional=True)

    def rows_of_item(self, item: Item) -> Rows:
        """Returns an item, or none, as rows."""
        if isinstance(item, Scalar) and item.is_optional and item.zero_type is None:
            return Rows(item, conditions=(present(item.sql),))
        return Rows(item)

    def join(
        self, rows: Rows, relation: Relation, *, is_whole: bool = False
    ) -> tuple[Rows, RowItem]:
        """Returns the rows with each row of a relation, and that row; without a condition yet.

        Args:
            rows: what is joined.
            relation: the relation, in the scope of the query.
            is_whole: the whole run's relation, whatever the scope.
        """
        alias = Alias(self.emitter.name(relation.element), relation, is_whole=is_whole)
        self.emitter.add(alias)
        row = RowItem(alias)
        joined = replace(rows, item=row, sources=(*rows.sources, alias), order=row.keys)
        return joined, row

    def deduplicated(self, rows: Rows) -> Rows:
        """Returns nodes once each, in document order; other rows as they are."""
        if not rows.has_duplicates:
            return rows
        if rows.is_many:
            raise NotCompiled("a path on which the tuples of a group may meet")
        row = rows.item.row if isinstance(rows.item, LeafItem) else rows.item
        if not isinstance(row, RowItem):
            raise NotCompiled("the same node more than once")
        derived = self.emitter.derive(rows, "distinct", is_distinct=True)
        keys = tuple(derived.column(key) for key in row.keys)
        return Rows(rows.item, (derived,), order=keys)

    def numbered(
        self, rows: Rows, partition: tuple[exp.Expr, ...] = (), *, is_reversed: bool = False
    ) -> tuple[Rows, exp.Expr]:
        """Returns the rows and each one's position, from 1, in its partition."""
        if rows.is_many:
            raise NotCompiled("a position among the tuples of a group")
        if rows.is_single:
            return rows, exp.Literal.number(1)
        rows = self._with_sure_order(rows)
        keys = self.group_keys(rows)
        order = ordering(rows.order)
        if is_reversed:
            order = [turned(key) for key in order]
        number = exp.Window(
            this=exp.RowNumber(),
            partition_by=[key.copy() for key in (*keys, *partition)],
            order=exp.Order(expressions=order) if order else None,
        )
        derived = self.emitter.derive(rows, "numbered", counts_in_group=bool(keys))
        position = derived.column(number)
        return replace(rows, sources=(derived,), conditions=()), position

    @contextmanager
    def apart(self, sources: Sequence[Source], keys: tuple[exp.Expr, ...]) -> Iterator[None]:
        """Has positions among rows of some sources count within the group that has their keys."""
        before = self._apart
        self._apart = (*before, (sources, keys))
        try:
            yield
        finally:
            self._apart = before

    def group_keys(self, rows: Rows) -> tuple[exp.Expr, ...]:
        """Returns the keys of the groups whose tuples the rows are made of; none: of no group."""
        names = {source.name for source in rows.sources}
        return tuple(
            key
            for sources, keys in self._apart
            if any(not names.isdisjoint(self.emitter.reach(source.name)) for source in sources)
            for key in keys
        )

    def _with_sure_order(self, rows: Rows) -> Rows:
        """Returns rows whose order keys cannot fail: a window refuses an ORDER BY with error()."""
        keys = [key.this if isinstance(key, exp.Ordered) else key for key in rows.order]
        if not any(map(_may_fail, keys)):
            return rows
        derived = self.emitter.derive(rows, "sorted")
        order = []
        for key, sql in zip(rows.order, keys, strict=True):
            column = derived.column(sql)
            if isinstance(key, exp.Ordered):
                sure = key.copy()
                sure.set("this", column)
                column = sure
            order.append(column)
        return replace(rows, sources=(derived,), conditions=(), order=tuple(order))

    def placed(self, rows: Rows) -> Rows:
        """Returns sorted rows with their places as their order, of which there is a least one."""
        if not any(isinstance(key, exp.Ordered) for key in rows.order):
            return rows
        rows, position = self.numbered(rows)
        return replace(rows, order=(position,))


def _is_condition(expression: ast.Expression) -> bool:
    if isinstance(expression, ast.FunctionCall):
        return functions.is_condition(expression)
    return type(expression) in _CONDITIONS


def _may_fail(sql: exp.Expr) -> bool:
    return any(call.name.lower() == "error" for call in sql.find_all(exp.Anonymous))


def _words(expression: ast.Expression) -> str:
    return type(expression).__name__


_ROWS: dict[type, Callable[..., Rows]] = {
    **paths.ROWS,
    **flwor.ROWS,
    **functions.ROWS,
    **lists.ROWS,
    **node_sets.ROWS,
}
_SCALARS: dict[type, Callable[..., Scalar]] = {**operators.SCALARS}
_CONDITIONS: dict[type, Callable[..., exp.Expr]] = {**conditions.CONDITIONS}
