"""Whatever a parameter is given: values that both languages agree on, or one error of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.vocabulary_runs import WRITERS

from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.metrics.catalogue import implementations
from jvmscope.queries import Engine, Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import QueryFile

_NUMBERS = {
    "integer": ("-3", "-1", "0", "1", "7", "9000000000"),
    "number": (
        *("-3", "-0.5", "0", "1e-9", "0.000001", "0.1234567", "0.5", "1", "2", "1e300"),
        *("nan", "inf", "-inf"),
    ),
}
_ASKED = [
    (id_, param.name, text)
    for id_, files in implementations().items()
    for param in files[0].params
    for text in _NUMBERS.get(param.type, ())
]
_NONE = ("nan", "inf", "-inf")
"""What no parameter may be."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("parameters") / "a.run"
    WRITERS["all probes"](run)
    with Engine(run) as opened:
        yield opened


def _answer(engine: Engine, query: QueryFile, params: dict[str, Any]) -> object:
    """Returns the rows, or the message of an error."""
    try:
        return engine.query(Question(query, params=params)).arrow().to_pylist()
    except QueryError as error:
        return error.message


@pytest.mark.parametrize(("id_", "name", "text"), _ASKED)
def test_every_number_has_one_meaning(id_: str, name: str, text: str, engine: Engine) -> None:
    files = implementations()[id_]
    if files[0].step:
        return
    answers = [_answer(engine, query, {name: text}) for query in files]

    assert all(answer == answers[0] for answer in answers)
    if isinstance(answers[0], str):
        assert name in answers[0]


@pytest.mark.parametrize(("id_", "name", "text"), _ASKED)
def test_no_number_is_a_failure(id_: str, name: str, text: str, engine: Engine) -> None:
    message = None
    try:
        assert measure([engine], metrics=[id_], params={name: text}, is_cached=False).arrow()
    except QueryError as error:
        message = error.message

    assert message is None or f"{name}: expected " in message
    assert message or text not in _NONE
