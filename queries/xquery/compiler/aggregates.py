"""Aggregates, of sequences and of groups: count, sum, min, max, avg, string-join."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler import lookups, rewrites
from jvmscope.queries.xquery.compiler.emission import ordering
from jvmscope.queries.xquery.compiler.groups import group_of, in_group, spelled_out, tuple_by_tuple
from jvmscope.queries.xquery.compiler.operators import as_double, text
from jvmscope.queries.xquery.compiler.values import (
    LeafItem,
    NotCompiled,
    Rows,
    Scalar,
    atom,
    cast,
    literal,
    present,
)
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.groups import Group
    from jvmscope.queries.xquery.compiler.sources import Derived

__all__ = ["NAMES", "aggregate", "first_of"]

NAMES = frozenset({"count", "sum", "min", "max", "avg", "string-join"})


class _Call(NamedTuple):
    """A call of an aggregate: its name, its first argument, the syntax, what names stand for."""

    compiler: Compiler
    name: str
    argument: ast.Expression
    syntax: ast.FunctionCall
    environment: Environment

    def refuse(self, what: str) -> NotCompiled:
        """Returns the refusal of the aggregate of something."""
        return NotCompiled(f"fn:{self.name} of {what}", self.syntax.at)


def first_of(order: tuple[exp.Expr, ...]) -> exp.Expr | None:
    """Returns the aggregate that sorts groups by their first item, None without an order."""
    if any(isinstance(key, exp.Ordered) for key in order):
        raise NotCompiled("groups of sorted tuples")
    if not order:
        return None
    key = order[0] if len(order) == 1 else exp.func("row", *[key.copy() for key in order])
    return exp.Min(this=key.copy())


def aggregate(compiler: Compiler, syntax: ast.FunctionCall, environment: Environment) -> Scalar:
    """Returns an aggregate of a sequence, or of what a group's tuples hold."""
    name = syntax.name.local
    argument = _without_parentheses(spelled_out(syntax.arguments[0], environment))
    call = _Call(compiler, name, argument, syntax, environment)
    if len(syntax.arguments) > 1 and name != "string-join":
        raise NotCompiled(f"fn:{name} with {len(syntax.arguments)} arguments", syntax.at)
    group = group_of(argument, environment)
    if group is not None:
        return _of_group(call, group)
    if name == "count" and (known := rewrites.counted_in_tree(compiler, argument, environment)):
        return known
    return _of_rows(call, compiler.deduplicated(compiler.rows(argument, environment)))


def _of_rows(call: _Call, rows: Rows) -> Scalar:
    """Returns an aggregate of a sequence."""
    compiler = call.compiler
    rows = lookups.by_key(compiler.emitter, rows)
    if rows.is_single:
        return _of_one(call, rows)
    rows = _simplified(call, rows)
    sql, result = _function(call, rows)
    _refuse_outer_values(call, rows, sql)
    found = _over_rows(compiler, rows)
    if result.divisor is None:
        return _shown(call, result, found(sql))
    divisor = exp.func("nullif", found(result.divisor), literal(0))
    return replace(result, sql=found(sql), divisor=divisor)


def _refuse_outer_values(call: _Call, rows: Rows, sql: exp.Expr) -> None:
    """Refuses to aggregate what only columns outside say: SQL would aggregate the query outside."""
    emitter = call.compiler.emitter
    inside = {name for source in rows.sources for name in emitter.reach(source.name)}
    tables = {column.table for column in sql.find_all(exp.Column)}
    read = {reached for table in tables for reached in emitter.reach(table)}
    if read and read.isdisjoint(inside):
        raise call.refuse("a value of a tuple outside")


def _simplified(call: _Call, rows: Rows) -> Rows:
    """Returns rows whose value needs no test that it is there, for an aggregate of it.

    A sum may have a 0 for it where it is absent, and what rows are asked for they have. Where a
    sum of none is of another type than a sum of zeros, SQL passes over the nulls.
    """
    if call.name == "count" or not isinstance(rows.item, (Scalar, LeafItem)):
        return rows
    value = atom(rows.item)
    is_there = present(value.sql)
    others = tuple(condition for condition in rows.conditions if condition != is_there)
    if call.name == "sum" and value.or_zero is not None:
        if value.type == "untyped":
            return replace(rows, item=replace(value, or_zero=None), conditions=others)
        value = replace(value, sql=value.or_zero, is_optional=False, or_zero=None)
        return replace(rows, item=value, conditions=others)
    if len(others) < len(rows.conditions) and isinstance(value.sql, exp.Case):
        branch = value.sql.args["ifs"][0]
        if is_there != exp.Not(this=exp.Is(this=value.sql, expression=exp.null())):
            value = replace(value, sql=branch.args["true"], is_optional=False)
            return replace(rows, item=value)
    return rows


def _over_rows(compiler: Compiler, rows: Rows) -> Callable[[exp.Expr], exp.Expr]:
    """Returns what makes a value of an SQL aggregate over rows."""
    emitter = compiler.emitter
    if group := lookups.grouped(emitter, rows):
        return lambda sql: group.column(emitter.canonical(sql))
    return lambda sql: exp.Subquery(this=emitter.select(rows, [sql]))


def _of_one(call: _Call, rows: Rows) -> Scalar:
    """Returns an aggregate of one item, or none."""
    compiler = call.compiler
    if call.name == "count":
        branch = exp.If(this=compiler.exists(rows), true=literal(1))
        return Scalar(exp.Case(ifs=[branch], default=literal(0)), "integer", "int")
    value = atom(rows.item)
    if call.name == "string-join":
        raise call.refuse("a value that may be absent")
    value = _as_number(value)
    if not value.is_numeric:
        raise call.refuse(value.type)
    if value.zero_type is not None and (rows.conditions or call.name == "avg"):
        raise call.refuse("a sum that may be of no values")
    if call.name == "sum" and rows.conditions:
        return _sum_of_one(call, value, rows.conditions)
    if call.name == "avg" and value.type != "double":
        value = replace(value, type="decimal", subtype=None)  # a quotient, also by 1
    if rows.conditions:
        return compiler.guarded(value, exp.and_(*rows.conditions))
    return value


def _as_number(value: Scalar) -> Scalar:
    """Returns an untyped value as the xs:double that an aggregate makes of it."""
    if value.type != "untyped":
        return value
    or_zero = None if value.or_zero is None else cast(value.or_zero.copy(), "DOUBLE")
    return Scalar(as_double(value), "double", "double", value.is_optional, or_zero=or_zero)


def _sum_of_one(call: _Call, value: Scalar, conditions: tuple[exp.Expr, ...]) -> Scalar:
    """Returns a value where conditions hold, and 0 elsewhere."""
    if value.divisor is not None:
        raise call.refuse("a quotient that may be absent")
    if value.type == "double":
        guarded = call.compiler.guarded(value, exp.and_(*conditions))
        return replace(guarded, is_optional=False, zero_type="integer")
    if value.type == "decimal" or value.subtype:
        value = replace(value, subtype="?")  # elsewhere it is the xs:integer 0
    others = tuple(c for c in conditions if c != present(value.sql))
    if value.or_zero is not None and len(others) < len(conditions):
        value = replace(value, sql=value.or_zero, is_optional=False, or_zero=None)
        conditions = others
    if conditions:
        value = call.compiler.guarded(value, exp.and_(*conditions))
    if not value.is_optional:
        return value
    sql = exp.Coalesce(this=value.sql.copy(), expressions=[literal(0)])
    return replace(value, sql=sql, is_optional=False)


def _function(call: _Call, rows: Rows) -> tuple[exp.Expr, Scalar]:
    """Returns the SQL aggregate of rows, and what its result is (whose SQL does not matter)."""
    if call.name == "count":
        return exp.Count(this=exp.Star()), Scalar(literal(0), "integer", "big")
    value = atom(rows.item)
    if call.name == "string-join":
        return _joined(call, value, rows)
    if value.divisor is not None:
        raise call.refuse("quotients")
    value = _as_number(value)
    if call.name in {"min", "max"}:
        return _extreme(call, value)
    if not value.is_numeric:
        raise call.refuse(value.type)
    if value.zero_type is not None and (call.name == "avg" or value.zero_type != "integer"):
        raise call.refuse("sums that may be of no values")
    total = exp.Sum(this=value.sql.copy())
    storage = "double" if value.type == "double" else "huge"
    if call.name == "sum":
        # The sum of one item is that item, and of no xs:decimal the xs:integer 0.
        subtype = "?" if value.subtype or value.type == "decimal" else None
        return total, Scalar(literal(0), value.type, storage, subtype=subtype)
    n = exp.Count(this=value.sql.copy())
    if storage == "double":
        return exp.Avg(this=value.sql.copy()), replace(value, is_optional=True, storage=storage)
    return total, Scalar(literal(0), "decimal", storage, is_optional=True, divisor=n)


def _extreme(call: _Call, value: Scalar) -> tuple[exp.Expr, Scalar]:
    kind = exp.Min if call.name == "min" else exp.Max
    if value.type == "string" and value.storage == "text":
        return kind(this=text(call.compiler, value)), replace(value, is_optional=True)
    if not value.is_numeric:
        raise call.refuse(value.type)
    if value.storage == "double" and not isinstance(value.sql, exp.Cast):
        raise call.refuse("doubles that may be NaN")
    return kind(this=value.sql.copy()), replace(value, is_optional=True)


def _joined(call: _Call, value: Scalar, rows: Rows) -> tuple[exp.Expr, Scalar]:
    separator = literal("")
    if len(call.syntax.arguments) > 1:
        given = call.compiler.scalar(call.syntax.arguments[1], call.environment)
        if not isinstance(given.sql, exp.Literal):
            raise call.refuse("a separator that is not a constant")
        separator = given.sql.copy()
    last: exp.Expr = separator
    if keys := ordering(rows.order):
        last = exp.Order(this=separator, expressions=keys)
    sql = exp.Anonymous(this="string_agg", expressions=[text(call.compiler, value), last])
    return sql, Scalar(literal(""), "string", "text")


def _shown(call: _Call, result: Scalar, sql: exp.Expr) -> Scalar:
    if call.name == "sum" and result.type == "double":
        return replace(result, sql=sql, zero_type="integer")
    if call.name in {"sum", "count"}:
        return replace(result, sql=exp.Coalesce(this=sql, expressions=[literal(0)]))
    if call.name == "string-join":
        return replace(result, sql=exp.Coalesce(this=sql, expressions=[literal("")]))
    return replace(result, sql=sql)


# -- groups


def _of_group(call: _Call, group: Group) -> Scalar:
    """Returns an aggregate over the tuples of each group."""
    is_distinct = _is_call(call.argument, "distinct-values")
    if is_distinct:
        if call.name != "count":
            raise call.refuse("a group's distinct values")
        assert isinstance(call.argument, ast.FunctionCall)  # noqa: S101 - _is_call said so
        call = call._replace(argument=call.argument.arguments[0])
    found = _tuple_by_tuple(call, group, is_distinct=is_distinct)
    if found is not None:
        return found
    rows = in_group(call.compiler, call.argument, group, call.environment)
    return _distinct_of_rows(call, rows) if is_distinct else _of_rows(call, rows)


def _tuple_by_tuple(call: _Call, group: Group, *, is_distinct: bool) -> Scalar | None:
    """Returns an aggregate as a column of the grouping, None where it needs the tuples as rows."""
    inside = tuple_by_tuple(
        call.argument, group, call.environment, is_sorted=call.name == "string-join"
    )
    if inside is None:
        return None
    try:
        rows = call.compiler.rows(call.argument, inside)
        if is_distinct:
            return _distinct(call, rows, group.derived) if rows.is_single else None
        if rows.has_duplicates:
            return None
        if rows.is_single:
            return _over_tuples(call, rows, group.derived)
        is_simple = call.name in {"count", "sum", "min", "max"}
        return _over_joins(call, rows, group.derived) if is_simple else None
    except NotCompiled:
        return None


def _over_joins(call: _Call, rows: Rows, group: Derived) -> Scalar:
    """Returns an aggregate over what each tuple is joined with, aggregated tuple by tuple."""
    sql, result = _function(call, rows)
    query = _over_rows(call.compiler, rows)(sql)
    outer = {"min": exp.Min, "max": exp.Max}.get(call.name, exp.Sum)(this=query)
    storage = "huge" if call.name == "count" else result.storage
    return _shown(call, replace(result, storage=storage), group.column(outer))


def _distinct_of_rows(call: _Call, rows: Rows) -> Scalar:
    item = atom(rows.item)
    if item.divisor is not None or item.storage == "double":
        raise call.refuse("distinct decimals or doubles")
    sql = exp.Count(this=exp.Distinct(expressions=[item.sql.copy()]))
    found = _over_rows(call.compiler, rows)(sql)
    return Scalar(exp.Coalesce(this=found, expressions=[literal(0)]), "integer", "big")


def _distinct(call: _Call, rows: Rows, group: Derived) -> Scalar:
    item = atom(rows.item)
    if item.divisor is not None or item.storage == "double":
        raise call.refuse("distinct decimals or doubles")
    sql = exp.Count(this=exp.Distinct(expressions=[item.sql.copy()]))
    conditions = tuple(c for c in rows.conditions if c != present(item.sql))  # it counts no nulls
    column = group.column(_filtered(sql, replace(rows, conditions=conditions)))
    return Scalar(column, "integer", "big")


def _over_tuples(call: _Call, rows: Rows, group: Derived) -> Scalar:
    if rows.conditions and call.name == "string-join":
        raise call.refuse("some of a group")
    rows = _simplified(call, rows)
    sql, result = _function(call, replace(rows, order=(*rows.order, *group.rows.order)))
    column = group.column(_filtered(sql, rows))
    if result.divisor is None:
        return _shown(call, result, column)
    divisor = group.column(_filtered(result.divisor, rows))
    return replace(result, sql=column, divisor=exp.func("nullif", divisor, literal(0)))


def _filtered(sql: exp.Expr, rows: Rows) -> exp.Expr:
    if not rows.conditions:
        return sql
    where = exp.Where(this=exp.and_(*rows.conditions))
    return exp.Filter(this=sql, expression=where)


def _is_call(expression: ast.Expression, name: str) -> bool:
    return (
        isinstance(expression, ast.FunctionCall)
        and expression.name.uri == FN
        and expression.name.local == name
        and len(expression.arguments) == 1
    )


def _without_parentheses(expression: ast.Expression) -> ast.Expression:
    while isinstance(expression, ast.Parenthesized) and expression.inner is not None:
        expression = expression.inner
    return expression
