"""Texts of expressions that keywords begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.unparsing.levels import Level, enclosed, write, writes
from jvmscope.queries.xquery.syntax.unparsing.names import name_text, quoted
from jvmscope.queries.xquery.syntax.unparsing.types import as_type, test_text, type_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__: list[str] = []

_Text = tuple[Level, str]


@writes(ast.If)
def _if(node: ast.If) -> _Text:
    condition = write(node.condition, Level.SEQUENCE)
    return Level.SINGLE, f"if ({condition}) then {write(node.then)} else {write(node.otherwise)}"


@writes(ast.Switch)
def _switch(node: ast.Switch) -> _Text:
    cases = []
    for case in node.cases:
        operands = "".join([f"case {write(operand)} " for operand in case.operands])
        cases.append(f"{operands}return {write(case.result)} ")
    operand = write(node.operand, Level.SEQUENCE)
    text = f"switch ({operand}) {''.join(cases)}default return {write(node.default)}"
    return Level.SINGLE, text


@writes(ast.Typeswitch)
def _typeswitch(node: ast.Typeswitch) -> _Text:
    cases = []
    for case in node.cases:
        name = "" if case.name is None else f"${name_text(case.name)} as "
        types = " | ".join([type_text(type_) for type_ in case.types])
        cases.append(f"case {name}{types} return {write(case.result)} ")
    default = "" if node.default.name is None else f"${name_text(node.default.name)} "
    operand = write(node.operand, Level.SEQUENCE)
    result = write(node.default.result)
    return Level.SINGLE, f"typeswitch ({operand}) {''.join(cases)}default {default}return {result}"


@writes(ast.TryCatch)
def _try(node: ast.TryCatch) -> _Text:
    clauses = []
    for clause in node.clauses:
        tests = " | ".join([test_text(test) for test in clause.tests])
        clauses.append(f" catch {tests} {enclosed(clause.body)}")
    return Level.SINGLE, f"try {enclosed(node.body)}{''.join(clauses)}"


@writes(ast.Quantified)
def _quantified(node: ast.Quantified) -> _Text:
    bindings = [
        f"${name_text(binding.name)}{as_type(binding.type)} in {write(binding.expression)}"
        for binding in node.bindings
    ]
    condition = write(node.condition)
    return Level.SINGLE, f"{node.quantifier} {', '.join(bindings)} satisfies {condition}"


@writes(ast.Validate)
def _validate(node: ast.Validate) -> _Text:
    type_name = "" if node.type_name is None else f" {name_text(node.type_name)}"
    return Level.VALUE, f"validate {node.mode}{type_name} {enclosed(node.body)}"


@writes(ast.Extension)
def _extension(node: ast.Extension) -> _Text:
    pragmas = [f"(# {name_text(pragma.name)} {pragma.content}#) " for pragma in node.pragmas]
    return Level.VALUE, f"{''.join(pragmas)}{enclosed(node.body)}"


# -- FLWOR


@writes(ast.Flwor)
def _flwor(node: ast.Flwor) -> _Text:
    clauses = [_CLAUSES[type(clause)](clause) for clause in node.clauses]
    return Level.SINGLE, f"{' '.join(clauses)} return {write(node.result)}"


def _for(clause: ast.ForClause) -> str:
    binding = clause.binding
    empty = " allowing empty" if binding.allows_empty else ""
    variable = f"${name_text(binding.name)}{as_type(binding.type)}{empty}"
    position = _after("at", binding.position)
    return f"for {variable}{position} in {write(binding.expression)}"


def _after(word: str, name: Name | None) -> str:
    return "" if name is None else f" {word} ${name_text(name)}"


def _let(clause: ast.LetClause) -> str:
    node = clause.assignment
    return f"let ${name_text(node.name)}{as_type(node.type)} := {write(node.expression)}"


def _window(clause: ast.WindowClause) -> str:
    kind = "sliding" if clause.is_sliding else "tumbling"
    variable = f"${name_text(clause.name)}{as_type(clause.type)}"
    text = f"for {kind} window {variable} in {write(clause.expression)}"
    text += f" start{_condition(clause.start)}"
    if clause.window_end is None:
        return text
    only = " only" if clause.only_end else ""
    return f"{text}{only} end{_condition(clause.window_end)}"


def _condition(node: ast.WindowCondition) -> str:
    item = "" if node.item is None else f" ${name_text(node.item)}"
    position, previous = _after("at", node.position), _after("previous", node.previous)
    return f"{item}{position}{previous}{_after('next', node.next)} when {write(node.when)}"


def _where(clause: ast.WhereClause) -> str:
    return f"where {write(clause.condition)}"


def _count(clause: ast.CountClause) -> str:
    return f"count ${name_text(clause.name)}"


def _group_by(clause: ast.GroupByClause) -> str:
    keys = []
    for key in clause.keys:
        value = "" if key.expression is None else f" := {write(key.expression)}"
        variable = f"${name_text(key.name)}{as_type(key.type)}"
        keys.append(f"{variable}{value}{_collation(key.collation)}")
    return f"group by {', '.join(keys)}"


def _collation(uri: str | None) -> str:
    return "" if uri is None else f" collation {quoted(uri)}"


def _order_by(clause: ast.OrderByClause) -> str:
    keys = []
    for key in clause.keys:
        text = write(key.expression) + (" descending" if key.is_descending else "")
        if key.empty_least is not None:
            text += f" empty {'least' if key.empty_least else 'greatest'}"
        keys.append(text + _collation(key.collation))
    return f"{'stable ' if clause.is_stable else ''}order by {', '.join(keys)}"


_CLAUSES: dict[type, Callable[[Any], str]] = {
    ast.ForClause: _for,
    ast.LetClause: _let,
    ast.WindowClause: _window,
    ast.WhereClause: _where,
    ast.CountClause: _count,
    ast.GroupByClause: _group_by,
    ast.OrderByClause: _order_by,
}
