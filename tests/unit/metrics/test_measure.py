"""Measuring: selection, tidy results, what is missing, and the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from support.runs import RunBuilder
from support.samples import write_folded, write_shapes

from jvmscope.errors import JvmscopeError, QueryError
from jvmscope.metrics import catalogue, measure, select
from jvmscope.metrics.cache import store
from jvmscope.metrics.catalogue import _queries
from jvmscope.metrics.evaluation import Evaluation
from jvmscope.metrics.measure import Failure, run_names
from jvmscope.metrics.requirements import folded as folded_away
from jvmscope.metrics.tidy import to_tidy
from jvmscope.queries import Engine, parse_query_file, parse_scope
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

_FEW = ("hotness.methods", "instructions.mix", "polymorphism.targets")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_shapes(tmp_path / "shapes.run")


def test_the_catalogue_has_the_first_metrics() -> None:
    assert {"hotness.methods", "polymorphism.targets", "instructions.mix"} <= set(catalogue())


@pytest.mark.parametrize("id_", catalogue())
def test_a_metric_says_all_about_itself(id_: str) -> None:
    query = catalogue()[id_]

    assert query.description.endswith(".")
    assert query.requires or query.step
    assert query.source
    assert query.measures
    assert all(column.meaning for column in query.columns)


def test_keys_of_one_name_have_one_type() -> None:
    types: dict[str, set[str]] = {}
    for query in catalogue().values():
        for key in query.keys:
            types.setdefault(key.name, set()).add(key.type)

    assert {name for name, found in types.items() if len(found) > 1} == set()


def test_metrics_are_selected_by_id_glob_and_tag() -> None:
    assert [query.id for query in select(["hotness.methods"])] == ["hotness.methods"]
    assert [query.id for query in select(["hotness.metho?s", "hotness.methods"])] == [
        "hotness.methods"
    ]
    found = [query.id for query in select(["poly*", "hotness.methods"])]
    assert found == sorted(found)
    assert {"hotness.methods", "polymorphism.sites", "polymorphism.targets"} <= set(found)
    assert "instructions.mix" in [query.id for query in select(["tag:instructions"])]
    assert all(query.kind == "metric" for query in select([]))


def test_what_has_a_row_for_each_method_site_or_context_is_asked_for_by_name() -> None:
    per_item = {"thread", "method", "basic_block", "call_site", "context"}
    by_default = {query.id for query in select([])}

    assert [id_ for id_ in by_default if catalogue()[id_].grain in per_item] == []
    assert {"cycles.methods", "polymorphism.sites", "cycles.contexts"} <= set(catalogue())


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("hotness.method", "hotness.methods"),
        ("tag:hotnes", "hotness"),
        ("x*", "list metrics"),
        ("./own.sql", "query RUN -f"),
        ("boxing.methods,hotness.methods", "each metric by itself"),
    ],
)
def test_a_pattern_that_selects_nothing_is_refused(pattern: str, hint: str) -> None:
    with pytest.raises(QueryError, match=f"selects no metric\n.*{hint}"):
        select([pattern])


def test_results_are_tidy_with_the_keys_of_all_metrics(run: Path) -> None:
    with Engine(run) as engine:
        result = measure([engine], metrics=_FEW)

    assert [column.name for column in result.columns] == [
        "run_id",
        "metric",
        "opcode",
        "n_targets",
        "measure",
        "value",
        "unit",
        "reason",
    ]
    rows = result.arrow().to_pylist()
    assert {row["run_id"] for row in rows} == {"shapes"}
    assert {row["opcode"] for row in rows if row["metric"] == "hotness.methods"} == {None}


def test_several_runs_are_told_by_their_names(tmp_path: Path, run: Path) -> None:
    other = write_shapes(tmp_path / "other.run", n_circles=7)

    with Engine(run) as a, Engine(other) as b:
        rows = measure([a, b], metrics=["hotness.methods"]).arrow().to_pylist()

    executions = [(r["run_id"], r["value"]) for r in rows if r["measure"] == "n_executions"]
    assert executions == [("shapes", 22), ("other", 23)]


def test_a_missing_table_is_a_null_with_its_reason(run: Path) -> None:
    text = (
        "/**\n * @id x.y\n * @column class_id integer  class\n"
        " * @column n integer  call  calls\n * @requires receiver\n */\n"
        "SELECT class_id, SUM(n_calls) AS n FROM receiver GROUP BY class_id"
    )
    evaluation = Evaluation(parse_scope("run"), is_cached=True)

    with Engine(run) as engine:
        rows = evaluation.values(engine, parse_query_file(text, "x/y.sql"), {}).to_pylist()

    assert rows == [
        {
            "metric": "x.y",
            "class_id": None,
            "measure": "n",
            "value": None,
            "unit": "call",
            "reason": 'the table "receiver" was not recorded: record again with --probes receivers',
            "reason_code": "not-recorded",
        }
    ]


@pytest.mark.parametrize(
    ("limits", "remedy"),
    [
        ([], "recursive calls are folded (--recursion fold); record again with --recursion keep"),
        (["the memory limit was reached: calls are folded into other contexts"], "--max-memory"),
    ],
)
def test_what_needs_whole_paths_is_null_where_calls_were_folded(
    limits: list[str], remedy: str, run: Path, tmp_path: Path
) -> None:
    query = parse_query_file("/** @requires context, unfolded */ SELECT 1", None)
    folded = write_folded(tmp_path / "folded.run", limits=limits)

    with Engine(run) as whole, Engine(folded) as engine:
        assert folded_away(query, whole, parse_scope("run"), {}) is None
        reason = folded_away(query, engine, parse_scope("run"), {})

    assert reason is not None
    assert reason.code == "folded"
    assert reason.text.startswith("paths are incomplete: ")
    assert remedy in reason.text


def test_a_query_says_itself_why_a_value_is_null(run: Path) -> None:
    text = (
        "/**\n * @id x.y\n * @column k text  key\n * @column n integer  call  calls\n"
        " * @column m integer  call  other calls\n */\n"
        "SELECT k, n, m, reason FROM (VALUES ('a', NULL, 1, 'not counted'), ('b', NULL, 2, NULL))"
        " AS answer (k, n, m, reason)"
    )
    query = parse_query_file(text, "x/y.sql")

    with Engine(run) as engine:
        (part,) = to_tidy(query, engine.query(query), "run")
        rows = part.to_pylist()

    assert [(row["k"], row["measure"], row["reason"]) for row in rows] == [
        ("a", "n", "not counted"),
        ("a", "m", None),
        ("b", "n", "undefined: nothing to divide by in the scope run"),
        ("b", "m", None),
    ]


def test_a_count_beyond_the_whole_doubles_is_the_nearest_one(run: Path) -> None:
    text = """/**
 * @column n integer call  calls
 */
SELECT UNNEST([9007199254740992, 9007199254740993, 9223372036854775807]) AS n"""
    query = parse_query_file(text, "x/y.sql")

    with Engine(run) as engine:
        (part,) = to_tidy(query, engine.query(query), "run")

    assert part["value"].to_pylist() == [2.0**53, 2.0**53, 2.0**63]


def test_a_failed_recording_has_no_values_and_says_so(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    with Engine(tmp_path) as engine:
        rows = measure([engine], metrics=_FEW).arrow().to_pylist()

    assert {(row["value"], row["reason"]) for row in rows} == {(None, "the recording failed")}


def test_a_parameter_of_no_metric_is_refused(run: Path) -> None:
    with Engine(run) as engine, pytest.raises(QueryError, match='did you mean "cutoff"'):
        measure([engine], params={"cutof": "0.1"})


def test_a_limit_cuts_the_rows(run: Path) -> None:
    with Engine(run) as engine:
        result = measure([engine], metrics=_FEW, limit=3)

    assert result.arrow().num_rows == 3
    assert result.is_truncated


def _cached(run: Path) -> list[Path]:
    return sorted((run / "metrics").glob("*")) if (run / "metrics").exists() else []


def test_values_are_kept_and_used_again(run: Path) -> None:
    with Engine(run) as engine:
        first = measure([engine], metrics=["hotness.methods"]).arrow()
        (path,) = _cached(run)
        store(path, pq.read_table(path).slice(0, 1))
        second = measure([engine], metrics=["hotness.methods"]).arrow()

    assert path.name.startswith("hotness.methods-")
    assert (first.num_rows, second.num_rows) == (8, 1)


def test_scope_and_parameters_have_values_of_their_own(run: Path) -> None:
    with Engine(run) as engine:
        for scope in ("run", "application"):
            measure([engine], metrics=["hotness.methods"], scope=parse_scope(scope))
        measure([engine], metrics=["hotness.methods"], params={"cutoff": "0.5"})

    assert len(_cached(run)) == 3


def test_another_recording_in_the_same_place_is_measured_anew(tmp_path: Path, run: Path) -> None:
    other = write_shapes(tmp_path / "other.run", n_circles=7)
    with Engine(run) as engine:
        measure([engine], metrics=["hotness.methods"]).arrow()
    (path,) = _cached(run)
    (other / "metrics").mkdir()
    path.rename(other / "metrics" / path.name)

    with Engine(other) as engine:
        rows = measure([engine], metrics=["hotness.methods"]).arrow().to_pylist()

    assert next(r["value"] for r in rows if r["measure"] == "n_executions") == 23


def test_a_damaged_cache_is_computed_anew(run: Path) -> None:
    with Engine(run) as engine:
        first = measure([engine], metrics=_FEW).arrow()
        for path in _cached(run):
            path.write_bytes(b"not parquet")
        second = measure([engine], metrics=_FEW).arrow()

    assert first.equals(second)


def test_without_the_cache_nothing_is_written(run: Path) -> None:
    with Engine(run) as engine:
        measure([engine], metrics=_FEW, is_cached=False)

    assert _cached(run) == []


def test_a_run_that_cannot_be_written_to_is_measured(run: Path) -> None:
    (run / "metrics").write_bytes(b"in the way")

    with Engine(run) as engine:
        assert measure([engine], metrics=_FEW).arrow().num_rows > 0


def test_a_file_whose_id_is_not_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "area").mkdir()
    (tmp_path / "area" / "name.sql").write_text(catalogue()["hotness.methods"].text)

    with pytest.raises(QueryError, match=r"@id is hotness.methods, expected area.nam"):
        list(_queries(tmp_path, ".sql"))


def _broken(run: Path, tmp_path: Path) -> Path:
    """A run whose table ``thread_method`` cannot be read."""
    other = write_shapes(tmp_path / "broken" / run.name, n_circles=7)
    path = other / "tables" / "thread_method.parquet"
    data = path.read_bytes()
    n_footer = int.from_bytes(data[-8:-4], "little") + 8
    path.write_bytes(data[:4] + bytes(len(data) - n_footer - 4) + data[-n_footer:])
    return other


def test_a_metric_that_fails_on_a_run_is_named_and_loses_no_other(
    tmp_path: Path, run: Path
) -> None:
    failures: list[Failure] = []
    broken = _broken(run, tmp_path)
    result = measure([broken, run], metrics=_FEW, on_failure=failures.append)
    rows = result.arrow().to_pylist()

    (failure,) = failures
    assert str(failure).startswith("broken/shapes: hotness.methods: ")
    failed = [row for row in rows if row["run_id"] == "broken/shapes" and row["value"] is None]
    assert {row["metric"] for row in failed} == {"hotness.methods"}
    assert all(row["reason"].startswith("failed: ") for row in failed)
    assert {row["metric"] for row in rows if row["run_id"].endswith("shapes")} == set(_FEW)
    with pytest.raises(JvmscopeError):
        measure([broken, run], metrics=_FEW)


def test_runs_of_one_name_are_told_by_where_they_are(tmp_path: Path) -> None:
    runs = [write_shapes(tmp_path / place / "x.run") for place in ("a", "b", "c/b")]
    others = [write_shapes(tmp_path / "c" / "y.run")]

    assert run_names([*runs, *others]) == ["a/x", f"{tmp_path.name}/b/x", "c/b/x", "y"]


def test_a_scope_that_one_of_several_runs_lacks(tmp_path: Path, run: Path) -> None:
    builder = RunBuilder()
    builder.thread("other")
    other = builder.write(tmp_path / "other.run")
    failures: list[Failure] = []
    result = measure(
        [run, other],
        metrics=["hotness.methods"],
        scope=parse_scope("thread:worker"),
        on_failure=failures.append,
    )
    values = {row["run_id"]: row["value"] for row in result.arrow().to_pylist()}

    assert [(f.run_id, f.metric) for f in failures] == [("other", None)]
    assert values["other"] is None
    assert values["shapes"] is not None
    with pytest.raises(QueryError, match="no thread is named 'worker'"):
        measure([other], scope=parse_scope("thread:worker"), on_failure=failures.append)


def test_progress_ends_with_all_of_it(run: Path) -> None:
    told: list[float] = []
    measure([run, run], metrics=_FEW, is_cached=False, on_progress=told.append)

    assert told == sorted(told)
    assert told[-1] == 100


def test_values_of_another_engine_are_computed_anew(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure([run], metrics=["hotness.methods"])
    monkeypatch.setattr("jvmscope.metrics.cache._code_digest", lambda _packages: "another")
    measure([run], metrics=["hotness.methods"])

    assert len(_cached(run)) == 2
