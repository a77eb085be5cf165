"""Query tests put to their runs."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import duckdb

from jvmscope.errors import JvmscopeError, QueryError
from jvmscope.metrics.measure import measure_query
from jvmscope.queries import Engine, Question, Result, parse_scope
from jvmscope.testing.empty import write_empty_run
from jvmscope.testing.expected import accepted, differences, read_expected, rows_of, text_columns
from jvmscope.testing.programs import Programs
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries import QueryFile
    from jvmscope.testing.expected import Rows
    from jvmscope.testing.layout import QueryTest

__all__ = ["Outcome", "QueryTester"]

Status = Literal["passed", "failed", "error", "accepted"]


@dataclass(frozen=True)
class Outcome:
    """What came of a test: ``error`` is a query or a recording that failed, and says why."""

    test: QueryTest
    status: Status
    lines: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether the test holds, or holds from now on."""
        return self.status in ("passed", "accepted")


class QueryTester:
    """Puts tests to their runs; a run that several tests ask is recorded and opened once.

    Args:
        timeout: stop a query after this many seconds.
        accepts: write the answers that are not the expected ones as expected from now on.
        say: is told what takes a while.
    """

    def __init__(
        self,
        *,
        timeout: float | None = None,
        accepts: bool = False,
        say: Callable[[str], None] = lambda _message: None,
    ) -> None:
        self._timeout = timeout
        self._accepts = accepts
        self._programs = Programs(say)
        self._stack = ExitStack()
        self._engine: Engine | None = None
        self._empty: Path | None = None

    def __enter__(self) -> QueryTester:
        """Returns the tester; the block's end closes the run that was asked last."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes what is open."""
        self._close()
        self._stack.close()

    def outcomes(self, tests: Iterable[QueryTest]) -> Iterator[Outcome]:
        """Yields the outcome of each test, run by run, else in the tests' order."""
        by_run: dict[tuple[str, str], list[QueryTest]] = {}
        for test in tests:
            by_run.setdefault((str(test.run), repr(test.program)), []).append(test)
        for same_run in by_run.values():
            for test in same_run:
                yield self.outcome(test)

    def outcome(self, test: QueryTest) -> Outcome:
        """Returns the outcome of one test."""
        try:
            engine = self._opened(test)
            results = [self._answer(test, query, engine) for query in test.queries]
            # Attributes are texts in XQuery, also where SQL has numbers.
            texts = frozenset.intersection(*map(text_columns, results))
            answers = [rows_of(result) for result in results]
            expected = read_expected(test.expected) if test.expected.exists() else None
        except JvmscopeError as error:
            return Outcome(test, "error", tuple(f"  {line}" for line in str(error).splitlines()))
        lines = _failures(test, answers, expected, texts)
        if not lines:
            return Outcome(test, "passed")
        if self._accepts and not any(
            differences(answers[0], other, texts) for other in answers[1:]
        ):
            with whole_file(test.expected) as partial:
                partial.write_text(accepted(expected, answers[0], texts), encoding="utf-8")
            return Outcome(test, "accepted", tuple(lines))
        return Outcome(test, "failed", tuple(lines))

    def _opened(self, test: QueryTest) -> Engine:
        run = self._run(test)
        if self._engine is None or self._engine.run != run:
            self._close()
            self._engine = Engine(run)
        return self._engine.untouched()

    def _close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _run(self, test: QueryTest) -> Path:
        if test.run is None:
            if self._empty is None:
                folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="jvmscope-"))
                self._empty = write_empty_run(Path(folder) / "empty.run")
            return self._empty
        if test.is_recorded:
            return self._programs.run_of(test.run, test.program)
        return test.run

    def _answer(self, test: QueryTest, query: QueryFile, engine: Engine) -> Result:
        variant = test.variant
        scope = parse_scope(variant.scope)
        if query.measures:
            result = measure_query(engine, query, scope, variant.params, timeout=self._timeout)
        else:
            question = Question(query, params=variant.params, scope=scope, timeout=self._timeout)
            result = engine.query(question)
        return _counted(result, test)


def _counted(result: Result, test: QueryTest) -> Result:
    """Returns the rows and columns of an answer that a test is about.

    Raises:
        QueryError: the condition is wrong, or a column does not exist.
    """
    variant = test.variant
    if not (variant.columns or variant.where):
        return result
    relation = duckdb.connect().from_arrow(result.arrow())
    by_name = {column.name: column for column in result.columns}
    names = variant.columns or tuple(by_name)
    try:
        table = relation.filter(variant.where or "true").to_arrow_table().select(list(names))
    except (duckdb.Error, KeyError) as error:
        message = f"the columns or rows to compare: {error}"
        raise QueryError(message, path=str(test), hint=f"columns: {', '.join(by_name)}") from None
    return Result.of_table(table, [by_name[name] for name in names])


def _failures(
    test: QueryTest, answers: list[Rows], expected: Rows | None, texts: frozenset[str]
) -> list[str]:
    """Returns what is wrong, for each language apart unless all of them answer the same."""
    if expected is None:
        return [f"  there is no {test.expected.name}; --accept writes it"]
    failures = [differences(expected, answer, texts) for answer in answers]
    if all(lines == failures[0] for lines in failures):
        return failures[0]
    named = zip(test.queries, failures, strict=True)
    return [line for query, lines in named if lines for line in (f"  in {query.path}:", *lines)]
