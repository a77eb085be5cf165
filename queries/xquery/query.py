"""A query in XQuery or XPath on a run: analysed, planned, and answered in SQL where that can be.

A part in SQL that fails (an overflow, two rows where one may be) says nothing of the query: it is
evaluated on trees then, from where the SQL's rows ended. So the answer, and every error, is that of
the trees.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jvmscope.errors import QueryError
from jvmscope.queries.limits.interruption import in_time
from jvmscope.queries.params import bind_params
from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.compiler.plan import make_plan
from jvmscope.queries.xquery.sql_parts import SqlParts
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.variables import PREDEFINED
from jvmscope.schema.xml.vocabulary import elements, unrecorded_elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.question import Question
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
        question: the query; its parameters are the values of external variables.
        deadline: when to stop, whatever is being done.

    Attributes:
        program: what the analysis made of it.
        plan: what of it DuckDB answers.

    Raises:
        QueryError: a static error, with its W3C code and place.
        LimitReached: the time is over.
    """

    def __init__(self, engine: Engine, question: Question, deadline: Deadline) -> None:
        self._engine = engine
        self._question = question
        self._deadline = deadline
        bound = bind_params(question.file, question.params)
        self._values = {Name(name, "", ""): [value] for name, value in bound.items()}
        self._sql = SqlParts(engine, question, deadline)
        self.program, self.plan = in_time(self._planned, deadline)

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

    def answer(self) -> Result | Serialized:
        """Returns the answer as ``Engine.answer`` does."""
        declared = self._evaluation.declared if self.program.context.serialization else None
        form = self._question.form
        if form == "table" or not (form or declared):
            found = self._rows_of_sql()
            if found is not None:
                return found
        return self._evaluation.answer()

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

    def _planned(self) -> tuple[Program, Plan]:
        file = self._question.file
        source = Source(file.text, None if file.path is None else Path(file.path))
        is_xpath = self._question.resolved_language == "xpath"
        dialect: Literal["xquery", "xpath"] = "xpath" if is_xpath else "xquery"
        predefined = {Name(name, "", ""): None for name in PREDEFINED}
        environment = StaticEnvironment(variables={**predefined, **dict.fromkeys(self._values)})
        program = analyse(parse(source, language=dialect), environment, language=dialect)
        if program.main.body is None:
            message = "a library module has no expression to be evaluated"
            raise QueryError(message, code="XPST0003", path=file.path, line=1, source=file.text)
        plan = make_plan(program, self._values)
        if not self._question.scope.is_whole:
            self._refuse_absent(plan)
        self._tell_of_unrecorded(program)
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

    def _tell_of_unrecorded(self, program: Program) -> None:
        """Tells of steps to elements that were not recorded, which count as 0."""
        if self._engine.on_notice is None:
            return
        absent = unrecorded_elements(self._engine.recorded)
        if any(name in self._question.file.text for name in absent):
            from jvmscope.queries.xquery.notices import unrecorded

            self._tell(unrecorded(program, absent), program, self._engine.on_notice)

    def _refuse_absent(self, plan: Plan) -> None:
        """Raises an error where SQL would read a table that has no meaning in the scope."""
        scope, file = self._question.scope, self._question.file
        for part in plan.parts:
            for table in sorted(part.tables & set(self._engine.recorded) & set(scope.absent)):
                element = elements()[table].name
                found = re.search(rf"\b{element}\b", file.text[part.at :])
                source = Source(file.text, None)
                line, column = source.line_and_column(part.at + (found.start() if found else 0))
                raise QueryError(
                    f'"{table}" is {scope.absence(table)}',
                    path=file.path,
                    line=line,
                    column=column,
                    source=file.text,
                    length=len(element) if found else 1,
                    hint=scope.others_with(table),
                )

    def _tell(self, found: Iterable[Notice], program: Program, tell: Callable[[str], None]) -> None:
        source = program.main.source
        for notice in found:
            line, column = source.line_and_column(notice.step.at)
            hint = f"; {notice.hint}" if notice.hint else ""
            place = f"{self._question.file.path or 'query'}:{line}:{column}"
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
            self._question,
            self.program,
            self.plan,
            values=self._values,
            sql=self._sql,
            deadline=self._deadline,
        )

    def _rows_of_sql(self) -> Result | None:
        """Returns the answer where SQL gives its rows, to be read as they come."""
        if self.plan.program is not None or len(self.plan.parts) != 1:
            return None

        def rest(n_delivered: int) -> Result:
            return self._evaluation.rest(n_delivered)

        return self._sql.result(self.plan.parts[0], rest)

    def _place(self, at: int | None) -> str:
        if at is None:
            return "the query"
        line, column = self.program.main.source.line_and_column(at)
        return f"line {line}, column {column}"
