"""What figures of times say: how many threads a time per time is."""

from __future__ import annotations

import pytest

from jvmscope.reports.watched.histogram import Bins
from jvmscope.reports.watched.html.figures import lines


@pytest.mark.parametrize(
    ("most", "told"),
    [
        (10, "1 thread"),
        (10.01, "1 thread"),
        (20, "2 threads"),
        (5, "0.5 threads"),
        (0, "0.1 threads"),
    ],
)
def test_a_time_per_time_is_a_number_of_threads(most: float, told: str) -> None:
    assert f"at most {told} at a time" in lines([("all", [most, 0])], Bins(0, 10, 2, 20))
