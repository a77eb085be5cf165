"""Runs in processes of their own: the same answers, errors and failures in the same order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope.errors import LimitReached, QueryError
from jvmscope.metrics import measure
from jvmscope.metrics.processes import in_processes
from jvmscope.queries import parse_scope
from jvmscope.reports.building import report_of

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.metrics.measure import Failure

_METRICS = ("execution.totals", "polymorphism.targets")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs, of which the second has no thread named worker-2, as the others have not."""
    folder = tmp_path_factory.mktemp("runs")
    return [write_shapes(folder / f"{n}.run", n_circles=n) for n in (6, 16, 7)]


def test_a_report_and_values_are_the_same_and_failures_too(runs: list[Path]) -> None:
    damaged = runs[1] / "tables" / "context.parquet"
    whole = damaged.read_bytes()
    damaged.write_bytes(b"damaged")
    told: list[list[Failure]] = [[], [], [], []]
    percentages: list[float] = []
    try:
        reports = [
            report_of(
                runs,
                metrics=_METRICS,
                is_cached=False,
                jobs=jobs,
                on_failure=told[jobs - 1].append,
                on_progress=percentages.append,
            )
            for jobs in (1, 2)
        ]
        values = [
            measure(
                runs,
                metrics=_METRICS,
                is_cached=False,
                jobs=jobs,
                on_failure=told[jobs + 1].append,
                on_progress=percentages.append,
            ).arrow()
            for jobs in (1, 2)
        ]
    finally:
        damaged.write_bytes(whole)

    assert reports[0] == reports[1]
    assert [subject.is_measured for subject in reports[1].subjects] == [True, False, True]
    assert values[0].equals(values[1])
    texts = [[str(failure) for failure in failures] for failures in told]
    assert texts[0] == texts[1]
    assert texts[2] == texts[3]
    assert all(len(failures) == 1 for failures in texts)
    assert percentages.count(100) >= 4
    assert (min(percentages), max(percentages)) == (percentages[0], 100)


def test_an_error_is_that_of_the_worker(runs: list[Path]) -> None:
    with pytest.raises(QueryError, match="no thread is named 'worker-2'") as caught:
        measure(
            runs, metrics=_METRICS, scope=parse_scope("thread:worker-2"), is_cached=False, jobs=2
        )

    assert caught.value.path == "--scope"


def test_a_worker_that_is_ended_is_a_limit() -> None:
    with pytest.raises(LimitReached, match="was killed"):
        list(in_processes(os._exit, [1], 1))
