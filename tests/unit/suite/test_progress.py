"""What is said while a suite runs."""

from __future__ import annotations

import pytest

from jvmscope.output.console import Console
from jvmscope.schema.suite import Row
from jvmscope.suite.progress import telling, time_left


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_an_end_from_outside_is_told(
    end: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        with telling(Console(), "small", 3) as tell:
            tell(Row("a-1", "a", "recorded"))
            raise end

    with pytest.raises(end):
        work()

    assert capsys.readouterr().err.splitlines()[-1] == (
        "warning: small: ended after 1 of 3; run the same command again to continue"
    )


def test_jvms_that_were_not_recorded_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with telling(Console(verbosity=-1), "small", 1) as tell:
        tell(Row("a-1", "a", "recorded", unreached=("java Other (2 times)",)))

    told = "warning: a-1: it started JVMs that were not recorded: java Other (2 times)\n"
    assert capsys.readouterr().err == told


def test_what_a_run_lacks_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with telling(Console(verbosity=-1), "small", 1) as tell:
        tell(Row("a-1", "a", "recorded", limits=("calls are folded", "no bytecodes of a/B.f()V")))

    told = "warning: a-1: calls are folded\nwarning: a-1: no bytecodes of a/B.f()V\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("elapsed_s", "n_done", "told"),
    [(9, 1, "81 s"), (10.5, 1, "2 min"), (6000, 1, "15.0 h"), (90, 9, "10 s")],
)
def test_the_time_left_is_by_the_pace_so_far(elapsed_s: float, n_done: int, told: str) -> None:
    shown = time_left(elapsed_s, n_done, 10)

    assert shown == f", about {told} left"
