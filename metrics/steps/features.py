"""The matrix of runs by features: values of any metrics' columns, a column each.

A feature is one value of a metric: ``hotness.blocks.executions_gini``, or with its keys
``instructions.mix.share[iadd]``. A value that is null stays out, and is never a zero: a run without
any value is left out, then a feature that some run lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics.catalogue import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from jvmscope.queries import QueryFile

__all__ = ["FeatureMatrix", "feature_matrix", "feature_metrics"]

_NUMBERED = ("_id", "recorded_context")  # ends of the names of keys that number the rows of a run


@dataclass(frozen=True)
class FeatureMatrix:
    """Values without gaps: a row for each run, a column for each feature, in their orders.

    ``left_out_runs`` and ``left_out_features`` say why others are not in it.
    """

    runs: tuple[str, ...]
    features: tuple[str, ...]
    values: npt.NDArray[np.float64]
    left_out_runs: Mapping[str, str]
    left_out_features: Mapping[str, str]


def feature_metrics(patterns: str) -> list[QueryFile]:
    """Returns the metrics that have columns among the features.

    Args:
        patterns: ``METRIC.COLUMN``, several separated by commas or blanks; * stands for any text.

    Raises:
        QueryError: a pattern names no column, or a column of rows that only one run can tell.
    """
    columns = {
        f"{query.id}.{measure.name}": query
        for query in catalogue().values()
        if query.step is None
        for measure in query.measures
    }
    found: dict[str, QueryFile] = {}
    for pattern in _split(patterns):
        matching = [query for name, query in columns.items() if fnmatchcase(name, pattern)]
        if not matching:
            hint = did_you_mean(pattern, columns) or "expected METRIC.COLUMN: jvmscope show METRIC"
            raise QueryError(f"{pattern!r} is not a metric's column", path="features", hint=hint)
        shared = [query for query in matching if _own_key(query) is None]
        if not shared:
            message = f"{matching[0].id} has rows by {_own_key(matching[0])}, a number of one run"
            hint = "features are columns of metrics whose rows have the same keys in every run"
            raise QueryError(message, path="features", hint=hint)
        found.update((query.id, query) for query in shared)
    return [found[id_] for id_ in sorted(found)]


def _own_key(query: QueryFile) -> str | None:
    """Returns a key of a metric by which no two runs name the same; None: there is none."""
    return next((key.name for key in query.keys if key.name.endswith(_NUMBERED)), None)


def feature_matrix(
    measured: Iterable[tuple[str, QueryFile, pa.Table]], patterns: str
) -> FeatureMatrix:
    """Returns the matrix of what was measured.

    Args:
        measured: a run's name, a metric, and its tidy values on the run.
        patterns: which columns are features, as in ``feature_metrics``.
    """
    by_run: dict[str, dict[str, float]] = {}
    reasons: dict[str, str] = {}
    features: dict[str, None] = {}
    for run, query, table in measured:
        values = by_run.setdefault(run, {})
        for name, value, reason in _values(query, table, _split(patterns)):
            if value is None:
                reasons.setdefault(run, reason or "no value")
                continue
            features.setdefault(name)
            values[name] = value
    left_out_runs = {run: reasons.get(run, "no value") for run, v in by_run.items() if not v}
    runs = tuple(run for run, values in by_run.items() if values)
    lacking = {
        name: next((run for run in runs if name not in by_run[run]), None) for name in features
    }
    kept = tuple(name for name, run in lacking.items() if run is None)
    matrix = np.array([[by_run[run][name] for name in kept] for run in runs], dtype=np.float64)
    return FeatureMatrix(
        runs=runs,
        features=kept,
        values=matrix.reshape(len(runs), len(kept)),
        left_out_runs=left_out_runs,
        left_out_features={
            name: f"not in every run: {run} has no value" for name, run in lacking.items() if run
        },
    )


def _values(
    query: QueryFile, table: pa.Table, patterns: Sequence[str]
) -> Iterator[tuple[str, float | None, str | None]]:
    """Yields name, value and reason of each value that is a feature."""
    measures = {
        measure.name
        for measure in query.measures
        if any(fnmatchcase(f"{query.id}.{measure.name}", pattern) for pattern in patterns)
    }
    keys = [table[key.name].to_pylist() for key in query.keys]
    columns = [table[name].to_pylist() for name in ("measure", "value", "reason")]
    for index, (measure, value, reason) in enumerate(zip(*columns, strict=True)):
        if measure in measures:
            labels = ",".join(str(key[index]) for key in keys)
            name = f"{query.id}.{measure}"
            yield (f"{name}[{labels}]" if keys else name), value, reason


def _split(patterns: str) -> list[str]:
    return patterns.replace(",", " ").split()
