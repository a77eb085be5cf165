"""Two runs: identical or not, and where not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder

from jvmscope.errors import RunError
from jvmscope.queries import Comparison, Engine, compare_runs
from jvmscope.schema import Manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def _write(
    run: Path,
    *,
    n_calls: int = 3,
    main_blocks: Sequence[int] = (1,),
    has_branch: bool = False,
    n_internal: int = 1,
    has_class: bool = False,
    receivers: int = 3,
    probes: Sequence[str] = ("receiver",),
) -> Path:
    """Writes Finalizer > A.g and main > Main.main > A.f > A.g; a branch adds A.g > A.f."""
    builder = RunBuilder()
    f = builder.method("app/A", "f", blocks=[["return"]])
    g = builder.method("app/A", "g", blocks=[["return"]])
    if has_class:
        builder.method("aaa/First", "unused", blocks=[["return"]])
    main = builder.method("app/Main", "main", blocks=[["invokevirtual app/A.f:()V", "return"]])
    builder.thread("Finalizer", is_vm_internal=True).call(g, calls=n_internal)
    node = builder.thread("main").call(main, blocks=main_blocks)
    inner = node.call(f, site=0, calls=n_calls, receivers={"app/A": receivers})
    inner.call(g)
    if has_branch:
        node.call(g, site=0).call(f)
    return builder.write(run, probes=probes)


def _compare(tmp_path: Path, below: str | None = None, **change: Any) -> Comparison:
    a = _write(tmp_path / "a.run")
    b = _write(tmp_path / "b.run", **change)
    with Engine(a) as engine_a, Engine(b) as engine_b:
        return compare_runs(engine_a, engine_b, below)


def _found(comparison: Comparison) -> list[tuple[str, str, Any, Any]]:
    rows = comparison.differences.arrow().to_pylist()
    return [(row["kind"], row["where"], row["a"], row["b"]) for row in rows]


def test_a_program_recorded_twice_is_identical(tmp_path: Path) -> None:
    comparison = _compare(tmp_path)

    assert comparison.is_identical
    assert str(comparison) == "identical: 6 nodes"
    assert _found(comparison) == []


_F = "thread main > app/Main.main()V > app/A.f()V"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"n_calls": 4}, ("calls", _F, 3, 4)),
        ({"receivers": 2}, ("counts", _F, 3, 3)),
        ({"main_blocks": [2]}, ("counts", "thread main > app/Main.main()V", 1, 1)),
        (
            {"has_branch": True},
            ("only_b", "thread main > app/Main.main()V > app/A.g()V", None, 1),
        ),
        ({"has_class": True}, ("only_b", "class aaa/First (app)", 0, 1)),
    ],
)
def test_a_difference_is_told_by_its_topmost_node(
    tmp_path: Path, change: dict[str, Any], expected: tuple[str, str, Any, Any]
) -> None:
    comparison = _compare(tmp_path, **change)

    assert not comparison.is_identical
    assert _found(comparison) == [expected]


def test_a_node_of_the_first_run_only_is_told_too(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.run", has_branch=True)
    b = _write(tmp_path / "b.run")

    with Engine(a) as engine_a, Engine(b) as engine_b:
        comparison = compare_runs(engine_a, engine_b)

    assert _found(comparison) == [
        ("only_a", "thread main > app/Main.main()V > app/A.g()V", 1, None)
    ]


def test_nothing_is_told_below_a_difference(tmp_path: Path) -> None:
    comparison = _compare(tmp_path, main_blocks=[2], n_calls=4, has_branch=True)

    assert [kind for kind, *_ in _found(comparison)] == ["counts"]


def test_threads_of_the_vm_are_told_apart(tmp_path: Path) -> None:
    comparison = _compare(tmp_path, n_internal=2)

    assert comparison.is_identical
    assert str(comparison) == "identical: 6 nodes; 1 in threads of the VM"
    assert _found(comparison) == [("calls", "thread Finalizer > app/A.g()V", 1, 2)]


@pytest.mark.parametrize("change", [{}, {"n_internal": 2, "has_class": True}])
def test_only_what_is_below_main_counts_if_that_is_asked(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    comparison = _compare(tmp_path, "main", **change)

    assert comparison.is_identical
    assert str(comparison) == "identical: 3 nodes"


def test_below_any_method(tmp_path: Path) -> None:
    comparison = _compare(tmp_path, "app/A.f", n_calls=4)

    assert _found(comparison) == [("calls", "app/A.f()V", 3, 4)]


@pytest.mark.parametrize("n_calls", [3, 4])
def test_a_method_that_did_not_run_is_refused(tmp_path: Path, n_calls: int) -> None:
    """GIVEN runs that are identical or differ, THEN a name that is in neither is no answer."""
    with pytest.raises(RunError, match=r"the method app/A.h was not executed"):
        _compare(tmp_path, "app/A.h", n_calls=n_calls)


def test_a_deep_path_loses_its_middle(tmp_path: Path) -> None:
    runs = []
    for name, n_calls in (("a", 1), ("b", 2)):
        builder = RunBuilder()
        methods = [builder.method(f"p/C{i:03}", "m", blocks=[["return"]]) for i in range(300)]
        node = builder.thread("main")
        for method in methods[:-1]:
            node = node.call(method)
        node.call(methods[-1], calls=n_calls)
        runs.append(builder.write(tmp_path / f"{name}.run"))

    with Engine(runs[0]) as a, Engine(runs[1]) as b:
        ((_, where, _, _),) = _found(compare_runs(a, b))

    assert where.startswith("thread main > … 293 more … > p/C293.m()V")
    assert where.endswith(" > p/C299.m()V")


def test_a_class_of_other_code_is_told(tmp_path: Path) -> None:
    runs = []
    for opcode in ("iconst_0", "iconst_1"):
        builder = RunBuilder()
        builder.method("p/C", "m", blocks=[[opcode, "return"]])
        runs.append(builder.write(tmp_path / f"{opcode}.run"))

    with Engine(runs[0]) as a, Engine(runs[1]) as b:
        assert _found(compare_runs(a, b)) == [("content", "class p/C (app)", 1, 1)]


def test_a_probe_of_one_run_only_is_told_and_not_compared(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.run")
    b = _write(tmp_path / "b.run", probes=())

    with Engine(a) as engine_a, Engine(b) as engine_b:
        comparison = compare_runs(engine_a, engine_b)

    assert _found(comparison) == [("only_a", "table receiver", 0, 0)]


def test_a_failed_recording_cannot_be_compared(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest(status="failed", tables={}))

    with Engine(tmp_path) as engine, pytest.raises(RunError, match="the recording failed"):
        compare_runs(engine, engine)


def test_runs_without_contexts_are_comparable(tmp_path: Path) -> None:
    empty = RunBuilder().write(tmp_path / "empty.run")
    other = _write(tmp_path / "other.run")

    with Engine(empty) as a, Engine(other) as b:
        comparison = compare_runs(a, b)

    assert {kind for kind, *_ in _found(comparison)} == {"only_b"}


def test_threads_that_share_a_name_are_counted(tmp_path: Path) -> None:
    """GIVEN rows that say the same of several such threads, THEN there may not be more of them."""
    runs = []
    for name, misses in (("a", (1, 1, 9)), ("b", (1, 9, 9))):
        builder = RunBuilder()
        run = builder.method("app/Main", "run", blocks=[["invokevirtual app/Main.m:()V", "return"]])
        called = builder.method("app/Main", "m", blocks=[["return"]])
        for n in misses:
            thread = builder.thread("", kind="virtual")
            thread.call(run, calls=10).call(called, site=0, calls=10)
            builder.call_order(thread, run, 0, calls=10, receivers=n, targets=n)
        runs.append(builder.write(tmp_path / f"{name}.run", probes=["call_order"]))

    with Engine(runs[0]) as a, Engine(runs[1]) as b:
        comparison = compare_runs(a, b)
    (row,) = comparison.differences.arrow().to_pylist()
    assert (row["kind"], row["where"], row["a"], row["b"]) == ("rows", "table call_order", 1, 1)
    assert not comparison.is_identical


@pytest.mark.parametrize("below", [None, "main"])
def test_a_table_that_one_run_lacks_is_told_also_below_a_method(
    tmp_path: Path, below: str | None
) -> None:
    comparison = _compare(tmp_path, below, probes=())

    assert not comparison.is_identical
    assert _found(comparison) == [("only_a", "table receiver", 0, 0)]
