"""The comparison of probes: intervals of medians, and what peers say that they counted."""

from __future__ import annotations

import pytest

from benchmarks.peer_tools import btrace_calls, tools
from benchmarks.probe_peers import interval, table


@pytest.mark.parametrize(
    ("n", "ranks"),
    # Both tails together are at most 5 %. Of 6 values: 2 / 64. From the 2nd of 8 to the 7th it is
    # 2 · 9 / 256 = 7.0 %, of 9 it is 2 · 10 / 512 = 3.9 %. Of 20, tables have the 6th and 15th.
    [(5, None), (6, (1, 6)), (8, (1, 8)), (9, (2, 8)), (20, (6, 15))],
)
def test_interval_of_a_median(n: int, ranks: tuple[int, int] | None) -> None:
    values = [float(value) for value in range(n, 0, -1)]

    assert interval(values) == ranks


def test_calls_that_btrace_prints() -> None:
    """The last but one is taken, since the last may be half written."""
    assert btrace_calls("calls 1\ncalls 3\ncalls 5\n") == 3
    lines = "histogram\n  value | Distribution | count\n 8 |    0\n 16 |@@@@  40\n 32 |@   2\n\n"
    assert btrace_calls(f"{lines}histogram\n 8 |") == 42


def test_a_tool_that_does_not_run_has_no_number() -> None:
    rows = table({(tools()[0].name, 17): [7.0] * 6}, [17])

    assert rows[0] == "| tool | keeps | Java 17 | 95 % interval |"
    assert rows[2].endswith("| 7.0 ns | 7.0 to 7.0 ns |")
    assert rows[-1].endswith("| has none |  |")
