"""Principal components of runs: the directions in which their features vary most.

Features that are constant over the runs carry nothing and are left out. The others are centred
and, if standardised, divided by their standard deviation (that of a sample, n - 1), so that the
eigenvalues are those of the correlation matrix and add up to the number of features. A component's
sign means nothing; here its loading of the largest magnitude is positive, the first one of
several, so that results do not flip. Of n runs at most n - 1 components vary at all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.extras import extra, missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from jvmscope.metrics.steps.features import FeatureMatrix

    Floats = npt.NDArray[np.float64]

__all__ = ["principal_components"]

_WHAT = "principal component analysis"
_EPSILON = 1e-9
_CONSTANT = 1e-12


def principal_components(
    matrix: FeatureMatrix, params: Mapping[str, Any]
) -> dict[str, pa.Table] | str:
    """Returns the tables of the components, or why there are none.

    ``component`` has a row for each component kept: component (from 1), eigenvalue,
    explained_share, cumulative_share. ``loading`` has a row for each of them and each feature:
    component, feature, loading, and the reason where a feature was left out. ``score`` has a row
    for each of them and each run: run_id, component, score, reason. ``feature`` has a row for each
    feature: feature, mean, deviation, reason.

    Args:
        matrix: runs by features.
        params: ``standardised``, true by default; ``components``, how many to keep, below 1 as few
            as explain this share of the variance, by default 0.9.

    Raises:
        QueryError: ``components`` is neither a count nor a share.
    """
    kept = float(params.get("components", 0.9))
    if not (0 < kept < 1 or (kept >= 1 and kept.is_integer())):
        message = f"components: expected a count, or a share below 1, found {kept:g}"
        raise QueryError(message, path="--param")
    absent = missing(_WHAT, "sklearn")
    if absent is not None:
        return absent
    if len(matrix.runs) < 2:
        return f"principal components need two runs or more, and {len(matrix.runs)} has values"
    varies = np.ptp(matrix.values, axis=0) > _CONSTANT * np.abs(matrix.values).max(axis=0)
    if not varies.any():
        return "no feature differs between the runs"
    is_standardised = bool(params.get("standardised", True))
    values = _scaled(matrix.values[:, varies], is_standardised=is_standardised)
    pca = extra(_WHAT, "sklearn.decomposition").PCA(svd_solver="full").fit(values)
    shares = np.asarray(pca.explained_variance_ratio_, dtype=np.float64)
    n = _n_kept(shares, kept)
    axes = _with_fixed_signs(np.asarray(pca.components_[:n], dtype=np.float64))
    return {
        "component": pa.table(
            {
                "component": range(1, n + 1),
                "eigenvalue": pca.explained_variance_[:n],
                "explained_share": shares[:n],
                "cumulative_share": np.cumsum(shares)[:n],
            }
        ),
        "loading": _loadings(matrix, varies, axes),
        "score": _scores(matrix, values @ axes.T),
        "feature": _features(matrix, varies),
    }


def _scaled(values: Floats, *, is_standardised: bool) -> Floats:
    """Returns centred values, with a sample's standard deviation of 1 if standardised."""
    scaler = extra(_WHAT, "sklearn.preprocessing").StandardScaler(with_std=is_standardised)
    scaled = np.asarray(scaler.fit_transform(values), dtype=np.float64)
    n = len(values)
    return scaled * math.sqrt((n - 1) / n) if is_standardised else scaled


def _n_kept(shares: Floats, kept: float) -> int:
    """Returns how many components to keep of those that vary at all.

    >>> shares = np.array([0.6, 0.3, 0.1, 0.0])
    >>> [_n_kept(shares, kept) for kept in (0.5, 0.9, 0.95, 2, 9)]
    [1, 2, 3, 2, 3]
    """
    n_varying = int((shares > _EPSILON).sum())
    if kept >= 1:
        return min(int(kept), n_varying)
    n_enough = int((np.cumsum(shares) < kept - _EPSILON).sum()) + 1
    return min(n_enough, n_varying)


def _with_fixed_signs(axes: Floats) -> Floats:
    """Returns axes whose loading of the largest magnitude, the first of several, is positive.

    >>> _with_fixed_signs(np.array([[0.6, -0.8], [0.5, 0.5], [-0.5, 0.5]])).tolist()
    [[-0.6, 0.8], [0.5, 0.5], [0.5, -0.5]]
    """
    magnitudes = np.abs(axes)
    largest = magnitudes.max(axis=1, keepdims=True)
    first = (magnitudes >= largest * (1 - _EPSILON)).argmax(axis=1)
    signs: Floats = np.sign(axes[np.arange(len(axes)), first])
    return axes * signs[:, np.newaxis]


def _left_out(matrix: FeatureMatrix, varies: npt.NDArray[np.bool_]) -> dict[str, str]:
    """Returns the features that have no loading, and why."""
    constant = [name for name, v in zip(matrix.features, varies, strict=True) if not v]
    return {**dict.fromkeys(constant, "constant over the runs"), **matrix.left_out_features}


def _loadings(matrix: FeatureMatrix, varies: npt.NDArray[np.bool_], axes: Floats) -> pa.Table:
    left_out = _left_out(matrix, varies)
    varying = [name for name in matrix.features if name not in left_out]
    names = [*varying, *left_out]
    reasons: list[str | None] = [None] * len(varying) + list(left_out.values())
    values = [[*map(float, axis), *[None] * len(left_out)] for axis in axes]
    return pa.table(
        {
            "component": pa.array(np.repeat(np.arange(1, len(axes) + 1), len(names))),
            "feature": pa.array(names * len(axes), pa.string()),
            "loading": pa.array([value for axis in values for value in axis], pa.float64()),
            "reason": pa.array(reasons * len(axes), pa.string()),
        }
    )


def _scores(matrix: FeatureMatrix, scores: Floats) -> pa.Table:
    n_components = scores.shape[1]
    runs = [*matrix.runs, *matrix.left_out_runs]
    reasons = [None] * len(matrix.runs) + list(matrix.left_out_runs.values())
    values = [*scores.ravel().tolist(), *[None] * (len(matrix.left_out_runs) * n_components)]
    return pa.table(
        {
            "run_id": pa.array([run for run in runs for _ in range(n_components)], pa.string()),
            "component": pa.array(np.tile(np.arange(1, n_components + 1), len(runs))),
            "score": pa.array(values, pa.float64()),
            "reason": pa.array([r for r in reasons for _ in range(n_components)], pa.string()),
        }
    )


def _features(matrix: FeatureMatrix, varies: npt.NDArray[np.bool_]) -> pa.Table:
    left_out = _left_out(matrix, varies)
    missing = [None] * len(matrix.left_out_features)
    names = [*matrix.features, *matrix.left_out_features]
    means = [*matrix.values.mean(axis=0).tolist(), *missing]
    deviations = [*matrix.values.std(axis=0, ddof=1).tolist(), *missing]
    return pa.table(
        {
            "feature": pa.array(names, pa.string()),
            "mean": pa.array(means, pa.float64()),
            "deviation": pa.array(deviations, pa.float64()),
            "reason": pa.array([left_out.get(name) for name in names], pa.string()),
        }
    )
