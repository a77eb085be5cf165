"""What the columns of a change have to do with each other, whatever the values are.

``delta`` is ``b - a`` and null where one of them is, ``delta_pct`` is null also where ``a`` is 0,
and a reason is given only for a null. ``matched_values`` computes changes by these rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from jvmscope.metrics import catalogue
from jvmscope.reports.changes.matched_values import NO_PERCENTAGE
from jvmscope.reports.changes.names_of_keys import key_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.reports.changes.names_of_keys import KeyColumn

__all__ = [
    "DIFFERENCE",
    "NEVER_NEGATIVE",
    "Limit",
    "bounds",
    "counting_columns",
    "implied",
    "number_columns",
]

DIFFERENCE = "delta is b - a"
NEVER_NEGATIVE = "a and b are never negative"

_NO_DELTA = "delta is null if a or b is null"
_NO_QUOTIENT = "delta_pct is null if delta is null or a is 0"
_NO_REASON = "rows have a reason only if delta_pct is null"


@dataclass(frozen=True)
class Limit:
    """What is asked of a column: to be null, or to be none and within bounds.

    Attributes:
        column: its name, in lower case.
        is_null: whether it must be null.
        low: the least number that it may be.
        high: the greatest.
        is_low_out: whether it may not be ``low`` itself.
        is_high_out: whether it may not be ``high`` itself.
        texts: what it may be, of texts; None: anything.
        other_than: the texts that it may not be.
        why: the rule that asks for it; empty: the condition itself.
    """

    column: str
    is_null: bool = False
    low: float = -math.inf
    high: float = math.inf
    is_low_out: bool = False
    is_high_out: bool = False
    texts: frozenset[str] | None = None
    other_than: frozenset[str] = frozenset()
    why: str = ""


@cache
def counting_columns() -> frozenset[str]:
    """Returns the columns that are whole numbers in each metric, and never negative.

    Keys count, or say how large something is, or where it is.
    """
    return frozenset(key.name for key in _keys() if key.type == "BIGINT")


@cache
def number_columns() -> frozenset[str]:
    """Returns the columns that are numbers in each metric."""
    values = {"a", "b", "delta", "delta_pct"}
    return counting_columns() | values | {key.name for key in _keys() if key.type == "DOUBLE"}


def _keys() -> Sequence[KeyColumn]:
    return key_columns(catalogue().values())


def implied(
    asked: Mapping[str, Sequence[Limit]], *, may_be_negative: bool = True
) -> dict[str, list[Limit]]:
    """Returns the limits of each column, and those that limits of other columns imply.

    Args:
        asked: the limits of each column, by its name.
        may_be_negative: whether ``a`` and ``b`` may be.
    """
    limits = {column: list(found) for column, found in asked.items()}

    def add(limit: Limit) -> None:
        limits.setdefault(limit.column, []).append(limit)

    if _is_present(limits, "delta_pct"):
        add(_sign(limits["delta_pct"]))
        add(Limit("reason", is_null=True, why=_NO_REASON))
        if (*bounds(limits.get("a", ())),) == (0, 0):
            add(Limit("delta_pct", is_null=True, why=_NO_QUOTIENT))
    if _is_present(limits, "delta"):
        add(Limit("a", why=_NO_DELTA))
        add(Limit("b", why=_NO_DELTA))
    if not may_be_negative:
        _add_signs(limits)
    if _is_present(limits, "delta"):
        add(_difference(limits["a"], limits["b"]))
        if _is_present(limits, "reason"):
            add(Limit("reason", texts=frozenset({NO_PERCENTAGE}), why=_NO_REASON))
            add(Limit("a", low=0, high=0, why=_NO_REASON))
    for side in ("a", "b"):
        if _is_present(limits, side):
            code = f"reason_code_{side}"
            add(Limit(code, is_null=True, why=f"{code} is null unless {side} is null"))
    return limits


def _add_signs(limits: dict[str, list[Limit]]) -> None:
    """Adds what columns may be at least, where no value is negative."""
    for column, least in (("a", 0), ("b", 0), ("delta_pct", -100)):
        if _is_present(limits, column):
            limits[column].append(Limit(column, low=least, why=NEVER_NEGATIVE))


def bounds(limits: Sequence[Limit]) -> tuple[float, float]:
    """Returns the least and the greatest number that all limits allow, whether out or not."""
    low = max((limit.low for limit in limits), default=-math.inf)
    return low, min((limit.high for limit in limits), default=math.inf)


def _is_present(limits: Mapping[str, Sequence[Limit]], column: str) -> bool:
    return any(not limit.is_null for limit in limits.get(column, ()))


def _sign(delta_pct: Sequence[Limit]) -> Limit:
    """Returns what the sign of ``delta_pct`` says of ``delta``: it is the same, or both are 0."""
    low, high = bounds(delta_pct)
    is_low_out = low > 0 or any(limit.low == 0 and limit.is_low_out for limit in delta_pct)
    is_high_out = high < 0 or any(limit.high == 0 and limit.is_high_out for limit in delta_pct)
    return Limit(
        "delta",
        low=0 if low >= 0 else -math.inf,
        high=0 if high <= 0 else math.inf,
        is_low_out=is_low_out,
        is_high_out=is_high_out,
        why="delta has the sign of delta_pct",
    )


def _difference(a: Sequence[Limit], b: Sequence[Limit]) -> Limit:
    (low_a, high_a), (low_b, high_b) = bounds(a), bounds(b)
    return Limit("delta", low=low_b - high_a, high=high_b - low_a, why=DIFFERENCE)
