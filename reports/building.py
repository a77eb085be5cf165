"""Builds a report: measures the subjects one by one, and puts what was found side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError
from jvmscope.metrics.measure import Failure
from jvmscope.metrics.processes import in_processes, n_workers
from jvmscope.metrics.progress import Progress, size_of
from jvmscope.queries import WHOLE_RUN
from jvmscope.reports.clusters import WITHIN, clusters_of
from jvmscope.reports.comparability import differences, foldings
from jvmscope.reports.components import DEFAULT_FEATURES, components_of
from jvmscope.reports.curves import curves_of
from jvmscope.reports.model import Details, Report
from jvmscope.reports.places import without_place
from jvmscope.reports.readings import read, unread
from jvmscope.reports.selection import Selection
from jvmscope.reports.shares import stack_of
from jvmscope.reports.subjects import Subjects, subjects_of
from jvmscope.reports.tables import metric_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.queries import Scope
    from jvmscope.reports.model import Subject
    from jvmscope.reports.readings import Reading

__all__ = ["MOST_DETAILED", "report_of"]

MOST_DETAILED = 100
"""Subjects that are shown in detail; of more there is only what stands side by side."""


def report_of(
    paths: Sequence[Path],
    *,
    scope: Scope = WHOLE_RUN,
    metrics: Sequence[str] = (),
    features: str | None = None,
    within: float | None = None,
    is_cached: bool = True,
    on_failure: Callable[[Failure], None] | None = None,
    on_subject: Callable[[int, int, str], None] | None = None,
    on_progress: Callable[[float], None] | None = None,
    jobs: int | None = 1,
) -> Report:
    """Returns the report about runs and suites.

    A run that is truncated or failed is measured only if the report is about it alone, since
    counts of a part of an execution cannot be compared.

    Args:
        paths: directories of runs, and of suites.
        scope: the part of each run that the report is about.
        metrics: ids, globs of ids or ``tag:NAME``; none means every metric.
        features: the metrics' columns that decide about components and clusters; None: those of
            ``instructions.pca``.
        within: what is near, as a fraction of the typical distance of two subjects; None: half.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        on_failure: told of each metric that fails on a run, and of each run that cannot be
            measured at all, while the others go on; None: the first ends it all.
        on_subject: told of the number of a subject whose turn it is, of how many there are, and of
            its name.
        on_progress: called with the percentage done, now and then.
        jobs: how many subjects are measured at a time, in processes of their own; None: as many
            as there are processors, where there are subjects enough. Programs that ask for more
            than one must bear to be imported.

    Raises:
        RunError: a path is neither a run nor a suite, or a run is damaged.
        SuiteError: a suite's lock file is damaged.
        QueryError: a metric, a feature or the scope does not exist, or a metric failed.
        LimitReached: a metric needs more memory than it may have.
    """
    asked = subjects_of(paths)
    selection = Selection(tuple(metrics), features or DEFAULT_FEATURES)
    selection.check()
    reader = _Reader(
        selection, scope, is_cached, len(asked.subjects), goes_on=on_failure is not None
    )
    progress = Progress([size_of(subject.run) for subject in asked.subjects], on_progress)
    readings = []
    for number, (found, failures) in enumerate(_read_all(reader, asked.subjects, jobs, progress)):
        if on_subject is not None:
            on_subject(number, len(asked.subjects), found.subject.name)
        for failure in failures:
            if on_failure is not None:
                on_failure(failure)
        readings.append(found)
        progress.step()
    return _report(asked, scope, selection, readings, WITHIN if within is None else within)


def _report(
    asked: Subjects, scope: Scope, selection: Selection, readings: Sequence[Reading], within: float
) -> Report:
    """Puts what was read side by side."""
    components = components_of(readings, selection.features)
    return Report(
        title=asked.title,
        version=version("jvmscope"),
        scope=str(scope),
        subjects=tuple(found.subject for found in readings),
        metrics=tuple(metric_table(query, readings) for query in selection.queries),
        curves=tuple(
            curves_of(curves, [found.curves[curves.id] for found in readings])
            for curves in selection.curves
        ),
        stacks=tuple(
            stack_of(stack, [found.amounts[stack.id] for found in readings])
            for stack in selection.stacks
        ),
        components=components,
        clusters=clusters_of(components, within),
        details=tuple(
            Details(number, found.listings)
            for number, found in enumerate(readings)
            if found.listings
        ),
        notes=(
            *asked.notes,
            *foldings(found.subject for found in readings),
            *differences(found.subject for found in readings),
        ),
    )


def _read_all(
    reader: _Reader, subjects: Sequence[Subject], jobs: int | None, progress: Progress
) -> Iterator[tuple[Reading, Sequence[Failure]]]:
    """Yields what is read of each subject, and what failed, in their order."""
    n_processes = n_workers(len(subjects), jobs)
    if n_processes > 1:
        yield from in_processes(reader, subjects, n_processes)
    else:
        for subject in subjects:
            yield reader(subject, progress.within)


@dataclass(frozen=True)
class _Reader:
    """How every subject is read; it goes to other processes, too.

    Attributes:
        selection: what is evaluated.
        scope: the part of each run.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        n_subjects: how many subjects there are.
        goes_on: whether a failure ends only its metric, or its run where there are others.
    """

    selection: Selection
    scope: Scope
    is_cached: bool
    n_subjects: int
    goes_on: bool

    def __call__(
        self, subject: Subject, on_progress: Callable[[float], None] | None = None
    ) -> tuple[Reading, Sequence[Failure]]:
        """Returns the reading of a subject, empty if it cannot be measured, and what failed."""
        is_whole = subject.status == "recorded"
        if subject.run is None or not (is_whole or self.n_subjects == 1):
            return unread(subject, self.selection), ()
        failures: list[Failure] = []

        def on_failure(failure: Failure) -> None:
            failures.append(replace(failure, run_id=subject.name))

        try:
            reading = read(
                subject,
                self.selection,
                self.scope,
                is_cached=self.is_cached,
                has_listings=self.n_subjects <= MOST_DETAILED,
                on_failure=on_failure if self.goes_on else None,
                on_progress=on_progress,
            )
        except JvmscopeError as error:
            if not self.goes_on or self.n_subjects == 1:
                raise
            reason = without_place(str(error).partition("\n")[0], subject.run)
            failed = replace(subject, status="failed", reason=reason)
            failures.append(Failure(subject.name, None, error))
            return unread(failed, self.selection), failures
        return reading, failures
