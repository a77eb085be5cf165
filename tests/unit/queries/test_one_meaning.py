"""SQL and trees give the same answer, or the same error."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from support.generated_queries import queries
from xml_runs import Shape, write_run

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.queries.serialization import Parameters, serialize

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHAPES = (Shape(seed=3, n_classes=4, n_contexts=40), Shape(seed=8, n_contexts=25, probes=False))


@cache
def _engine(number: int) -> Engine:
    folder = Path(tempfile.mkdtemp(prefix="jvmscope-meaning-"))
    write_run(folder / "a.run", _SHAPES[number])
    return Engine(folder / "a.run")


def _shown(items: Iterator[Any]) -> list[str]:
    """Returns each item as adaptive serialization shows it, or the error's code at the end."""
    shown: list[str] = []
    try:
        shown.extend(serialize([item], Parameters(method="adaptive")) for item in items)
    except QueryError as error:
        shown.append(f"error {error.code}")
    return shown


def compare(engine: Engine, text: str) -> bool:
    """Compares both ways to the answer, and tells whether DuckDB had a part in it."""
    query = engine.xquery(text)
    planned = _shown(query.items())
    on_trees = _shown(query.items_on_trees())
    assert planned == on_trees, f"{text}\n{query.explain()}"
    return bool(query.plan.parts)


@pytest.mark.parametrize("number", range(len(_SHAPES)))
def test_generated_queries(number: int) -> None:
    engine = _engine(number)
    compiled = []

    @settings(max_examples=150, deadline=None)
    @given(queries())
    def check(text: str) -> None:
        compiled.append(compare(engine, text))

    check()
    assert sum(compiled) > len(compiled) / 2
