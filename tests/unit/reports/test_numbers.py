"""Numbers in tables: a few digits of what they are, and powers of ten only for the smallest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.reports.changes.cells import number, percent
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.study.numbers import shown_value

if TYPE_CHECKING:
    from collections.abc import Callable

_MANTISSAS = (1, 1.000001, 1.2345678, 2.5, 4.4996, 9.994, 9.99951, 9.99996, 9.9999996)
_VALUES = sorted(mantissa * 10**power for power in range(-4, 15) for mantissa in _MANTISSAS)
_FORMS: dict[str, tuple[Callable[[float], str], int]] = {
    "shown": (shown, 4),
    "number": (number, 6),
    "percent": (lambda value: percent(value).removesuffix(" %").removeprefix("+"), 3),
    "value": (lambda value: shown_value(value, "1"), 4),
}


@pytest.mark.parametrize(("form", "digits"), _FORMS.values(), ids=[*_FORMS])
def test_numbers_of_every_magnitude(form: Callable[[float], str], digits: int) -> None:
    texts = [form(value) for value in _VALUES]
    read = [float(text.replace(",", "")) for text in texts]

    assert not [text for text in texts if "e" in text]
    assert read == sorted(read)
    assert read == [pytest.approx(value, rel=0.6 * 10 ** (1 - digits)) for value in _VALUES]
    for value, text in zip(_VALUES, texts, strict=True):
        assert text.partition(".")[0] == f"{int(float(text.replace(',', ''))):,}", value
        assert form(-value) == f"-{text}"


@pytest.mark.parametrize(("form", "_digits"), _FORMS.values(), ids=[*_FORMS])
def test_what_is_whole_is_exact(form: Callable[[float], str], _digits: int) -> None:
    assert [form(0), form(-0.0), form(7.0)] == ["0", "0", "7"]


def test_large_counts_lose_no_digit() -> None:
    assert shown(2**60 + 1) == f"{2**60 + 1:,}"
