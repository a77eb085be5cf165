"""FLWOR expressions: one SELECT over the tuple stream, a derived table for each regrouping."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.aggregates import first_of
from jvmscope.queries.xquery.compiler.environment import Bound, Grouped, Lazy
from jvmscope.queries.xquery.compiler.operators import text
from jvmscope.queries.xquery.compiler.orders import needed
from jvmscope.queries.xquery.compiler.quotients import quotient_in_parts
from jvmscope.queries.xquery.compiler.references import is_read, references
from jvmscope.queries.xquery.compiler.typing import refuse_other_types
from jvmscope.queries.xquery.compiler.values import (
    LeafItem,
    MapEntries,
    NotCompiled,
    Rows,
    Scalar,
    literal,
)
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Binding, Environment
    from jvmscope.queries.xquery.compiler.values import Item

__all__ = ["ROWS", "entry", "tuples"]

_MOST_CLAUSES = 100
_NOTHING = Scalar(literal(1), "integer", "int")  # the item of a tuple: tuples have variables


class _Stream:
    """The tuples after some clauses: rows whose item does not matter, and variables."""

    def __init__(self, compiler: Compiler, expression: ast.Flwor, environment: Environment) -> None:
        self.compiler = compiler
        self.expression = expression
        self.around = environment
        self.environment = environment
        self.rows = Rows(_NOTHING)
        self.variables: list[ast.Variable] = []

    def take(self, n: int) -> None:
        """Makes the tuples after the first n clauses."""
        clauses, result = self.expression.clauses, self.expression.result
        for place, clause in enumerate(clauses[:n]):
            handler = _CLAUSES.get(type(clause))
            if handler is None:
                at = getattr(clause, "at", self.expression.at)
                raise NotCompiled(f"the clause {type(clause).__name__}", at)
            handler(self, clause, (clauses[place + 1 :], result))

    def bind(self, variable: ast.Variable | None, binding: Binding) -> None:
        """Adds a variable to every tuple."""
        assert variable is not None  # noqa: S101 - the analysis binds each
        self.environment = self.environment.bind(variable, binding)
        self.variables.append(variable)

    def extend(self, more: Rows) -> None:
        """Joins each tuple with rows, which may depend on it."""
        rows = self.rows
        self.rows = Rows(
            _NOTHING,
            (*rows.sources, *more.sources),
            (*rows.conditions, *more.conditions),
            (*rows.order, *more.order),
        )


def tuples(
    compiler: Compiler, expression: ast.Flwor, environment: Environment
) -> tuple[Rows, Environment, list[ast.Variable]]:
    """Returns the tuple stream after all clauses, whose item does not matter.

    Returns:
        the rows, what the variables stand for in one, and the variables of the clauses.
    """
    if len(expression.clauses) > _MOST_CLAUSES:
        raise NotCompiled(f"more than {_MOST_CLAUSES} clauses", expression.at)
    stream = _Stream(compiler, expression, environment)
    stream.take(len(expression.clauses))
    return stream.rows, stream.environment, stream.variables


def _flwor(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    rows, inner, _ = tuples(compiler, expression, environment)
    result = compiler.deduplicated(compiler.rows(expression.result, inner))
    sources = (*rows.sources, *result.sources)
    order = (*rows.order, *result.order) if result.sources else rows.order
    return Rows(
        result.item,
        sources,
        (*rows.conditions, *result.conditions),
        needed(order, result.item, sources),
    )


def _for(stream: _Stream, clause: ast.ForClause, _rest: Any) -> None:
    binding = clause.binding
    compiler = stream.compiler
    if binding.allows_empty:
        raise NotCompiled("allowing empty", binding.at)
    rows = compiler.deduplicated(compiler.rows(binding.expression, stream.environment))
    refuse_other_types(binding.type, rows.item, binding.at)
    if binding.position_variable is not None:
        if stream.rows.sources:
            raise NotCompiled("positions in an inner for clause", binding.at)
        rows, position = compiler.numbered(rows)
        stream.bind(binding.position_variable, Bound(Scalar(position, "integer", "big")))
    item = rows.item
    if isinstance(item, Scalar) and item.is_optional:
        item = replace(item, is_optional=False)  # rows without an item are none
    stream.extend(rows)
    stream.bind(binding.variable, Bound(item))


def _let(stream: _Stream, clause: ast.LetClause, rest: Any) -> None:
    assignment = clause.assignment
    variable, expression = assignment.variable, assignment.expression
    assert variable is not None  # noqa: S101 - the analysis binds each
    if assignment.type is not None:
        value = stream.compiler.exact(expression, stream.environment)
        refuse_other_types(assignment.type, value, assignment.at)
    if not is_read(variable, *rest):
        stream.compiler.rows(expression, stream.environment)  # what SQL cannot say may be an error
    binding: Binding = Lazy(expression, stream.environment)
    if stream.rows.sources and references(*rest)[variable] > 1:
        binding = _evaluated_once(stream, expression) or binding
    stream.bind(variable, binding)


def _evaluated_once(stream: _Stream, expression: ast.Expression) -> Binding | None:
    """Returns a subquery's value as a column, so that clauses after it do not ask it again."""
    try:
        if not isinstance(stream.compiler.rows(expression, stream.environment).item, Scalar):
            return None  # a node, which is more than its value
        value = stream.compiler.exact(expression, stream.environment)
    except NotCompiled:
        return None
    if value.divisor is not None or value.sql.find(exp.Select) is None:
        return Bound(value)
    derived = stream.compiler.emitter.derive(stream.rows, "tuples")
    column = derived.column(value.sql)
    stream.rows = Rows(_NOTHING, (derived,), order=stream.rows.order)
    return Bound(replace(value, sql=column))


def _where(stream: _Stream, clause: ast.WhereClause, _rest: Any) -> None:
    stream.rows = stream.rows.where(stream.compiler.condition(clause.condition, stream.environment))


def _group_by(stream: _Stream, clause: ast.GroupByClause, _rest: Any) -> None:
    compiler = stream.compiler
    stream.rows = compiler.placed(stream.rows)
    values = [_key(stream, key) for key in clause.keys]
    keys = tuple(value.sql for value in values)
    group = compiler.emitter.derive(stream.rows, "grouped", keys=keys)
    first = first_of(stream.rows.order)
    order = () if first is None else (group.column(first),)
    before = stream.environment

    def again() -> tuple[Rows, Environment, tuple[Scalar, ...]]:
        other = _Stream(compiler, stream.expression, stream.around)
        other.take(stream.expression.clauses.index(clause))
        return other.rows, other.environment, tuple(_key(other, key) for key in clause.keys)

    stream.rows = Rows(_NOTHING, (group,), order=order)
    stream.environment = before
    sources = {key.source for key in clause.keys}
    for old, new in clause.regrouped:
        if old not in sources:
            stream.bind(new, Grouped(before.variables[old], group, old, again))
    for key, value in zip(clause.keys, values, strict=True):
        stream.bind(key.variable, Bound(replace(value, sql=group.column(value.sql))))


def _key(stream: _Stream, key: ast.GroupingKey) -> Scalar:
    if key.collation is not None:
        raise NotCompiled("a collation", key.at)
    if key.expression is not None:
        value = stream.compiler.scalar(key.expression, stream.environment)
    else:
        reference = ast.VariableReference(at=key.at, end=key.at, name=key.name, variable=key.source)
        value = stream.compiler.scalar(reference, stream.environment)
    refuse_other_types(key.type, value, key.at)
    if value.divisor is not None or value.storage == "double":
        raise NotCompiled("groups by decimals or doubles", key.at)
    return value


def _order_by(stream: _Stream, clause: ast.OrderByClause, _rest: Any) -> None:
    keys: list[exp.Expr] = []
    for key in clause.keys:
        if key.collation is not None:
            raise NotCompiled("a collation", clause.at)
        value = stream.compiler.scalar(key.expression, stream.environment)
        keys += _sort_keys(stream.compiler, value, key.is_descending, bool(key.empty_least))
    stream.rows = replace(stream.rows, order=(*keys, *stream.rows.order))


def _sort_keys(
    compiler: Compiler, value: Scalar, is_descending: bool, empty_least: bool
) -> list[exp.Expr]:
    """Returns sort keys in which empty, then NaN, are the least or the greatest."""
    if value.type in {"untyped", "string"}:
        sql = text(compiler, value)
    elif value.divisor is not None:
        return [
            exp.Ordered(this=part, desc=is_descending, nulls_first=empty_least != is_descending)
            for part in quotient_in_parts(value.sql, value.divisor)
        ]
    else:
        sql = value.sql.copy()
    keys = [exp.Ordered(this=sql, desc=is_descending, nulls_first=empty_least != is_descending)]
    if value.storage == "double" and not isinstance(value.sql, exp.Cast):
        number = exp.Not(this=exp.func("isnan", sql.copy()))
        is_last = is_descending if empty_least else not is_descending
        keys.insert(
            0, exp.Ordered(this=number, desc=is_last, nulls_first=empty_least != is_descending)
        )
    return list(keys)


def _count(stream: _Stream, clause: ast.CountClause, _rest: Any) -> None:
    stream.rows, position = stream.compiler.numbered(stream.rows)
    stream.bind(clause.variable, Bound(Scalar(position, "integer", "big")))


def _map(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    entries = []
    for key, value in expression.entries:
        if not (isinstance(key, ast.Literal) and isinstance(key.value, str)):
            raise NotCompiled("a map whose keys are not constant strings", key.at)
        entries.append((key.value, entry(compiler, value, environment)))
    if len({name for name, _ in entries}) < len(entries):
        raise NotCompiled("a map with a key twice", expression.at)
    return Rows(MapEntries(tuple(entries)))


def _lookup(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    """Returns an entry of a map whose keys are known, for each such map."""
    rows = compiler.rows(expression.base, environment)
    if not isinstance(rows.item, MapEntries) or not isinstance(expression.key, str):
        raise NotCompiled(
            "a look-up in a value that is not a map with constant keys", expression.at
        )
    found = dict(rows.item.entries).get(expression.key)
    if found is None:
        raise NotCompiled("a look-up of a key that the map does not have", expression.at)
    value = compiler.rows_of_item(found.value if isinstance(found, LeafItem) else found)
    return replace(rows, item=found).where(*value.conditions)


def entry(
    compiler: Compiler, expression: ast.Expression, environment: Environment
) -> Scalar | LeafItem:
    """Returns a value of a map: one item at most, and an attribute or count stays a node."""
    rows = compiler.rows(expression, environment)
    if not rows.is_single:
        return _atomic(compiler.exact_single(rows), rows.item, expression.at)
    if isinstance(rows.item, LeafItem):
        value = compiler.single(rows)
        return replace(rows.item, value=value)
    return compiler.exact_single(rows)


def _atomic(value: Scalar, item: Item, at: int) -> Scalar:
    if isinstance(item, LeafItem):
        raise NotCompiled("a node of another row in a map", at)
    return value


_CLAUSES: dict[type, Callable[[_Stream, Any, Any], None]] = {
    ast.ForClause: _for,
    ast.LetClause: _let,
    ast.WhereClause: _where,
    ast.GroupByClause: _group_by,
    ast.OrderByClause: _order_by,
    ast.CountClause: _count,
}
ROWS = {ast.Flwor: _flwor, ast.Lookup: _lookup, ast.MapConstructor: _map}
