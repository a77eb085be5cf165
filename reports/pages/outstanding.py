"""The measures that an overview shows: those with ``@overview`` in a metric's header."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from jvmscope.metrics.catalogue import highlights

__all__ = ["Outstanding", "listed_first", "outstanding", "overview_metrics"]


class Outstanding(NamedTuple):
    """A measure that tells programs apart at a glance.

    Attributes:
        id: as reports call it, with the key: ``stack.populations.share[callee_on_stack]``.
        metric: the id of its metric.
        words: what it is, in a few words.
        is_share: whether it is a part of a whole.
    """

    id: str
    metric: str
    words: str
    is_share: bool


@cache
def outstanding() -> tuple[Outstanding, ...]:
    """Returns the measures that people see first, in their order."""
    return tuple(
        Outstanding(
            id=f"{query.id}.{each.measure}" + (f"[{each.key}]" if each.key else ""),
            metric=query.id,
            words=each.words,
            is_share=each.measure in query.shares,
        )
        for query, each in highlights()
        if each.measure is not None
    )


@cache
def listed_first() -> tuple[str, ...]:
    """Returns the ids of the metrics whose first rows people see first."""
    return tuple(query.id for query, each in highlights() if each.measure is None)


def overview_metrics() -> tuple[str, ...]:
    """Returns the ids of the metrics of an overview, in its order."""
    return (*dict.fromkeys(each.metric for each in outstanding()), *listed_first())
