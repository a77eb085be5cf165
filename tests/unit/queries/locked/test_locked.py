"""Locked queries in their own process: answers, limits, and what a limit says."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.watched_rows import write_watched

import jvmscope
from jvmscope.errors import LimitReached, QueryError, RunError, WorkerFailed
from jvmscope.queries import Engine, Limits, Question, Serialized
from jvmscope.queries.locked import process

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIB = 1 << 20
_SMALL = Limits(seconds=3, memory_bytes=300 * _MIB, rows=10, result_bytes=_MIB)
_SHORT = replace(_SMALL, seconds=1)


@pytest.fixture(scope="module")
def engine(shapes: Path) -> Iterator[Engine]:
    with Engine(shapes) as engine:
        yield engine


def test_sql_is_answered_with_types_units_and_parameters(engine: Engine) -> None:
    text = "/** @column n integer  thread  threads */ SELECT COUNT(*) + $m AS n FROM thread"

    result = engine.query(Question(text, params={"m": 40}, limits=_SMALL))

    assert list(result.rows()) == [(42,)]
    assert [(c.name, c.type, c.unit) for c in result.columns] == [("n", "BIGINT", "thread")]


def test_xquery_is_answered_with_nodes(engine: Engine) -> None:
    answer = engine.answer(Question("<n>{count($threads)}</n>", limits=_SMALL))

    assert answer == Serialized("<n>2</n>", "xml")


def test_a_watch_run_is_refused_for_what_it_is(tmp_path: Path) -> None:
    write_watched(tmp_path / "a.watch")

    with (
        Engine(tmp_path / "a.watch") as engine,
        pytest.raises(QueryError, match="a watch run cannot answer untrusted queries"),
    ):
        engine.query(Question("SELECT 1", limits=_SMALL))


@pytest.mark.parametrize("name", ["o[d]d*?.run", "a'b.run"])
def test_a_run_may_have_any_name(shapes: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(shapes, tmp_path / name)
    with Engine(tmp_path / name, locked_to=_SMALL) as engine:
        by_sql = engine.query("SELECT COUNT(*) FROM context_block").rows()
        query = engine.xquery("count($cct//dcg:basicBlock)")

        assert [*query.items()] == [n for (n,) in by_sql] == [7]
        assert query.refusals == []


def test_the_api_has_limits(shapes: Path) -> None:
    with jvmscope.open(shapes) as run:
        assert run.query("count($threads)", limits=_SMALL).arrow().to_pylist() == [{"value": 2}]
        assert run.serialize("1, 'a'", limits=_SMALL) == '1\n"a"'


def test_more_rows_are_left_out(engine: Engine) -> None:
    result = engine.query(Question("FROM range(11)", limits=_SMALL))

    assert result.arrow().num_rows == 10
    assert result.is_truncated


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # memory
        ("SELECT repeat('a', 2000000000)", "memory"),
        ("SELECT reservoir_quantile(range, 0.5, 2000000000) FROM range(3)", "memory"),
        ("SELECT LIST(range) FROM range(1000000000)", "memory|3 s"),
        ("sort(1 to 1000000000) = 0", "memory|3 s"),
        ("map:merge((1 to 100000000) ! map { . : . })?5", "memory|3 s"),
        ("string-length(string-join((1 to 1000000000) ! 'aaaaaaaaaa'))", "memory|3 s"),
        # size
        ("SELECT repeat('a', 3000000)", "1,048,576 bytes"),
        ("string-join((1 to 300000) ! 'aaaaaaaaaa')", "1,048,576 bytes"),
        # recursion
        ("declare function local:f($n) { 1 + local:f($n) }; local:f(1)", "deep"),
        # an entity that grows tenfold at each of ten levels
        (
            'parse-xml(\'<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">'
            + "".join(f'<!ENTITY e{n} "{f"&amp;e{n - 1};" * 10}">' for n in range(1, 11))
            + "]><a>&amp;e10;</a>')",
            "memory|3 s|FODC0006",
        ),
    ],
)
def test_what_needs_too_much_is_stopped(engine: Engine, text: str, message: str) -> None:
    with pytest.raises((LimitReached, QueryError), match=message) as raised:
        engine.answer(Question(text, limits=_SMALL, form=None))

    assert isinstance(raised.value, LimitReached) or "FODC0006" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("FROM range(100000000000) a, range(1000000) b SELECT SUM(a.range * b.range)", "1 s"),
        (
            "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT MAX(n) FROM t",
            "1 s",
        ),
        ("count((1 to 1000000000000)[. mod 2 = 0])", "1 s"),
        ("matches(string-join((1 to 60) ! 'a') || '!', '^(a|aa)+$')", "1 s|SIG"),
    ],
)
def test_what_never_ends_is_stopped(engine: Engine, text: str, message: str) -> None:
    with pytest.raises(LimitReached, match=message):
        engine.answer(Question(text, limits=_SHORT, form=None))


def test_errors_keep_their_place(engine: Engine) -> None:
    with pytest.raises(QueryError) as raised:
        engine.query(Question("1 +\n  $x", limits=_SMALL))

    assert (raised.value.code, raised.value.line, raised.value.column) == ("XPST0008", 2, 3)
    assert "    2 |   $x\n      |   ^" in str(raised.value)


def test_a_long_text_is_not_read(engine: Engine) -> None:
    with pytest.raises(QueryError, match="at most 65,536 bytes"):
        engine.query(Question("/*" * 40000, limits=_SMALL))


def test_a_worker_that_says_nothing_is_ended(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_START_S", 0.0)

    with pytest.raises(LimitReached, match="stopped after 3 s"):
        engine.query(Question("SELECT 1", limits=_SMALL))


def test_a_missing_barrier_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(engine, "on_notice", told.append)

    engine.query(Question("SELECT 1", limits=_SMALL))
    assert told == []

    monkeypatch.setattr(process, "_BARRIERS", ())
    engine.query(Question("SELECT 1", limits=_SMALL))
    (notice,) = told
    assert notice.startswith("untrusted queries are not confined: neither Landlock nor seccomp")


@pytest.mark.parametrize("lie", ["head", "table", "offset"])
def test_an_answer_is_not_trusted(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.setattr(process, "_WORKER", "support.lying_worker")

    with pytest.raises(WorkerFailed, match="its answer cannot be read"):
        engine.query(Question(lie, limits=_SMALL))


@pytest.mark.parametrize(
    "text",
    [
        "error((), string-join((1 to 1000000) ! 'abc'))",
        "error(xs:QName('local'), string-join((1 to 1000000) ! 'abc'))",
        "xs:integer(string-join((1 to 100000) ! 'abc'))",
        "SELECT error(repeat('abc', 1000000))",
        "SELECT repeat('abc', 1000000)::INTEGER",
    ],
)
def test_an_error_is_short_whatever_it_says(engine: Engine, text: str) -> None:
    with pytest.raises(QueryError) as raised:
        list(engine.query(Question(text, limits=_SMALL)).rows())

    assert len(str(raised.value)) < 6_000


def test_a_link_out_of_a_run_is_not_followed(shapes: Path, tmp_path: Path) -> None:
    """GIVEN a run from elsewhere, whose table is a link to a file of the user's."""
    secret = tmp_path / "secret.parquet"
    (run := tmp_path / "theirs.run").mkdir()
    shutil.copytree(shapes, run, dirs_exist_ok=True)
    (run / "tables" / "thread.parquet").rename(secret)
    (run / "tables" / "thread.parquet").symlink_to(secret)

    with jvmscope.open(run) as opened:
        assert opened.query("SELECT COUNT(*) FROM thread").arrow().num_rows == 1  # it is the user's
        with pytest.raises(RunError, match=r"thread.parquet: a link out of the run"):
            opened.query("SELECT COUNT(*) FROM thread", limits=_SMALL)

    (tmp_path / "linked.run").symlink_to(shapes)
    with Engine(tmp_path / "linked.run", locked_to=_SMALL) as engine:
        assert list(engine.query("SELECT COUNT(*) FROM thread").rows()) == [(2,)]
