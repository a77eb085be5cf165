"""A query in XQuery or XPath on a run: analysed, planned, and answered in SQL where that can be.

A part in SQL that fails (an overflow, two rows where one may be) says nothing of the query: it is
evaluated on trees then, from where the SQL's rows ended. So the answer, and every error, is that of
the trees.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jvmscope.errors import QueryError
from jvmscope.queries.limits.interruption import in_time
from jvmscope.queries.params import bind_params
from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.compiler.plan import make_plan
from jvmscope.queries.xquery.sql_parts import SqlParts
from jvmscope.queries.xquery.syntax.names import Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.variables import PREDEFINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.result import Result
    from jvmscope.queries.serialized import Serialized
    from jvmscope.queries.xquery.analysis import Program
    from jvmscope.queries.xquery.compiler.plan import Plan
    from jvmscope.queries.xquery.evaluation import Evaluation
    from jvmscope.queries.xquery.notices import Notice

__all__ = ["XQuery"]


class XQuery:
    """A query in XQuery 3.1, ready to be evaluated.

    Args:
        engine: the run.
        file: the query.
        params: values for the external variables.
        search_path: the schemas in which the SQL finds tables.
        deadline: when to stop, whatever is being done.
        language: ``xquery`` or ``xpath``.

    Attributes:
        program: what the analysis made of it.
        plan: what of it DuckDB answers.

    Raises:
        QueryError: a static error, with its W3C code and place.
        LimitReached: the time is over.
    """

    def __init__(
        self,
        engine: Engine,
        file: QueryFile,
        params: Mapping[str, Any],
        *,
        search_path: str,
        deadline: Deadline,
        language: str = "xquery",
    ) -> None:
        self._engine = engine
        self._file = file
        self._search_path = search_path
        self._deadline = deadline
        self._values = {
            Name(name, "", ""): [value] for name, value in bind_params(file, params).items()
        }
        self._sql = SqlParts(engine, search_path, deadline)
        self.program, self.plan = in_time(lambda: self._planned(language), deadline)

    @property
    def refusals(self) -> Sequence[str]:
        """What DuckDB said where SQL failed, and trees answered; whole once the answer is read."""
        return self._sql.refusals

    def items(self) -> Iterator[Any]:
        """Returns the items of the answer.

        Raises:
            QueryError: a dynamic error; reading on may raise it, too.
            LimitReached: the time is over.
        """
        return self._evaluation.items()

    def items_on_trees(self) -> Iterator[Any]:
        """Returns the items of the answer without SQL, as the trees alone give it."""
        return self._evaluation.items_on_trees()

    def answer(
        self, limit: int | None, form: str | None, *, as_rows: bool = False
    ) -> Result | Serialized:
        """Returns the answer as ``Engine.answer`` does."""
        declared = self._evaluation.declared if self.program.context.serialization else None
        if form == "table" or not (form or declared):
            found = self._rows_of_sql(limit, as_rows=as_rows)
            if found is not None:
                return found
        return self._evaluation.answer(self._file, limit, form)

    def explain(self) -> str:
        """Returns what DuckDB answers and in which SQL, what runs on trees, and why.

        What DuckDB refuses before it has read a row is told, too.
        """
        lines = []
        for part in self.plan.parts:
            name = f" as ${part.variable}" if part.variable else ""
            lines.append(f"-- in SQL{name}, from {self._place(part.at)}")
            if refusal := self._sql.refusal(part):
                lines.append(f"--   rejected, evaluated on trees: {refusal}")
            lines += [f"{part.sql};", ""]
        if self.plan.program is not None:
            lines.append("-- on trees")
            lines += [f"--   {self._place(why.at)}: {why.reason}" for why in self.plan.left]
        return "\n".join(lines).rstrip("\n")

    def _planned(self, language: str) -> tuple[Program, Plan]:
        source = Source(self._file.text, None if self._file.path is None else Path(self._file.path))
        dialect: Literal["xquery", "xpath"] = "xpath" if language == "xpath" else "xquery"
        predefined = {Name(name, "", ""): None for name in PREDEFINED}
        environment = StaticEnvironment(variables={**predefined, **dict.fromkeys(self._values)})
        program = analyse(parse(source, language=dialect), environment, language=dialect)
        if program.main.body is None:
            message = "a library module has no expression to be evaluated"
            path, text = self._file.path, self._file.text
            raise QueryError(message, code="XPST0003", path=path, line=1, source=text)
        plan = make_plan(program, self._values)
        if plan.program is None:
            return program, plan
        # A step that can select nothing is unknown to SQL, so that its query would need trees.
        from jvmscope.queries.xquery.empty_paths import without_empty_paths
        from jvmscope.queries.xquery.notices import notices

        found = notices(program)
        if not found:
            return program, plan
        if self._engine.on_notice is not None:
            self._tell(found, program, self._engine.on_notice)
        program = without_empty_paths(program, [notice.step for notice in found])
        return program, make_plan(program, self._values)

    def _tell(self, found: Iterable[Notice], program: Program, tell: Callable[[str], None]) -> None:
        source = program.main.source
        for notice in found:
            line, column = source.line_and_column(notice.step.at)
            hint = f"; {notice.hint}" if notice.hint else ""
            place = f"{self._file.path or 'query'}:{line}:{column}"
            tell(f"{place}: {notice.message}{hint}")

    @cached_property
    def _evaluation(self) -> Evaluation:
        """What makes items: the library of values and functions, and the evaluator.

        It is imported for a query that needs it, which takes as long as all the rest of a short
        query: SQL alone gives the rows of most.
        """
        from jvmscope.queries.xquery.evaluation import Evaluation

        return Evaluation(
            self._engine,
            self.program,
            self.plan,
            self._values,
            self._sql,
            search_path=self._search_path,
            deadline=self._deadline,
        )

    def _rows_of_sql(self, limit: int | None, *, as_rows: bool) -> Result | None:
        """Returns the answer where SQL gives its rows, to be read as they come."""
        if self.plan.program is not None or len(self.plan.parts) != 1:
            return None

        def rest(n_delivered: int) -> Result:
            return self._evaluation.rest(self._file, n_delivered)

        part = self.plan.parts[0]
        return self._sql.result(part, self._file, rest, limit, as_rows=as_rows)

    def _place(self, at: int | None) -> str:
        if at is None:
            return "the query"
        line, column = self.program.main.source.line_and_column(at)
        return f"line {line}, column {column}"
