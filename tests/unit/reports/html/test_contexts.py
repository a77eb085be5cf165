"""Embedded trees against paths and sums that are put together from the tables."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from support.runs import RunBuilder
from support.samples import write_empty, write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html.contexts import ContextTree, tree_of
from jvmscope.reports.weighed import read_weighed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from support.runs import Node

_COLUMNS = ("n_calls", "n_bytecodes")


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two threads with recursion, light and heavy contexts, and some that cost nothing."""
    chance = random.Random(11)  # noqa: S311 - a tree that is the same every time
    builder = RunBuilder()
    methods = [builder.method(f"p/C{i}", "f", blocks=[["nop"] * (i + 1)]) for i in range(6)]

    def grow(node: Node, depth: int) -> None:
        for method in chance.sample(methods, chance.randint(1, 4)):
            calls = chance.choice([0, 1, 2, 70, 1000, 2**40])
            child = node.call(method, calls=calls, blocks=[chance.choice([0, 1, calls])])
            if depth < 5:
                grow(child, depth + 1)

    for name in ("main", "worker"):
        grow(builder.thread(name), 0)
    return builder.write(tmp_path_factory.mktemp("runs") / "forest.run")


@pytest.fixture(scope="module")
def engine(forest: Path) -> Iterator[Engine]:
    """That run, opened once."""
    with Engine(forest) as engine:
        yield engine


def read_tree(
    engine: Engine, *, weights: Sequence[str] = ("calls", "bytecodes"), max_nodes: int = 20_000
) -> ContextTree:
    """Returns the trees of a run by the names of weights."""
    return tree_of(engine, read_weighed(engine, tuple(map(find_weight, weights))), max_nodes)


def _read(run: Path, **options: Any) -> ContextTree:
    with Engine(run) as engine:
        return read_tree(engine, **options)


@cache
def _rows(run: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(run / "tables" / f"{table}.parquet").to_pylist()


def _found(tree: ContextTree, weight: int) -> Counter[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    stacks: Counter[tuple[str, ...]] = Counter()
    for node in tree.nodes:
        name = "(folded)" if node.frame.kind == "folded" else node.frame.name
        above = paths[node.parent] if node.parent > 0 else ()
        paths.append((*above, name) if paths else ())
        stacks[paths[-1]] += node.own[weight]
    return +stacks


def _expected(run: Path, fraction: float, weight: int) -> Counter[tuple[str, ...]]:
    """The stacks by definition: a context is folded if its share by both weights is below."""
    contexts = _rows(run, "context")
    classes = {row["class_id"]: row["name"].replace("/", ".") for row in _rows(run, "class")}
    names = [f"{classes[row['class_id']]}.{row['name']}()" for row in _rows(run, "method")]
    threads = [row["name"] for row in _rows(run, "thread")]
    totals = [sum(row[column] for row in contexts) for column in _COLUMNS]

    def share(row: dict[str, Any]) -> float:
        subtree = contexts[row["context_id"] : row["context_id"] + row["size"]]
        sums = [sum(inside[column] for inside in subtree) for column in _COLUMNS]
        return max(part / total for part, total in zip(sums, totals, strict=True))

    def path(row: dict[str, Any]) -> tuple[str, ...]:
        if row["parent_id"] is None:
            return (threads[row["thread_id"]],)
        above = path(contexts[row["parent_id"]])
        if above[-1] == "(folded)":
            return above
        return (*above, names[row["method_id"]] if share(row) >= fraction else "(folded)")

    stacks: Counter[tuple[str, ...]] = Counter()
    for row in contexts:
        stacks[path(row)] += row[_COLUMNS[weight]]
    return +stacks


@pytest.mark.parametrize("max_nodes", [5, 8, 20, 50, 120, 20_000])
def test_every_stack_has_its_weight(forest: Path, engine: Engine, max_nodes: int) -> None:
    tree = read_tree(engine, max_nodes=max_nodes)
    assert len(tree.nodes) <= max_nodes
    for weight in range(2):
        assert _found(tree, weight) == _expected(forest, tree.fraction, weight)


@pytest.mark.parametrize("max_nodes", [5, 8, 20, 50, 120, 20_000])
def test_totals_are_those_of_the_run(forest: Path, engine: Engine, max_nodes: int) -> None:
    tree = read_tree(engine, weights=("bytecodes", "calls", "cycles"), max_nodes=max_nodes)
    ((cycles,),) = engine.query("SELECT SUM(cycles) FROM costs.contexts('none')").rows()
    contexts = _rows(forest, "context")
    expected = [sum(row[column] for row in contexts) for column in ("n_bytecodes", "n_calls")]
    assert [sum(node.own[i] for node in tree.nodes) for i in range(3)] == [*expected, cycles]
    assert sum(node.n_contexts for node in tree.nodes) == len(contexts) - 2  # roots are threads


def test_more_nodes_fold_less(engine: Engine) -> None:
    sizes = [len(read_tree(engine, max_nodes=n).nodes) for n in (8, 20, 50, 120, 20_000)]
    assert sizes == sorted(set(sizes))


def test_parents_come_first_and_nothing_weighs_less_than_nothing(engine: Engine) -> None:
    nodes = read_tree(engine, max_nodes=50).nodes
    assert nodes[0].parent == -1
    assert all(node.parent < index for index, node in enumerate(nodes))
    assert all(min(node.own) >= 0 for node in nodes)


def test_a_whole_tree_folds_nothing(tmp_path: Path) -> None:
    tree = _read(write_shapes(tmp_path / "shapes.run"))
    assert tree.fraction == 0
    shown = [(node.parent, node.frame.name, node.frame.kind, node.own) for node in tree.nodes]
    assert shown == [
        (-1, "shapes", "run", (0, 0)),
        (0, "main", "thread", (0, 0)),
        (0, "worker", "thread", (0, 0)),
        (1, "app.Main.main(java.lang.String[])", "application", (1, 22)),
        (3, "app.Circle.area()", "application", (6, 12)),
        (3, "app.Square.area()", "application", (4, 4)),
        (3, "app.Main.log()", "application", (1, 1)),
        (2, "java.util.List.add()", "library", (5, 10)),
        (7, "java.util.List.grow()", "library", (5, 5)),
    ]


def test_contexts_of_one_share_are_folded_together(tmp_path: Path) -> None:
    builder = RunBuilder()
    main = builder.method("Main", "main", blocks=[["return"]])
    callees = [builder.method("C", f"f{i}", blocks=[["return"]]) for i in range(9)]
    node = builder.thread("main").call(main)
    for callee in callees:
        node.call(callee)
    tree = _read(builder.write(tmp_path / "flat.run"), max_nodes=10)
    assert [(node.frame.name, node.n_contexts, node.own) for node in tree.nodes] == [
        ("flat", 0, (0, 0)),
        ("main", 0, (0, 0)),
        ("Main.main()", 1, (1, 1)),
        ("(below 100 %)", 9, (9, 9)),
    ]


def test_the_lightest_of_many_threads_are_one_node(tmp_path: Path) -> None:
    builder = RunBuilder()
    work = builder.method("Worker", "run", blocks=[["nop", "return"]])
    for i in range(50):
        builder.thread(f"worker {i}").call(work, calls=i + 1)
    with Engine(builder.write(tmp_path / "threads.run")) as engine:
        trees = {n: read_tree(engine, max_nodes=n) for n in (4, 5, 12, 50, 100, 101, 102, 20_000)}
    tree = trees[12]
    assert len(tree.nodes) <= 12
    shown = [node.frame.name for node in tree.nodes if node.frame.kind == "thread"]
    assert shown == [f"worker {i}" for i in range(45, 50)]
    last = tree.nodes[-1]
    assert (last.frame.name, last.parent) == ("(45 lighter threads)", 0)
    assert (last.n_contexts, last.own) == (45, (45 * 46 // 2, 45 * 46))
    for max_nodes, tree in trees.items():
        assert len(tree.nodes) <= max_nodes
        assert [sum(node.own[i] for node in tree.nodes) for i in range(2)] == [1275, 2550]


def test_an_empty_run_is_a_root(tmp_path: Path) -> None:
    tree = _read(write_empty(tmp_path / "empty.run"))
    assert [node.frame.kind for node in tree.nodes] == ["run"]


def test_an_unknown_weight_is_refused(shapes: Path) -> None:
    with pytest.raises(QueryError, match="no weight"):
        _read(shapes, weights=("colour",))
