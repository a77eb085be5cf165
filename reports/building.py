"""Builds a report: measures the subjects one by one, and puts what was found side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError
from jvmscope.queries import parse_scope
from jvmscope.reports.clusters import WITHIN, clusters_of
from jvmscope.reports.comparability import differences
from jvmscope.reports.components import DEFAULT_FEATURES, components_of
from jvmscope.reports.curves import curves_of
from jvmscope.reports.model import Details, Report
from jvmscope.reports.readings import read, unread
from jvmscope.reports.selection import Selection
from jvmscope.reports.shares import stack_of
from jvmscope.reports.subjects import subjects_of
from jvmscope.reports.tables import metric_table
from jvmscope.reports.waiting import waiting_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmscope.metrics.measure import Failure
    from jvmscope.reports.model import Subject
    from jvmscope.reports.readings import Reading

__all__ = ["MOST_DETAILED", "report_of"]

MOST_DETAILED = 100
"""Subjects that are shown in detail; of more there is only what stands side by side."""


def report_of(
    paths: Sequence[Path],
    *,
    scope: str = "run",
    metrics: Sequence[str] = (),
    features: str | None = None,
    within: float | None = None,
    is_cached: bool = True,
    on_failure: Callable[[Failure], None] | None = None,
    on_subject: Callable[[int, int, str], None] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Report:
    """Returns the report about runs and suites.

    A run that is truncated or failed is measured only if the report is about it alone, since
    counts of a part of an execution cannot be compared.

    Args:
        paths: directories of runs, and of suites.
        scope: ``run``, ``application``, ``thread:NAME`` or ``subtree:PATTERN``.
        metrics: ids, globs of ids or ``tag:NAME``; none means every metric.
        features: the metrics' columns that decide about components and clusters; None: those of
            ``instructions.pca``.
        within: what is near, as a fraction of the typical distance of two subjects; None: half.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        on_failure: told of each metric that fails on a run, and of each run that cannot be
            measured at all, while the others go on; None: the first ends it all.
        on_subject: told of the number of a subject that is measured next, of how many there are,
            and of its name.
        on_progress: called with the percentage done, now and then.

    Raises:
        RunError: a path is neither a run nor a suite, or a run is damaged.
        SuiteError: a suite's lock file is damaged.
        QueryError: a metric, a feature or the scope does not exist, or a metric failed.
        LimitReached: a metric needs more memory than it may have.
    """
    asked = subjects_of(paths)
    selection = Selection(tuple(metrics), features or DEFAULT_FEATURES)
    selection.check()
    parse_scope(scope)
    reading = _Reading(
        selection, scope, is_cached, len(asked.subjects), on_failure, on_subject, on_progress
    )
    readings = [reading.of(number, subject) for number, subject in enumerate(asked.subjects)]
    components = components_of(readings, selection.features)
    return Report(
        title=asked.title,
        version=version("jvmscope"),
        scope=scope,
        subjects=tuple(found.subject for found in readings),
        metrics=(
            *(metric_table(query, readings) for query in selection.queries),
            *(() if metrics else waiting_metrics()),
        ),
        curves=tuple(
            curves_of(curves, [found.curves[curves.id] for found in readings])
            for curves in selection.curves
        ),
        stacks=tuple(
            stack_of(stack, [found.amounts[stack.id] for found in readings])
            for stack in selection.stacks
        ),
        components=components,
        clusters=clusters_of(components, WITHIN if within is None else within),
        details=tuple(
            Details(number, found.listings)
            for number, found in enumerate(readings)
            if found.listings
        ),
        notes=(*asked.notes, *differences(found.subject for found in readings)),
    )


@dataclass(frozen=True)
class _Reading:
    """How every subject is read."""

    selection: Selection
    scope: str
    is_cached: bool
    n_subjects: int
    on_failure: Callable[[Failure], None] | None
    on_subject: Callable[[int, int, str], None] | None
    on_progress: Callable[[float], None] | None

    def of(self, number: int, subject: Subject) -> Reading:
        """Returns the reading of a subject; of one that cannot be measured it is empty."""
        if self.on_subject is not None:
            self.on_subject(number, self.n_subjects, subject.name)
        is_whole = subject.status == "recorded"
        if subject.run is None or not (is_whole or self.n_subjects == 1):
            return unread(subject, self.selection)
        try:
            return read(
                subject,
                self.selection,
                self.scope,
                is_cached=self.is_cached,
                has_listings=self.n_subjects <= MOST_DETAILED,
                on_failure=self._told_of(subject),
                on_progress=lambda percentage: self._tell(number, percentage),
            )
        except JvmscopeError as error:
            if self.on_failure is None or self.n_subjects == 1:
                raise
            self._told(subject, None, error)
            reason = str(error).partition("\n")[0]
            return unread(replace(subject, status="failed", reason=reason), self.selection)

    def _told_of(self, subject: Subject) -> Callable[[Failure], None] | None:
        if self.on_failure is None:
            return None
        return lambda failure: self._told(subject, failure.metric, failure.error)

    def _told(self, subject: Subject, metric: str | None, error: JvmscopeError) -> None:
        from jvmscope.metrics.measure import Failure

        if self.on_failure is not None:
            self.on_failure(Failure(subject.name, metric, error))

    def _tell(self, number: int, percentage: float) -> None:
        if self.on_progress is not None:
            self.on_progress((100 * number + max(percentage, 0.0)) / self.n_subjects)
