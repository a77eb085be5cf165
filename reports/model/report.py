"""The whole report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.reports.model.likeness import Clusters, Components
    from jvmscope.reports.model.looks import Curves, Details, Stack
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
