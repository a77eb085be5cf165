"""The hotness curves of reports: the share of executions on the hottest parts of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.metrics import catalogue
from jvmscope.reports.model import Curve, Curves

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["CURVES", "CurvesOf", "curve_of", "curves_of"]


@dataclass(frozen=True)
class CurvesOf:
    """How a subject's curve is made of the rows of a table.

    Attributes:
        id: of the curves, which is the measure's: ``hotness.methods_curve.bytecodes_share``.
        metric: the metric that sums the curve up.
        table: the table of the catalogue that has its points, by ``percent``.
        measure: the column with the share.
        name: the title.
        of: what the percents are of.
        share: what the shares are of.
    """

    id: str
    metric: str
    table: str
    measure: str
    name: str
    of: str
    share: str


def _hotness(part: str, title: str, weight: str) -> CurvesOf:
    table, measure = f"hotness.{part}_curve", f"{weight}_share"
    name = f"{weight.capitalize()} on the hottest {title}"
    return CurvesOf(
        f"{table}.{measure}", f"hotness.{part}", table, measure, name, f"executed {title}", weight
    )


CURVES = (
    _hotness("methods", "methods", "bytecodes"),
    _hotness("methods", "methods", "executions"),
    _hotness("blocks", "basic blocks", "bytecodes"),
    _hotness("blocks", "basic blocks", "executions"),
)
"""The curves, in the order in which reports show them."""


def curve_of(curves: CurvesOf, rows: Iterable[Mapping[str, Any]]) -> Curve:
    """Returns the curve of one subject, from (0, 0) to (1, 1).

    Args:
        curves: which.
        rows: the table's tidy rows.
    """
    points = [(0.0, 0.0)]
    for row in rows:
        if row["measure"] != curves.measure:
            continue
        if row["value"] is None:
            return Curve(None, row["reason"])
        points.append((row["percent"] / 100, row["value"]))
    return Curve(tuple(sorted(set(points))))


def curves_of(curves: CurvesOf, found: Sequence[Curve]) -> Curves:
    """Returns the curves of all subjects."""
    return Curves(
        id=curves.id,
        metric=curves.metric,
        name=curves.name,
        description=catalogue()[curves.table].description,
        x_title=f"share of the {curves.of}, hottest first",
        y_title=f"share of the {curves.share}",
        curves=tuple(found),
    )
