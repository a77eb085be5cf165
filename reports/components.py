"""Principal components of the subjects, by the numeric step of the catalogue's metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.metrics import catalogue
from jvmscope.metrics.steps import STEPS, feature_matrix
from jvmscope.reports.model import Component, Components, Loading

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from jvmscope.reports.readings import Reading

__all__ = ["DEFAULT_FEATURES", "components_of"]

_METRIC = "instructions.pca"


def _default(parameter: str) -> Any:
    return next(p.default for p in catalogue()[_METRIC].params if p.name == parameter)


DEFAULT_FEATURES = str(_default("features"))
"""The features of ``instructions.pca``: what is executed of each opcode, as shares."""


def components_of(readings: Sequence[Reading], features: str = DEFAULT_FEATURES) -> Components:
    """Returns the components of all subjects, or why there are none.

    They are those of ``instructions.pca``: of standardised features, as many as explain 90 % of
    the variance.

    Args:
        readings: what was measured on each subject, in their order.
        features: ``METRIC.COLUMN``, several separated by commas; * stands for any text.

    Raises:
        QueryError: a pattern names no column.
    """
    names = [reading.subject.name for reading in readings]
    measured = [
        (reading.subject.name, query, table)
        for reading in readings
        for query, table in reading.features
    ]
    params = {name: _default(name) for name in ("standardised", "components")}
    matrix = feature_matrix(measured, features)
    tables = STEPS["pca"](matrix, params)
    if isinstance(tables, str):
        nothing = (None,) * len(names)
        return Components(features, scores=nothing, reason=tables)
    rows = {name: table.to_pylist() for name, table in tables.items()}
    components = tuple(
        Component(
            row["component"],
            float(row["eigenvalue"]),
            float(row["explained_share"]),
            float(row["cumulative_share"]),
        )
        for row in rows["component"]
    )
    scores = _by(tables["score"], "run_id", "score")
    loadings = _by(tables["loading"], "feature", "loading")
    return Components(
        features=features,
        components=components,
        loadings=tuple(sorted((Loading(*loading) for loading in loadings.items()), key=_weakest)),
        scores=tuple(scores.get(name) for name in names),
        left_out=tuple(
            (row["feature"], row["reason"])
            for row in rows["loading"]
            if row["component"] == 1 and row["reason"] is not None
        ),
    )


def _by(table: pa.Table, key: str, value: str) -> dict[str, tuple[float, ...]]:
    """Returns the values of each key by growing component, of keys that have values."""
    found: dict[str, list[float]] = {}
    for row in table.sort_by("component").to_pylist():
        if row[value] is not None:
            found.setdefault(row[key], []).append(row[value])
    return {name: tuple(values) for name, values in found.items()}


def _weakest(loading: Loading) -> tuple[float, str]:
    """Returns what sorts the loadings that show most in a plot of two components first."""
    return -max(abs(value) for value in loading.values[:2]), loading.feature
