"""Numeric steps: features of several runs, principal components, and the metrics over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.samples import write_empty, write_shapes

import jvmscope
from jvmscope.cli import WRONG
from jvmscope.cli import run as run_command
from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.metrics.catalogue import catalogue
from jvmscope.metrics.steps import STEPS, FeatureMatrix, feature_metrics
from jvmscope.metrics.steps.pca import principal_components
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

_PCA = ("instructions.pca", "instructions.pca_loadings", "instructions.pca_scores")


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Four runs whose instruction mixes differ."""
    counts = (1, 6, 17, 90)
    return [write_shapes(tmp_path / f"circles-{n}.run", n_circles=n) for n in counts]


def _rows(runs: list[Path], *metrics: str, **params: Any) -> list[dict[str, Any]]:
    found = measure(runs, metrics=metrics, params=params)
    return found.arrow().to_pylist()


def _matrix(*rows: tuple[float, ...]) -> FeatureMatrix:
    values = np.array(rows, dtype=np.float64)
    names = tuple(f"f{i}" for i in range(values.shape[1]))
    return FeatureMatrix(tuple(f"r{i}" for i in range(len(rows))), names, values, {}, {})


def _components(matrix: FeatureMatrix, **params: Any) -> dict[str, list[dict[str, Any]]]:
    tables = principal_components(matrix, params)
    assert not isinstance(tables, str), tables
    return {name: table.to_pylist() for name, table in tables.items()}


def test_every_step_of_the_catalogue_exists() -> None:
    steps = {query.step for query in catalogue().values() if query.step}

    assert steps == set(STEPS)


def test_two_features_by_hand() -> None:
    """Points on a line of slope 1: one component explains all, each feature loads 1/sqrt(2)."""
    found = _components(_matrix((1, 10), (2, 20), (3, 30)), components=2)

    (component,) = found["component"]
    assert component["eigenvalue"] == pytest.approx(2)
    assert component["explained_share"] == pytest.approx(1)
    assert [row["loading"] for row in found["loading"]] == pytest.approx([0.5**0.5] * 2)
    assert [row["score"] for row in found["score"]] == pytest.approx([-(2**0.5), 0, 2**0.5])
    assert [row["deviation"] for row in found["feature"]] == [1, 10]


def test_eigenvectors_of_the_correlation_matrix() -> None:
    values = np.random.default_rng(7).normal(size=(9, 5)) @ np.diag([1, 5, 9, 2, 100])
    found = _components(_matrix(*values), components=5)
    eigenvalues, vectors = np.linalg.eigh(np.corrcoef(values.T))

    order = np.argsort(eigenvalues)[::-1]
    assert [row["eigenvalue"] for row in found["component"]] == pytest.approx(eigenvalues[order])
    assert sum(row["eigenvalue"] for row in found["component"]) == pytest.approx(5)
    loadings = np.array([row["loading"] for row in found["loading"]]).reshape(5, 5)
    assert np.abs(loadings) == pytest.approx(np.abs(vectors.T[order]))
    standardised = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    scores = np.array([row["score"] for row in found["score"]]).reshape(9, 5)
    assert scores == pytest.approx(standardised @ loadings.T)


def test_without_standardisation_the_covariance_matrix() -> None:
    values = np.random.default_rng(8).normal(size=(6, 3)) @ np.diag([1, 5, 9])
    found = _components(_matrix(*values), components=3, standardised=False)

    expected = np.sort(np.linalg.eigvalsh(np.cov(values.T)))[::-1]
    assert [row["eigenvalue"] for row in found["component"]] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_signs_do_not_depend_on_the_order_of_the_runs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(6, 4))
    order = rng.permutation(6)
    one, other = (_components(_matrix(*v), components=4) for v in (values, values[order]))

    assert [row["loading"] for row in one["loading"]] == pytest.approx(
        [row["loading"] for row in other["loading"]]
    )


def test_a_constant_feature_is_left_out_and_told() -> None:
    found = _components(_matrix((1, 5, 0.1 + 0.2), (2, 5, 0.3), (4, 5, 0.3)))

    loadings = {row["feature"]: (row["loading"], row["reason"]) for row in found["loading"]}
    assert loadings["f0"] == (1, None)
    assert loadings["f1"] == (None, "constant over the runs")
    assert loadings["f2"] == (None, "constant over the runs"), "rounding is no variation"
    assert len(found["component"]) == 1


def test_fewer_runs_than_components() -> None:
    values = np.random.default_rng(9).normal(size=(3, 8))

    assert len(_components(_matrix(*values), components=5)["component"]) == 2


def test_as_many_components_as_explain_enough() -> None:
    values = np.random.default_rng(10).normal(size=(20, 6))
    cumulative = [r["cumulative_share"] for r in _components(_matrix(*values))["component"]]

    assert cumulative[-1] >= 0.9 > cumulative[-2]


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (_matrix((1, 2)), "need two runs or more, and 1 has values"),
        (_matrix((1, 2), (1, 2)), "no feature differs between the runs"),
    ],
)
def test_why_there_are_no_components(matrix: FeatureMatrix, reason: str) -> None:
    assert reason in str(principal_components(matrix, {}))


@pytest.mark.parametrize("components", [0, -1, 1.5])
def test_components_are_a_count_or_a_share(components: float) -> None:
    with pytest.raises(QueryError, match="expected a count, or a share below 1"):
        principal_components(_matrix((1, 2), (3, 4)), {"components": components})


def test_the_mixes_of_runs(runs: list[Path]) -> None:
    rows = _rows(runs, *_PCA, components=2)

    assert {row["run_id"] for row in rows if row["measure"] == "eigenvalue"} == {None}
    scores = [row for row in rows if row["measure"] == "score"]
    assert [(row["run_id"], row["component"]) for row in scores[:4]] == [
        (f"circles-{n}", 1) for n in (1, 17, 6, 90)
    ]
    left_out = {row["feature"]: row["reason"] for row in rows if row["reason"]}
    assert left_out["instructions.mix.share[nop]"] == "constant over the runs"
    loadings = [row for row in rows if row["measure"] == "loading" and row["value"] is not None]
    assert {row["feature"] for row in loadings} == {
        f"instructions.mix.share[{opcode}]"
        for opcode in ("dmul", "dreturn", "invokeinterface", "invokevirtual", "ifeq", "return")
    }


def test_the_columns_of_any_metric(runs: list[Path]) -> None:
    features = "hotness.*.executions_gini, polymorphism.targets.calls_share"
    rows = _rows(runs, "instructions.pca_loadings", features=features)

    assert {row["feature"] for row in rows} == {
        "hotness.blocks.executions_gini",
        "hotness.methods.executions_gini",
        "polymorphism.targets.calls_share[1]",
        "polymorphism.targets.calls_share[2]",
    }
    assert {query.id for query in feature_metrics(features)} == {
        "hotness.blocks",
        "hotness.methods",
        "polymorphism.targets",
    }
    with pytest.raises(QueryError, match=r'did you mean "instructions\.mix\.share"'):
        measure(runs, metrics=_PCA, params={"features": "instructions.mix.shar"})


@pytest.mark.parametrize(
    ("features", "key"),
    [
        ("execution.methods.n_bytecodes", "method_id"),
        ("polymorphism.sites.*", "call_site_id"),
        ("invocations.calls.share cycles.contexts.inclusive_cycles", "context_id"),
    ],
)
def test_rows_that_are_numbered_by_their_run_are_no_features(
    runs: list[Path], features: str, key: str
) -> None:
    with pytest.raises(QueryError, match=f"has rows by {key}, a number of one run"):
        measure(runs, metrics=_PCA, params={"features": features})


def test_a_pattern_leaves_out_rows_that_are_numbered_by_their_run() -> None:
    names = {key.name for query in feature_metrics("*.*") for key in query.keys}

    assert "opcode" in names
    assert [name for name in names if name.endswith("_id")] == []


def test_one_run_has_no_components(runs: list[Path]) -> None:
    rows = _rows(runs[:1], "instructions.pca")

    assert {(row["run_id"], row["value"]) for row in rows} == {(None, None)}
    assert {row["reason"] for row in rows} == {
        "principal components need two runs or more, and 1 has values"
    }


def test_a_run_without_values_is_left_out_and_told(runs: list[Path], tmp_path: Path) -> None:
    failed = tmp_path / "failed.run"
    failed.mkdir()
    write_manifest(failed, Manifest(status="failed", tables={}))
    empty = write_empty(tmp_path / "empty.run")
    rows = _rows([*runs, failed, empty], "instructions.pca_scores", components=1)

    scores = {row["run_id"]: (row["value"], row["reason"]) for row in rows}
    assert scores["failed"] == (None, "the recording failed")
    assert scores["empty"] == (None, "undefined: nothing to divide by in the scope run")
    assert all(scores[f"circles-{n}"][0] is not None for n in (1, 6, 17, 90))


def test_the_command_and_python_agree(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*map(str, runs), "-m", "instructions.pca", "--param", "components=2"]
    assert run_command(["measure", *arguments, "--format", "table"]) == 0
    out = capsys.readouterr().out
    titles = ["component", "[variance]", "explained_share", "cumulative_share"]
    assert titles in [line.split() for line in out.splitlines()]
    assert "run_id" not in out
    found = jvmscope.measure(runs, "instructions.pca", params={"components": 2}).arrow()
    shares = [r["value"] for r in found.to_pylist() if r["measure"] == "explained_share"]
    assert all(f"{share:.4g}" in out for share in shares)

    assert run_command(["measure", *arguments[:-1], "components=0"]) == WRONG
    assert "expected a count, or a share below 1, found 0" in capsys.readouterr().err
