"""Curves and bars in lines of several widths: one line each, and no name or note loses a word."""

from __future__ import annotations

import io
from collections import Counter
from itertools import product

import pytest

from jvmscope.reports.faces import print_page
from jvmscope.reports.faces.blocks import Bars, Sparks

_WIDTHS = (60, 72, 80, 100, 120, 200)
_NAMES = (
    ("a", "cpu_time"),
    ("compile_time{/Code/compiler/c1}", "samples"),
    ("cpu_time{/APCode/app/Service/handle, /Code/collection/pause}", "x" * 40),
)
_NOTES = (
    ("6.7 s", "1 sample"),
    ("159,891,048 bytes, 7,106,269 a second", "26.0 ms, 0.1 % of the time"),
    ("no curve: the event stream of this Java has no such event, and nobody counted", "1"),
)
_LENGTHS = (1, 12, 45, 300)
_BLOCKS = frozenset("▁▂▃▄▅▆▇█")


def _lines(block: Bars | Sparks, width: int) -> list[str]:
    stream = io.StringIO()
    print_page([block], stream, is_colored=False, width=width)
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("names", _NAMES)
@pytest.mark.parametrize("notes", _NOTES)
def test_a_curve_has_one_line_and_its_words_are_whole(
    names: tuple[str, str], notes: tuple[str, str]
) -> None:
    for width, n, name, note in product(_WIDTHS, _LENGTHS, names, notes):
        heights = (*(k % 7 / 7 for k in range(n - 1)), 1.0)
        lines = _lines(Sparks(((name, heights, note),)), width)
        (curve,) = (line for line in lines if not _BLOCKS.isdisjoint(line))
        length = sum(map(_BLOCKS.__contains__, curve))

        assert all(len(line) <= width for line in lines), lines
        assert length == n or min(n, 16) <= length <= width - min(len(name), 16) - 2, lines
        assert "█" in curve  # the highest of all
        assert all(any(word in line for line in lines) for word in note.split()), lines
        letters = Counter(letter for line in lines for letter in line if letter not in _BLOCKS)
        expected = Counter(name + note)
        del letters[" "], expected[" "]
        assert letters == expected, lines


@pytest.mark.parametrize("names", _NAMES)
def test_a_bar_has_one_line_of_the_length_that_all_have(names: tuple[str, str]) -> None:
    for width in _WIDTHS:
        rows = tuple((name, (0.25, 0.75)) for name in names)
        lines = _lines(Bars(("interpreter", "native"), rows), width)
        bars = [line for line in lines if "█▓" in line]

        assert all(len(line) <= width for line in lines), lines
        assert len(bars) == len(rows), lines
        lengths = {sum(map("█▓".__contains__, line)) for line in bars}
        assert len(lengths) == 1, lines
        assert 16 <= lengths.pop() <= 48
        assert sum("native 75 %" in line for line in lines) == len(rows), lines
