"""Shares of a whole: a metric's rows added up by segments.

One segment into which nothing falls has the share 0. Where the whole is nothing, there are no
shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.metrics import catalogue
from jvmscope.reports.model import Stack
from jvmscope.reports.statistics import measure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["StackOf", "amounts_of", "ranges", "stack_of", "words"]

_NOTHING = "undefined: there is nothing to divide by"


@dataclass(frozen=True)
class StackOf:
    """How a stack is made of a metric's rows.

    Attributes:
        id: of the stack, which begins with that of the metric.
        metric: the metric.
        of: what is stacked.
        by: what tells the segments apart.
        weight: the measure that is added up, which is one of the metric's ``@sums``.
        key: the key that decides about the segment.
        segments: the labels, in their order.
        segment_of: the label for a value of the key.
        only: the values that other keys must have.
    """

    id: str
    metric: str
    of: str
    by: str
    weight: str
    key: str
    segments: tuple[str, ...]
    segment_of: Callable[[Any], str]
    only: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The stack's title."""
        return f"{self.of} by {self.by}"


def ranges(*ends: int) -> tuple[tuple[str, ...], Callable[[Any], str]]:
    """Returns the labels of ranges of whole numbers, and what finds a number's.

    Args:
        ends: the last number of each range, by which a bin may be named; more is one range more.

    >>> labels, label_of = ranges(1, 2, 4)
    >>> labels, [label_of(number) for number in (1, 3, 4, 9)]
    (('1', '2', '3-4', '5+'), ['1', '3-4', '3-4', '5+'])
    >>> ranges(8, 16)[0]
    ('0-8', '9-16', '17+')
    """
    starts = (0 if ends[0] > 1 else ends[0], *(end + 1 for end in ends))
    labels = tuple(
        f"{start}" if start == end else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=False)
    )
    labels = (*labels, f"{starts[-1]}+")

    def label_of(number: int) -> str:
        return labels[sum(number > end for end in ends)]

    return labels, label_of


def words(*labels: str) -> tuple[tuple[str, ...], Callable[[Any], str]]:
    """Returns labels that are the key's values themselves."""
    return labels, str


def amounts_of(stack: StackOf, rows: Iterable[Mapping[str, Any]]) -> tuple[float, ...] | str:
    """Returns what falls into each segment of one subject, or why that is unknown.

    Args:
        stack: how to add up.
        rows: the metric's tidy rows.
    """
    found = dict.fromkeys(stack.segments, 0.0)
    for row in rows:
        if row["measure"] != stack.weight:
            continue
        if row["value"] is None:
            return str(row["reason"])
        if all(row[key] == value for key, value in stack.only):
            found[stack.segment_of(row[stack.key])] += row["value"]
    return tuple(found.values())


def stack_of(stack: StackOf, amounts: Sequence[tuple[float, ...] | str]) -> Stack:
    """Returns a stack of all subjects.

    Args:
        stack: what it shows.
        amounts: for each subject what ``amounts_of`` returned.
    """
    query = catalogue()[stack.metric]
    weight = next(measure for measure in query.measures if measure.name == stack.weight)
    totals = [None if isinstance(found, str) else sum(found) for found in amounts]
    return Stack(
        id=stack.id,
        metric=stack.metric,
        name=stack.name,
        description=f"{weight.meaning}: {query.description}",
        segments=tuple(
            measure_of(
                [_share(found, index) for found in amounts],
                id=f"{stack.id}[{label}]",
                name="stack_share",  # of what is stacked; the metric's own shares may be of all
                key=label,
                meaning=f"{stack.name}: the share of {label}",
                is_share=True,
            )
            for index, label in enumerate(stack.segments)
        ),
        totals=tuple(totals),
        unit=weight.unit or "1",
        by=stack.by,
    )


def _share(amounts: tuple[float, ...] | str, index: int) -> tuple[float | None, str | None]:
    if isinstance(amounts, str):
        return None, amounts
    total = sum(amounts)
    return (amounts[index] / total, None) if total else (None, _NOTHING)
