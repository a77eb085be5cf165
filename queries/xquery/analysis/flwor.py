"""The rule of FLWOR expressions: clauses bind variables for those after them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.analysis.collations import absolute_collation
from jvmscope.queries.xquery.analysis.rules import rule
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.analysis.scope import Scope
    from jvmscope.queries.xquery.syntax.ast import Variable
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__: list[str] = []


class _TupleStream:
    """The variables of one FLWOR expression's tuples, in order; one of each name."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.variables: dict[Name, Variable] = {}

    def bind(self, name: Name, type_: Any, at: int) -> Variable:
        """Adds a new variable, which hides one of the same name."""
        variable = self.scope.bind(name, type_, at)
        self.variables[variable.name] = variable
        return variable

    def enter(self, variable: Variable) -> None:
        """Adds a variable."""
        self.scope.enter(variable)
        self.variables[variable.name] = variable


@rule(ast.Flwor)
def _flwor(scope: Scope, node: ast.Flwor) -> ast.Expression:
    with scope.block():
        stream = _TupleStream(scope)
        clauses = tuple([_CLAUSES[type(clause)](stream, clause) for clause in node.clauses])
        return replace(node, clauses=clauses, result=scope.rewrite(node.result))


def _for(stream: _TupleStream, clause: ast.ForClause) -> ast.ForClause:
    binding = clause.binding
    expression = stream.scope.rewrite(binding.expression)
    variable = stream.bind(binding.name, binding.type, binding.at)
    position = None
    if binding.position is not None:
        position = stream.bind(binding.position, None, binding.at)
        if position.name == variable.name:
            message = f"both the item and its position are called ${position.name}"
            raise stream.scope.error("XQST0089", message, binding)
    binding = replace(
        binding,
        name=variable.name,
        type=variable.type,
        position=position.name if position else None,
        expression=expression,
        variable=variable,
        position_variable=position,
    )
    return replace(clause, binding=binding)


def _let(stream: _TupleStream, clause: ast.LetClause) -> ast.LetClause:
    assignment = clause.assignment
    expression = stream.scope.rewrite(assignment.expression)
    variable = stream.bind(assignment.name, assignment.type, assignment.at)
    assignment = replace(
        assignment,
        name=variable.name,
        type=variable.type,
        expression=expression,
        variable=variable,
    )
    return replace(clause, assignment=assignment)


def _where(stream: _TupleStream, clause: ast.WhereClause) -> ast.WhereClause:
    return replace(clause, condition=stream.scope.rewrite(clause.condition))


def _count(stream: _TupleStream, clause: ast.CountClause) -> ast.CountClause:
    variable = stream.bind(clause.name, None, clause.at)
    return replace(clause, name=variable.name, variable=variable)


def _window(stream: _TupleStream, clause: ast.WindowClause) -> ast.WindowClause:
    """The window's variable is not in scope in its conditions; a start's are at its end."""
    scope = stream.scope
    expression = scope.rewrite(clause.expression)
    type_ = scope.types.optional(clause.type, clause.at)
    variable = ast.Variable(scope.namespaces.expand(clause.name, clause.at), type_)
    names = {variable.name}
    start = _condition(stream, clause.start, names)
    end = _condition(stream, clause.window_end, names) if clause.window_end else None
    stream.enter(variable)
    return replace(
        clause,
        name=variable.name,
        type=type_,
        expression=expression,
        start=start,
        window_end=end,
        variable=variable,
    )


def _condition(
    stream: _TupleStream, condition: ast.WindowCondition, names: set[Name]
) -> ast.WindowCondition:
    bound: dict[str, Any] = {}
    for role in ("item", "position", "previous", "next"):
        name = getattr(condition, role)
        if name is None:
            continue
        variable = stream.bind(name, None, condition.at)
        if variable.name in names:
            message = f"two variables of a window are called ${variable.name}"
            raise stream.scope.error_of_name("XQST0103", message, name, condition.at)
        names.add(variable.name)
        bound[role] = variable.name
        bound[f"{role}_variable"] = variable
    return replace(condition, when=stream.scope.rewrite(condition.when), **bound)


def _group_by(stream: _TupleStream, clause: ast.GroupByClause) -> ast.GroupByClause:
    """A key with a value is a ``let`` before the grouping; all other variables start anew."""
    before = stream.variables
    keys = [_key(stream, key) for key in clause.keys]
    key_names = {key.name for key in keys}
    regrouped = []
    stream.variables = {}
    for name, old in before.items():
        if name not in key_names:
            new = ast.Variable(name)
            stream.enter(new)
            regrouped.append((old, new))
    for key in keys:
        if key.variable is not None:
            stream.enter(key.variable)
    return replace(clause, keys=tuple(keys), regrouped=tuple(regrouped))


def _key(stream: _TupleStream, key: ast.GroupingKey) -> ast.GroupingKey:
    scope = stream.scope
    collation = absolute_collation(scope, key.collation, key)
    if key.expression is not None:
        expression = scope.rewrite(key.expression)
        variable = stream.bind(key.name, key.type, key.at)
        return replace(
            key,
            name=variable.name,
            type=variable.type,
            expression=expression,
            collation=collation,
            variable=variable,
        )
    name = scope.namespaces.expand(key.name, key.at)
    source = stream.variables.get(name)
    if source is None:
        message = f"${name} is not bound by a clause before, so nothing is grouped by it"
        raise scope.error_of_name("XQST0094", message, key.name, key.at)
    variable = ast.Variable(name)
    return replace(key, name=name, collation=collation, variable=variable, source=source)


def _order_by(stream: _TupleStream, clause: ast.OrderByClause) -> ast.OrderByClause:
    scope = stream.scope
    default = scope.context.empty_least
    keys = [
        replace(
            key,
            expression=scope.rewrite(key.expression),
            empty_least=default if key.empty_least is None else key.empty_least,
            collation=absolute_collation(scope, key.collation, clause),
        )
        for key in clause.keys
    ]
    return replace(clause, keys=tuple(keys))


_CLAUSES: dict[type, Callable[[_TupleStream, Any], Any]] = {
    ast.ForClause: _for,
    ast.LetClause: _let,
    ast.WindowClause: _window,
    ast.WhereClause: _where,
    ast.GroupByClause: _group_by,
    ast.OrderByClause: _order_by,
    ast.CountClause: _count,
}
