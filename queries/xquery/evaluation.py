"""The items of a query: those of its parts in SQL as they come, what is left on trees."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries.limits.interruption import in_time
from jvmscope.queries.xquery import tree_walks
from jvmscope.queries.xquery.compiler.results import items as items_of
from jvmscope.queries.xquery.documents import RunDocuments, ScopedTree
from jvmscope.queries.xquery.evaluator import Environment, compile_program
from jvmscope.queries.xquery.table import result_of_items
from jvmscope.queries.xquery.text import are_nodes, declared_parameters, serialized
from jvmscope.queries.xquery.variables import referenced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.question import Question
    from jvmscope.queries.reading import Files
    from jvmscope.queries.result import Result
    from jvmscope.queries.serialized import Serialized
    from jvmscope.queries.xquery.analysis import Program
    from jvmscope.queries.xquery.compiler.plan import Part, Plan
    from jvmscope.queries.xquery.serialization import Parameters
    from jvmscope.queries.xquery.sql_parts import SqlParts
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.run import RunTree

__all__ = ["Evaluation"]


class Evaluation:
    """Evaluates one planned query.

    Args:
        engine: the run.
        question: the query.
        program: what the analysis made of it.
        plan: its plan.
        values: the values of its parameters.
        sql: runs the plan's parts.
        deadline: when to stop.
    """

    def __init__(
        self,
        engine: Engine,
        question: Question,
        program: Program,
        plan: Plan,
        *,
        values: Mapping[Name, list[Any]],
        sql: SqlParts,
        deadline: Deadline,
    ) -> None:
        self._engine = engine
        self._question = question
        self._program = program
        self._plan = plan
        self._values = values
        self._sql = sql
        self._deadline = deadline
        self._is_told = False

    def items(self) -> Iterator[Any]:
        """Returns the items of the answer; reading them may raise errors and LimitReached."""
        if self._plan.program is not None:
            yield from self._mixed()
            return
        n_delivered = 0
        try:
            for part in self._plan.parts:
                for item in self._items_of(part):
                    yield item
                    n_delivered += 1
        except QueryError:  # noted where it was raised
            yield from islice(self.items_on_trees(), n_delivered, None)

    def items_on_trees(self) -> Iterator[Any]:
        """Returns the items of the answer without SQL, as the trees alone give it."""
        return self._on_trees(self._program, {})

    def answer(self) -> Result | Serialized:
        """Returns the items as ``Engine.answer`` does: as a table or as text."""
        limit, form, file = self._question.limit, self._question.form, self._question.file
        is_text = form == "items" or (form is None and self.declared is not None)
        items = list(self.items() if limit is None else islice(self.items(), limit + 1))
        is_truncated = limit is not None and len(items) > limit
        items, notes = items[:limit], {"refusals": self._sql.refusals}

        def write() -> Result | Serialized:
            if is_text or (form is None and are_nodes(items)):
                return serialized(items, self.declared, is_truncated=is_truncated, **notes)
            return result_of_items(items, file, is_truncated=is_truncated, **notes)

        return in_time(write, self._deadline)

    def rest(self, n_delivered: int) -> Result:
        """Returns the answer of trees as a table, without rows that SQL has delivered."""
        items = list(islice(self.items_on_trees(), n_delivered, None))
        return in_time(lambda: result_of_items(items, self._question.file), self._deadline)

    @cached_property
    def declared(self) -> Parameters | None:
        """How the query declares that its items are serialized; None: it does not say.

        Raises:
            QueryError: what it says is wrong.
        """
        return declared_parameters(self._program.context)

    @cached_property
    def _tree(self) -> RunTree:
        if self._question.scope.is_whole:
            return self._engine.tree
        scoped = ScopedTree(self._engine.tree, self._question.scope, self._question.file.path)
        return cast("RunTree", scoped)  # what a query asks of it

    @cached_property
    def _files(self) -> Files | None:
        """The files that the query may read, by URIs relative to its own file; None: none."""
        if self._engine.locked_to is not None or not self._question.allow_read:
            return None
        from jvmscope.queries.reading import Files

        path = self._program.main.source.path
        return Files(self._question.allow_read, Path.cwd() if path is None else path.parent)

    def _mixed(self) -> Iterator[Any]:
        """Evaluates on trees what is left, the parts in SQL first."""
        assert self._plan.program is not None  # noqa: S101 - asked for in this case alone
        try:
            values = {
                part.variable: list(self._counted(self._items_of(part)))
                for part in self._plan.parts
                if part.variable is not None
            }
        except QueryError:  # noted where it was raised
            yield from self.items_on_trees()
            return
        yield from self._on_trees(self._plan.program, values)

    def _items_of(self, part: Part) -> Iterator[Any]:
        return items_of(part.item, self._sql.rows(part), self._tree)

    def _counted(self, items: Iterator[Any]) -> Iterator[Any]:
        """Returns items for trees, telling of it where they are very many."""
        for n, item in enumerate(items):
            if n == tree_walks.LARGE:
                self._tell(f"more than {n:,} items from SQL")
            yield item

    def _tell(self, of_what: str) -> None:
        """Tells, once, that much is evaluated on trees, why, and what helps."""
        if self._is_told or self._engine.on_notice is None:
            return
        self._is_told = True
        place, reason, rewrite = str(self._program.main.source.path or "query"), None, None
        if self._sql.refusals:
            reason = f"SQL failed: {self._sql.refusals[0].splitlines()[0].rpartition('error: ')[2]}"
        elif self._plan.left:
            why = self._plan.left[0]
            if why.at is not None:
                line, column = self._program.main.source.line_and_column(why.at)
                place += f":{line}:{column}"
            reason, rewrite = why.reason, tree_walks.rewrite_of(self._plan.left)
        advice = rewrite or "--explain shows what is SQL"
        because = "" if reason is None else f" ({reason})"
        self._engine.on_notice(
            f"{place}: evaluated on trees{because}, which is slow for {of_what}; {advice}"
        )

    def _go_on(self) -> None:
        """Tells that the evaluation goes on; how much of it is done, nobody knows."""
        if self._engine.on_progress is not None:
            self._engine.on_progress(-1.0)

    def _on_trees(self, program: Program, more: Mapping[Name, list[Any]]) -> Iterator[Any]:
        if self._engine.on_notice is not None and (
            tree_walks.reads_documents(program) or tree_walks.walks_from(program, more.values())
        ):
            n_contexts = tree_walks.n_contexts(self._engine)
            if n_contexts > tree_walks.LARGE:
                self._tell(f"{n_contexts:,} contexts")
        compiled = in_time(lambda: compile_program(program), self._deadline)
        used = referenced(program)
        predefined = {
            declaration.name: self._tree.variables[declaration.name.local]()
            for declaration, _ in program.variables
            if declaration.is_external
            and declaration.variable in used
            and declaration.name.uri == ""
            and declaration.name.local in self._tree.variables
            and declaration.name not in self._values
        }
        environment = Environment(
            variables={**predefined, **self._values, **more},
            documents=RunDocuments(
                self._tree, self._files, is_locked=self._engine.locked_to is not None
            ),
            timeout=self._deadline.left(),
            on_wait=self._go_on,
        )
        if self._engine.locked_to is not None:
            environment = replace(environment, max_depth=self._engine.locked_to.depth)
        try:
            yield from compiled.items(environment)
        except LimitReached:
            self._deadline.left()  # tells the whole of the time, not what was left of it
            raise
