"""Metrics that no recording can answer yet: each is in a report, without values, with the reason.

When a metric of such a name comes into the catalogue, it is left out here by itself.
"""

from __future__ import annotations

from jvmscope.metrics import catalogue
from jvmscope.reports.model import MetricTable

__all__ = ["waiting_metrics"]

_WAITING = {
    "native.share": (
        "Native code",
        "Processor time in native methods, as a share of that in all methods.",
        "native",
    ),
}
"""Name, description and probe of each."""


def waiting_metrics() -> tuple[MetricTable, ...]:
    """Returns the metrics by id, each without measures."""
    return tuple(
        MetricTable(
            id=id_,
            name=name,
            description=description,
            grain="run",
            better="none",
            version=0,
            source="",
            file="",
            tags=(),
            measures=(),
            reason=f"it needs the probe {probe!r}, which does not exist yet",
        )
        for id_, (name, description, probe) in _WAITING.items()
        if id_ not in catalogue()
    )
