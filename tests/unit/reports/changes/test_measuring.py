"""Changes of metrics: rows matched by names, nulls with reasons, differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support.runs import RunBuilder
from support.samples import write_empty, write_shapes

import jvmscope
from jvmscope.errors import QueryError, RunError
from jvmscope.metrics.catalogue import catalogue
from jvmscope.reports.changes.matched_values import match
from jvmscope.reports.changes.names_of_keys import key_columns
from jvmscope.run_warning import RunWarning
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]


def _rows(a: Path, b: Path, *metrics: str, **options: Any) -> list[Row]:
    return jvmscope.compare(a, b, *metrics, **options).arrow().to_pylist()


def _only(rows: list[Row], **values: Any) -> Row:
    (row,) = [row for row in rows if values.items() <= row.items()]
    return row


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run `shapes` with 9 circles instead of 6, and with the probe for receivers."""
    return write_shapes(tmp_path_factory.mktemp("more") / "b.run", n_circles=9, probes=["receiver"])


def test_values_of_a_whole_run_stand_side_by_side(shapes: Path, more: Path) -> None:
    rows = _rows(shapes, more, "execution.totals")

    # 3 more circles of 2 bytecodes each; of a block each; 21 executions before (the docstring).
    found = {row["measure"]: (row["a"], row["b"], row["delta"], row["delta_pct"]) for row in rows}
    assert found["n_bytecodes"] == (54, 60, 6, pytest.approx(100 * 6 / 54))
    assert found["n_executions"] == (22, 25, 3, pytest.approx(100 * 3 / 22))
    assert {row["reason"] for row in rows} == {None}
    assert list(rows[0]) == [
        *("benchmark", "metric", "measure", "a", "b", "delta", "delta_pct"),
        *("unit", "better", "reason", "reason_code_a", "reason_code_b"),
    ]


def test_a_run_does_not_differ_from_itself(shapes: Path) -> None:
    rows = _rows(shapes, shapes)

    assert len({row["metric"] for row in rows}) > 40
    assert {row["delta"] for row in rows} <= {0, None}
    assert all(row["reason"] for row in rows if row["a"] is None)


def test_what_was_not_recorded_is_null_with_the_reason(shapes: Path, more: Path) -> None:
    row = _only(_rows(shapes, more, "polymorphism.receivers"), n_receivers=1, measure="n_calls")

    assert (row["a"], row["b"], row["delta"], row["delta_pct"]) == (None, 6, None, None)
    assert row["reason"].startswith('A: the table "receiver" was not recorded: record again')


def test_what_neither_has_is_one_row_with_one_reason(shapes: Path) -> None:
    rows = _rows(shapes, shapes, "polymorphism.receivers")

    assert [row["measure"] for row in rows] == [
        "n_call_sites", "call_sites_share", "n_calls", "calls_share",
    ]  # fmt: skip
    assert {row["reason"].partition(":")[0] for row in rows} == {
        'the table "receiver" was not recorded'
    }


def test_there_is_no_percentage_of_nothing(shapes: Path, tmp_path: Path) -> None:
    empty = write_empty(tmp_path / "empty.run")

    row = _only(_rows(empty, shapes, "execution.totals"), measure="n_bytecodes")

    assert (row["a"], row["b"], row["delta"], row["delta_pct"]) == (0, 54, 54, None)
    assert row["reason"] == "no delta_pct: a is 0"


def test_a_row_that_one_run_has_is_null_in_the_other(shapes: Path, tmp_path: Path) -> None:
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["invokevirtual app/A.f:()V", "return"]])
    node = builder.thread("main").call(main)
    for name in ("app/A", "app/B", "app/C"):
        node.call(builder.method(name, "f", blocks=[["return"]]), site=0)
    three = builder.write(tmp_path / "three.run")

    rows = _rows(shapes, three, "polymorphism.targets")

    new = _only(rows, n_targets=3, measure="n_call_sites")
    gone = _only(rows, n_targets=2, measure="n_call_sites")
    assert (new["a"], new["b"], new["reason"]) == (None, 1, "A: no such row")
    assert (new["reason_code_a"], gone["reason_code_b"]) == ("no-such-row", "no-such-row")
    assert (new["reason_code_b"], gone["reason_code_a"]) == (None, None)
    assert (gone["a"], gone["b"], gone["reason"]) == (1, None, "B: no such row")


def test_rows_of_large_results_have_one_order() -> None:
    """Each run has methods that the other lacks at the same places; those of B come first."""
    query = catalogue()["execution.methods"]
    keys = key_columns([query])
    n = 300_000

    def side(name: str) -> pa.Table:
        texts = {"metric": query.id, "measure": "executions", "unit": "1"}
        return pa.table(
            {
                **{key: pa.array([text] * n, pa.string()) for key, text in texts.items()},
                **{key.name: pa.array([f"{name}{i}" for i in range(n)]) for key in keys},
                "value": pa.array(range(n), pa.float64()),
                "reason": pa.nulls(n, pa.string()),
                "reason_code": pa.nulls(n, pa.string()),
                "position": pa.array(range(n), pa.int64()),
            }
        )

    found = match(side("a"), side("b"), keys, [query], None)[keys[0].name].to_pylist()

    assert found == [f"{name}{i}" for i in range(n) for name in ("b", "a")]


def _write_sites(run: Path, *, is_edited: bool) -> Path:
    """Writes main > A.f from its two call sites of f, 2 and 5 calls.

    Edited, main begins with another instruction and a call of another method, and a class of a
    name that comes first gives all methods and call sites other keys.
    """
    builder = RunBuilder()
    before = []
    if is_edited:
        log = builder.method("aaa/Log", "log", blocks=[["return"]])
        before = ["iconst_0", "invokevirtual aaa/Log.log:()V"]
    f = builder.method("app/A", "f", blocks=[["return"]])
    call = "invokevirtual app/A.f:()V"
    main = builder.method("app/Main", "main", blocks=[[*before, call, call, "return"]])
    node = builder.thread("main").call(main)
    first = 0
    if is_edited:
        node.call(log, site=0)
        first = 1
    node.call(f, site=first, calls=2)
    node.call(f, site=first + 1, calls=5)
    return builder.write(run)


def test_call_sites_keep_their_names_when_code_moves(tmp_path: Path) -> None:
    a = _write_sites(tmp_path / "a.run", is_edited=False)
    b = _write_sites(tmp_path / "b.run", is_edited=True)

    rows = [row for row in _rows(a, b, "polymorphism.sites") if row["measure"] == "n_calls"]

    assert {(r["method"], r["call_site"]): (r["a"], r["b"]) for r in rows} == {
        ("app/Main.main()V", "app/A.f()V #1"): (2, 2),
        ("app/Main.main()V", "app/A.f()V #2"): (5, 5),
        ("app/Main.main()V", "aaa/Log.log()V #1"): (None, 1),
    }


def _write_allocating(run: Path, *code: str) -> Path:
    """Writes a run whose method allocates at each ``new``: 2 objects at the first, then 3."""
    builder = RunBuilder()
    node = builder.thread("main").call(builder.method("p/A", "f", blocks=[[*code, "return"]]))
    sites = [index for index, text in enumerate(code) if text.startswith("new")]
    for n, site in enumerate(sites, start=2):
        node.allocates("p/A", n, size=16, instruction=site)
    return builder.write(run, probes=["allocation", "allocation_site"])


def test_allocation_sites_are_matched_in_their_order_when_code_moves(tmp_path: Path) -> None:
    a = _write_allocating(tmp_path / "a.run", "new p/A", "new p/A")
    b = _write_allocating(tmp_path / "b.run", "nop", "new p/A", "nop", "new p/A", "new p/A")

    rows = jvmscope.compare(a, b, "allocations.sites").arrow().to_pylist()
    counts = [row for row in rows if row["measure"] == "n_objects"]

    assert [(row["a"], row["b"]) for row in counts] == [(2, 2), (3, 3), (None, 4)]
    assert [row["line"] for row in counts] == [2, 6, 9]  # those of b


def test_an_allocation_site_that_one_run_did_not_reach_is_not_taken_for_another(
    tmp_path: Path,
) -> None:
    code = ("new p/A", "new p/A", "return")
    runs = []
    for name, reached in (("a", {1: 2}), ("b", {0: 5, 1: 2})):
        builder = RunBuilder()
        node = builder.thread("main").call(builder.method("p/A", "f", blocks=[[*code]]))
        for site, n in reached.items():
            node.allocates("p/A", n, size=16, instruction=site)
        run = tmp_path / f"{name}.run"
        runs.append(builder.write(run, probes=["allocation", "allocation_site"]))

    rows = [row for row in _rows(*runs, "allocations.sites") if row["measure"] == "n_objects"]

    assert [(row["line"], row["a"], row["b"]) for row in rows] == [(1, None, 5), (4, 2, 2)]


def test_methods_keep_their_names_when_keys_move(tmp_path: Path) -> None:
    a = _write_sites(tmp_path / "a.run", is_edited=False)
    b = _write_sites(tmp_path / "b.run", is_edited=True)

    rows = _rows(a, b, "execution.methods")

    assert {r["method"]: (r["a"], r["b"]) for r in rows if r["measure"] == "n_bytecodes"} == {
        "app/A.f()V": (7, 7),
        "app/Main.main()V": (3, 5),
        "aaa/Log.log()V": (None, 1),
    }


def test_methods_of_one_name_are_matched_in_their_order(tmp_path: Path) -> None:
    runs = []
    for name in ("a", "b"):
        builder = RunBuilder()
        root = builder.thread("main")
        for loader, calls in (("one", 3), ("two", 4)):
            f = builder.method("app/A", "f", loader=loader, blocks=[["return"]])
            root.call(f, calls=calls)
        runs.append(builder.write(tmp_path / f"{name}.run"))

    rows = [r for r in _rows(*runs, "execution.methods") if r["measure"] == "n_executions"]

    assert [(r["method"], r["a"], r["b"]) for r in rows] == [
        ("app/A.f()V", 3, 3),
        ("app/A.f()V", 4, 4),
    ]


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("instructions.pca", "about several runs together, not about one"),
        ("cycles.contexts", "contexts are compared as a tree: --tree"),
    ],
)
def test_what_cannot_be_compared_says_so(shapes: Path, metric: str, reason: str) -> None:
    rows = _rows(shapes, shapes, metric)

    assert {(row["metric"], row["a"], row["b"], row["reason"]) for row in rows} == {
        (metric, None, None, reason)
    }


def test_a_scope_restricts_both_runs(shapes: Path, more: Path) -> None:
    rows = _rows(shapes, more, "execution.totals", scope="thread:worker")

    assert _only(rows, measure="n_bytecodes")["a"] == 15
    assert {row["delta"] for row in rows} == {0}


def test_a_failed_recording_is_null_with_the_reason(shapes: Path, tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    with pytest.warns(RunWarning, match="the recording is failed"):
        rows = _rows(shapes, tmp_path, "execution.totals", "execution.methods")

    assert {(row["b"], row["reason"]) for row in rows} == {(None, "B: the recording failed")}


def test_what_is_no_run_is_an_error(shapes: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError):
        _rows(shapes, tmp_path / "none.run", "execution.totals")
    with pytest.raises(QueryError, match="selects no metric"):
        _rows(shapes, shapes, "execution.total")
    with pytest.raises(QueryError, match="there is no scope"):
        _rows(shapes, shapes, "execution.totals", scope="nowhere")
