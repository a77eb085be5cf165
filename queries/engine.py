"""The engine: the answers to queries about a run, in SQL, XQuery and XPath."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import QueryError
from jvmscope.queries.database import RunDatabase
from jvmscope.queries.limits.deadline import Deadline
from jvmscope.queries.memory_database import look_up
from jvmscope.queries.modules import (
    TREE_FUNCTIONS,
    BoundMacros,
    bind_modules,
    called_words,
    modules,
)
from jvmscope.queries.question import Question
from jvmscope.queries.scopes.bound_scopes import COMPUTED
from jvmscope.queries.scopes.scope_parts import SUMMED
from jvmscope.queries.serialized import Serialized
from jvmscope.queries.session import Session
from jvmscope.queries.sql_errors import message_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.locked import Limits
    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.result import Result
    from jvmscope.queries.tree_functions import TreeFunctions
    from jvmscope.queries.xquery.query import XQuery
    from jvmscope.queries.xquery.trees.run import RunTree
    from jvmscope.schema.calibration import Calibration

__all__ = ["Engine"]


class Engine(RunDatabase):
    """Answers queries about one run, whose database it is.

    The arguments, and what is raised, are those of the database.
    """

    def __init__(
        self,
        run: str | Path,
        *,
        locked_to: Limits | None = None,
        document: Mapping[str, Any] | None = None,
        beside: str | Path | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        super().__init__(
            Path(run),
            locked_to=locked_to,
            document=document,
            beside=None if beside is None else Path(beside),
            calibration=calibration,
        )
        self.on_progress: Callable[[float], None] | None = None
        """Called with the percentage done of what takes long, now and then; -1: unknown."""
        self.on_notice: Callable[[str], None] | None = None
        """Called with what a user should know before the answer: a step that can select nothing, an
        untrusted query that the operating system does not hold back."""
        self._untouched: Engine | None = None  # the run again, once SQL has changed this database
        self._may_be_changed = False
        self._sharing = threading.Lock()  # what queries share is made by one of them
        self._binding = threading.Lock()  # two threads that make one macro would collide

    @cached_property
    def tree(self) -> RunTree:
        """The run's tables as virtual documents."""
        from jvmscope.queries.xquery.trees.run import RunTree

        return RunTree(self.run, document=self.document)

    @cached_property
    def _tree_functions(self) -> TreeFunctions:
        from jvmscope.queries.tree_functions import TreeFunctions

        return TreeFunctions()

    def __enter__(self) -> Engine:
        """Returns the engine; the block's end closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the engine."""
        self.close()

    def close(self) -> None:
        """Closes the databases; results that are not read yet cannot be read any more."""
        if self._untouched is not None:
            self._untouched.close()
        super().close()

    def untouched(self) -> Engine:
        """Returns an engine of the run whose database is as it was opened: this one, or another.

        What a user's SQL sets or makes stays for later SQL. Whatever else is asked of the run may
        not depend on it: metrics, XQuery, exports.

        Raises:
            RunError: the run cannot be opened again.
        """
        if not self._may_be_changed:
            return self
        with self._sharing:
            if self._untouched is None:
                self._untouched = Engine(
                    self.run,
                    document=None if self.manifest.kind == "watch" else self.document,
                    beside=self._beside,
                    calibration=self.calibration,
                )
            self._untouched.on_progress = self.on_progress
            self._untouched.on_notice = self.on_notice
        return self._untouched.untouched()  # a metric of the user's may have changed that one

    def _open(self) -> None:
        super()._open()
        self._macros = BoundMacros()
        self.__dict__.pop("_tree_functions", None)

    def query(self, question: Question | QueryFile | str) -> Result:
        """Returns the answer to a query in SQL, XQuery or XPath, as a table.

        Of several SQL statements the last one answers, and the others prepare it. Of an XQuery,
        maps are rows, and other items are rows with one column, ``value``.

        Args:
            question: the question; a query alone is one about the whole run.

        Raises:
            QueryError: the query is wrong; with its position. Reading rows may raise it, too.
            LimitReached: a limit was reached.
        """
        answer = self.answer(replace(_question(question), form="table"))
        assert not isinstance(answer, Serialized)  # noqa: S101 - asked for as a table
        return answer

    def answer(self, question: Question | QueryFile | str) -> Result | Serialized:
        """Returns the answer to a query as a table, or as text, as its ``form`` says.

        The argument and what is raised are those of ``query``.
        """
        asked = _question(question)
        if asked.limits is not None:
            return self._answer_locked(asked)
        if asked.resolved_language != "sql":
            return self.xquery(asked).answer()
        if asked.form == "items":
            raise QueryError("SQL returns rows; only XQuery returns items", path=asked.file.path)
        try:
            session = self._session(asked)
        except duckdb.Error as error:
            if not self._may_be_changed:
                raise
            raise QueryError(
                f"an earlier statement changed what this query needs: {message_of(error)}",
                path=asked.file.path,
                hint="open the run again",
            ) from None
        try:
            return session.result(asked.limit)
        finally:
            self._may_be_changed |= session.may_change

    def xquery(self, question: Question | QueryFile | str) -> XQuery:
        """Returns a query in XQuery or XPath, analysed and planned, to be evaluated.

        Args:
            question: the question; its time begins here.

        Raises:
            QueryError: a static error of the query; with its code and position.
        """
        from jvmscope.queries.xquery.query import XQuery

        self.manifest.expect_tree(self.run)
        asked = _question(question)
        deadline = Deadline(asked.timeout, ends_process=self.locked_to is not None)
        engine = self.untouched()
        engine.reopen_if_broken()
        engine.scopes.bind(asked.scope)
        return XQuery(engine, asked, deadline)

    def _session(self, question: Question) -> Session:
        deadline = Deadline(question.timeout)
        self.reopen_if_broken()
        file = question.file
        schemas = self.scopes.bind(question.scope)
        with self._binding:
            costs, params = self._with_costs(question)
            schemas = (*schemas, *costs)
            connection = self.connect(schemas)
            bind_tree = partial(self._bind_tree, connection)
            bind_modules(connection, schemas, file.text, self._macros, bind_tree)
        self.check_untrusted(file)
        cursor = self.connect(schemas)
        asked = replace(question, query=file, params=params)
        session = Session(cursor, asked, self.recorded, deadline, on_progress=self.on_progress)
        self._prepare(session, cursor, question, schemas)
        return session

    def check_untrusted(self, file: QueryFile) -> None:
        """Refuses SQL that an untrusted query may not say, where the run is open for one.

        Raises:
            QueryError: it is refused, with its place.
        """
        if self.locked_to is not None:
            from jvmscope.queries.locked.rules import check_sql

            tables = (*self.named, *COMPUTED)
            connection = self._database.connection
            check_sql(connection, file.text, path=file.path, tables=tables, schemas=modules())

    def _bind_tree(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._tree_functions.bind(connection)

    def _prepare(
        self,
        session: Session,
        cursor: duckdb.DuckDBPyConnection,
        question: Question,
        schemas: tuple[str, ...],
    ) -> None:
        """Makes what queries share, where one names it: arrays of the tree, sums of a scope."""
        called = called_words(question.file.text)
        if not called & (TREE_FUNCTIONS | set(SUMMED)):
            return
        with self._sharing:
            if called & TREE_FUNCTIONS and "context" in self.manifest.tables:
                session.prepare(lambda: self._tree_functions.load(cursor, called))
            kept = session.prepare(lambda: self.scopes.keep_sums(cursor, question.scope, called))
            look_up(cursor, (*kept, *schemas))

    def _with_costs(self, question: Question) -> tuple[tuple[str, ...], Mapping[str, Any]]:
        """Binds the costs that a query uses; what is left are its own parameters."""
        if "costs" not in question.file.text:
            return (), question.params
        from jvmscope.queries.costs import choose_costs, uses_costs

        if not uses_costs(question.file):
            return (), question.params
        costs, rest = choose_costs(question.file, question.params, question.cost_model)
        return (self.bind_costs(costs),), rest

    def _answer_locked(self, question: Question) -> Result | Serialized:
        path = question.file.path
        if self.manifest.kind == "watch":
            raise QueryError(
                "a watch run cannot answer untrusted queries; expected a recorded run", path=path
            )
        self.manifest.expect_tree(self.run)
        if not question.scope.is_whole:
            raise QueryError(
                "an untrusted query can only ask about the whole run, not about a scope", path=path
            )
        if question.cost_model is not None:
            raise QueryError(
                "an untrusted query can only use jvmscope's own cost models, not "
                f"{question.cost_model.name}",
                path=path,
                hint="name one with --param model=NAME",
                in_python={"--param model=NAME": "params={'model': NAME}"},
            )
        from jvmscope.queries.locked.process import answer_locked

        return answer_locked(self.run, self.document, question, on_notice=self.on_notice)


def _question(asked: Question | QueryFile | str) -> Question:
    return asked if isinstance(asked, Question) else Question(asked)
