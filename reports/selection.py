"""Which metrics a report evaluates, and in which of its parts each is shown.

Every metric of the catalogue is in a report, with its definition. Its values are in the tables
where it has few rows, which each run has; distributions are stacks and curves; and where a row is
a method or a call site, the report says how to get at them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jvmscope.metrics import catalogue, select
from jvmscope.metrics.steps import feature_metrics
from jvmscope.reports.curves import CURVES
from jvmscope.reports.stacks import STACKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import QueryFile
    from jvmscope.reports.curves import CurvesOf
    from jvmscope.reports.shares import StackOf

__all__ = ["Selection", "is_tabulated"]

_GRAINS = frozenset({"run", "bin", "class", "opcode"})
_MANY = frozenset({"opcode"})
"""Keys that have hundreds of values."""


def is_tabulated(query: QueryFile) -> bool:
    """Whether a metric has few rows that all runs share: one, or one for each of a few words.

    >>> [is_tabulated(catalogue()[id_]) for id_ in ("hotness.methods", "invocations.calls")]
    [True, True]
    >>> [is_tabulated(catalogue()[id_]) for id_ in ("instructions.mix", "recursion.depth")]
    [False, False]
    """
    return (
        query.step is None
        and query.grain in _GRAINS
        and not any(key.type == "integer" or key.name in _MANY for key in query.keys)
    )


@dataclass(frozen=True)
class Selection:
    """What is evaluated for a report.

    Attributes:
        patterns: ids, globs of ids or ``tag:NAME``; none means every metric.
        features: which columns decide about components and clusters.
    """

    patterns: tuple[str, ...]
    features: str

    def check(self) -> None:
        """Finds out what is selected, before any run is opened.

        Raises:
            QueryError: a pattern selects nothing, or names no column.
        """
        _ = self.queries, self.feature_metrics

    @cached_property
    def queries(self) -> Sequence[QueryFile]:
        """The metrics that the report defines, by id."""
        return select(self.patterns)

    @cached_property
    def tabulated(self) -> Sequence[QueryFile]:
        """Those whose values are in tables."""
        return [query for query in self.queries if is_tabulated(query)]

    @cached_property
    def stacks(self) -> Sequence[StackOf]:
        """The stacks that are made of them."""
        selected = {query.id for query in self.queries}
        return [stack for stack in STACKS if stack.metric in selected]

    @cached_property
    def curves(self) -> Sequence[CurvesOf]:
        """The curves that belong to them."""
        selected = {query.id for query in self.queries}
        return [curves for curves in CURVES if selected & {curves.metric, curves.table}]

    @cached_property
    def feature_metrics(self) -> Sequence[QueryFile]:
        """The metrics that have features."""
        return feature_metrics(self.features)

    @cached_property
    def evaluated(self) -> Sequence[QueryFile]:
        """All that is evaluated on each run, by id."""
        ids = {
            *(query.id for query in (*self.tabulated, *self.feature_metrics)),
            *(stack.metric for stack in self.stacks),
            *(curves.table for curves in self.curves),
        }
        return [catalogue()[id_] for id_ in sorted(ids)]
