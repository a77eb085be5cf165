"""The examples of docs/watch.md that ask about a watch run have the columns that they show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.beside import write_recorded, write_watch

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE = Path(__file__).parents[3] / "docs" / "watch.md"
_EXAMPLE = re.compile(
    r"^\$ jvmscope query \w+\.watch (?:--with \w+\.run )?(?:--format table )?"
    r"(?P<quote>[\"'])(?P<query>[^\"]+?)(?P=quote)\n(?P<rest>[^`$]*)",
    re.MULTILINE,
)
_EXAMPLES = [(each["query"], each["rest"]) for each in _EXAMPLE.finditer(_PAGE.read_text())]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    directory = tmp_path_factory.mktemp("examples")
    watched, recorded = directory / "a.watch", directory / "a.run"
    with Engine(write_watch(watched), beside=write_recorded(recorded)) as opened:
        yield opened


@pytest.mark.parametrize(("query", "shown"), _EXAMPLES, ids=range(len(_EXAMPLES)))
def test_an_example_can_be_asked(engine: Engine, query: str, shown: str) -> None:
    result = engine.query(query)
    list(result.rows())

    head = shown.split("\n", 1)[0].split()
    assert head in ([], [column.name for column in result.columns])


def test_examples_are_found() -> None:
    assert len(_EXAMPLES) >= 7
    assert sum("───" in shown for _, shown in _EXAMPLES) >= 3
