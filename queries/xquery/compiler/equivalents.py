"""Expressions that are another way to write what the compiler knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.compiler.values import NotCompiled
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["equivalent"]


def equivalent(expression: ast.Expression) -> ast.Expression | None:
    """Returns an expression with the same meaning in other words, or None.

    Raises:
        NotCompiled: those words would be of what the compiler does not know.
    """
    if isinstance(expression, ast.Switch):
        return _switch(expression)
    if isinstance(expression, ast.FunctionCall) and expression.name.uri == FN:
        rewrite = _CALLS.get((expression.name.local, len(expression.arguments)))
        return None if rewrite is None else rewrite(expression)
    return None


def _switch(switch: ast.Switch) -> ast.Expression:
    """Returns an ``if`` for each case."""
    result = switch.default
    for case in reversed(switch.cases):
        tests = [
            ast.Comparison(
                at=operand.at, end=operand.end, operator="eq", left=switch.operand, right=operand
            )
            for operand in case.operands
        ]
        condition: ast.Expression = tests[0]
        if len(tests) > 1:
            condition = ast.Logical(
                at=switch.at, end=switch.end, operator="or", operands=tuple(tests)
            )
        result = ast.If(
            at=switch.at, end=switch.end, condition=condition, then=case.result, otherwise=result
        )
    return result


def _for_each(call: ast.FunctionCall) -> ast.Expression:
    """Returns ``for $item in sequence return body``."""
    sequence, function = call.arguments
    parameter, body = _of_one(function)
    return _flwor(call, parameter, sequence, (), body)


def _sort(call: ast.FunctionCall) -> ast.Expression:
    """Returns ``for $item in sequence order by key return $item``."""
    if len(call.arguments) > 1 and not _is_empty(call.arguments[1]):
        raise NotCompiled("a collation", call.at)
    if len(call.arguments) > 2:
        parameter, key = _of_one(call.arguments[2])
    else:
        parameter = _parameter(call)
        key = _reference(call, parameter)
    order = ast.OrderByClause(
        at=call.at,
        is_stable=True,
        keys=(ast.OrderKey(expression=key, is_descending=False, empty_least=True, collation=None),),
    )
    return _flwor(call, parameter, call.arguments[0], (order,), _reference(call, parameter))


def _of_one(function: ast.Expression) -> tuple[ast.Parameter, ast.Expression]:
    """Returns the parameter and the body of an inline function of one argument."""
    if not isinstance(function, ast.InlineFunction) or function.body is None:
        raise NotCompiled("a function that is a value", function.at)
    if len(function.parameters) != 1 or function.parameters[0].type or function.result:
        raise NotCompiled("an inline function with types", function.at)
    return function.parameters[0], function.body


def _parameter(call: ast.FunctionCall) -> ast.Parameter:
    name = call.name
    return ast.Parameter(at=call.at, name=name, variable=ast.Variable(name))


def _reference(call: ast.FunctionCall, parameter: ast.Parameter) -> ast.Expression:
    return ast.VariableReference(
        at=call.at, end=call.end, name=parameter.name, variable=parameter.variable
    )


def _flwor(
    call: ast.FunctionCall,
    parameter: ast.Parameter,
    sequence: ast.Expression,
    clauses: tuple[ast.Clause, ...],
    result: ast.Expression,
) -> ast.Expression:
    binding = ast.ForBinding(
        at=call.at,
        name=parameter.name,
        type=None,
        allows_empty=False,
        position=None,
        expression=sequence,
        variable=parameter.variable,
    )
    all_clauses = (ast.ForClause(binding=binding), *clauses)
    return ast.Flwor(at=call.at, end=call.end, clauses=all_clauses, result=result)


def _is_empty(expression: ast.Expression) -> bool:
    return isinstance(expression, ast.Parenthesized) and expression.inner is None


_CALLS: dict[tuple[str, int], Callable[[ast.FunctionCall], ast.Expression]] = {
    ("for-each", 2): _for_each,
    ("sort", 1): _sort,
    ("sort", 2): _sort,
    ("sort", 3): _sort,
}
