"""One evaluation of an XQuery or XPath query on a run: planned, in SQL where that can be.

A part in SQL that fails (an overflow, two rows where one may be, text that XML escapes) says
nothing of the query: it is evaluated on trees then, from where the SQL's rows ended. So the
answer, and every error, is that of the trees.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries.analysis import StaticEnvironment, analyse
from jvmscope.queries.compiler.plan import make_plan
from jvmscope.queries.compiler.results import items as items_of
from jvmscope.queries.evaluator import Environment, evaluate
from jvmscope.queries.params import bind_params
from jvmscope.queries.query_file import QueryFile
from jvmscope.queries.session import Session
from jvmscope.queries.syntax.names import Name
from jvmscope.queries.syntax.parser import parse
from jvmscope.queries.syntax.source import Source
from jvmscope.queries.xquery_documents import RunDocuments, scoped_tree
from jvmscope.queries.xquery_rows import result_of_items, result_of_part
from jvmscope.queries.xquery_text import are_nodes, declared_parameters, serialized
from jvmscope.queries.xquery_variables import referenced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries.analysis import Program
    from jvmscope.queries.compiler.plan import Part, Plan
    from jvmscope.queries.engine import Engine
    from jvmscope.queries.result import Result
    from jvmscope.queries.serialized import Serialized

__all__ = ["XQuery"]

_UNWRITABLE = r"[\\\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]"  # what the XML view escapes


class XQuery:
    """A query in XQuery 3.1, ready to be evaluated.

    Args:
        engine: the run.
        file: the query.
        params: values for the external variables.
        search_path: the schemas in which the SQL finds tables.
        timeout: stop after this many seconds, or None.
        language: ``xquery`` or ``xpath``.

    Raises:
        QueryError: a static error, with its W3C code and place.
    """

    def __init__(
        self,
        engine: Engine,
        file: QueryFile,
        params: Mapping[str, Any],
        *,
        search_path: str,
        timeout: float | None = None,
        language: str = "xquery",
    ) -> None:
        self._engine = engine
        self._tree = scoped_tree(engine, search_path, file.path)
        self._file = file
        self._search_path = search_path
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._timeout = timeout
        self.refusals: list[str] = []
        """What DuckDB said where SQL failed, and trees gave the answer; known once it is read."""
        self._values = {
            Name(name, "", ""): [value] for name, value in bind_params(file, params).items()
        }
        predefined = {Name(name, "", ""): None for name in self._tree.variables}
        given = dict.fromkeys(self._values)
        environment = StaticEnvironment(variables={**predefined, **given})
        source = Source(file.text, None if file.path is None else Path(file.path))
        dialect: Literal["xquery", "xpath"] = "xpath" if language == "xpath" else "xquery"
        module = parse(source, language=dialect)
        self.program: Program = analyse(module, environment, language=dialect)
        if self.program.main.body is None:
            message = "a library module has no expression to be evaluated"
            raise QueryError(message, code="XPST0003", path=file.path, line=1, source=file.text)
        self.plan: Plan = make_plan(self.program, self._values)

    def items(self) -> Iterator[Any]:
        """Returns the items of the answer.

        Raises:
            QueryError: a dynamic error; reading on may raise it, too.
            LimitReached: the time is over.
        """
        if self.plan.program is not None:
            yield from self._mixed()
            return
        n_delivered = 0
        try:
            for part in self.plan.parts:
                for item in self._items_of(part):
                    yield item
                    n_delivered += 1
        except QueryError as error:
            self.refusals.append(str(error))
            yield from islice(self._on_trees(self.program, {}), n_delivered, None)

    def items_on_trees(self) -> Iterator[Any]:
        """Returns the items of the answer without SQL, as the trees alone give it."""
        return self._on_trees(self.program, {})

    def answer(self, limit: int | None, form: str | None) -> Result | Serialized:
        """Returns the answer as ``Engine.answer`` does."""
        declared = declared_parameters(self.program.context)
        is_text = form == "items" or (form is None and declared is not None)
        if not is_text:
            found = self._rows_of_sql(limit)
            if found is not None:
                return found
        items = list(self.items() if limit is None else islice(self.items(), limit + 1))
        is_truncated = limit is not None and len(items) > limit
        items = items[:limit]
        if is_text or (form is None and are_nodes(items)):
            return serialized(items, declared, is_truncated=is_truncated)
        return result_of_items(items, self._file, is_truncated=is_truncated)

    def _rows_of_sql(self, limit: int | None) -> Result | None:
        """Returns the answer where SQL gives its rows, to be read as they come."""
        if self.plan.program is not None or len(self.plan.parts) != 1:
            return None
        part = self.plan.parts[0]
        return result_of_part(
            part, self._file, lambda: self._session(part), self._rest_on_trees, limit
        )

    def explain(self) -> str:
        """Returns what DuckDB answers and in which SQL, what runs on trees, and why."""
        lines = []
        for part in self.plan.parts:
            name = f" as ${part.variable}" if part.variable else ""
            lines += [f"-- in SQL{name}, from {self._place(part.at)}", f"{part.sql};", ""]
        if self.plan.program is not None:
            lines.append("-- on trees")
            lines += [f"--   {self._place(why.at)}: {why.reason}" for why in self.plan.left]
        return "\n".join(lines).rstrip("\n")

    def _place(self, at: int | None) -> str:
        if at is None:
            return "the query"
        line, column = self.program.main.source.line_and_column(at)
        return f"line {line}, column {column}"

    # -- evaluation

    def _mixed(self) -> Iterator[Any]:
        """Evaluates on trees what is left, the parts in SQL first."""
        assert self.plan.program is not None  # noqa: S101 - asked for in this case alone
        try:
            values = {
                part.variable: list(self._items_of(part))
                for part in self.plan.parts
                if part.variable is not None
            }
        except QueryError as error:
            self.refusals.append(str(error))
            yield from self._on_trees(self.program, {})
            return
        yield from self._on_trees(self.plan.program, values)

    def _on_trees(self, program: Program, more: Mapping[Name, list[Any]]) -> Iterator[Any]:
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
            documents=RunDocuments(self._tree),
            timeout=self._time_left(),
        )
        if self._engine.locked_to is not None:
            environment = replace(environment, max_depth=self._engine.locked_to.depth)
        return self._in_time(evaluate(program, environment))

    def _in_time(self, items: Iterator[Any]) -> Iterator[Any]:
        """Returns the items; an error that the time is over tells the whole of it."""
        try:
            yield from items
        except LimitReached:
            self._time_left()
            raise

    def _rest_on_trees(self, n_delivered: int) -> Iterator[Any]:
        """Returns the items after those that SQL has delivered before it failed."""
        return islice(self._on_trees(self.program, {}), n_delivered, None)

    def _items_of(self, part: Part) -> Iterator[Any]:
        return items_of(part.item, self._session(part).result(None).rows(), self._tree)

    def _session(self, part: Part) -> Session:
        """Returns the part's SQL, ready to run.

        Raises:
            QueryError: a text that it reads is one that XML must escape.
        """
        for table, column in sorted(part.text_columns):
            if self._engine.has_match(table, column, _UNWRITABLE):
                raise QueryError(f"{table}.{column} has text that XML escapes")
        self._time_left()
        cursor = self._engine.connect(self._search_path)
        query = QueryFile(None, part.sql)
        return Session(
            cursor,
            query,
            {},
            self._engine.recorded,
            self._timeout,
            deadline=self._deadline,
            on_progress=self._engine.on_progress,
        )

    def _time_left(self) -> float | None:
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise LimitReached(f"the query was stopped after {self._timeout:g} s; raise --timeout")
        return left
