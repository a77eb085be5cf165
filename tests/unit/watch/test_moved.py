"""Offsets of instructions that probes have moved, by time and by what is called."""

from __future__ import annotations

import pytest

from jvmscope.watch.probes.moved import MovedCode, MovedMethods

_METHOD = ("app/Main", "run", "()V")
_OTHER = ("app/Main", "other", "()V")
_CODE = MovedCode.parse("8:0 24:12 25:13", "1:first 5:second 9:second")
_LONGER = MovedCode.parse("12:0 28:12 29:13", "1:first 5:second 9:second")


@pytest.fixture
def moved() -> MovedMethods:
    """A method that has a probe from 100 on, another one from 200 on, and none from 300 on."""
    made = MovedMethods()
    made.note(_METHOD, _CODE, 100)
    made.note(_METHOD, _LONGER, 200)
    made.note_removed(300)
    return made


@pytest.mark.parametrize(
    ("at_ns", "offset", "expected"),
    [(99, 9, 9), (100, 9, 1), (199, 9, 1), (200, 9, None), (200, 13, 1), (299, 13, 1), (300, 9, 9)],
)
def test_the_time_tells_the_code(
    moved: MovedMethods, at_ns: int, offset: int, expected: int | None
) -> None:
    assert moved.original(_METHOD, at_ns, offset, None) == expected
    assert moved.original(_OTHER, at_ns, offset, None) == offset
    assert moved.original(_METHOD, at_ns, None, None) is None


@pytest.mark.parametrize(
    ("at_ns", "offset", "callee", "expected"),
    [
        (150, 1, "first", 1),  # began before the probe came
        (150, 9, "first", 1),
        (150, 13, "second", 5),
        (350, 9, "second", 9),
        (350, 9, "first", 1),  # began while the first probe was there
        (350, 13, "first", 1),  # or the other one
        (350, 2, "none of them", 2),
    ],
)
def test_a_call_tells_the_code_of_invocations_that_began_before(
    moved: MovedMethods, at_ns: int, offset: int, callee: str, expected: int
) -> None:
    assert moved.original(_METHOD, at_ns, offset, callee) == expected


def test_times_of_one_code_are_one_epoch(moved: MovedMethods) -> None:
    epochs = [moved.epoch(at_ns) for at_ns in (0, 99, 100, 199, 200, 299, 300, 400)]
    assert epochs == [0, 0, 1, 1, 2, 2, 3, 3]
