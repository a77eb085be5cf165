"""What the parts of watching cost, from what samples cost and how many there are."""

from __future__ import annotations

import pytest

from benchmarks.paired import Estimate
from benchmarks.watch_parts import Parts, Usual


def parts(low_ns: float, high_ns: float) -> Parts:
    """50 samples of threads a second of 0.1 ms, and 300 of allocations of 10 µs."""
    threads = Estimate(100_000.0, low_ns, high_ns)
    allocations = Estimate(10_000.0, -5_000.0, 20_000.0)
    usual = Usual({"execution_sample": 50.0, "allocation_sample": 300.0}, 4.0, 100.0, 0.002)
    return Parts({"execution_sample": threads, "allocation_sample": allocations}, usual)


def test_a_share_is_what_a_sample_costs_times_how_many_there_are() -> None:
    """GIVEN 50 samples a second of 0.1 ms each, THEN they take 5 ms of a second."""
    found = parts(80_000.0, 120_000.0)

    assert found.share("execution_sample") == pytest.approx((0.005, 0.004, 0.006))
    assert found.share("allocation_sample") == pytest.approx((0.003, -0.0015, 0.006))


def test_the_total_has_the_sums_of_the_bounds() -> None:
    """GIVEN other events as dear as the dearest sample at most, THEN they and threads are added."""
    found = parts(80_000.0, 120_000.0)
    rest = 4 * 120e-6 + 100 * 10e-6 + 0.002

    assert found.others == pytest.approx(4 * 120e-6 + 100 * 10e-6)
    assert found.total == pytest.approx((0.008 + rest, 0.0025 + rest, 0.012 + rest))


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
