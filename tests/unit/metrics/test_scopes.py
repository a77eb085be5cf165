"""Counts in scopes: a run is the sum of its threads, and a thread that of the tree below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.metrics import measure
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_COUNTS = {
    "execution.totals": {"n_executions", "n_block_executions", "n_bytecodes", "n_invokes"},
    "arrays.accesses": {"n_accesses", "n_reference", "n_char", "n_numeric", "n_lengths"},
    "fields.accesses": {"n_accesses", "n_reference", "n_primitive", "n_getfield", "n_putstatic"},
    "floating.operations": {"n_operations", "n_float", "n_double"},
    "control.branches": {"n_branches", "n_conditionals", "n_switches"},
    "control.changes": {"n_executions", "n_changes"},
    "invocations.density": {"n_virtual", "n_static", "n_dynamic", "n_dispatched", "n_late_bound"},
    "locking.operations": {"n_operations", "n_monitorenter"},
    "polymorphism.cache_misses": {"n_calls", "n_receiver_misses", "n_target_misses"},
    "polymorphism.target_density": {"n_calls"},
    "polymorphism.receiver_density": {"n_calls"},
    "concurrency.waits": {"n_waits"},
    "concurrency.notifications": {"n_notify", "n_notify_all"},
    "concurrency.parks": {"n_parks", "n_timed_parks", "n_unparks"},
    "concurrency.atomics": {"n_compare", "n_fetch"},
}
"""Measures that add up over contexts."""

_NO_TREE = {"control.changes", "polymorphism.cache_misses"}

_LIBRARY = {
    "java/lang/Object": ("wait:(J)V", "notify:()V", "notifyAll:()V"),
    "jdk/internal/misc/Unsafe": ("compareAndSetInt:()Z", "getAndAddInt:()I", "putInt:()V"),
    "java/util/concurrent/locks/LockSupport": ("park:()V", "parkNanos:(J)V", "unpark:()V"),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Two threads, whose methods execute one of everything 2 and 3 times."""
    builder = RunBuilder()
    leaves = [
        builder.method(name, *member.split(":"), loader="boot", is_native=True, coverage="leaf")
        for name, members in _LIBRARY.items()
        for member in members
    ]
    calls = [f"invokestatic {m.class_name}.{m.name}:{m.descriptor}" for m in leaves]
    code = [
        *("monitorenter", "aaload", "caload", "iastore", "arraylength", "newarray"),
        *("getfield p/C.x:D", "putstatic p/C.y:[F", "fadd", "dup2", "invokedynamic f:()V"),
        *(*calls, "invokevirtual p/C.f:()V", "ifeq"),
    ]
    callee = builder.method("p/C", "f", blocks=[["dreturn"]])
    for count, name in enumerate(("one", "two"), start=2):
        caller = builder.method("p/C", name, blocks=[code, ["tableswitch"]])
        root = builder.thread(name)
        node = root.call(caller, calls=count)
        for number, leaf in enumerate(leaves, start=1):
            node.call(leaf, site=number, calls=count)
        site = len(leaves) + 1
        node.call(callee, site=site, calls=count, receivers={"p/C": count})
        builder.call_order(root, caller, site, calls=count, receivers=1, targets=1)
        builder.branch_order(root, caller, 0, executions=count, changes=1)
    probes = ("receiver", "call_order", "branch_order")
    run = builder.write(tmp_path_factory.mktemp("runs") / "x.run", probes=probes)
    with Engine(run) as engine:
        yield engine


def _counts(engine: Engine, metric: str, scope: str) -> dict[str, float]:
    rows = measure([engine], metrics=[metric], scope=parse_scope(scope), is_cached=False).arrow()
    return {
        row["measure"]: row["value"]
        for row in rows.to_pylist()
        if row["measure"] in _COUNTS[metric]
    }


@pytest.mark.parametrize("metric", _COUNTS)
def test_counts_add_up(engine: Engine, metric: str) -> None:
    whole, one, two = (_counts(engine, metric, s) for s in ("run", "thread:one", "thread:two"))

    assert set(whole) == _COUNTS[metric]
    assert all(whole.values())
    assert whole == {name: one[name] + two[name] for name in whole}
    assert all(one[name] <= two[name] for name in whole)
    if metric not in _NO_TREE:
        assert _counts(engine, metric, "subtree:p/C.two") == two


@pytest.mark.parametrize("metric", sorted(_NO_TREE))
def test_order_is_not_known_in_a_subtree(engine: Engine, metric: str) -> None:
    assert set(_counts(engine, metric, "subtree:p/C.two").values()) == {None}


@pytest.mark.parametrize(
    ("metric", "measure_name", "expected"),
    [
        ("locking.operations", "n_operations", 5),
        ("concurrency.waits", "n_waits", 5),
        ("concurrency.atomics", "n_fetch", 5),
        ("floating.operations", "n_operations", 15),  # getfield of D, fadd; dreturn of the callee
        ("fields.accesses", "n_reference", 5),
        ("arrays.accesses", "n_accesses", 25),
        ("invocations.density", "n_dynamic", 5),
    ],
)
def test_what_the_program_calls_is_the_applications(
    engine: Engine, metric: str, measure_name: str, expected: int
) -> None:
    assert _counts(engine, metric, "application")[measure_name] == expected


def test_every_metric_knows_the_application_with_all_it_calls(shapes: Path) -> None:
    with Engine(shapes) as engine:
        found = [
            measure([engine], scope=parse_scope(scope), is_cached=False)
            .arrow()
            .drop_columns(["reason"])
            for scope in ("application+", "subtree:app/*")
        ]

    assert found[0].equals(found[1])
    assert found[0].num_rows > 300
