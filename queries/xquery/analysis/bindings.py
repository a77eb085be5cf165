"""Rules of expressions that bind variables, FLWOR expressions apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.annotations import expand_annotations
from jvmscope.queries.xquery.analysis.name_expansion import XQUERY
from jvmscope.queries.xquery.analysis.rules import rule
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import ERR, XS, Name
from jvmscope.queries.xquery.syntax.types import (
    AnyItem,
    AtomicType,
    ItemSequence,
    KindTest,
    NameTest,
    Occurrence,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.scope import Scope
    from jvmscope.queries.xquery.syntax.types import NodeTest, SequenceType

__all__ = ["bind_parameters"]


def _atomic(local: str, occurrence: Occurrence = Occurrence.ONE) -> SequenceType:
    return ItemSequence(AtomicType(Name(local, "xs", XS)), occurrence)


_ERROR_VARIABLES = {
    "code": _atomic("QName"),
    "description": _atomic("string", Occurrence.OPTIONAL),
    "value": ItemSequence(AnyItem(), Occurrence.ANY),
    "module": _atomic("string", Occurrence.OPTIONAL),
    "line-number": _atomic("integer", Occurrence.OPTIONAL),
    "column-number": _atomic("integer", Occurrence.OPTIONAL),
    "additional": ItemSequence(AnyItem(), Occurrence.ANY),
}
"""The variables of a catch clause, in the namespace of errors (XQuery 3.1, section 3.17)."""


def bind_parameters(
    scope: Scope, parameters: tuple[ast.Parameter, ...]
) -> tuple[ast.Parameter, ...]:
    """Returns a function's parameters, bound and in scope.

    Raises:
        QueryError: XQST0039, two have one name.
    """
    bound = []
    names = set()
    for parameter in parameters:
        variable = scope.bind(parameter.name, parameter.type, parameter.at)
        if variable.name in names:
            message = f"two parameters are called ${variable.name}"
            raise scope.error_of_name("XQST0039", message, parameter.name, parameter.at)
        names.add(variable.name)
        bound.append(replace(parameter, name=variable.name, type=variable.type, variable=variable))
    return tuple(bound)


@rule(ast.InlineFunction)
def _inline_function(scope: Scope, node: ast.InlineFunction) -> ast.Expression:
    annotations = expand_annotations(node.annotations, scope.namespaces, scope.context.source)
    for annotation in annotations:
        if annotation.name.uri == XQUERY:
            message = "an inline function cannot be public or private"
            raise scope.error("XQST0125", message, annotation)
    with scope.block():
        return replace(
            node,
            annotations=annotations,
            parameters=bind_parameters(scope, node.parameters),
            result=scope.types.optional(node.result, node.at),
            body=scope.rewrite(node.body),
        )


@rule(ast.Quantified)
def _quantified(scope: Scope, node: ast.Quantified) -> ast.Expression:
    with scope.block():
        bindings = []
        for binding in node.bindings:
            expression = scope.rewrite(binding.expression)
            variable = scope.bind(binding.name, binding.type, binding.at)
            bindings.append(
                replace(
                    binding,
                    name=variable.name,
                    type=variable.type,
                    expression=expression,
                    variable=variable,
                )
            )
        condition = scope.rewrite(node.condition)
    return replace(node, bindings=tuple(bindings), condition=condition)


@rule(ast.Typeswitch)
def _typeswitch(scope: Scope, node: ast.Typeswitch) -> ast.Expression:
    return replace(
        node,
        operand=scope.rewrite(node.operand),
        cases=tuple([_case(scope, case) for case in node.cases]),
        default=_case(scope, node.default),
    )


def _case(scope: Scope, case: ast.Case) -> ast.Case:
    types = tuple([scope.types.sequence(type_, case.at) for type_ in case.types])
    with scope.block():
        variable = None
        if case.name is not None:
            known = types[0] if len(types) == 1 else None
            name = scope.namespaces.expand(case.name, case.at)
            variable = ast.Variable(name, known)
            scope.enter(variable)
        return replace(
            case,
            name=variable.name if variable else None,
            types=types,
            result=scope.rewrite(case.result),
            variable=variable,
        )


@rule(ast.TryCatch)
def _try(scope: Scope, node: ast.TryCatch) -> ast.Expression:
    return replace(
        node,
        body=scope.rewrite(node.body),
        clauses=tuple([_catch(scope, clause) for clause in node.clauses]),
    )


def _catch(scope: Scope, clause: ast.CatchClause) -> ast.CatchClause:
    variables = []
    with scope.block():
        for local, type_ in _ERROR_VARIABLES.items():
            variable = ast.Variable(Name(local, "err", ERR), type_)
            scope.enter(variable)
            variables.append((local, variable))
        return replace(
            clause,
            tests=tuple([_error_test(scope, test, clause.at) for test in clause.tests]),
            body=scope.rewrite(clause.body),
            variables=tuple(variables),
        )


def _error_test(scope: Scope, test: NodeTest, at: int) -> NodeTest:
    if isinstance(test, KindTest):
        return test
    return NameTest(scope.namespaces.expand(test.name, at))
