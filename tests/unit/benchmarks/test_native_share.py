"""What is said of known times, from values that are worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import native_share, publish
from benchmarks.native_share import Known, Seen, Setting

_KNOWN = Known(native_ns=400, bytecode_ns=600, total_ns=1100, n_native=3, n_jni=1)
_ALONE = Setting("JDK 17", has_tree=False, clock="timestamp")
_THREAD = Setting("JDK 17", has_tree=True, clock="thread")
_NONE = Setting("JDK 17", has_tree=True, clock="none")

if TYPE_CHECKING:
    from benchmarks.native_share import Results


def test_differences_are_those_of_the_share_and_of_the_sum() -> None:
    seen = Seen(3, 1, native_ns=450, bytecode_ns=550, taken_off_ns=111)
    assert seen.points(_KNOWN) == pytest.approx(5)
    assert seen.percent(_KNOWN) == pytest.approx(1)
    assert seen.percent(_KNOWN, is_whole=False) == pytest.approx(-9.0909, abs=1e-4)
    assert seen.misses(_KNOWN) == ["the share is wrong by +5.00 points"]


def test_what_is_beyond_a_goal_is_said() -> None:
    low = Seen(2, 1, native_ns=400, bytecode_ns=600, taken_off_ns=0)
    assert low.misses(_KNOWN) == [
        "the sum is wrong by -9.09 %",
        "2 calls and 1 by JNI, not 3 and 1",
    ]
    assert Seen(3, 1).misses(_KNOWN) == []
    assert Seen(3, 1).points(_KNOWN) is None
    assert Seen(3, 1).percent(_KNOWN) is None


def _results() -> Results:
    exact = Seen(3, 1, native_ns=400, bytecode_ns=600, taken_off_ns=100)
    near = Seen(3, 1, native_ns=410, bytecode_ns=590, taken_off_ns=111)
    return {
        _ALONE: ({"a": _KNOWN, "b": _KNOWN}, {"a": exact, "b": near}),
        _THREAD: ({"a": _KNOWN, "b": _KNOWN}, {"a": exact, "b": exact}),
        _NONE: ({"a": _KNOWN, "b": _KNOWN}, {"a": Seen(3, 1), "b": Seen(3, 1)}),
    }


def test_the_table_has_a_row_for_each_thread() -> None:
    assert native_share.table(_results(), "timestamp").splitlines() == [
        "| thread | JDK 17, alone |",
        "| --- | --: |",
        "| a | +0.00 / +0.00 % |",
        "| b | +1.00 / +1.00 % |",
    ]


def test_the_page_has_its_place_and_says_the_largest_differences() -> None:
    content = native_share._page(_results(), [0.25, 1.0])
    assert (
        "- `--native-clock timestamp`: shares are wrong by at most 1.00 points, sums by 1.00 %, "
        "and without what measuring cost by 9.09 %." in content
    )
    assert "- All calls were counted" in content
    assert "load average 0.2 to 1.0" in content
    page = native_share.PAGE.read_text(encoding="utf-8")
    assert content in publish.replace_section(page, "native share of known programs", content)


def test_settings_that_miss_are_named() -> None:
    results = _results()
    results[_NONE][1]["b"] = Seen(4, 1)
    assert list(native_share.misses(results)) == [
        "JDK 17, with the tree, none: b: 4 calls and 1 by JNI, not 3 and 1"
    ]
