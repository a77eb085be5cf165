"""What a query's header declares: columns, parameters, and what people see first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Highlight", "QueryColumn", "QueryParam", "convert"]


@dataclass(frozen=True)
class QueryColumn:
    """A declared column of the result; a key where ``unit`` is None, else a measure."""

    name: str
    type: str
    unit: str | None
    meaning: str


@dataclass(frozen=True)
class QueryParam:
    """A declared parameter with its default."""

    name: str
    type: str
    default: Any
    meaning: str


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
