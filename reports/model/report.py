"""The whole report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.reports.model.details import Curves, Details, Stack
    from jvmscope.reports.model.likeness import Clusters, Components
    from jvmscope.reports.model.measures import MetricTable
    from jvmscope.reports.model.subjects import Subject

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report shows.

    Attributes:
        title: the run's or the suite's name.
        version: of the jvmscope that made it.
        scope: the part of each run that the values are about.
        subjects: by suite and the order of its file; runs in the order of the call.
        metrics: every metric of the catalogue, by id, then those that wait for a probe.
        curves, stacks: what is better looked at than read.
        components, clusters: of the subjects together.
        details: of each subject, unless there are too many.
        notes: what a reader has to know before comparing the subjects.
    """

    title: str
    version: str
    scope: str
    subjects: tuple[Subject, ...]
    metrics: tuple[MetricTable, ...]
    curves: tuple[Curves, ...]
    stacks: tuple[Stack, ...]
    components: Components
    clusters: Clusters
    details: tuple[Details, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """Returns what the report is about, in one line."""
        names = ", ".join(subject.name for subject in self.subjects[:3])
        more = f" and {len(self.subjects) - 3} more" if len(self.subjects) > 3 else ""
        return f"<Report of {names}{more}: {len(self.metrics)} metrics, scope {self.scope}>"

    def _repr_markdown_(self) -> str:
        """Returns the summary page, for notebooks."""
        from jvmscope.reports.faces import to_markdown  # it imports this module
        from jvmscope.reports.pages import summary_page

        return to_markdown(summary_page(self))
