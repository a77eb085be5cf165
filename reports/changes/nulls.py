"""Conditions whose result for a change is null: whether a gate may pass then, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.metrics.reasons import ReasonCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["asks_nothing", "is_in_neither", "is_unmeasured", "why_null"]

_ABSENT = frozenset({ReasonCode.NO_ROW, ReasonCode.NOTHING})


def asks_nothing(row: Mapping[str, Any]) -> bool:
    """Tells whether a value did not grow, whatever a condition about it may be.

    >>> asks_nothing({"a": 2.0, "b": None, "reason_code_b": "no-such-row"})
    True
    >>> asks_nothing({"a": 2.0, "b": None, "reason_code_b": "nothing-to-measure"})
    True
    >>> asks_nothing({"a": 0.0, "b": 0.0, "reason_code_b": None})
    True
    >>> asks_nothing({"a": None, "b": 2.0, "reason_code_b": None})
    False
    """
    return row["reason_code_b"] in _ABSENT or bool(row["a"] == 0 and row["b"] == 0)


def is_in_neither(row: Mapping[str, Any]) -> bool:
    """Tells whether a row only says that neither run has any row of a metric.

    >>> is_in_neither({"reason_code_a": "nothing-to-measure", "reason_code_b": "no-such-row"})
    True
    >>> is_in_neither({"reason_code_a": None, "reason_code_b": "no-such-row"})
    False
    """
    return row["reason_code_a"] in _ABSENT and row["reason_code_b"] in _ABSENT


_KNOWN = frozenset({None, *_ABSENT, ReasonCode.UNDEFINED})
"""Why a value may be null although everything was measured."""


def is_unmeasured(row: Mapping[str, Any], sides: Iterable[str] = "ab") -> bool:
    """Tells whether a value is not known, as what it needs was not recorded.

    Args:
        row: a change.
        sides: the runs whose values matter.

    >>> is_unmeasured({"reason_code_a": None, "reason_code_b": "not-recorded"})
    True
    >>> is_unmeasured({"reason_code_a": "not-recorded", "reason_code_b": None}, "b")
    False
    >>> is_unmeasured({"reason_code_a": "no-such-row", "reason_code_b": None})
    False
    """
    return not {row[f"reason_code_{side}"] for side in sides} <= _KNOWN


def why_null(row: Mapping[str, Any]) -> str:
    """Returns why a condition on a change is null, and what to write instead if anything helps."""
    if row["b"] is not None and row["reason_code_a"] == ReasonCode.NO_ROW:
        return "only B has such a row; COALESCE(a, 0) counts it as 0 in A"
    if row["a"] == 0 and row["b"] is not None:
        return "a is 0 and b is not, so there is no percentage; compare delta"
    return row["reason"] or "it compares with null, or divides by 0"
