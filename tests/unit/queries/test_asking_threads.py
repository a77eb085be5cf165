"""Threads may ask one open run at the same time, whatever each is the first to ask for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

_SCOPES = ("run", "application", "application+", "thread:main", "subtree:app/Main.main")
_TEXTS = (
    "SELECT SUM(n_calls)::BIGINT FROM context",
    "SELECT SUM(n_calls)::BIGINT FROM call_edge",
    "SELECT SUM(n_calls)::BIGINT FROM cct.inclusive()",
    "count($cct//dcg:context)",
    "sum(for $method in $methods return xs:long($method/dcg:callCount))",
)


@pytest.mark.parametrize("text", _TEXTS)
def test_each_thread_gets_the_answer_that_it_gets_alone(shapes: Path, text: str) -> None:
    with jvmscope.open(shapes) as run:
        alone = {scope: list(run.query(text, scope=scope).rows()) for scope in _SCOPES}
    together = _SCOPES * 2
    start = threading.Barrier(len(together))
    with jvmscope.open(shapes) as run, ThreadPoolExecutor(len(together)) as threads:

        def ask(scope: str) -> list[tuple[object, ...]]:
            start.wait()
            return list(run.query(text, scope=scope).rows())

        answers = list(threads.map(ask, together))
    assert answers == [alone[scope] for scope in together]


def test_metrics_are_measured_at_the_same_time(shapes: Path) -> None:
    with jvmscope.open(shapes) as run:
        alone = {s: run.measure("execution.*", scope=s).arrow().to_pylist() for s in _SCOPES}
    start = threading.Barrier(len(_SCOPES))
    with jvmscope.open(shapes) as run, ThreadPoolExecutor(len(_SCOPES)) as threads:

        def measured(scope: str) -> list[dict[str, object]]:
            start.wait()
            return run.measure("execution.*", scope=scope).arrow().to_pylist()

        assert list(threads.map(measured, _SCOPES)) == list(alone.values())
