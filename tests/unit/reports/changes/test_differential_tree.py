"""The differential tree: nodes matched by path, totals that stay exact."""

from __future__ import annotations

import tracemalloc
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.samples import write_folded, write_shapes

import jvmscope
from benchmarks.queries.synthetic import write_synthetic
from jvmscope.errors import LimitReached, QueryError, RunError
from jvmscope.queries import Engine, Question
from jvmscope.queries.limits.deadline import Deadline
from jvmscope.reports.changes import trees
from jvmscope.reports.changes.differential_tree import differential_tree, read_tree
from jvmscope.reports.changes.interruptible_queries import ask
from jvmscope.reports.changes.tree_excerpt import Shape, fold
from jvmscope.reports.exports.weights import find_weight
from jvmscope.run_warning import RunWarning
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

_N_CONTEXTS = 100_000
_TREE_BYTES = 24
"""What a context may take of the tree of its run: two keys, a weight and a hash."""
_PEAK_BYTES = 64
"""What it may take beside that, where no other context is the same: 38 million are 3.4 GB."""

Row = dict[str, Any]


def _rows(a: Path, b: Path, **options: Any) -> list[Row]:
    return jvmscope.compare_trees(a, b, **options).arrow().to_pylist()


def _shown(rows: list[Row]) -> list[tuple[int, str, str | None, int, int]]:
    return [
        (row["level"], row["difference"], row["thread"] or row["method"], row["a"], row["b"])
        for row in rows
    ]


def _is_exact(rows: list[Row]) -> bool:
    """Tells whether each node's own weight and its children add up to it."""
    below: dict[int | None, list[int]] = {}
    for row in rows:
        sums = below.setdefault(row["parent"], [0, 0])
        sums[0] += row["a"]
        sums[1] += row["b"]
    nodes = [row for row in rows if row["difference"] != "folded"]
    return all(
        [row["a"] - row["own_a"], row["b"] - row["own_b"]] == below.get(row["node"], [0, 0])
        and row["delta"] == row["b"] - row["a"]
        for row in nodes
    )


def test_the_topmost_changes_are_shown_and_the_rest_is_folded(shapes: Path, tmp_path: Path) -> None:
    more = write_shapes(tmp_path / "more.run", n_circles=9)

    rows = _rows(shapes, more)

    main = "app/Main.main([Ljava/lang/String;)V"
    assert _shown(rows) == [
        (0, "below", "main", 39, 45),
        (1, "below", main, 39, 45),
        (2, "own", "app/Circle.area()D", 12, 18),
        (2, "folded", None, 5, 5),  # Square.area 4 and log 1
        (0, "folded", None, 15, 15),  # the thread worker
    ]
    assert [row["n_nodes"] for row in rows] == [1, 1, 1, 2, 3]
    assert (rows[2]["call_site"], rows[2]["delta_pct"]) == ("app/Shape.area()D #1", 50)
    assert _is_exact(rows)


@pytest.mark.parametrize(
    ("weight", "a", "b"),
    [("calls", 6, 9), ("bytecodes", 12, 18)],
)
def test_weights(shapes: Path, tmp_path: Path, weight: str, a: int, b: int) -> None:
    more = write_shapes(tmp_path / "more.run", n_circles=9)

    (row,) = [r for r in _rows(shapes, more, weight=weight) if r["difference"] == "own"]

    assert (row["a"], row["b"], row["own_delta"]) == (a, b, b - a)


def test_cycles_heed_the_parameters_of_their_model_alone(shapes: Path, tmp_path: Path) -> None:
    more = write_shapes(tmp_path / "more.run", n_circles=9)
    params = {"share": 0.5, "r": 9}  # a metric's, and the model's: wait states of reading

    (slow, *_), (fast, *_) = (
        _rows(shapes, more, weight="cycles", params=given) for given in (params, {})
    )

    assert slow["delta"] > fast["delta"] > 0


def test_in_a_scope_all_else_weighs_nothing(shapes: Path, tmp_path: Path) -> None:
    more = write_shapes(tmp_path / "more.run", n_circles=9)

    rows = _rows(shapes, more, scope="application")

    assert (rows[0]["a"], rows[0]["b"]) == (39, 45)
    assert (rows[-1]["difference"], rows[-1]["a"], rows[-1]["b"]) == ("folded", 0, 0)
    assert _rows(shapes, more, scope="thread:worker") == [
        {**rows[-1], "n_nodes": 8, "a": 15, "b": 15, "own_a": 15, "own_b": 15, "node": 0,
         "delta_pct": 0.0}
    ]  # fmt: skip


def _write(run: Path, *, g_calls: int, h_calls: int, is_edited: bool = False) -> Path:
    """Writes main > A.f > A.g, and main > A.h; a class and an instruction more if edited."""
    builder = RunBuilder()
    if is_edited:
        builder.method("aaa/First", "unused", blocks=[["return"]])
    blocks = ["invokevirtual app/A.f:()V", "invokevirtual app/A.h:()V", "return"]
    main = builder.method("app/Main", "main", blocks=[["iconst_0"] * is_edited + blocks])
    f = builder.method("app/A", "f", blocks=[["invokevirtual app/A.g:()V", "return"]])
    g = builder.method("app/A", "g", blocks=[["return"]])
    h = builder.method("app/A", "h", blocks=[["return"]])
    node = builder.thread("main").call(main)
    inner = node.call(f, site=0)
    if g_calls:
        inner.call(g, site=0, calls=g_calls)
    if h_calls:
        node.call(h, site=1, calls=h_calls)
    return builder.write(run)


def test_more_here_and_less_there_are_two_changes(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.run", g_calls=10, h_calls=1)
    b = _write(tmp_path / "b.run", g_calls=4, h_calls=6)

    rows = _rows(a, b, weight="calls")

    assert _shown(rows) == [
        (0, "below", "main", 13, 12),
        (1, "below", "app/Main.main()V", 13, 12),
        (2, "below", "app/A.f()V", 11, 5),
        (3, "own", "app/A.g()V", 10, 4),
        (2, "own", "app/A.h()V", 1, 6),
    ]
    assert _is_exact(rows)


def test_nodes_are_the_same_in_another_version(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.run", g_calls=10, h_calls=2)
    b = _write(tmp_path / "b.run", g_calls=10, h_calls=2, is_edited=True)

    rows = _rows(a, b)

    assert _shown(rows) == [
        (0, "below", "main", 17, 18),
        (1, "own", "app/Main.main()V", 17, 18),
        (2, "folded", None, 14, 14),
    ]
    assert _is_exact(rows)


def test_what_one_run_has_weighs_nothing_in_the_other(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.run", g_calls=10, h_calls=0)
    b = _write(tmp_path / "b.run", g_calls=0, h_calls=3)

    kinds = {r["method"]: (r["difference"], r["a"], r["b"]) for r in _rows(a, b, weight="calls")}

    assert kinds["app/A.g()V"] == ("only_a", 10, 0)
    assert kinds["app/A.h()V"] == ("only_b", 0, 3)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_totals_are_exact_however_few_nodes_are_shown(tmp_path: Path, nodes: int) -> None:
    a = _write(tmp_path / "a.run", g_calls=10, h_calls=1)
    b = _write(tmp_path / "b.run", g_calls=4, h_calls=9)

    rows = _rows(a, b, weight="calls", nodes=nodes)

    assert sum(row["difference"] != "folded" for row in rows) == nodes
    assert (rows[0]["a"], rows[0]["b"]) == (13, 15)
    assert _is_exact(rows)


def test_what_two_loaders_define_is_one_node(tmp_path: Path) -> None:
    runs = []
    for name, extra in (("a", 0), ("b", 2)):
        builder = RunBuilder()
        root = builder.thread("main")
        for loader, calls in (("one", 3), ("two", 4 + extra)):
            f = builder.method("app/A", "f", loader=loader, blocks=[["return"]])
            root.call(f, calls=calls)
        runs.append(builder.write(tmp_path / f"{name}.run"))

    rows = _rows(*runs, weight="calls")

    assert _shown(rows) == [(0, "below", "main", 7, 9), (1, "own", "app/A.f()V", 7, 9)]


def test_equal_runs_are_folded_into_one_row(shapes: Path, tmp_path: Path) -> None:
    (row,) = _rows(shapes, write_shapes(tmp_path / "again.run"))

    assert (row["difference"], row["a"], row["b"], row["n_nodes"]) == ("folded", 54, 54, 8)


def test_folded_recursion_is_weighed_where_it_was_folded(tmp_path: Path) -> None:
    folded = write_folded(tmp_path / "folded.run")

    with pytest.warns(RunWarning, match="calls are folded"):
        (row,) = _rows(folded, folded, weight="calls")

    assert (row["a"], row["b"]) == (11, 11)


def test_what_cannot_be_asked(shapes: Path, tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    with (
        pytest.warns(RunWarning, match="the recording is failed"),
        pytest.raises(RunError, match="the recording failed"),
    ):
        _rows(shapes, tmp_path)
    with pytest.raises(QueryError, match="there is no weight"):
        _rows(shapes, shapes, weight="callz")
    with pytest.raises(QueryError, match="has no allocated_bytes"):
        _rows(shapes, shapes, weight="allocated_bytes")
    with pytest.raises(QueryError, match="expected from 1 to 20,000"):
        _rows(shapes, shapes, nodes=0)


@pytest.mark.parametrize("seconds", [1e-9, 0.001])
def test_a_timeout_ends_it_as_it_ends_a_query(shapes: Path, seconds: float) -> None:
    with pytest.raises(LimitReached, match=f"stopped after {seconds:g} s; raise timeout"):
        _rows(shapes, shapes, timeout=seconds)
    assert _rows(shapes, shapes, timeout=600)


def test_the_clock_ends_what_is_asked_of_a_database(shapes: Path) -> None:
    endless = (
        "SELECT count(*) FROM range(1000000000) AS a, range(1000000000) AS b WHERE hash(a) = 7"
    )
    with Engine(shapes) as engine, pytest.raises(LimitReached, match="raise timeout"):
        ask(engine, lambda run: run.execute(endless).fetchall(), Deadline(0.2))


def test_the_clock_ends_what_is_done_in_python(
    shapes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_trees: object) -> None:
        while True:
            pass

    monkeypatch.setattr(trees, "differential_tree", endless)
    with pytest.raises(LimitReached, match="stopped after 1 s"):
        _rows(shapes, shapes, timeout=1)


@pytest.mark.parametrize("seeds", list(product((1, 2), repeat=2)))
def test_what_a_context_takes_of_the_memory_is_bounded(
    tmp_path: Path, seeds: tuple[int, int]
) -> None:
    """Trees of the same seed are equal; of others, they have next to nothing in common."""
    asked = find_weight("bytecodes"), Question(""), Deadline(None)
    runs = []
    for name, seed in zip("ab", seeds, strict=True):
        write_synthetic(tmp_path / name, _N_CONTEXTS, seed=seed)
        engine = Engine(tmp_path / name)
        runs.append((engine, read_tree(engine, *asked)))
        held = sum(array.nbytes for array in vars(runs[-1][1]).values())
        assert held <= _TREE_BYTES * _N_CONTEXTS

    peaks = []
    tracemalloc.start()
    try:
        both = differential_tree(*(tree for _, tree in runs))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.reset_peak()
        fold(both, (runs[0], runs[1]), Shape("bytecode", 100), Deadline(None))
        peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()

    assert max(peaks) <= _PEAK_BYTES * 2 * _N_CONTEXTS
    for engine, _ in runs:
        engine.close()
