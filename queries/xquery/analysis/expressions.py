"""Rules of expressions that bind no variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.rules import operands_of, rule
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.types import KindTest, NameTest

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.scope import Scope
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__: list[str] = []

_MAX_ARITY = 1_000_000

rule(ast.Literal, ast.ContextItem, ast.Placeholder, ast.RootStep)(lambda _, leaf: leaf)
rule(ast.Parenthesized)(operands_of("inner"))
rule(ast.Sequence)(operands_of("items"))
rule(ast.DynamicCall)(operands_of("function", "arguments"))
rule(ast.MapConstructor)(operands_of("entries"))
rule(ast.ArrayConstructor)(operands_of("members"))
rule(ast.StringConstructor)(operands_of("parts"))
rule(ast.UnaryLookup)(operands_of("key"))
rule(ast.Lookup)(operands_of("base", "key"))
rule(ast.Predicate)(operands_of("base", "predicate"))
rule(ast.Path)(operands_of("steps"))
rule(ast.Range)(operands_of("first", "last"))
rule(ast.Unary)(operands_of("operand"))
rule(ast.If)(operands_of("condition", "then", "otherwise"))
rule(ast.Ordered)(operands_of("body"))
rule(ast.Logical, ast.StringConcatenation)(operands_of("operands"))
rule(
    ast.SimpleMap,
    ast.Comparison,
    ast.Arithmetic,
    ast.Binary,
)(operands_of("left", "right"))


@rule(ast.VariableReference)
def _reference(scope: Scope, node: ast.VariableReference) -> ast.Expression:
    variable = scope.find(node.name, node.at)
    return replace(node, name=variable.name, variable=variable)


@rule(ast.FunctionCall)
def _call(scope: Scope, node: ast.FunctionCall) -> ast.Expression:
    name = scope.function(
        node.name, len(node.arguments), node.at, is_called=_is_call(node.arguments)
    )
    return replace(node, name=name, arguments=scope.rewrite_all(node.arguments))


@rule(ast.ArrowCall)
def _arrow(scope: Scope, node: ast.ArrowCall) -> ast.Expression:
    first = scope.rewrite(node.first)
    function: Name | ast.Expression
    if isinstance(node.function, Name):
        arity = len(node.arguments) + 1
        is_called = _is_call(node.arguments)
        function = scope.function(node.function, arity, node.first.end, is_called=is_called)
    else:
        function = scope.rewrite(node.function)
    arguments = scope.rewrite_all(node.arguments)
    return replace(node, first=first, function=function, arguments=arguments)


def _is_call(arguments: tuple[ast.Expression, ...]) -> bool:
    """Tells whether a function is called with arguments, not partially applied to them."""
    return not any(isinstance(argument, ast.Placeholder) for argument in arguments)


@rule(ast.FunctionReference)
def _function_reference(scope: Scope, node: ast.FunctionReference) -> ast.Expression:
    if node.arity > _MAX_ARITY:
        message = f"no function has more than {_MAX_ARITY:,} parameters"
        raise scope.error("FOAR0002", message, node)
    name = scope.function(node.name, node.arity, node.at, is_called=False)
    return replace(node, name=name)


@rule(ast.AxisStep)
def _step(scope: Scope, node: ast.AxisStep) -> ast.Expression:
    if node.axis == "namespace" and scope.context.language == "xquery":
        raise scope.error("XQST0134", "XQuery has no namespace axis", node)
    test: NodeTest
    if isinstance(node.test, KindTest):
        test = scope.types.kind(node.test, node.at)
    else:
        default = "" if node.axis in ("attribute", "namespace") else scope.namespaces.element
        test = NameTest(scope.namespaces.expand(node.test.name, node.at, default))
    return replace(node, test=test, predicates=scope.rewrite_all(node.predicates))


@rule(ast.InstanceOf, ast.Treat)
def _sequence_type(scope: Scope, node: ast.InstanceOf | ast.Treat) -> ast.InstanceOf | ast.Treat:
    operand = scope.rewrite(node.operand)
    return replace(node, operand=operand, type=scope.types.sequence(node.type, operand.end))


@rule(ast.Cast, ast.Castable)
def _single_type(scope: Scope, node: ast.Cast | ast.Castable) -> ast.Cast | ast.Castable:
    operand = scope.rewrite(node.operand)
    return replace(node, operand=operand, type=scope.types.single(node.type, operand.end))


@rule(ast.Switch)
def _switch(scope: Scope, node: ast.Switch) -> ast.Expression:
    return replace(
        node,
        operand=scope.rewrite(node.operand),
        cases=tuple(
            [
                replace(
                    case,
                    operands=scope.rewrite_all(case.operands),
                    result=scope.rewrite(case.result),
                )
                for case in node.cases
            ]
        ),
        default=scope.rewrite(node.default),
    )


@rule(ast.Validate)
def _validate(scope: Scope, node: ast.Validate) -> ast.Expression:
    raise scope.error("XQST0075", "there is no validation: schemas cannot be imported", node)


@rule(ast.Extension)
def _extension(scope: Scope, node: ast.Extension) -> ast.Expression:
    """No pragma is known, so that the expression in braces counts."""
    pragmas = tuple(
        [
            replace(pragma, name=scope.namespaces.expand(pragma.name, pragma.at))
            for pragma in node.pragmas
        ]
    )
    if node.body is None:
        raise scope.error("XQST0079", "no known pragma, and no expression follows", node)
    return replace(node, pragmas=pragmas, body=scope.rewrite(node.body))
