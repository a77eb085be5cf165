"""What a query's header declares: columns, parameters, and what people see first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple, Self

__all__ = ["Highlight", "Interval", "QueryColumn", "QueryParam", "convert"]

_INTERVAL = re.compile(r"([\[(])\s*(-?[0-9.]+)?\s*,\s*(-?[0-9.]+)?\s*([\])])")


@dataclass(frozen=True)
class QueryColumn:
    """A declared column of the result; a key where ``unit`` is None, else a measure."""

    name: str
    type: str
    unit: str | None
    meaning: str


class Interval(NamedTuple):
    """Numbers between two bounds, either of which may be missing.

    >>> [str(Interval.read(text)) for text in ("(0,1]", "[1, )")]
    ['(0, 1]', '[1, )']
    >>> [0.5 in Interval.read(text) for text in ("(0, 1]", "(0.5, 1]", "[0.5, )", "(, 0)")]
    [True, False, True, False]
    """

    least: float | None
    most: float | None
    has_least: bool
    has_most: bool

    @classmethod
    def read(cls, text: str) -> Self:
        """Returns the interval that a text stands for: a bracket has its bound, a parenthesis not.

        Raises:
            ValueError: it stands for none.
        """
        found = _INTERVAL.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"expected an interval such as (0, 1] or [1, ), found {text!r}")
        opening, least, most, closing = found.groups()
        return cls(
            None if least is None else float(least),
            None if most is None else float(most),
            has_least=opening == "[",
            has_most=closing == "]",
        )

    def __contains__(self, value: object) -> bool:
        """Tells whether a number is in it; NaN is in none."""
        if not isinstance(value, Real | Decimal):
            return False
        number: Any = value  # they compare with float, whatever their types are
        least, most = self.least, self.most
        above = least is None or number > least or (self.has_least and number == least)
        below = most is None or number < most or (self.has_most and number == most)
        return bool(above and below and number == number)  # noqa: PLR0124 - NaN is not

    def __str__(self) -> str:
        """Returns it as it is written in headers."""
        opening, closing = "[" if self.has_least else "(", "]" if self.has_most else ")"
        bounds = ("" if each is None else _plain(each) for each in (self.least, self.most))
        return opening + ", ".join(bounds) + closing

    @property
    def words(self) -> str:
        """What is expected of a number, in words.

        >>> Interval.read("(0, 1]").words, Interval.read("[1, )").words
        ('more than 0 and at most 1', 'at least 1')
        """
        parts = []
        if self.least is not None:
            parts.append(f"{'at least' if self.has_least else 'more than'} {_plain(self.least)}")
        if self.most is not None:
            parts.append(f"{'at most' if self.has_most else 'less than'} {_plain(self.most)}")
        return " and ".join(parts)


def _plain(number: float) -> str:
    """Returns a number without an exponent, and without zeros at its end.

    >>> _plain(0.000001), _plain(4194304.0)
    ('0.000001', '4194304')
    """
    return f"{number:f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class QueryParam:
    """A declared parameter with its default."""

    name: str
    type: str
    default: Any
    meaning: str
    range: Interval | None = None
    """The values that it may have; None: all of its type."""


@dataclass(frozen=True)
class Highlight:
    """What people see first of a metric.

    Attributes:
        rank: where it stands among those of all metrics.
        measure: the measure; None: the metric's first rows.
        key: the key's value, as text; empty: the metric has one row.
        words: what it is, in a few words.
    """

    rank: int
    measure: str | None
    key: str = ""
    words: str = ""


def convert(text: str, type_: str) -> Any:
    """Returns the value that a text stands for in a type.

    Raises:
        ValueError: it stands for none.

    >>> [convert("3", "integer"), convert("0.2", "number"), convert("true", "boolean")]
    [3, 0.2, True]
    """
    if type_ == "text":
        return text
    if type_ == "boolean":
        if text in ("true", "false"):
            return text == "true"
    else:
        try:
            return int(text) if type_ == "integer" else float(text)
        except ValueError:
            pass
    article = "an" if type_ == "integer" else "a"
    raise ValueError(f"{text!r} is not {article} {type_}")
