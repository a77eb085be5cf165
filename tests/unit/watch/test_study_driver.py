"""What is left of a study that was ended, after any of its readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.planted_studies import write_study

from jvmscope.watch.study.driver import _Driver
from jvmscope.watch.study.options import StudyOptions

if TYPE_CHECKING:
    from pathlib import Path

_S = 1_000_000_000
_READINGS = [(0, None, "S3"), (0, 0, "S6"), (0, 0, "S8"), (0, None, "S10")]
_OPTIONS = StudyOptions(*[1.0] * 9, n_methods=1, n_controls=1)


def _driver(path: Path, readings: list[tuple[int, int | None, str]]) -> _Driver:
    """A reading takes a second, and comes a second after the one before."""
    rows = [
        (number, *reading, 2 * number * _S, (2 * number + 1) * _S, 0.5)
        for number, reading in enumerate(readings)
    ]
    launches = sorted({reading[0] for reading in readings})
    study = write_study(
        path / "a.study",
        {
            "restart": [(launch, launch % 2 == 1, 0, 0) for launch in launches],
            "study_method": [(0, "app/Main", "run", "()V", 1_000, True)],
            "cycle": [(0, 0, 0, 0, 1, 1, 1, None)] if (0, 0, "S8") in readings else [],
            "reading": rows,
        },
        state="running",
    )
    return _Driver(study, _OPTIONS, path / "agent.jar", lambda _step, _done: None)


@pytest.mark.parametrize("n", range(1, len(_READINGS) + 1))
def test_a_measured_launch_is_as_long_as_its_readings_tell(tmp_path: Path, n: int) -> None:
    driver = _driver(tmp_path, _READINGS[:n])
    assert (driver._n_cycles, driver._n_controls) == (int(n > 2), 0)
    assert driver._measured_s == [2 * (n - 1)]


@pytest.mark.parametrize("is_whole", [False, True])
def test_a_control_that_was_ended_is_done_again(tmp_path: Path, is_whole: bool) -> None:
    control = [(1, None, "S3"), (1, None, "S10")]
    driver = _driver(tmp_path, [*_READINGS, *control[: 1 + is_whole]])
    assert driver._n_controls == int(is_whole)
    assert driver._n_restarts == 2


def test_a_launch_that_was_ended_is_not_taken_for_one_that_was_not(tmp_path: Path) -> None:
    driver = _driver(tmp_path, [*_READINGS, (2, None, "S3")])
    assert driver._measured_s == [6]
