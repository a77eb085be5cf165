"""Types of what chooses or repeats: conditionals, switches, try, quantifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.bounds import (
    atomic,
    either,
    one_of_many,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []


@types(ast.If)
def _if(found: Types, node: ast.If, focus: _Focus) -> SequenceType:
    found.find(node.condition, focus)
    return either(found.find_all((node.then, node.otherwise), focus))


@types(ast.Switch)
def _switch(found: Types, node: ast.Switch, focus: _Focus) -> SequenceType:
    found.find(node.operand, focus)
    for case in node.cases:
        found.find_all(case.operands, focus)
    return either(found.find_all((*[case.result for case in node.cases], node.default), focus))


@types(ast.Typeswitch)
def _typeswitch(found: Types, node: ast.Typeswitch, focus: _Focus) -> SequenceType:
    operand = found.find(node.operand, focus)
    results = []
    for case in (*node.cases, node.default):
        found.bind(case.variable, either(case.types) if case.types else operand)
        results.append(found.find(case.result, focus))
    return either(results)


@types(ast.TryCatch)
def _try(found: Types, node: ast.TryCatch, focus: _Focus) -> SequenceType:
    bodies = (node.body, *[clause.body for clause in node.clauses])
    return either([found.find(body, focus) for body in bodies])


@types(ast.Quantified)
def _quantified(found: Types, node: ast.Quantified, focus: _Focus) -> SequenceType:
    for binding in node.bindings:
        found.bind(binding.variable, one_of_many(found.find(binding.expression, focus)))
    found.find(node.condition, focus)
    return atomic("boolean")


@types(ast.Ordered, ast.Extension)
def _body(found: Types, node: ast.Ordered | ast.Extension, focus: _Focus) -> SequenceType:
    return found.find(node.body, focus)
