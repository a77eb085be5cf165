"""Formats values and their changes for tables, with whether a change is for the better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.metrics.reasons import ReasonCode
from jvmscope.reports.changes.budgets import keys_of
from jvmscope.reports.faces.numbers import rounded, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.reports.faces.blocks import Tone

__all__ = [
    "delta_text",
    "dotted",
    "is_change",
    "is_comparable",
    "number",
    "only_in",
    "percent",
    "short",
    "signed",
    "size_of",
    "tone_of",
]

_NEW, _GONE = "only in B", "only in A"
_TYPE = r"\[*(?:[BCDFIJSZ]|L[^;()]+;)"
_DESCRIPTOR = re.compile(rf"\((?:{_TYPE})*\)(?:V|{_TYPE})(?P<number>(?: #\d+)?)$")
"""A method's descriptor at the end of its name, or before the number of a call site."""


def is_change(row: dict[str, Any]) -> bool:
    """Tells whether a value differs, or only one run has it."""
    return bool(row["delta"]) or only_in(row) is not None


def is_comparable(row: dict[str, Any]) -> bool:
    """Tells whether both runs have a value, or one of them measured and has none."""
    return row["delta"] is not None or only_in(row) is not None


def only_in(row: dict[str, Any]) -> str | None:
    """Returns which run alone has a row; None: both have it, or a value is null for a reason."""
    if row["delta"] is not None or (row["a"] is None) == (row["b"] is None):
        return None
    lacking = "a" if row["a"] is None else "b"
    if row[f"reason_code_{lacking}"] != ReasonCode.NO_ROW:
        return None
    return _NEW if lacking == "a" else _GONE


def size_of(row: dict[str, Any]) -> tuple[float, float]:
    """Returns how large a change is: as a share of the larger value, then as a number."""
    a, b = row["a"] or 0.0, row["b"] or 0.0
    largest = max(abs(a), abs(b))
    return (abs(b - a) / largest if largest else 0.0, abs(b - a))


def tone_of(row: dict[str, Any]) -> Tone:
    """Returns whether a change is for the worse or for the better, by its metric's ``better``."""
    delta = row["delta"]
    if not delta:
        return "other" if delta is None else "none"
    if row["better"] in (None, "none"):
        return "other"
    return "better" if (delta > 0) == (row["better"] == "higher") else "worse"


def delta_text(row: dict[str, Any]) -> str:
    """Returns the difference as text, or why there is none."""
    if row["delta"] is None:
        return only_in(row) or f"null: {row['reason']}"
    return signed(row["delta"])


def signed(value: float) -> str:
    """Returns a number with its sign, unless it is 0."""
    return f"{'+' if value > 0 else ''}{number(value)}"


def percent(value: float | None) -> str:
    """Returns a percentage of three digits with its sign, and nothing for null.

    >>> [percent(value) for value in (None, 3.14159, -0.001, 0.0, 12345.6)]
    ['', '+3.14 %', '-0.001 %', '0 %', '+12,300 %']
    """
    if value is None:
        return ""
    return f"{'+' if value > 0 else ''}{rounded(value, 3)} %"


def number(value: float | None) -> str:
    """Returns whole numbers, and others with six digits, all with commas; nothing for null.

    >>> [number(value) for value in (None, 1234567.0, 1234567.5, 0.25, 2 / 3)]
    ['', '1,234,567', '1,234,568', '0.25', '0.666667']
    """
    return shown(value, 6)


def short(row: Mapping[str, Any]) -> str:
    """Returns what a change is about as people read it: names with dots, without descriptors."""
    return ", ".join(f"{name}={dotted(str(value))}" for name, value in keys_of(row))


def dotted(method: str) -> str:
    """Returns a method's name with dots and without its descriptor; what follows it stays.

    >>> dotted("app/Main.f(I)V"), dotted("app/A.sum (all)([J)Ljava/lang/Object; #2"), dotted("VM")
    ('app.Main.f', 'app.A.sum (all) #2', 'VM')
    >>> dotted("(I)V")  # a descriptor alone
    '(I)V'
    """
    found = _DESCRIPTOR.search(method)
    if found is None or not found.start():
        return method
    return f"{method[: found.start()].replace('/', '.')}{found['number']}"
