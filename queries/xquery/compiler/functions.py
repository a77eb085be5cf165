"""Calls: built-in functions that SQL knows, aggregates, and declared functions, inlined."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler import aggregates, positions, texts
from jvmscope.queries.xquery.compiler.emission import ordering, turned
from jvmscope.queries.xquery.compiler.environment import Environment, Lazy
from jvmscope.queries.xquery.compiler.operators import as_type
from jvmscope.queries.xquery.compiler.quotients import rounded
from jvmscope.queries.xquery.compiler.references import is_read
from jvmscope.queries.xquery.compiler.relations import documents
from jvmscope.queries.xquery.compiler.texts import argument_of
from jvmscope.queries.xquery.compiler.typing import refuse_other_rows
from jvmscope.queries.xquery.compiler.values import (
    DocumentItem,
    LeafItem,
    NotCompiled,
    RowItem,
    Rows,
    Scalar,
    atom,
    cast,
    literal,
)
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN, FUNCTX, XS

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.compiler.compiler import Compiler

__all__ = ["ROWS", "condition", "is_condition", "is_scalar", "scalar"]

_MAX_INLINED = 32  # calls inside calls; a recursive function runs on trees


def is_scalar(call: ast.FunctionCall) -> bool:
    """Tells a call that has one value at most."""
    name = call.name
    if name.uri == XS and len(call.arguments) == 1:
        return True
    return name.uri == FN and (name.local in _SCALARS or name.local in aggregates.NAMES)


def is_condition(call: ast.FunctionCall) -> bool:
    """Tells a call that is true or false."""
    return call.name.uri == FN and call.name.local in _CONDITIONS


def scalar(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    """Returns a call's value."""
    local = call.name.local
    if call.name.uri == XS:
        return as_type(compiler, compiler.scalar(call.arguments[0], environment), local, call.at)
    if local in aggregates.NAMES:
        return aggregates.aggregate(compiler, call, environment)
    return _SCALARS[local](compiler, call, environment)


def condition(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
    """Returns whether a call is true."""
    return _CONDITIONS[call.name.local](compiler, call, environment)


def _rows(compiler: Compiler, call: Any, environment: Environment) -> Rows:
    """Returns the items of a call, which may be of any kind."""
    if is_scalar(call):
        return compiler.rows_of_item(scalar(compiler, call, environment))
    if is_condition(call):
        sql = condition(compiler, call, environment)
        return Rows(Scalar(sql, "boolean", "boolean"))
    if any(isinstance(argument, ast.Placeholder) for argument in call.arguments):
        raise NotCompiled("a partial application", call.at)
    if call.name.uri in {FN, FUNCTX} and (found := _SEQUENCES.get(call.name.local)):
        return found(compiler, call, environment)
    declaration = compiler.declared.get((call.name, len(call.arguments)))
    if declaration is not None:
        return _inlined(compiler, call, declaration, environment)
    raise NotCompiled(f"the function {call.name}", call.at)


def _inlined(
    compiler: Compiler,
    call: ast.FunctionCall,
    declaration: ast.FunctionDeclaration,
    environment: Environment,
) -> Rows:
    """Returns the body's rows, parameters standing for the arguments' expressions."""
    if declaration.body is None:
        raise NotCompiled(f"the function {call.name}", call.at)
    if compiler.depth == _MAX_INLINED:
        reason = f"the function {call.name}, called in more than {_MAX_INLINED} others or itself"
        raise NotCompiled(reason, call.at)
    globals_ = {v: b for v, b in environment.variables.items() if v.is_global}
    inner = Environment(globals_)
    for parameter, argument in zip(declaration.parameters, call.arguments, strict=True):
        assert parameter.variable is not None  # noqa: S101 - the analysis binds each
        if parameter.type is not None:
            refuse_other_rows(parameter.type, compiler.rows(argument, environment), argument.at)
        if not is_read(parameter.variable, declaration.body):
            compiler.rows(argument, environment)  # what SQL cannot say may be an error
        inner = inner.bind(parameter.variable, Lazy(argument, environment))
    compiler.depth += 1
    try:
        rows = compiler.rows(declaration.body, inner)
        refuse_other_rows(declaration.result, rows, call.at)
        return rows
    finally:
        compiler.depth -= 1


# -- functions with one value


def _data(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(argument_of(call), environment))
    return replace(rows, item=atom(rows.item))


def _rounded(name: str) -> Callable[[Compiler, ast.FunctionCall, Environment], Scalar]:
    def compiled(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
        value = compiler.scalar(call.arguments[0], environment)
        if len(call.arguments) > 1 or value.type not in {"integer", "decimal"}:
            raise NotCompiled(f"fn:{name} of {value.type}", call.at)
        if value.divisor is None:
            is_plain = name == "round" and value.type == "integer"
            return replace(value, subtype=None) if is_plain else value
        sql = rounded(name, value.sql, value.divisor)
        return replace(value, sql=sql, divisor=None, storage="huge")

    return compiled


def _abs(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    value = compiler.scalar(call.arguments[0], environment)
    if value.type != "integer":
        raise NotCompiled(f"fn:abs of {value.type}", call.at)
    return replace(value, sql=exp.Abs(this=value.sql.copy()), subtype=None)


def _number(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    value = compiler.scalar(argument_of(call), environment)
    found = as_type(compiler, value, "double", call.at)
    if not found.is_optional:
        return found
    sql = exp.Coalesce(this=found.sql, expressions=[cast(literal("NaN"), "DOUBLE")])
    return Scalar(sql, "double", "double")


def _local_name(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Scalar:
    rows = compiler.rows(argument_of(call), environment)
    if not rows.is_single or rows.conditions:
        raise NotCompiled("the name of a node that may be absent", call.at)
    if isinstance(rows.item, RowItem):
        local, prefix = rows.item.relation.element, "dcg:"
    elif isinstance(rows.item, LeafItem):
        local, prefix = rows.item.leaf.name, "" if rows.item.is_attribute else "dcg:"
    else:
        raise NotCompiled("the name of another node", call.at)
    shown = local if call.name.local == "local-name" else prefix + local
    return Scalar(literal(shown), "string", "text")


# -- functions that are true or false


def _not(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
    return exp.Not(this=exp.Paren(this=compiler.condition(call.arguments[0], environment)))


def _boolean(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
    return compiler.condition(call.arguments[0], environment)


def _exists(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
    return compiler.exists(compiler.rows(call.arguments[0], environment))


def _empty(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> exp.Expr:
    return exp.Not(this=exp.Paren(this=_exists(compiler, call, environment)))


def _constant(*, is_true: bool) -> Callable[..., exp.Expr]:
    return lambda *_: exp.true() if is_true else exp.false()


# -- functions with any number of items


def _doc(_compiler: Compiler, call: ast.FunctionCall, _environment: Environment) -> Rows:
    argument = call.arguments[0]
    if isinstance(argument, ast.Literal) and argument.value in documents():
        return Rows(DocumentItem(documents()[str(argument.value)]))
    raise NotCompiled("a document that is not the run's", call.at)


def _distinct_values(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    """Returns each value once, where it is first: its order is the implementation's choice."""
    if len(call.arguments) != 1:
        raise NotCompiled("a collation", call.at)
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    rows = compiler.placed(rows)
    value = atom(rows.item)
    if value.divisor is not None or value.storage == "double":
        raise NotCompiled("distinct decimals or doubles", call.at)
    derived = compiler.emitter.derive(rows, "distinct", keys=(value.sql,))
    first = aggregates.first_of(rows.order)
    order = () if first is None else (derived.column(first),)
    return Rows(replace(value, sql=derived.column(value.sql)), (derived,), order=order)


def _distinct_nodes(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    """Returns each node once, where it is first."""
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    row = rows.item.row if isinstance(rows.item, LeafItem) else rows.item
    if not isinstance(row, RowItem):
        raise NotCompiled("distinct nodes of a sequence of values", call.at)
    if rows.order == row.keys:
        return rows
    rows = compiler.placed(rows)
    keys = row.keys
    derived = compiler.emitter.derive(rows, "distinct", keys=keys)
    first = aggregates.first_of(rows.order)
    order = () if first is None else (derived.column(first),)
    again, copy = compiler.join(Rows(row, (derived,)), row.relation)
    conditions = [
        exp.EQ(this=there, expression=derived.column(here))
        for there, here in zip(copy.keys, keys, strict=True)
    ]
    if isinstance(rows.item, LeafItem):
        raise NotCompiled("distinct attributes", call.at)
    return replace(again.where(*conditions), order=order)


def _subsequence(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    bounds = [compiler.scalar(argument, environment) for argument in call.arguments[1:]]
    if any(bound.storage not in {"int", "big", "huge"} or bound.divisor for bound in bounds):
        raise NotCompiled("positions that are not whole numbers", call.at)
    if any(bound.is_optional for bound in bounds):
        raise NotCompiled("a position that may be absent", call.at)
    length = bounds[1].sql if len(bounds) > 1 else None
    return positions.between(compiler, rows, bounds[0].sql, length)


def _head(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    return positions.between(compiler, rows, literal(1), literal(1))


def _reverse(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    if not rows.is_single and not rows.order:
        raise NotCompiled("the reverse of an unordered sequence", call.at)
    keys = ordering(rows.order)
    return replace(rows, order=tuple(turned(key) for key in keys))


def _tail(compiler: Compiler, call: ast.FunctionCall, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(call.arguments[0], environment))
    return positions.between(compiler, rows, literal(2), None)


_SCALARS: dict[str, Callable[[Compiler, ast.FunctionCall, Environment], Scalar]] = {
    "ceiling": _rounded("ceiling"),
    "floor": _rounded("floor"),
    "round": _rounded("round"),
    "abs": _abs,
    "local-name": _local_name,
    "name": _local_name,
    "number": _number,
    **texts.SCALARS,
}
_CONDITIONS: dict[str, Callable[[Compiler, ast.FunctionCall, Environment], exp.Expr]] = {
    "not": _not,
    "boolean": _boolean,
    "exists": _exists,
    "empty": _empty,
    "true": _constant(is_true=True),
    "false": _constant(is_true=False),
    **texts.CONDITIONS,
}
_SEQUENCES: dict[str, Callable[[Compiler, ast.FunctionCall, Environment], Rows]] = {
    "doc": _doc,
    "data": _data,
    "distinct-values": _distinct_values,
    "distinct-nodes": _distinct_nodes,
    "subsequence": _subsequence,
    "head": _head,
    "reverse": _reverse,
    "tail": _tail,
}
ROWS: dict[type, Callable[..., Rows]] = {ast.FunctionCall: _rows}
