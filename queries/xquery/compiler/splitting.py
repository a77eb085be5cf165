"""What is left to trees: the largest expressions that compile become variables of the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.compiler.compiler import Compiler, Steps
from jvmscope.queries.xquery.compiler.parts import part_of, part_of_rows
from jvmscope.queries.xquery.compiler.references import rewritten, walk
from jvmscope.queries.xquery.compiler.streams import streamed
from jvmscope.queries.xquery.compiler.values import MapEntries, NotCompiled, Scalar, TooMuch
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.program import Program
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.parts import Part
    from jvmscope.queries.xquery.compiler.values import Item

__all__ = ["MOST_PARTS", "Splitter"]

MOST_PARTS = 100
"""So many statements are worth sending; others are left to trees."""

_MOST_STEPS = 40_000
_NAMESPACE = "urn:jvmscope:sql-part"
_WORTHWHILE = (ast.Path, ast.Flwor, ast.FunctionCall, ast.Quantified, ast.Predicate, ast.SimpleMap)
_TYPED = (ast.InstanceOf, ast.Treat, ast.Typeswitch, ast.FunctionDeclaration, ast.InlineFunction)


class Splitter:
    """Divides a query that does not compile as a whole.

    Args:
        program: the query.
        environment: its global variables.
        levels: how many nodes stand above each other in each node of the body, by ``id``.
        most_levels: expressions with more are not tried.

    Attributes:
        parts: what DuckDB answers.
        refused: why expressions do not compile.
    """

    def __init__(
        self, program: Program, environment: Environment, levels: dict[int, int], most_levels: int
    ) -> None:
        self.parts: list[Part] = []
        self.refused: list[NotCompiled] = []
        self._program = program
        self._body = program.main.body
        self._environment = environment
        self._levels = levels
        self._most_levels = most_levels
        self._steps = Steps(_MOST_STEPS)
        self._declarations: list[tuple[Name, ast.Variable]] = []
        functions = [function.declaration for function in program.functions.values()]
        nodes = walk((self._body, *functions))
        self._asks_for_types = any(isinstance(node, _TYPED) for node in nodes)

    def rest(self) -> Program:
        """Returns the query that is left, which reads the parts as external variables."""
        body = rewritten(self._body, self._replacement)
        externals = tuple(
            (
                ast.VariableDeclaration(
                    at=0, name=name, type=None, expression=None, is_external=True, variable=bound
                ),
                self._program.context,
            )
            for name, bound in self._declarations
        )
        return replace(
            self._program,
            main=replace(self._program.main, body=body),
            variables=(*self._program.variables, *externals),
        )

    def _replacement(self, node: Any) -> ast.Expression | None:
        """Returns what stands for an expression if it compiles, or enough of it does."""
        if not isinstance(node, _WORTHWHILE) or len(self.parts) == MOST_PARTS:
            return None
        if self._levels.get(id(node), 0) > self._most_levels:
            return None
        name = Name(f"part{len(self.parts) + 1}", "sql", _NAMESPACE)
        bound = ast.Variable(name, None, is_global=True)
        reference = ast.VariableReference(at=node.at, end=node.end, name=name, variable=bound)
        try:
            found = self._compiled(node, reference)
        except TooMuch:
            return None
        if found is None or (self._asks_for_types and _is_vague(found[0].item)):
            return None
        part, rest = found
        if not _reads_tables(part):
            return node  # a constant, and so is all that is in it
        self.parts.append(part)
        self._declarations.append((name, bound))
        return rest

    def _compiled(
        self, node: ast.Expression, reference: ast.VariableReference
    ) -> tuple[Part, ast.Expression] | None:
        found = self._whole(node, reference)
        if found is None and isinstance(node, ast.Flwor):
            return self._tuples(node, reference)
        if found is None and isinstance(node, ast.Path):
            return self._first_steps(node, reference)
        return found

    def _whole(
        self, node: ast.Expression, reference: ast.VariableReference
    ) -> tuple[Part, ast.Expression] | None:
        if node is self._body:
            return None  # it was tried before
        try:
            part = part_of(self._compiler(), node, self._environment, reference.name)
        except NotCompiled as refusal:
            self.refused.append(refusal)
            return None
        return part, reference

    def _tuples(
        self, flwor: ast.Flwor, reference: ast.VariableReference
    ) -> tuple[Part, ast.Expression] | None:
        """Returns the clauses of a FLWOR, whose ``return`` is left."""
        compiler = self._compiler()
        try:
            rows, rest = streamed(compiler, flwor, self._environment, reference)
            part = part_of_rows(compiler, rows, flwor.at, reference.name)
        except NotCompiled:
            return None  # what the whole is refused for says more
        return part, rest

    def _first_steps(
        self, path: ast.Path, reference: ast.VariableReference
    ) -> tuple[Part, ast.Expression] | None:
        """Returns the most steps of a path that compile, if they select few of many nodes.

        Without a predicate, trees find the nodes as fast, and one at a time.
        """
        for n in range(len(path.steps) - 1, 1, -1):
            first = replace(path, steps=path.steps[:n])
            if not _has_predicate(first):
                break
            try:
                part = part_of(self._compiler(), first, self._environment, reference.name)
            except NotCompiled:
                continue  # what the whole is refused for says more
            rest = replace(path, steps=(reference, *path.steps[n:]))
            return part, rest
        return None

    def _compiler(self) -> Compiler:
        functions = self._program.functions.items()
        declared = {key: function.declaration for key, function in functions}
        return Compiler(declared, self._steps)


def _has_predicate(path: ast.Path) -> bool:
    return any(
        isinstance(node, ast.Predicate) or (isinstance(node, ast.AxisStep) and node.predicates)
        for node in walk(path)
    )


def _is_vague(item: Item) -> bool:
    """Tells whether there are integers whose type is only known where trees compute them."""
    items = [value for _, value in item.entries] if isinstance(item, MapEntries) else [item]
    return any(isinstance(value, Scalar) and value.subtype == "?" for value in items)


def _reads_tables(part: Part) -> bool:
    return " FROM " in part.sql or "\nFROM " in part.sql
