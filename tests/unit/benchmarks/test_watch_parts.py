"""What the parts of watching cost, from what each costs and how many there are."""

from __future__ import annotations

import pytest

from benchmarks.paired import Estimate
from benchmarks.watch_parts import Parts, Usual


def parts(low_ns: float, high_ns: float) -> Parts:
    """50 samples of threads a second of 0.1 ms, and 300 events with stacks of 10 µs."""
    usual = Usual(n_samples=50.0, n_stacks=300.0, n_plain=100.0, threads=0.002, agent=0.001)
    return Parts(
        Estimate(100_000.0, low_ns, high_ns), Estimate(10_000.0, -5_000.0, 20_000.0), usual
    )


def test_the_total_has_the_sums_of_the_bounds() -> None:
    """GIVEN what each takes of a second, THEN events without a stack and threads are added."""
    rest = 100 * 10e-6 + 0.002

    assert parts(80_000.0, 120_000.0).total == pytest.approx(
        (0.005 + 0.003 + rest, 0.004 - 0.0015 + rest, 0.006 + 0.006 + rest)
    )


@pytest.mark.parametrize(
    ("low_ns", "high_ns", "judged"),
    [
        (80_000.0, 120_000.0, "yes"),
        (80_000.0, 300_000.0, "undecided"),
        (500_000.0, 600_000.0, "no"),
    ],
)
def test_the_goal_is_met_where_the_upper_bound_is_below(
    low_ns: float, high_ns: float, judged: str
) -> None:
    """GIVEN bounds, THEN the upper one has to be at most 2 %, and the lower one decides a no."""
    assert parts(low_ns, high_ns).judged == judged
