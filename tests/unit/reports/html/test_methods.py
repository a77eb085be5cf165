"""What a page says of methods and their callers, against SQL and paths put together from tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.called_runs import write_called
from support.method_oracle import weights_by_name
from support.runs import RunBuilder
from support.samples import write_empty

from jvmscope.queries import Engine, Question
from jvmscope.reports import weighed as weighing
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html import inverted as inverting
from jvmscope.reports.html.callers import BEGINNING, FOLDED, UNLISTED
from jvmscope.reports.html.inverted import invert
from jvmscope.reports.html.methods import Methods, read_methods
from jvmscope.reports.html.runs import Limits, read_run
from jvmscope.reports.weighed import read_weighed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.reports.weighed import Weighed

_WEIGHTS = ("calls", "bytecodes", "cycles")
_SCOPES = ("application+", "application", "thread:worker")
_RUNS = {"recursive": (8, 0), "folded": (5, 40)}


@pytest.fixture(scope="module", params=_RUNS)
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    seed, n_folded = _RUNS[request.param]
    directory = tmp_path_factory.mktemp("called") / f"{request.param}.run"
    with Engine(write_called(directory, seed, n_folded=n_folded)) as engine:
        yield engine


@pytest.fixture(scope="module")
def weighed(engine: Engine) -> Weighed:
    return read_weighed(engine, tuple(map(find_weight, _WEIGHTS)), _SCOPES)


@pytest.fixture(scope="module")
def methods(engine: Engine, weighed: Weighed) -> Methods:
    return read_methods(engine, weighed, 1000, 1000)


def test_every_method_weighs_what_sql_says(engine: Engine, methods: Methods) -> None:
    assert {"run", "application"} <= methods.totals.keys()
    for scope, totals in methods.totals.items():
        for i, weight in enumerate(_WEIGHTS):
            expected = weights_by_name(engine, scope, weight)
            assert totals[i] == sum(own for own, _ in expected.values())
            found = {
                frame.name: (int(own), int(inclusive))
                for frame, own, inclusive in zip(
                    methods.frames, methods.own[scope][i], methods.inclusive[scope][i], strict=True
                )
                if frame.name in expected or own or inclusive
            }
            assert found == expected


def test_callers_add_up_to_their_callee(methods: Methods) -> None:
    for scope, callers in methods.callers.items():
        for i in range(len(_WEIGHTS)):
            for amounts, whole in (
                (callers.own[i], methods.own[scope][i]),
                (callers.inclusive[i], methods.inclusive[scope][i]),
            ):
                sums = Counter[int]()
                for callee, amount in zip(callers.callee.tolist(), amounts.tolist(), strict=True):
                    sums[callee] += amount
                assert [sums[method] for method in range(len(whole))] == whole.tolist()


def test_calls_are_those_of_the_edges(engine: Engine, methods: Methods) -> None:
    rows = engine.query(
        Question(
            "SELECT caller.method, callee.method, SUM(n_calls)::BIGINT FROM cct.edges() AS edge "
            "LEFT JOIN names.methods() AS caller ON caller.method_id = edge.caller_id "
            "JOIN names.methods() AS callee ON callee.method_id = edge.callee_id GROUP BY ALL",
            language="sql",
        )
    ).rows()
    expected = {(caller, callee): n for caller, callee, n in rows if n}
    callers = methods.callers["run"]
    found = Counter[tuple[str | None, str]]()
    columns = (callers.callee.tolist(), callers.caller.tolist(), callers.own[0].tolist())
    for callee, caller, n in zip(*columns, strict=True):
        assert caller >= 0 or caller == BEGINNING or n == 0
        name = methods.frames[caller].name if caller >= 0 else None
        found[name, methods.frames[callee].name] += n
    assert +found == expected


def test_only_what_was_folded_has_unknown_callers(
    engine: Engine, weighed: Weighed, methods: Methods
) -> None:
    unknown = methods.callers["run"].caller == FOLDED
    assert unknown.any() == weighed.is_folded.any() == (engine.run_id == "folded")
    assert methods.at_least.any() == unknown.any()
    assert methods.n_calls_folded == weighed.back_edges[:, 2].sum()


def test_what_lacks_folded_calls_is_a_lower_bound(methods: Methods, weighed: Weighed) -> None:
    """A method is exact with callees unless one of its outermost contexts lies on a folded way."""
    names = [frame.name for frame in methods.frames]
    lacking = set()
    for source, target, _ in weighed.back_edges.tolist():
        at = source
        while at != target:
            above, is_outermost = int(weighed.parent[at]), True
            while above >= 0:
                is_outermost &= weighed.method[above] != weighed.method[at]
                above = int(weighed.parent[above])
            if is_outermost:
                lacking.add(int(weighed.method[at]))
            at = int(weighed.parent[at])
    found = {name for name, flag in zip(names, methods.at_least, strict=True) if flag}
    told = {f"p.C{method}.f()" for method in lacking if method < 6}
    assert {name for name in found if name.startswith("p.")} == told


@pytest.mark.parametrize("n", [1, 3, 5])
def test_the_heaviest_are_listed(
    engine: Engine, weighed: Weighed, methods: Methods, n: int
) -> None:
    few = read_methods(engine, weighed, n, 4)
    assert few.frames == methods.frames[:n]
    assert few.n_executed == methods.n_executed == len(methods.frames)
    assert all(len(callers.callee) <= 4 for callers in few.callers.values())
    for callers in methods.callers.values():
        assert callers.n_pairs == len(callers.callee)
    if n == 5:
        assert few.callers["run"].n_pairs > 4
    shares = [
        max(
            methods.inclusive[scope][i][method] / max(1, total)
            for scope, totals in methods.totals.items()
            for i, total in enumerate(totals)
        )
        for method in range(len(methods.frames))
    ]
    assert few.below == max(shares[n:])
    assert min(shares[:n]) >= few.below
    assert {UNLISTED} >= {at for c in few.callers.values() for at in c.caller.tolist() if at == -2}


def _ways(engine: Engine) -> Counter[tuple[str, ...]]:
    """Returns the bytecodes by method, who called it, who called that one, as far as is known."""
    tables = engine.run / "tables"
    contexts = pq.read_table(tables / "context.parquet").to_pylist()
    rows = engine.query(
        Question("SELECT method_id, method FROM names.methods()", language="sql")
    ).rows()
    names = dict(rows)
    ways = Counter[tuple[str, ...]]()
    for row in contexts:
        if row["method_id"] is None:
            continue
        way: list[str] = []
        at = row
        while at["method_id"] is not None:
            way.append(names[at["method_id"]])
            ways[tuple(way)] += row["n_bytecodes"]
            if at["is_folded"]:
                way.append("(unknown: calls were folded)")
                break
            at = contexts[at["parent_id"]]
        else:
            way.append("(the thread begins)")
        ways[tuple(way)] += row["n_bytecodes"]
    return ways


@pytest.mark.parametrize("max_nodes", [6, 40, 100_000])
def test_every_way_up_has_its_weight(
    engine: Engine,
    weighed: Weighed,
    methods: Methods,
    monkeypatch: pytest.MonkeyPatch,
    max_nodes: int,
) -> None:
    if max_nodes == 100_000:
        monkeypatch.setattr(inverting, "LEAST_SHARE", 0.0)
    tree = invert(engine, weighed, max_nodes)
    sums = [list(node.own) for node in tree.nodes]
    for place in reversed(range(1, len(sums))):
        parent = sums[tree.nodes[place].parent]
        parent[:] = [a + b for a, b in zip(parent, sums[place], strict=True)]
    bytecodes = _WEIGHTS.index("bytecodes")
    ways: list[tuple[str, ...]] = [()]
    found = {}
    for node, amounts in zip(tree.nodes[1:], sums[1:], strict=True):
        ways.append((*ways[node.parent], node.frame.name))
        if not node.frame.name.startswith("(other"):
            found[ways[-1]] = amounts[bytecodes]
    expected = _ways(engine)
    assert found.items() <= {way: expected[way] for way in found}.items()
    assert all(min(node.own) >= 0 for node in tree.nodes)
    if max_nodes == 100_000:
        assert {way for way, n in expected.items() if n} <= found.keys()
    assert sums[0] == [total for scope in tree.scopes for total in methods.totals[scope]]


@pytest.mark.parametrize("block", [1, 7, 30])
def test_blocks_of_contexts_decide_about_nothing(
    block: int, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, limits = _WEIGHTS, Limits(25, 6, 9, 20)
    whole = read_run(engine, weights, _SCOPES, limits)
    monkeypatch.setattr(weighing, "BLOCK", block)
    assert len(list(read_weighed(engine, [find_weight("calls")]).blocks())) > 1
    assert read_run(engine, weights, _SCOPES, limits) == whole


def test_weights_of_more_than_four_bytes_are_exact(tmp_path: Path) -> None:
    calls, many = find_weight("calls"), f"c.n_calls + {1 << 40}"
    with Engine(write_called(tmp_path / "called.run", 8)) as engine:
        few, large = read_weighed(engine, [calls, replace(calls, own=many)]).own
    assert (few.dtype, large.dtype) == (np.int32, np.int64)
    assert (large - few == 1 << 40).all()


def test_an_empty_run_has_no_methods(tmp_path: Path) -> None:
    with Engine(write_empty(tmp_path / "empty.run")) as engine:
        weighed: Any = read_weighed(engine, [find_weight("calls")], ["application"])
        methods = read_methods(engine, weighed, 10, 10)
        tree = invert(engine, weighed, 10)
    assert (methods.frames, methods.n_executed, methods.totals["run"]) == ((), 0, (0,))
    assert [node.own for node in tree.nodes] == [(0, 0)]


_TWINS = {
    "loaders": [("p/A", "()V", "app"), ("p/A", "()V", "app#1"), ("p/A", "()V", "app#2")],
    "bridges": [("p/A", f"(I){returned}", "app") for returned in ("V", "Ljava/lang/Object;", "I")],
    "libraries": [("p/A", "()V", "boot"), ("p/A", "()V", "platform")],
    "both": [("p/A", f"(I){to}", loader) for to in ("V", "I") for loader in ("app", "app#1")],
}


@pytest.mark.parametrize("twins", _TWINS.values(), ids=_TWINS)
def test_methods_that_look_the_same_stay_apart(
    tmp_path: Path, twins: list[tuple[str, str, str]]
) -> None:
    """In both trees, the nodes of each method add up to what the method weighs."""
    builder = RunBuilder()
    root = builder.thread("main")
    for number, (name, descriptor, loader) in enumerate(twins):
        method = builder.method(name, "f", descriptor, blocks=[["return"]], loader=loader)
        root.call(method, calls=3**number).call(method, calls=100 + number)
    with Engine(builder.write(tmp_path / "twins.run")) as engine:
        told = read_run(engine, ("calls",), (), Limits())
    frames, methods = told["frames"], told["methods"]
    assert len(set(map(tuple, frames))) == len(frames)
    assert len({frames[at][0] for at in methods["frames"]}) == 1
    weights = dict(zip(methods["frames"], methods["scopes"][0]["own"][0], strict=True))
    assert len(weights) == len(twins)
    tree, inverted = told["tree"], told["inverted"]
    nodes = Counter[int]()
    for frame, own in zip(tree["frames"], tree["own"][0], strict=True):
        nodes[frame] += own
    assert {frame: nodes[frame] for frame in weights} == weights
    sums = list(inverted["own"][0][0])
    for node in range(len(sums) - 1, 0, -1):
        sums[inverted["parents"][node]] += sums[node]
    tops = [node for node, parent in enumerate(inverted["parents"]) if parent == 0]
    assert {inverted["frames"][node]: sums[node] for node in tops} == weights
