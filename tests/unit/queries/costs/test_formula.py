"""Formulas of cost models."""

from __future__ import annotations

import numpy as np
import pytest

from jvmscope.queries.costs.formula import FormulaError, parse_formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 2", 5),
        ("max(0, r - 3)", 0),
        ("max(1, 2, r)", 2),
        ("min(5, size)", 5),
        ("ceil(size / 4)", 3),
        ("floor(size / 4)", 2),
        ("ceil((size + 3) / (r + 1))", 7),
        ("  1+ r ", 2),
    ],
)
def test_values(text: str, value: int) -> None:
    assert parse_formula(text).value({"r": 1, "size": 10}) == value


def test_many_sizes_at_once() -> None:
    sizes = np.array([0, 1, 4, 5, 65_535])

    found = parse_formula("6 + max(0, ceil(size / 4) - 1)").value({"size": sizes})

    assert found.tolist() == [6, 6, 6, 7, 6 + 16_384 - 1]


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("", "expected whole numbers", 0),
        ("1.5", "expected whole numbers", 0),
        ("1 +", "expected whole numbers", 2),
        ("size / 4", "a quotient must be inside ceil() or floor()", 0),
        ("2 + size / 4", "a quotient must be inside ceil() or floor()", 4),
        ("ceil(size)", "ceil() takes a quotient, as size / 4", 0),
        ("ceil(size / 4, 2)", "ceil() takes a quotient", 0),
        ("max(1)", "expected whole numbers", 0),
        ("2 ** 3", "expected whole numbers", 0),
        ("-1", "expected whole numbers", 0),
        ("abs(1)", "expected whole numbers", 0),
        ("__import__('os')", "expected whole numbers", 0),
        ("r if size else 1", "expected whole numbers", 0),
        ("True", "expected whole numbers", 0),
        ("1 + 99999999999", "a number is at most", 4),
        ("1 + ²", "expected whole numbers", 4),
        ("(" * 400 + "1" + ")" * 400, "at most 500 characters", 500),
        ("(" * 240 + "1" + ")" * 240, "expected whole numbers", 0),
        ("\0", "expected whole numbers", 0),
    ],
)
def test_mistakes(text: str, message: str, at: int) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text)

    assert str(caught.value).startswith(message) or message in str(caught.value)
    assert "(" * 240 in text or caught.value.at == at


def test_division_by_zero() -> None:
    with pytest.raises(FormulaError, match="divides by 0"):
        parse_formula("ceil(size / r)").value({"size": np.array([1, 2]), "r": 0})
