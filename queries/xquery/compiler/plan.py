"""A query's plan: what of it DuckDB answers, and what is left to the tree evaluator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.limits.recursion_limit import frames_allowed
from jvmscope.queries.records import Record, record
from jvmscope.queries.xquery.compiler.compiler import MOST_LEVELS, Compiler, Steps
from jvmscope.queries.xquery.compiler.environment import Bound, Environment, Lazy
from jvmscope.queries.xquery.compiler.parts import Part, part_of
from jvmscope.queries.xquery.compiler.references import references
from jvmscope.queries.xquery.compiler.relations import documents
from jvmscope.queries.xquery.compiler.splitting import MOST_PARTS, Splitter
from jvmscope.queries.xquery.compiler.typing import refuse_other_types
from jvmscope.queries.xquery.compiler.values import DocumentItem, NotCompiled, TooMuch
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import DCG, FN, Name
from jvmscope.queries.xquery.syntax.types import NameTest
from jvmscope.queries.xquery.syntax.walk import heights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jvmscope.queries.xquery.analysis.program import Program
    from jvmscope.queries.xquery.compiler.environment import Binding

__all__ = ["Left", "Part", "Plan", "make_plan"]

_FRAMES = 20_000  # of Python, for as many levels as are compiled and for walks over any query
_ROWS = {"methods": ("classes", "method"), "threads": ("cct", "thread")}


@record
class Left(Record):
    """Why an expression runs on trees, and its offset in the main module."""

    reason: str
    at: int | None


@record
class Plan(Record):
    """How a query is answered.

    Attributes:
        parts: what DuckDB answers. Without a program their items, one after the other, are the
            result.
        program: what trees answer, reading the parts as external variables; or None.
        left: why that is left.
    """

    parts: tuple[Part, ...]
    program: Program | None
    left: tuple[Left, ...] = ()


def make_plan(program: Program, values: Mapping[Name, Sequence[Any]]) -> Plan:
    """Returns the plan of a query.

    DuckDB compares texts by their codepoints, so a module that has another default collation leaves
    the query to trees.

    Args:
        program: the analysed query.
        values: the values of external variables; the documents are known by their names.
    """
    if any(context.default_collation is not None for context in program.contexts):
        return Plan((), program, (Left("a default collation", None),))
    with frames_allowed(_FRAMES):
        environment = _globals(program, values)
        levels = heights(program.main.body)
        try:
            return Plan(_all_parts(program, environment, levels), None)
        except TooMuch:
            return Plan((), program, (Left("too much to compile", None),))
        except NotCompiled as refusal:
            why = Left(refusal.reason, refusal.at)
        return _split(program, environment, levels, why)


def _all_parts(
    program: Program, environment: Environment, levels: dict[int, int]
) -> tuple[Part, ...]:
    """Returns the whole query in SQL."""
    body = program.main.body
    assert body is not None  # noqa: S101 - a main module has one
    if levels[id(body)] > MOST_LEVELS:
        raise NotCompiled(f"nested deeper than {MOST_LEVELS} levels", body.at)
    return tuple(_parts(program, body, environment, Steps()))


def _split(program: Program, environment: Environment, levels: dict[int, int], why: Left) -> Plan:
    """Returns a plan in which trees answer what is left."""
    if why.at is None:
        return Plan((), program, (why,))
    splitter = Splitter(program, environment, levels, MOST_LEVELS)
    rest = splitter.rest()
    left = dict.fromkeys((why, *(Left(each.reason, each.at) for each in splitter.refused)))
    if not splitter.parts:
        return Plan((), program, tuple(left))
    return Plan(tuple(splitter.parts), rest, tuple(left))


def _globals(program: Program, values: Mapping[Name, Sequence[Any]]) -> Environment:
    environment = Environment({})
    for declaration, _ in program.variables:
        binding = _global(declaration, environment, values)
        if binding is not None and declaration.variable is not None:
            environment = environment.bind(declaration.variable, binding)
    return environment


def _global(
    declaration: ast.VariableDeclaration,
    environment: Environment,
    values: Mapping[Name, Sequence[Any]],
) -> Binding | None:
    """Returns what a global variable stands for; None if only trees know it."""
    name = declaration.name
    if declaration.is_external and name in values:
        return _given(declaration, values[name])
    if declaration.is_external and name.uri == "" and name.local in documents():
        return Bound(DocumentItem(documents()[name.local]))
    if declaration.is_external and name.uri == "" and name.local in _ROWS:
        return Lazy(_all_rows(*_ROWS[name.local]), environment)
    if declaration.expression is None or declaration.type is not None:
        return None
    return Lazy(declaration.expression, environment)


def _given(declaration: ast.VariableDeclaration, value: Sequence[Any]) -> Binding | None:
    """Returns a parameter's value as a constant, if it is one string or integer."""
    if len(value) != 1 or type(value[0]) not in {str, int}:
        return None
    syntax = ast.Literal(at=declaration.at, end=declaration.at, value=value[0])
    try:
        item = Compiler().scalar(syntax, Environment({}))
        refuse_other_types(declaration.type, item, declaration.at)
    except NotCompiled:
        return None
    return Bound(item)


def _all_rows(document: str, element: str) -> ast.Expression:
    """Returns ``doc("document")//dcg:element``."""
    argument = _string(document)
    call = ast.FunctionCall(at=0, end=0, name=Name("doc", "fn", FN), arguments=(argument,))
    test = NameTest(Name(element, "dcg", DCG))
    step = ast.AxisStep(at=0, end=0, axis="descendant", test=test)
    return ast.Path(at=0, end=0, steps=(call, step))


def _string(value: str) -> ast.Literal:
    return ast.Literal(at=0, end=0, value=value)


def _parts(
    program: Program, body: ast.Expression, environment: Environment, steps: Steps
) -> Iterator[Part]:
    """Returns a part for each operand of the outermost commas."""
    if isinstance(body, ast.Parenthesized) and body.inner is not None:
        yield from _parts(program, body.inner, environment, steps)
    elif isinstance(body, ast.Sequence):
        if len(body.items) > MOST_PARTS:
            raise NotCompiled(f"more than {MOST_PARTS} expressions", body.at)
        for item in body.items:
            yield from _parts(program, item, environment, steps)
    elif isinstance(body, ast.Flwor) and all(
        isinstance(clause, ast.LetClause) and clause.assignment.type is None
        for clause in body.clauses
    ):
        read = references(body)
        for clause in body.clauses:
            assert isinstance(clause, ast.LetClause)  # noqa: S101 - all of them are
            variable, value = clause.assignment.variable, clause.assignment.expression
            assert variable is not None  # noqa: S101 - the analysis binds each
            if not read[variable]:
                _compiler(program, steps).rows(value, environment)  # it may be an error
            environment = environment.bind(variable, Lazy(value, environment))
        yield from _parts(program, body.result, environment, steps)
    else:
        yield part_of(_compiler(program, steps), body, environment)


def _compiler(program: Program, steps: Steps) -> Compiler:
    functions = program.functions.items()
    return Compiler({key: function.declaration for key, function in functions}, steps)
