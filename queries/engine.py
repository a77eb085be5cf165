"""The engine: the answers to queries about a run, in SQL, XQuery and XPath."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.block_parts import BLOCK_PART_VIEWS
from jvmscope.queries.database import SEARCH_PATH, RunDatabase
from jvmscope.queries.language import language_of
from jvmscope.queries.limits.deadline import Deadline
from jvmscope.queries.modules import TREE_FUNCTIONS, bind_modules, called_words, modules
from jvmscope.queries.query_file import parse_query_file
from jvmscope.queries.scope import DERIVED
from jvmscope.queries.serialized import Serialized
from jvmscope.queries.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set
    from pathlib import Path

    import duckdb

    from jvmscope.queries.costs import CostModel
    from jvmscope.queries.locked import Limits
    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.result import Result
    from jvmscope.queries.tree_functions import TreeFunctions
    from jvmscope.queries.xquery.query import XQuery
    from jvmscope.queries.xquery.trees.run import RunTree

__all__ = ["Engine"]


class Engine(RunDatabase):
    """Answers queries about one run, whose database it is.

    The arguments, and what is raised, are those of the database.
    """

    def __init__(
        self,
        run: Path,
        *,
        locked_to: Limits | None = None,
        document: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(run, locked_to=locked_to, document=document)
        self.on_progress: Callable[[float], None] | None = None
        """Called with the percentage done of SQL that takes long, now and then; -1: unknown."""
        self.on_notice: Callable[[str], None] | None = None
        """Called with what a user should know before the answer: a step that can select nothing, an
        untrusted query that the operating system does not hold back."""
        self._macros: set[str] = set()
        self._sharing = threading.Lock()  # what queries share is made by one of them
        self._binding = threading.Lock()  # two threads that make one macro would collide
        self.cost_model: CostModel | None = None
        """The user's own cost model, for queries that use costs; None: the one they name."""
        self.allow_read: Sequence[Path] = ()
        """Real paths of directories whose files an XQuery may read; a locked one never does."""

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

    def query(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        search_path: str = SEARCH_PATH,
        language: str | None = None,
        limits: Limits | None = None,
    ) -> Result:
        """Returns the answer to a query in SQL, XQuery or XPath, as a table.

        Of several SQL statements the last one answers, and the others prepare it. Of an XQuery,
        maps are rows, and other items are rows with one column, ``value``.

        Args:
            query: the text, or a parsed query file.
            params: values for ``$name``.
            limit: deliver at most this many rows; the result says if there were more.
            timeout: stop after this many seconds.
            search_path: schemas in which names are looked up, the run's tables by default.
            language: ``sql``, ``xquery`` or ``xpath``; None: by the file's ending, else the text.
            limits: the query is untrusted: it is answered locked, in a process of its own.

        Raises:
            QueryError: the query is wrong; with its position. Reading rows may raise it, too.
            LimitReached: a limit was reached.
            ValueError: the limit is negative.
        """
        answer = self.answer(
            query,
            params=params,
            limit=limit,
            timeout=timeout,
            search_path=search_path,
            language=language,
            limits=limits,
            form="table",
        )
        assert not isinstance(answer, Serialized)  # noqa: S101 - asked for as a table
        return answer

    def answer(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        search_path: str = SEARCH_PATH,
        language: str | None = None,
        limits: Limits | None = None,
        form: str | None = None,
        as_rows: bool = False,
    ) -> Result | Serialized:
        """Returns the answer to a query as a table, or as text.

        Args:
            query: its text, or a query file.
            params: values of its parameters.
            limit: deliver at most this many rows.
            timeout: seconds that it may take.
            search_path: where it looks names up: the run, or one of its scopes.
            language: ``sql``, ``xquery`` or ``xpath``; None: as the text or the file says.
            limits: those of an untrusted query; None: it is trusted.
            form: ``table``; ``items``: the items of an XQuery, serialized as its ``output:``
                options say; None: ``items`` if it has such options or if all items are nodes,
                else ``table``.
            as_rows: of a table nothing but ``start_rows()`` and ``rows()`` is called, which need
                no Arrow then.

        The other arguments and what is raised are those of ``query``.
        """
        if limit is not None and limit < 0:
            raise ValueError(f"a limit is a number of rows, not {limit}")
        file = parse_query_file(query, None) if isinstance(query, str) else query
        if limits is not None:
            limits = replace(
                limits,
                rows=limits.rows if limit is None else limit,
                seconds=limits.seconds if timeout is None else timeout,
            )
            return self._answer_locked(
                file,
                limits,
                params=params,
                language=language,
                form=form,
                search_path=search_path,
            )
        language = language or language_of(file)
        if language != "sql":
            xquery = self.xquery(
                file, params=params, timeout=timeout, search_path=search_path, language=language
            )
            return xquery.answer(limit, form, as_rows=as_rows)
        if form == "items":
            raise QueryError("SQL returns rows; only XQuery returns items", path=file.path)
        return self._session(file, params or {}, Deadline(timeout), search_path).result(limit)

    def xquery(
        self,
        query: str | QueryFile,
        *,
        params: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        search_path: str = SEARCH_PATH,
        language: str = "xquery",
    ) -> XQuery:
        """Returns a query in XQuery or XPath, analysed and planned, to be evaluated.

        Args:
            query: the text, or a parsed query file.
            params: values for ``$name``.
            timeout: stop after this many seconds, counted from here.
            search_path: schemas in which the SQL's names are looked up.
            language: ``xquery`` or ``xpath``.

        Raises:
            QueryError: a static error of the query; with its code and position.
        """
        from jvmscope.queries.xquery.query import XQuery

        file = parse_query_file(query, None) if isinstance(query, str) else query
        return XQuery(
            self,
            file,
            params or {},
            search_path=search_path,
            deadline=Deadline(timeout, ends_process=self.locked_to is not None),
            language=language,
        )

    def _session(
        self, file: QueryFile, params: Mapping[str, Any], deadline: Deadline, search_path: str
    ) -> Session:
        with self._binding:
            search_path, params = self._with_costs(file, params, search_path)
            connection = self.connect(search_path)
            bind_tree = partial(self._bind_tree, connection)
            bind_modules(connection, file.text, self._macros, bind_tree)
        self.check_untrusted(file)
        cursor = self.connect(search_path)
        session = Session(
            cursor, file, params, self.recorded, deadline, on_progress=self.on_progress
        )
        self._prepare(session, cursor, called_words(file.text), search_path)
        return session

    def check_untrusted(self, file: QueryFile) -> None:
        """Refuses SQL that an untrusted query may not say, where the run is open for one.

        Raises:
            QueryError: it is refused, with its place.
        """
        if self.locked_to is not None:
            from jvmscope.queries.locked.rules import check_sql

            tables = (
                *self.recorded,
                *DERIVED,
                "opcode",
                "call",
                "call_edge",
                "lineage",
                *BLOCK_PART_VIEWS,
            )
            check_sql(self._connection, file.text, path=file.path, tables=tables, schemas=modules())

    def _bind_tree(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._tree_functions.bind(connection)

    def _prepare(
        self,
        session: Session,
        cursor: duckdb.DuckDBPyConnection,
        called: Set[str],
        search_path: str,
    ) -> None:
        """Makes what queries share, where one names it: arrays of the tree, edges of calls."""
        if not called & (TREE_FUNCTIONS | {"call_edge"}):
            return
        with self._sharing:
            if called & TREE_FUNCTIONS and "context" in self.manifest.tables:
                session.prepare(lambda: self._tree_functions.load(cursor, called))
            if "call_edge" in called:
                kept = session.prepare(lambda: self.keep_edges(cursor, search_path))
                cursor.execute(f"SET search_path = '{kept}'")

    def _with_costs(
        self, file: QueryFile, params: Mapping[str, Any], search_path: str
    ) -> tuple[str, Mapping[str, Any]]:
        """Binds the costs that a query uses; what is left are its own parameters."""
        if "costs" not in file.text:
            return search_path, params
        from jvmscope.queries.costs import choose_costs, uses_costs

        if not uses_costs(file):
            return search_path, params
        costs, rest = choose_costs(file, params, self.cost_model)
        return self.bind_costs(costs, search_path), rest

    def _answer_locked(
        self,
        file: QueryFile,
        limits: Limits,
        *,
        params: Mapping[str, Any] | None,
        language: str | None,
        form: str | None,
        search_path: str,
    ) -> Result | Serialized:
        if self.scope_of(search_path) is not None:
            raise QueryError(
                "an untrusted query can only ask about the whole run, not about a scope",
                path=file.path,
            )
        if self.cost_model is not None:
            raise QueryError(
                "an untrusted query can only use jvmscope's own cost models, not "
                f"{self.cost_model.name}",
                path=file.path,
                hint="name one with --param model=NAME",
            )
        from jvmscope.queries.locked.process import answer_locked

        return answer_locked(
            self.run,
            self.document,
            file.text,
            limits,
            path=file.path,
            params=params,
            language=language,
            form=form,
            on_notice=self.on_notice,
        )
