"""What the page's script reads: the report as JSON of lists rather than objects, where many are.

Nothing of where the runs lie on this machine goes into it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from jvmscope.reports.html.contexts import ContextTree
    from jvmscope.reports.html.heaviest import Frame
    from jvmscope.reports.model import (
        Clusters,
        Details,
        Listing,
        Measure,
        MetricTable,
        Report,
        Subject,
    )

__all__ = ["finite", "payload_of"]

_T = TypeVar("_T", bound="Hashable")


class _Interned(Generic[_T]):
    """Values that are written once, and referred to by their index."""

    def __init__(self) -> None:
        self._indices: dict[_T, int] = {}

    def index(self, value: _T) -> int:
        """Returns the index of a value, which is added if it is new."""
        return self._indices.setdefault(value, len(self._indices))

    def values(self) -> list[_T]:
        """Returns the values by index."""
        return list(self._indices)


def payload_of(
    report: Report, trees: Mapping[int, ContextTree], untold: Mapping[int, str]
) -> dict[str, Any]:
    """Returns a report as plain JSON values.

    Args:
        report: the report.
        trees: the trees of subjects, by their indices.
        untold: why others have none, likewise.
    """
    reasons: _Interned[str] = _Interned()
    frames: _Interned[Frame] = _Interned()
    return {
        "title": report.title,
        "version": report.version,
        "scope": report.scope,
        "notes": report.notes,
        "subjects": [_subject(subject) for subject in report.subjects],
        "metrics": [_metric(metric, reasons) for metric in report.metrics],
        "clusters": _clusters(report.clusters),
        "details": {str(each.subject): _details(each) for each in report.details},
        "trees": {str(index): _tree(tree, frames) for index, tree in trees.items()},
        "untold": {str(index): reason for index, reason in untold.items()},
        "frames": [
            [frame.name, frame.kind, frame.source_file, frame.first_line]
            for frame in frames.values()
        ],
        "reasons": reasons.values(),
    }


def _subject(subject: Subject) -> dict[str, Any]:
    return {
        "name": subject.name,
        "benchmark": subject.benchmark,
        "parameters": subject.parameters,
        "jvm": subject.jvm,
        "suite": subject.suite,
        "status": subject.status,
        "reason": subject.reason,
        "isMeasured": subject.is_measured,
        "command": subject.command,
        "jvmVersion": subject.jvm_version,
        "facts": [[fact.name, finite(fact.value), fact.unit] for fact in subject.facts],
    }


def _metric(metric: MetricTable, reasons: _Interned[str]) -> dict[str, Any]:
    return {
        "id": metric.id,
        "name": metric.name,
        "description": metric.description,
        "grain": metric.grain,
        "better": metric.better,
        "version": metric.version,
        "source": metric.source,
        "file": metric.file,
        "tags": metric.tags,
        "reason": metric.reason,
        "measures": [_measure(measure, reasons) for measure in metric.measures],
    }


def _measure(measure: Measure, reasons: _Interned[str]) -> dict[str, Any]:
    cells = measure.cells
    return {
        "id": measure.id,
        "name": measure.name,
        "key": measure.key,
        "meaning": measure.meaning,
        "unit": measure.unit,
        "n": measure.n,
        "range": [finite(at) for at in (measure.minimum, measure.median, measure.maximum)],
        "reason": measure.reason,
        "values": [finite(cell.value) for cell in cells],
        "ranks": [cell.rank for cell in cells],
        "reasons": {
            str(index): reasons.index(cell.reason)
            for index, cell in enumerate(cells)
            if cell.reason is not None
        },
    }


def _clusters(clusters: Clusters) -> dict[str, Any]:
    subset = clusters.subset
    return {
        "description": clusters.description,
        "reason": clusters.reason,
        "within": clusters.within,
        "groups": [[cluster.members, cluster.medoid] for cluster in clusters.clusters],
        "subset": None
        if subset is None
        else {
            "subjects": subset.subjects,
            "representatives": subset.representatives,
            "distances": subset.distances,
            "atLeast": subset.at_least,
        },
    }


def _details(details: Details) -> list[dict[str, Any]]:
    return [_listing(listing) for listing in details.listings]


def _listing(listing: Listing) -> dict[str, Any]:
    return {
        "name": listing.name,
        "description": listing.description,
        "columns": [[column.name, column.unit, column.meaning] for column in listing.columns],
        "rows": [[finite(value) for value in row] for row in listing.rows],
        "nMore": listing.n_more,
    }


def _tree(tree: ContextTree, frames: _Interned[Frame]) -> dict[str, Any]:
    nodes = tree.nodes
    return {
        "weights": [[weight.name, weight.unit] for weight in tree.weights],
        "fraction": tree.fraction,
        "parents": [node.parent for node in nodes],
        "frames": [frames.index(node.frame) for node in nodes],
        "lines": [node.line for node in nodes],
        "contexts": [node.n_contexts for node in nodes],
        "own": [[node.own[index] for node in nodes] for index in range(len(tree.weights))],
    }


def finite(value: Any) -> Any:
    """Returns a value that JSON has: what is not a number is absent."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
