"""Variables of the tuples in a group, and aggregates over them.

After ``group by`` a variable is the sequence of what it was in each tuple of the group. There are
two ways to aggregate such a sequence, or what is made of it:

* Tuple by tuple, as a column of the grouping's own SELECT. That is right where the items come
  from the tuples one by one, and where no path meets a node of another tuple again.
* As rows: the tuples are compiled once more, under other names, and become a sequence like any
  other, which must have the keys of the group, and positions in which count within the group. It
  costs another join, and is right for all that reads the sequence in one place; items of the
  sequence that are returned are found so, too.

What reads it in several places is left to trees.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.determined import tells_tuples
from jvmscope.queries.xquery.compiler.environment import Bound, Grouped, Lazy, Tuples
from jvmscope.queries.xquery.compiler.positions import is_positional
from jvmscope.queries.xquery.compiler.references import references, rewritten, walk
from jvmscope.queries.xquery.compiler.values import NotCompiled, Rows, literal
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.sources import Derived
    from jvmscope.queries.xquery.compiler.values import Scalar

__all__ = ["Group", "group_of", "in_group", "spelled_out", "tuple_by_tuple"]

_MOST_SPELLED_OUT = 20
_FILLERS: dict[str, str | bool] = {"text": "", "flag": False, "boolean": False}


class Group(NamedTuple):
    """A grouping whose tuples an expression reads, and its variables there."""

    derived: Derived
    variables: dict[ast.Variable, Grouped]


def spelled_out(argument: ast.Expression, environment: Environment) -> ast.Expression:
    """Returns an expression in which variables that stand for the contents of a group are replaced.

    They are those of ``let`` clauses after ``group by``.
    """

    def change(node: ast.Expression) -> ast.Expression | None:
        if not isinstance(node, ast.VariableReference):
            return None
        binding = environment.bound(node.variable)
        if not isinstance(binding, Lazy) or not _means_the_same(binding, environment):
            return None
        if not any(_is_of_group(binding.environment, v) for v in references(binding.expression)):
            return None
        return ast.Parenthesized(at=node.at, end=node.end, inner=binding.expression)

    for _ in range(_MOST_SPELLED_OUT):
        found: ast.Expression = rewritten(argument, change)
        if found is argument:
            break
        argument = found
    return argument


def _is_of_group(environment: Environment, variable: ast.Variable) -> bool:
    """Tells whether a variable stands for the contents of a group, or is computed of such a one."""
    binding = environment.bound(variable)
    if isinstance(binding, Lazy):
        inner = binding.environment
        return any(_is_of_group(inner, other) for other in references(binding.expression))
    return isinstance(binding, Grouped)


def _means_the_same(binding: Lazy, environment: Environment) -> bool:
    """Tells whether the expression of a variable means the same where the variable is read."""
    return not any(isinstance(node, ast.ContextItem) for node in walk(binding.expression)) and all(
        binding.environment.bound(variable) is environment.bound(variable)
        for variable in references(binding.expression)
        if binding.environment.bound(variable) is not None
    )


def group_of(argument: ast.Expression, environment: Environment) -> Group | None:
    """Returns the grouping whose tuples an expression reads, None if it reads none."""
    found = {
        variable: binding
        for variable in references(argument)
        if isinstance(binding := environment.variables.get(variable), Grouped)
    }
    if len({binding.group.name for binding in found.values()}) > 1:
        raise NotCompiled("variables of two groupings at once", argument.at)
    return Group(next(iter(found.values())).group, found) if found else None


# -- tuple by tuple


def tuple_by_tuple(
    argument: ast.Expression, group: Group, environment: Environment, *, is_sorted: bool
) -> Environment | None:
    """Returns what variables are in each tuple, None if the argument is more than its tuples.

    It must come item by item from one variable, and a path in it must begin with nodes of which
    no two tuples have the same. A path sorts its nodes, which matters if ``is_sorted``.
    """
    if sum(references(argument)[variable] for variable in group.variables) > 1:
        return None
    found = _streamed(argument)
    if found is None or found[0].variable not in group.variables:
        return None
    reference, has_path = found
    grouped = environment.bound(reference.variable)
    binding = grouped.binding if isinstance(grouped, Grouped) else None
    if has_path and is_sorted:
        return None
    if has_path and not (
        isinstance(binding, Bound) and tells_tuples(binding.item, group.derived.rows)
    ):
        return None
    inside = environment
    for variable, outer in environment.variables.items():
        if isinstance(outer, Grouped) and outer.group is group.derived:
            inner = outer.binding
            inner = replace(inner, is_many=True) if isinstance(inner, Bound) else inner
            inside = inside.bind(variable, inner)
    return inside


def _streamed(expression: ast.Expression) -> tuple[ast.VariableReference, bool] | None:
    """Returns the variable from whose items the expression's come one by one, and if on a path."""
    if isinstance(expression, ast.VariableReference):
        return expression, False
    if isinstance(expression, ast.Path):
        found = _streamed(expression.steps[0]) if _is_bare(expression.steps[0]) else None
        return None if found is None else (found[0], True)
    base = _base(expression)
    return None if base is None else _streamed(base)


def _base(expression: ast.Expression) -> ast.Expression | None:
    if isinstance(expression, ast.Parenthesized):
        return expression.inner
    if isinstance(expression, ast.Predicate):
        return None if is_positional(expression.predicate) else expression.base
    if isinstance(expression, ast.SimpleMap):
        return expression.left
    if isinstance(expression, ast.FunctionCall):
        is_data = expression.name.uri == FN and expression.name.local == "data"
        return expression.arguments[0] if is_data and len(expression.arguments) == 1 else None
    if isinstance(expression, ast.Flwor) and all(
        isinstance(clause, (ast.ForClause, ast.LetClause, ast.WhereClause))
        for clause in expression.clauses
    ):
        first = expression.clauses[0]
        if isinstance(first, ast.ForClause) and first.binding.position_variable is None:
            return first.binding.expression
    return None


def _is_bare(step: ast.Expression) -> bool:
    """Tells a variable, perhaps with predicates that do not count its items."""
    while isinstance(step, (ast.Parenthesized, ast.Predicate)):
        inner = step.inner if isinstance(step, ast.Parenthesized) else step.base
        if inner is None or (isinstance(step, ast.Predicate) and is_positional(step.predicate)):
            return False
        step = inner
    return isinstance(step, ast.VariableReference)


# -- as rows


def in_group(
    compiler: Compiler, argument: ast.Expression, group: Group, environment: Environment
) -> Rows:
    """Returns what an expression makes of a group's tuples, as rows that depend on the group."""
    if sum(references(argument)[variable] for variable in group.variables) > 1:
        raise NotCompiled("the contents of a group, read in several places", argument.at)
    (variable, grouped) = next(iter(group.variables.items()))
    again, before, keys = grouped.again()
    inside = environment.bind(variable, Tuples(again, before, grouped.source))
    with compiler.apart(again.sources, tuple(key.sql for key in keys)):
        rows = compiler.deduplicated(compiler.rows(argument, inside))
    names = {source.name for source in rows.sources}
    for source in again.sources:
        hiders = list(compiler.emitter.hiders(source.name))
        if not all(map(_keeps_rows, hiders)):
            raise NotCompiled("a part of the contents of a group", argument.at)
        if (hiders[-1] if hiders else source).name not in names:
            raise NotCompiled("the contents of a group, inside another expression", argument.at)
    return rows.where(*_same_keys(keys, group.derived))


def _same_keys(keys: Iterable[Scalar], group: Derived) -> Iterator[exp.Expr]:
    """Returns that the keys of tuples are those of the group, whose keys may be absent."""
    for key, own in zip(keys, group.keys or (), strict=True):
        outer = group.column(own)
        if not key.is_optional:
            yield _equal(key.sql.copy(), outer)
            continue
        filler = literal(_FILLERS.get(key.storage, 0))
        yield _equal(_is_absent(key.sql), _is_absent(outer))
        yield _equal(
            exp.Coalesce(this=key.sql.copy(), expressions=[filler.copy()]),
            exp.Coalesce(this=outer.copy(), expressions=[filler.copy()]),
        )


def _is_absent(sql: exp.Expr) -> exp.Expr:
    return exp.Paren(this=exp.Is(this=sql.copy(), expression=exp.null()))


def _equal(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.EQ(this=one, expression=other)


def _keeps_rows(derived: Derived) -> bool:
    """Tells whether the keys of tuples may be asked of a derived table: it counts, cuts no rows."""
    if derived.keys is not None or derived.limit is not None:
        return False
    return derived.counts_in_group or not any(column.find(exp.Window) for column in derived.columns)
