"""What the page's script reads: the report as JSON of lists rather than objects, where many are.

Nothing of where the runs lie on this machine goes into it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jvmscope.reports.html.interned import Interned

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def payload_of(
    report: Report,
    runs: Mapping[int, dict[str, Any]],
    untold: Mapping[int, str],
    weight: str = "bytecodes",
) -> dict[str, Any]:
    """Returns a report as plain JSON values.

    Args:
        report: the report.
        runs: what the page holds of the runs of subjects, by their indices.
        untold: why others have none, likewise.
        weight: the one that the page shows first.
    """
    reasons: Interned[str] = Interned()
    frames: Interned[tuple[Any, ...]] = Interned()
    return {
        "title": report.title,
        "version": report.version,
        "scope": report.scope,
        "weight": weight,
        "notes": report.notes,
        "subjects": [_subject(subject) for subject in report.subjects],
        "metrics": [_metric(metric, reasons) for metric in report.metrics],
        "clusters": _clusters(report.clusters),
        "details": {str(each.subject): _details(each) for each in report.details},
        "runs": {str(index): _run(run, frames) for index, run in runs.items()},
        "untold": {str(index): reason for index, reason in untold.items()},
        "frames": frames.values(),
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
        "facts": [
            [fact.name, finite(fact.value), fact.unit, fact.together, fact.kind]
            for fact in subject.facts
        ],
    }


def _metric(metric: MetricTable, reasons: Interned[str]) -> dict[str, Any]:
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


def _measure(measure: Measure, reasons: Interned[str]) -> dict[str, Any]:
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
        "kind": listing.kind,
        "name": listing.name,
        "description": listing.description,
        "columns": [
            [column.name, column.unit, column.meaning, column.holds] for column in listing.columns
        ],
        "rows": [[finite(value) for value in row] for row in listing.rows],
        "nMore": listing.n_more,
    }


def _run(run: dict[str, Any], frames: Interned[tuple[Any, ...]]) -> dict[str, Any]:
    """Returns what the page holds of a run, its frames among those of all runs."""
    places = [frames.index(tuple(frame)) for frame in run["frames"]]
    told = {key: value for key, value in run.items() if key != "frames"}
    for part in ("tree", "inverted", "methods"):
        told[part] = {**run[part], "frames": [places[at] for at in run[part]["frames"]]}
    return told


def finite(value: Any) -> Any:
    """Returns a value that JSON has: what is not a number is absent."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
