"""The live view of a watch fits every terminal, and says most where there is most room."""

from __future__ import annotations

import pytest

from jvmscope.output.watch_view import view_lines
from jvmscope.watch.tally import ProbeView, Quantity, View

_NAME = "app.service.internal.VeryLongNameOfAServiceThatNobodyRemembers.handle"
_VIEW = View(
    seconds=12.4,
    quantities=(
        Quantity("processor time", "ns", 1.5e9, 18_000_000_000),
        Quantity("allocated", "byte", 3 << 20, 36 << 20),
        *(Quantity(f"count {number}", "", 0.25, number) for number in range(8)),
    ),
    forms={"interpreter": 10, "compiled": 30, "inlined": 60, "native": 0},
    methods=tuple((f"{_NAME}{number}", 50 - number) for number in range(20)),
    probes=(
        ProbeView(_NAME, 10, 2.5, 100_000, 40_000, ((8_192, 9_216, 9), (36_864, 40_960, 1))),
        ProbeView("app.Never.called", 0, 0.0, 0, 0, ()),
    ),
)


@pytest.mark.parametrize("height", [1, 2, 5, 9, 15, 24, 60])
@pytest.mark.parametrize("width", [1, 10, 40, 89, 90, 200])
def test_lines_fit(width: int, height: int) -> None:
    lines = view_lines(_VIEW, "watching app.Main (process 1), Java 17", width, height)

    assert 0 < len(lines) <= height
    assert max(map(len, lines)) <= width


def test_a_wide_terminal_has_everything() -> None:
    lines = view_lines(_VIEW, "watching app.Main", 120)

    assert lines[:4] == [
        "watching app.Main  12 s",
        "                   a second      in all",
        "processor time        1.5 s        18 s",
        "allocated             3 MiB      36 MiB",
    ]
    assert lines[12] == "forms: interpreter 10 %, compiled 30 %, inlined 60 %, native 0 %"
    # Middles of the buckets, but nothing is longer than the longest.
    cells = lines[14].split()
    assert cells[0] == f"…{_NAME[-48:]}"
    assert " ".join(cells[1:]) == "10 2.5 10.0 µs 8.7 µs 8.7 µs 38.9 µs 40.0 µs"
    assert lines[15].split() == ["app.Never.called", "0", "0"]
    assert lines[17].startswith("  6.2 % █ ")
    assert lines[17].endswith(f"{_NAME}0")
    assert len(lines) == 27  # ten methods


def test_a_narrow_terminal_has_the_end_of_names() -> None:
    lines = view_lines(_VIEW, "watching app.Main", 40, 24)
    (probe,) = (line for line in lines if "10.0 µs" in line)
    (method,) = (line for line in lines if line.endswith("handle0"))

    assert probe.split() == ["…s.handle", "10", "10.0", "µs", "8.7", "µs"]
    assert method.startswith("  6.2 %  …")


def test_nothing_seen_yet_is_said() -> None:
    empty = View(0.0, (), {"interpreter": 0}, (), ())
    assert view_lines(empty, "watching app.Main", 80)[-1] == ("forms: no samples in the last 10 s")
