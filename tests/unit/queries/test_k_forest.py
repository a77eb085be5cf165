"""The k-calling context forest, in SQL and XQuery, against its definition by brute force."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.runs import RunBuilder
from support.samples import write_empty

from jvmscope.errors import JvmscopeError
from jvmscope.queries import Engine, Limits, Question, parse_scope
from jvmscope.queries.k_forest import k_forest
from jvmscope.queries.k_levels import k_levels

if TYPE_CHECKING:
    from pathlib import Path

Tree = list[tuple[int, int, int]]
"""Contexts in pre-order: parent's index, method, calls; -1 and -1 for the root of a thread."""


@st.composite
def trees(draw: Any) -> Tree:
    """Returns any tree of few methods, so that paths come back in many places."""
    tree: Tree = [(-1, -1, 0)]
    for _ in range(draw(st.integers(0, 25))):
        if draw(st.integers(0, 9)) == 0:
            tree.append((-1, -1, 0))
        else:
            parent = draw(st.integers(max(0, len(tree) - 4), len(tree) - 1))
            tree.append((parent, draw(st.integers(0, 2)), draw(st.integers(0, 50))))
    return tree


def _by_definition(tree: Tree, k: int | None) -> dict[tuple[int, ...], tuple[int, int]]:
    """Each path with its calls and contexts: every context is asked for its callers."""
    calls: Counter[tuple[int, ...]] = Counter()
    contexts: Counter[tuple[int, ...]] = Counter()
    for index, (_, method, n_calls) in enumerate(tree):
        if method < 0:
            continue
        path: list[int] = []
        above = index
        while tree[above][1] >= 0 and (k is None or len(path) <= k):
            path.append(tree[above][1])
            calls[tuple(path)] += n_calls
            contexts[tuple(path)] += 1
            above = tree[above][0]
    return {path: (calls[path], contexts[path]) for path in contexts}


def _paths_to(tree: Tree, context: int, k: int | None) -> set[tuple[int, ...]]:
    """The paths of at most k calls that lead to a context."""
    paths: set[tuple[int, ...]] = set()
    path: list[int] = []
    while tree[context][1] >= 0 and (k is None or len(path) <= k):
        path.append(tree[context][1])
        paths.add(tuple(path))
        context = tree[context][0]
    return paths


def _paths(rows: list[dict[str, Any]]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Each path of a forest, put together along the parents."""
    by_id: dict[int, tuple[int, ...]] = {}
    found = {}
    for row in rows:
        above = by_id[row["parent_id"]] if row["parent_id"] not in (None, -1) else ()
        path = (*above, row["method_id"])
        assert (len(path) - 1, path[0]) == (row["depth"], row["routine_id"])
        by_id[row["path_id"]] = path
        found[path] = (row["n_calls"], row["n_contexts"])
    assert list(by_id) == list(range(len(rows))), "dense keys"
    assert len(found) == len(rows), "no path twice"
    return found


@given(tree=trees(), k=st.one_of(st.none(), st.integers(0, 30)))
def test_every_path_by_its_definition(tree: Tree, k: int | None) -> None:
    parent, method, calls = (np.array(column) for column in zip(*tree, strict=True))
    found = k_forest(k, parent, method, calls, calls * 3)

    columns = {name: values.tolist() for name, values in found.items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert _paths(rows) == _by_definition(tree, k)
    assert columns["n_bytecodes"] == [3 * n for n in columns["n_calls"]]


@given(tree=trees(), k=st.one_of(st.none(), st.integers(0, 30)), data=st.data())
def test_the_sizes_of_levels_by_their_definition(tree: Tree, k: int | None, data: Any) -> None:
    parent, method, _ = (np.array(column) for column in zip(*tree, strict=True))
    is_counted = [data.draw(st.booleans()) for _ in tree]
    paths = {path for n in np.flatnonzero(is_counted) for path in _paths_to(tree, n, k)}
    sizes = [n for _, n in sorted(Counter(map(len, paths)).items())]

    assert k_levels(k, parent, method, np.array(is_counted)) == (sizes or [0])


def test_levels_of_many_contexts_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(1)
    parent = np.array([-1, *(chance.integers(max(0, n - 9), n) for n in range(1, 500))])
    method = np.array([-1, *chance.integers(0, 5, 499)])
    tree = [(int(above), int(called), 0) for above, called in zip(parent, method, strict=True)]
    paths = {path for n in range(500) for path in _paths_to(tree, n, 4)}
    monkeypatch.setattr("jvmscope.queries.k_levels._AT_A_TIME", 16)

    found = k_levels(4, parent, method, np.ones(500, dtype=np.bool_))

    assert found == [n for _, n in sorted(Counter(map(len, paths)).items())]


def _recursive_run(run: Path) -> tuple[Path, Tree]:
    """A run in which f calls itself and g, and g calls f, from two threads."""
    builder = RunBuilder()
    f = builder.method(
        "app/A", "f", blocks=[["invokestatic app/A.f:()V", "invokestatic app/A.g:()V", "return"]]
    )
    g = builder.method("app/A", "g", blocks=[["invokestatic app/A.f:()V", "return"]])
    root = builder.thread("main").call(f, calls=1)
    root.call(f, site=0, calls=2).call(g, site=1, calls=3).call(f, site=0, calls=4)
    root.call(g, site=1, calls=5)
    builder.thread("worker").call(g, calls=6).call(f, site=0, calls=7)
    tree = [(-1, -1, 0), (0, 0, 1), (1, 0, 2), (2, 1, 3), (3, 0, 4), (1, 1, 5)]
    return builder.write(run), [*tree, (-1, -1, 0), (6, 1, 6), (7, 0, 7)]


@pytest.mark.parametrize("k", [0, 1, 2, 3, None])
def test_a_run_in_sql(k: int | None, tmp_path: Path) -> None:
    run, tree = _recursive_run(tmp_path / "x.run")
    with Engine(run) as engine:
        text = "SELECT * FROM cct.k_forest($k) ORDER BY path_id"
        rows = engine.query(Question(text, params={"k": k})).arrow().to_pylist()

    assert _paths(rows) == _by_definition(tree, k)


@pytest.mark.parametrize("k", [0, 1, 2, 9])
def test_a_run_in_xquery(k: int, tmp_path: Path) -> None:
    run, tree = _recursive_run(tmp_path / "x.run")
    text = (
        'import module namespace k-forest = "urn:jvmscope:k-forest:1";\n'
        "k-forest:forest($cct//dcg:context, $k)"
    )
    with Engine(run) as engine:
        rows = engine.query(Question(text, params={"k": k})).arrow().to_pylist()

    found = {tuple(map(int, row["path"].split())): (row["calls"], row["contexts"]) for row in rows}
    assert found == _by_definition(tree, k)


def test_a_scope_counts_its_contexts_and_sees_the_callers_of_all(tmp_path: Path) -> None:
    run, _ = _recursive_run(tmp_path / "x.run")
    text = "SELECT * FROM cct.k_forest(1) ORDER BY path_id"
    with Engine(run) as engine:
        part = parse_scope("subtree:app/A.g")
        found = _paths(engine.query(Question(text, scope=part)).arrow().to_pylist())

    assert found == {(0,): (11, 2), (1,): (14, 3), (0, 1): (11, 2), (1, 0): (8, 2)}


def test_nothing_ran(tmp_path: Path) -> None:
    with Engine(write_empty(tmp_path / "empty.run")) as engine:
        assert engine.query("SELECT * FROM cct.k_forest(3)").arrow().num_rows == 0


def test_a_negative_k_is_refused(shapes: Path) -> None:
    with Engine(shapes) as engine, pytest.raises(JvmscopeError, match="0 or more, not -1"):
        engine.query("SELECT * FROM cct.k_forest(-1)").arrow()


def test_a_query_of_others_may_ask_for_it(shapes: Path) -> None:
    with Engine(shapes) as engine:
        (row,) = engine.query(
            Question("SELECT COUNT(*) FROM cct.k_forest(1)", limits=Limits())
        ).rows()

    assert row == (10,)
