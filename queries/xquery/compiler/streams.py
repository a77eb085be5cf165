"""FLWOR expressions whose clauses are SQL and whose ``return`` is left to trees.

What ``return`` needs of a tuple comes as a map: the values of those of its expressions that
compile, and the nodes and values of variables that the rest of it reads.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.compiler.environment import Bound, Grouped, Tuples
from jvmscope.queries.xquery.compiler.flwor import entry, tuples
from jvmscope.queries.xquery.compiler.lookups import by_key
from jvmscope.queries.xquery.compiler.references import references, rewritten
from jvmscope.queries.xquery.compiler.values import (
    LeafItem,
    MapEntries,
    NotCompiled,
    RowItem,
    Scalar,
)
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.values import Entry, Rows

__all__ = ["streamed"]

_VALUED = (ast.FunctionCall, ast.Path, ast.Arithmetic, ast.Quantified, ast.Comparison)


def streamed(
    compiler: Compiler, flwor: ast.Flwor, environment: Environment, tuples_: ast.Expression
) -> tuple[Rows, ast.Expression]:
    """Returns the tuples of a FLWOR as maps, and the expression that makes its result of them.

    Args:
        compiler: compiles the clauses.
        flwor: the expression.
        environment: what is around it.
        tuples_: stands for the maps in the result.

    Raises:
        NotCompiled: a clause has no form in SQL, or ``return`` reads more than one node or value
            of a variable.
    """
    rows, inner, variables = tuples(compiler, flwor, environment)
    entries: list[tuple[str, Entry]] = []
    bindings: list[tuple[ast.Variable, str]] = []

    def bind(variable: ast.Variable, value: Entry) -> None:
        key = f"v{len(entries)}"
        entries.append((key, value))
        bindings.append((variable, key))

    def valued(node: Any) -> ast.Expression | None:
        if not isinstance(node, _VALUED) or references(node).keys().isdisjoint(variables):
            return None
        try:
            if not by_key(compiler.emitter, compiler.rows(node, inner)).is_single:
                return None
            value = entry(compiler, node, inner)
        except NotCompiled:
            return None
        variable = ast.Variable(Name(f"v{len(entries)}", "", ""))
        bind(variable, value)
        return _reference(node, variable)

    result = rewritten(flwor.result, valued)
    for variable in references(result):
        if variable in variables:
            bind(variable, _whole(compiler, variable, inner, flwor.at))
    row = ast.Variable(Name("tuple", "", ""))
    clauses = (
        _for(flwor, row, tuples_),
        *(_let(flwor, variable, row, key) for variable, key in bindings),
    )
    rest = ast.Flwor(at=flwor.at, end=flwor.end, clauses=clauses, result=result)
    return replace(rows, item=MapEntries(tuple(entries))), rest


def _whole(compiler: Compiler, variable: ast.Variable, environment: Environment, at: int) -> Entry:
    """Returns the one node or value, or none, that a variable is in each tuple."""
    binding = environment.bound(variable)
    if binding is None or isinstance(binding, (Grouped, Tuples)):
        raise NotCompiled("the contents of a group", at)
    if isinstance(binding, Bound):
        if binding.is_many or not isinstance(binding.item, (Scalar, LeafItem, RowItem)):
            raise NotCompiled("the contents of a group", at)
        return binding.item
    rows = compiler.rows(binding.expression, binding.environment)
    if not rows.is_single or isinstance(rows.item, RowItem):
        raise NotCompiled("a sequence in a variable", at)
    return entry(compiler, binding.expression, binding.environment)


def _reference(at: ast.Expression, variable: ast.Variable) -> ast.Expression:
    return ast.VariableReference(at=at.at, end=at.end, name=variable.name, variable=variable)


def _for(flwor: ast.Flwor, row: ast.Variable, tuples_: ast.Expression) -> ast.Clause:
    binding = ast.ForBinding(
        at=flwor.at,
        name=row.name,
        type=None,
        allows_empty=False,
        position=None,
        expression=tuples_,
        variable=row,
    )
    return ast.ForClause(binding=binding)


def _let(flwor: ast.Flwor, variable: ast.Variable, row: ast.Variable, key: str) -> ast.Clause:
    value = ast.Lookup(at=flwor.at, end=flwor.end, base=_reference(flwor, row), key=key)
    assignment = ast.Assignment(
        at=flwor.at, name=variable.name, type=None, expression=value, variable=variable
    )
    return ast.LetClause(assignment=assignment)
