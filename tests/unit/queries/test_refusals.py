"""What DuckDB refuses, trees answer; it is never hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.answers import answer_of
from xml_runs import Shape, write_run

from jvmscope.cli import DONE, run
from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question, Result, session
from jvmscope.queries.xquery.evaluation import Evaluation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_N = 5000
# The SQL of this overflows at the last context.
_OVERFLOWS = f"$cct//dcg:context ! ({(1 << 63) - _N + 1} + xs:int(@id))"


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with contexts 0 to 4,999."""
    path: Path = tmp_path_factory.mktemp("runs") / "chain.run"
    names = (*Shape().names, "bell\x07nul\x00", "\\u0007", "\ufffe\\\\")
    write_run(path, Shape(n_contexts=_N, n_threads=1, n_blocks=0, names=names))
    return path


@pytest.fixture
def engine(chain: Path) -> Iterator[Engine]:
    with Engine(chain) as engine:
        yield engine


def test_a_table_tells_what_was_refused(engine: Engine) -> None:
    query = engine.xquery(Question(f"max({_OVERFLOWS})", form="table"))
    assert query.plan.program is None

    answer = query.answer()

    assert isinstance(answer, Result)
    assert answer.arrow().to_pylist() == [{"value": str(1 << 63)}]
    assert len(answer.refusals) == 1
    assert "Overflow" in answer.refusals[0]
    assert query.refusals == answer.refusals


def test_items_tell_what_was_refused(engine: Engine) -> None:
    query = engine.xquery(_OVERFLOWS)

    assert list(query.items())[-1] == 1 << 63
    assert len(query.refusals) == 1
    assert "Overflow" in query.refusals[0]


def test_the_same_sql_is_not_asked_twice(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    result = session.Session.result

    def counted(self: session.Session, limit: int | None) -> Result:
        asked.append(self)
        return result(self, limit)

    monkeypatch.setattr(session.Session, "result", counted)
    engine.query(f"max({_OVERFLOWS})").arrow()

    assert len(asked) == 1


@pytest.fixture
def fails_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB delivers a batch of rows, and then an error."""
    batches = session.Session._batches

    def one_batch(self: session.Session, reader: Any) -> Iterator[Any]:
        yield next(batches(self, reader))
        raise QueryError("it ends here")

    plain_rows = session.Session._plain_rows

    def some_rows(self: session.Session, rows: list[Any]) -> Iterator[list[Any]]:
        yield next(plain_rows(self, rows))
        raise QueryError("it ends here")

    monkeypatch.setattr(session, "_BATCH_ROWS", 2048)
    monkeypatch.setattr(session, "_PLAIN_ROWS", 1000)
    monkeypatch.setattr(session.Session, "_batches", one_batch)
    monkeypatch.setattr(session.Session, "_plain_rows", some_rows)


@pytest.mark.usefixtures("fails_late")
def test_trees_go_on_where_sql_ended(engine: Engine) -> None:
    answer = engine.query("$cct//dcg:context ! xs:int(@id)")

    assert answer.arrow()["value"].to_pylist() == list(range(_N))
    assert answer.refusals == ["query: error: it ends here"]


@pytest.mark.usefixtures("fails_late")
def test_what_does_not_fit_the_rows_before_is_an_error(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = engine.query(str(1 << 70))
    monkeypatch.setattr(Evaluation, "rest", lambda *_: large)
    answer = engine.query("$cct//dcg:context ! xs:int(@id)")

    with pytest.raises(QueryError, match="FOAR0002"):
        answer.arrow()


@pytest.mark.usefixtures("fails_late")
@pytest.mark.parametrize("limit", [None, 999, 1000, 1001, _N])
def test_trees_go_on_where_rows_without_arrow_ended(engine: Engine, limit: int | None) -> None:
    answer = engine.answer(Question("$cct//dcg:context ! xs:int(@id)", limit=limit, as_rows=True))

    assert isinstance(answer, Result)
    assert [value for (value,) in answer.rows()] == list(range(limit or _N))
    assert answer.is_truncated == (limit not in (None, _N))
    assert len(answer.refusals) == (limit != 999)


@pytest.mark.usefixtures("fails_late")
def test_what_does_not_fit_the_rows_without_arrow_is_an_error(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = engine.query(str(1 << 70))
    monkeypatch.setattr(Evaluation, "rest", lambda *_: large)
    answer = engine.answer(Question("$cct//dcg:context ! xs:int(@id)", as_rows=True))

    assert isinstance(answer, Result)
    with pytest.raises(QueryError, match="FOAR0002"):
        list(answer.rows())


def test_explain_tells_what_duckdb_refuses(
    chain: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise QueryError("it is not known")

    monkeypatch.setattr(session.Session, "result", refuse)

    assert run(["query", str(chain), "--explain", "$methods ! string(@name)"]) == DONE
    assert (
        "-- in SQL, from line 1, column 1\n--   rejected, evaluated on trees: it is not known\n"
    ) in capfd.readouterr().out


_TEXTS = (
    "$methods ! string(@name)",
    "$methods/@name",
    "$methods[contains(@name, '\\')]/string-length(@name)",
    "$methods[@name = $methods[last()]/@name]/@id",
    "$methods[@name = '\\']/@id",
    "for $m in $methods group by $n := string($m/@name) order by $n return $n || count($m)",
    "for $m in $methods order by $m/@name descending return $m/@name || $m/../@name",
    "for $m in $methods return map { 'n': $m/@name, 'd': $m/@descriptor }",
    "string-join($classes//dcg:callSite/@name, ' ')",
    "$threads/@name/string-length(.)",
    "max($classes//dcg:exclusion/@className/string(.))",
    "count(distinct-values($classes//dcg:instruction/@operand))",
)


@pytest.mark.parametrize("text", _TEXTS)
def test_texts_are_as_xml_writes_them_in_sql(engine: Engine, text: str) -> None:
    """The synthetic names have a backslash, and one has a control character."""
    query = engine.xquery(text)

    assert query.plan.program is None
    planned = answer_of(query.items())
    assert not query.refusals
    assert planned == answer_of(query.items_on_trees())


def test_verbose_tells_what_duckdb_refused(chain: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["query", str(chain), "-v", f"max({_OVERFLOWS})"]) == DONE
    shown = capfd.readouterr()
    assert shown.out == f"value\n{1 << 63}\n"
    assert "trees answered, since SQL failed" in shown.err
    assert "Overflow" in shown.err
