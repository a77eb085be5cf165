"""A query's plan: what of it DuckDB answers, and what is left to the tree evaluator."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.records import Record, record
from jvmscope.queries.sql import exp
from jvmscope.queries.sql.writing import in_lines
from jvmscope.queries.xquery.compiler.compiler import Compiler
from jvmscope.queries.xquery.compiler.emission import ordering
from jvmscope.queries.xquery.compiler.environment import Bound, Environment, Lazy
from jvmscope.queries.xquery.compiler.operators import text
from jvmscope.queries.xquery.compiler.pruning import prune
from jvmscope.queries.xquery.compiler.references import rewritten, walk
from jvmscope.queries.xquery.compiler.relations import documents
from jvmscope.queries.xquery.compiler.sharing import share
from jvmscope.queries.xquery.compiler.sources import Alias, Derived
from jvmscope.queries.xquery.compiler.streams import streamed
from jvmscope.queries.xquery.compiler.typing import refuse_other_types
from jvmscope.queries.xquery.compiler.values import (
    DocumentItem,
    LeafItem,
    MapEntries,
    NotCompiled,
    RootItem,
    RowItem,
    Scalar,
    TooMuch,
    atom,
    columns_in,
    literal,
    row_of,
)
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.names import DCG, FN, Name
from jvmscope.queries.xquery.syntax.types import NameTest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jvmscope.queries.xquery.analysis.program import Program
    from jvmscope.queries.xquery.compiler.environment import Binding
    from jvmscope.queries.xquery.compiler.values import Entry, Item, Rows

__all__ = ["Left", "Part", "Plan", "make_plan"]

_PARTS_NAMESPACE = "urn:jvmscope:sql-part"
_MOST_PARTS = 100
_WORTHWHILE = (ast.Path, ast.Flwor, ast.FunctionCall, ast.Quantified, ast.Predicate, ast.SimpleMap)
_TYPED = (ast.InstanceOf, ast.Treat, ast.Typeswitch, ast.FunctionDeclaration, ast.InlineFunction)
_ROWS = {"methods": ("classes", "method"), "threads": ("cct", "thread")}


@record
class Part(Record):
    """A part of a query in SQL.

    Attributes:
        sql: one SELECT, whose rows are items in order.
        item: what a row is; its columns are those of :func:`_outputs`, in order.
        tables: the tables that the SQL reads.
        text_columns: table and column of what the SQL reads as text: where it holds what XML must
            escape, the SQL has to read it escaped.
        at: the offset of the expression in the main module.
        variable: the name that stands for the part in what is left to trees.
    """

    sql: str
    item: Item
    tables: frozenset[str]
    text_columns: frozenset[tuple[str, str]]
    at: int
    variable: Name | None = None


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

    Args:
        program: the analysed query.
        values: the values of external variables; the documents are known by their names.
    """
    body = program.main.body
    assert body is not None  # noqa: S101 - a main module has one
    environment = _globals(program, values)
    try:
        parts = tuple(_parts(program, body, environment))
    except (NotCompiled, RecursionError) as refusal:
        why = _left(refusal)
    except TooMuch:
        return Plan((), program, (Left("too much to compile", None),))
    else:
        return Plan(parts, None)
    try:
        return _mixed(program, body, environment, why)
    except (RecursionError, TooMuch):
        return Plan((), program, (why,))


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


def _parts(program: Program, body: ast.Expression, environment: Environment) -> Iterator[Part]:
    """Returns a part for each operand of the outermost commas."""
    if isinstance(body, ast.Parenthesized) and body.inner is not None:
        yield from _parts(program, body.inner, environment)
    elif isinstance(body, ast.Sequence):
        if len(body.items) > _MOST_PARTS:
            raise NotCompiled(f"more than {_MOST_PARTS} expressions", body.at)
        for item in body.items:
            yield from _parts(program, item, environment)
    elif isinstance(body, ast.Flwor) and all(
        isinstance(clause, ast.LetClause) and clause.assignment.type is None
        for clause in body.clauses
    ):
        for clause in body.clauses:
            assert isinstance(clause, ast.LetClause)  # noqa: S101 - all of them are
            assignment = clause.assignment
            assert assignment.variable is not None  # noqa: S101 - the analysis binds each
            binding = Lazy(assignment.expression, environment)
            environment = environment.bind(assignment.variable, binding)
        yield from _parts(program, body.result, environment)
    else:
        yield _part(program, body, environment)


def _part(
    program: Program,
    expression: ast.Expression,
    environment: Environment,
    variable: Name | None = None,
) -> Part:
    compiler = _compiler(program)
    rows = compiler.deduplicated(compiler.rows(expression, environment))
    return _part_of_rows(compiler, rows, expression.at, variable)


def _compiler(program: Program) -> Compiler:
    return Compiler({key: function.declaration for key, function in program.functions.items()})


def _part_of_rows(compiler: Compiler, rows: Rows, at: int, variable: Name | None) -> Part:
    query = compiler.emitter.select(rows, _outputs(compiler, rows.item))
    if keys := ordering(rows.order):
        query.set("order", exp.Order(expressions=keys))
    finished = compiler.emitter.finish(query)
    assert isinstance(finished, exp.Select)  # noqa: S101 - as it was before
    written = share(prune(finished))
    tables = frozenset(table.name for table in written.find_all(exp.Table))
    return Part(
        sql=in_lines(written),
        item=rows.item,
        tables=tables,
        text_columns=frozenset(_text_columns_of(compiler)),
        at=at,
        variable=variable,
    )


def _outputs(compiler: Compiler, item: Item) -> list[exp.Expr]:
    """Returns the columns of an item: values, exact quotients as two, and keys of nodes."""
    if isinstance(item, Scalar):
        return _value_columns(compiler, item, "value")
    if isinstance(item, MapEntries):
        values = [
            column
            for name, value in item.entries
            for column in _entry_columns(compiler, value, name)
        ]
        nodes = [(name, row) for name, value in item.entries if (row := row_of(value))]
        keys = [key for name, row in nodes for key in _keys(row, name)]
        return [*values, *keys] or [literal(0)]  # a SELECT has a column, a map may be empty
    if isinstance(item, (DocumentItem, RootItem)):
        return [literal(0)]
    return _keys(item.row if isinstance(item, LeafItem) else item, "")


def _keys(row: RowItem, name: str) -> list[exp.Expr]:
    stem = f"{name} key".lstrip()
    return [exp.alias_(key.copy(), f"{stem} {n}") for n, key in enumerate(row.keys)]


def _entry_columns(compiler: Compiler, value: Entry, name: str) -> list[exp.Expr]:
    return [] if isinstance(value, RowItem) else _value_columns(compiler, atom(value), name)


def _value_columns(compiler: Compiler, value: Scalar, name: str) -> list[exp.Expr]:
    sql = text(compiler, value) if value.type in {"string", "untyped"} else value.sql.copy()
    columns = [exp.alias_(sql, name)]
    if value.divisor is not None:
        columns.append(exp.alias_(value.divisor.copy(), f"{name} divisor"))
    return columns


def _text_columns_of(compiler: Compiler) -> Iterator[tuple[str, str]]:
    """Returns the table columns behind the columns of text that were noted."""
    pending = list(compiler.text_columns)
    while pending:
        alias, column = pending.pop()
        source = compiler.emitter.source(alias)
        if source is None:
            continue
        if isinstance(source, Alias):
            kinds = {leaf.column: leaf.kind for leaf in source.relation.attributes.values()}
            if kinds.get(column) == "text":
                yield source.relation.table, column
            continue
        columns = source.columns.items() if isinstance(source, Derived) else ()
        for inner, name in columns:
            if name == column:
                pending += [(c.table, c.name) for c in columns_in(inner)]


# -- what is left to trees


def _left(refusal: NotCompiled | RecursionError) -> Left:
    if isinstance(refusal, NotCompiled):
        return Left(refusal.reason, refusal.at)
    return Left("nested too deep", None)


def _mixed(program: Program, body: ast.Expression, environment: Environment, why: Left) -> Plan:
    """Returns a plan in which the largest compiled expressions are variables of the rest."""
    parts: list[Part] = []
    left = [why]
    if why.at is None:
        return Plan((), program, tuple(left))

    def compiled(node: Any) -> ast.Expression | None:
        if not isinstance(node, _WORTHWHILE) or len(parts) == _MOST_PARTS:
            return None
        variable = Name(f"part{len(parts) + 1}", "sql", _PARTS_NAMESPACE)
        bound = ast.Variable(variable, None, is_global=True)
        reference = ast.VariableReference(at=node.at, end=node.end, name=variable, variable=bound)
        found = whole(node, variable, reference) or tuples(node, variable, reference)
        if found is None or (asks_for_types and _is_vague(found[0].item)):
            return None
        part, rest = found
        parts.append(part)
        declarations.append((variable, bound))
        return rest

    def whole(
        node: Any, variable: Name, reference: ast.Expression
    ) -> tuple[Part, ast.Expression] | None:
        if node is body:
            return None  # it was tried before
        try:
            part = _part(program, node, environment, variable)
        except (NotCompiled, RecursionError) as refusal:
            left.append(_left(refusal))
            return None
        return (part, reference) if _reads_tables(part) else None

    def tuples(
        node: Any, variable: Name, reference: ast.Expression
    ) -> tuple[Part, ast.Expression] | None:
        if not isinstance(node, ast.Flwor):
            return None
        compiler = _compiler(program)
        try:
            rows, rest = streamed(compiler, node, environment, reference)
            part = _part_of_rows(compiler, rows, node.at, variable)
        except (NotCompiled, RecursionError):
            return None  # what the whole is refused for says more
        return (part, rest) if _reads_tables(part) else None

    functions = [function.declaration for function in program.functions.values()]
    asks_for_types = any(isinstance(node, _TYPED) for node in walk((body, *functions)))
    declarations: list[tuple[Name, ast.Variable]] = []
    rest = rewritten(body, compiled)
    if not parts:
        return Plan((), program, tuple(left))
    externals = tuple(
        (
            ast.VariableDeclaration(
                at=0, name=name, type=None, expression=None, is_external=True, variable=bound
            ),
            program.context,
        )
        for name, bound in declarations
    )
    changed = replace(
        program,
        main=replace(program.main, body=rest),
        variables=(*program.variables, *externals),
    )
    return Plan(tuple(parts), changed, tuple(dict.fromkeys(left)))


def _is_vague(item: Item) -> bool:
    """Tells whether there are integers whose type is only known where trees compute them."""
    items = [value for _, value in item.entries] if isinstance(item, MapEntries) else [item]
    return any(isinstance(value, Scalar) and value.subtype == "?" for value in items)


def _reads_tables(part: Part) -> bool:
    return " FROM " in part.sql or "\nFROM " in part.sql
