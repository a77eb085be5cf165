"""What a report says, as plain values: the faces (terminal, Markdown, JSON, HTML) only show it.

Whatever has a value for each subject is a tuple in the order of ``Report.subjects``; where a
subject is meant, its index in them is. A value that is absent is None, never zero, and a reason
stands beside it. An absent part of a report is a part with a ``reason``, too.
"""

from jvmscope.reports.model.details import Curve, Curves, Details, Listing, ListingColumn, Stack
from jvmscope.reports.model.likeness import (
    Cluster,
    Clusters,
    Component,
    Components,
    Loading,
    Merge,
    Subset,
)
from jvmscope.reports.model.measures import Better, Cell, Measure, MetricTable
from jvmscope.reports.model.report import Report
from jvmscope.reports.model.subjects import Fact, Subject

__all__ = [
    "Better",
    "Cell",
    "Cluster",
    "Clusters",
    "Component",
    "Components",
    "Curve",
    "Curves",
    "Details",
    "Fact",
    "Listing",
    "ListingColumn",
    "Loading",
    "Measure",
    "Merge",
    "MetricTable",
    "Report",
    "Stack",
    "Subject",
    "Subset",
]
