"""The query cases of ``tests/queries``: planned, on trees, and by SaxonC."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from support.answers import answer_of, error_of
from support.query_cases import QueryCase, read_cases
from support.samples import write_shapes
from support.saxon_on_runs import SaxonOnRun, is_same

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question

if TYPE_CHECKING:
    from pathlib import Path

_CASES = read_cases()
_XQUERY = [case for case in _CASES if case.language != "sql"]
_SQL = [case for case in _CASES if case.language == "sql"]


class _Run(NamedTuple):
    engine: Engine
    saxon: SaxonOnRun


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> _Run:
    folder: Path = tmp_path_factory.mktemp("cases")
    (folder / "xml").mkdir()
    path = write_shapes(folder / "shapes.run", probes=("receiver",))
    return _Run(Engine(path), SaxonOnRun(path, folder / "xml"))


def _as_expected(case: QueryCase, answer: list[str]) -> list[str]:
    """Returns an answer without the position of an error for which the case has none."""
    if answer and answer[-1].startswith("error"):
        answer = answer[-1:]
        if " at " not in case.expected[-1]:
            answer = [answer[0].partition(" at ")[0]]
    return answer


def _without_positions(answer: list[str]) -> list[str]:
    return [text.partition(" at ")[0] if text.startswith("error") else text for text in answer]


@pytest.mark.parametrize("case", _XQUERY, ids=lambda case: case.id)
def test_xquery(run: _Run, case: QueryCase) -> None:
    try:
        query = run.engine.xquery(Question(case.text, params=case.params, language=case.language))
    except QueryError as error:
        refusal = [error_of(error)]
    else:
        refusal = None
    if refusal:
        assert _as_expected(case, refusal) == case.expected
        return
    assert _as_expected(case, answer_of(query.items(), positions=True)) == case.expected
    assert _as_expected(case, answer_of(query.items_on_trees(), positions=True)) == case.expected
    if case.compiles:
        assert query.plan.program is None, query.explain()


@pytest.mark.parametrize("case", _SQL, ids=lambda case: case.id)
def test_sql(run: _Run, case: QueryCase) -> None:
    try:
        rows = list(run.engine.query(Question(case.text, language="sql")).rows())
    except QueryError as error:
        shown = [error_of(error)]
    else:
        shown = [" | ".join("NULL" if v is None else str(v) for v in row) for row in rows]
    assert _as_expected(case, shown) == case.expected


@pytest.mark.parametrize(
    "case",
    [case for case in _XQUERY if case.language == "xquery" and case.not_saxon is None],
    ids=lambda case: case.id,
)
def test_saxon_says_the_same(run: _Run, case: QueryCase) -> None:
    assert is_same(_without_positions(case.expected), run.saxon.answer(case.text))


def test_there_are_enough_cases() -> None:
    assert len(_CASES) > 400
    assert sum(case.compiles for case in _CASES) > 80
