"""Time by calling context: samples on the contexts of a recorded run, worked out by hand.

Recorded: ``main`` calls ``few``, which calls ``step`` 2 times, and ``many``, which calls ``step``
10 times; each call of ``step`` executes 16 bytecodes. The watch saw 36 calls of ``step``, three
times as many. While the probe was in, from 1 s to 3 s, the process used 2 s of processor time, and
there were 100 samples.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.watched_rows import write_watched

from jvmscope.metrics import measure
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

_S = 1_000_000_000
_MAIN, _FEW, _MANY, _STEP, _HIDDEN = range(5)
_NAMES = ("main", "few", "many", "step")
_ALL = """
    SELECT name, depth, n_samples, n_samples_below, recorded_calls, self_ns, ns_per_call,
        ns_per_bytecode, reason
    FROM measured_context ORDER BY context_id NULLS LAST, reason
"""


def _recorded(run: Path, *, is_folded: bool = False) -> Path:
    builder = RunBuilder()
    body = [[f"nop {index}" for index in range(14)] + ["nop", "return"]]
    step = builder.method("app/Main", "step", blocks=body)
    main, few, many = (
        builder.method("app/Main", name, blocks=[["return"]]) for name in ("main", "few", "many")
    )
    started = builder.thread("main").call(main)
    started.call(few).call(step, calls=2)
    outer = started.call(many).call(step, calls=10)
    outer.is_folded = is_folded
    return builder.write(run)


def _rows(**more: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Stacks: 0 step by few, 1 step by many, 2 main, 3 a call that was not recorded, 4 is cut."""
    methods = [(k, "app/Main", name, "()V", False) for k, name in enumerate(_NAMES)]
    stacks = {
        0: [_STEP, _FEW, _MAIN],
        1: [_STEP, _MANY, _MAIN],
        2: [_MAIN],
        3: [_MANY, _STEP, _MAIN],
        4: [_STEP] * 64,
        5: [_HIDDEN, _MAIN],
    }
    n_samples = {0: 12, 1: 60, 2: 20, 3: 5, 4: 2, 5: 1}
    times = [_S + _S // 100 * k for k in range(100)]
    chosen = [stack for stack, n in n_samples.items() for _ in range(n)]
    return {
        "vm_method": [*methods, (_HIDDEN, "app.Main$$Lambda$9+0x01/7", "run", "()V", True)],
        "stack_frame": [
            (stack, position, method, None, None, "Interpreted")
            for stack, frames in stacks.items()
            for position, method in enumerate(frames)
        ],
        "execution_sample": [
            (0, None, 1, False, ""),  # before the probe was in
            *((at, None, stack, False, "") for at, stack in zip(times, chosen, strict=True)),
            (_S, None, 1, True, ""),  # in native code
        ],
        "process_usage": [
            (0, 0, 0, 0, 0, None, 0, 1),
            (2 * _S, 2 * _S, 0, 0, 0, None, 0, 1),
            (4 * _S, 3 * _S, _S, 0, 0, None, 0, 1),
        ],
        "probe": [(0, "app.Main.step", False)],
        "probe_method": [(0, 0, _S, "app/Main", "step", "()V", None, 16, None, None)],
        "probe_time": [(_S, 3 * _S, 0, None, False, 36, None, 9 * _S // 10, 1, 2)],
        **more,
    }


def _found(tmp_path: Path, query: str = _ALL, **more: Any) -> list[tuple[Any, ...]]:
    is_folded = more.pop("is_folded", False)
    write_watched(tmp_path / "a.watch", rows=_rows(**more))
    recorded = _recorded(tmp_path / "a.run", is_folded=is_folded)
    with Engine(tmp_path / "a.watch", beside=recorded) as engine:
        return list(engine.query(query).rows())


def test_time_by_context(tmp_path: Path) -> None:
    """Of 2 s, 12 % are of 2 times 3 calls by few: 40 ms each; 60 % of 30 by many: 40 ms each."""
    none = (None,) * 3
    found = _found(tmp_path)
    rounded = [
        tuple(round(cell, 3) if isinstance(cell, float) else cell for cell in row) for row in found
    ]

    assert rounded == [
        ("main", 1, 20, 98, 1, 0.4 * _S, round(0.4 * _S / 3, 3), round(0.4 * _S / 3, 3), None),
        ("few", 2, 0, 12, 1, 0.0, 0.0, 0.0, None),
        ("step", 3, 12, 12, 2, 0.24 * _S, 0.04 * _S, 0.0025 * _S, None),
        ("many", 2, 0, 60, 1, 0.0, 0.0, 0.0, None),
        ("step", 3, 60, 60, 10, 1.2 * _S, 0.04 * _S, 0.0025 * _S, None),
        (None, None, 5, 5, *none, None, "the recorded run has no such calls"),
        (None, None, 1, 1, *none, None, "the recorded run lacks a method of the stack"),
        (None, None, 2, 2, *none, None, "the stack is cut off"),
    ]


def test_samples_in_bins_count_as_single_ones_do(tmp_path: Path) -> None:
    """Those of each stack are in a bin; a bin that began before the probe was in is left out."""
    single = _found(tmp_path / "single")
    samples = _rows()["execution_sample"]
    counts = Counter(stack for at, _, stack, is_native, _ in samples if at and not is_native)
    bins = [(_S, 2 * _S, False, None, stack, False, "", n) for stack, n in counts.items()]
    early = [(0, 2 * _S, False, None, 1, False, "", 50)]
    binned = {"execution_sample": [], "execution_sample_bin": [*bins, *early]}

    assert _found(tmp_path / "binned", **binned) == single

    rest = [(_S, 2 * _S, True, None, None, False, "", 100)]  # of many other stacks
    binned["execution_sample_bin"] += rest
    query = "SELECT name, n_samples, round(self_ns / 1e9, 2) FROM measured_context"
    found = _found(tmp_path / "rest", f"{query} WHERE n_samples IN (60, 100)", **binned)
    assert sorted(found, key=str) == [("step", 60, 0.6), (None, 100, None)]


def test_the_metric_has_the_same(tmp_path: Path) -> None:
    write_watched(tmp_path / "a.watch", rows=_rows())
    recorded = _recorded(tmp_path / "a.run")
    found = measure([tmp_path / "a.watch"], metrics=["time.contexts"], beside=recorded)
    values: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in found.arrow().to_pylist():
        values.setdefault((row["recorded_context"], row["name"]), {})[row["measure"]] = row["value"]
    with Engine(tmp_path / "a.watch", beside=recorded) as engine:
        query = "SELECT * FROM measured_context WHERE context_id IS NOT NULL"
        rows = engine.query(query).arrow().to_pylist()

    assert len(rows) == len(values) == 5
    for row in rows:
        told = values[row["context_id"], row["name"]]
        assert told == {name: row[name] for name in told}
        assert len(told) == 9


def test_intervals_are_those_of_wilson(tmp_path: Path) -> None:
    """Of 60 in 100: 0.502 to 0.691 (Wilson 1927, z = 1.96)."""
    query = """
        SELECT least_ns / 2e9, most_ns / 2e9, least_ns_per_call / ns_per_call
        FROM measured_context WHERE name = 'step' AND n_samples = 60
    """
    ((least, most, part),) = _found(tmp_path, query)

    assert (least, most) == (pytest.approx(0.50200, abs=1e-4), pytest.approx(0.69060, abs=1e-4))
    assert part == pytest.approx(least / 0.6)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"is_folded": True}, "the recorded run has folded calls"),
        ({"probe": [], "probe_method": [], "probe_time": []}, "no method with a probe"),
        ({"process_usage": []}, "the processor time while probes were in is not known"),
        (
            {
                "probe_method": [
                    (0, 0, _S, "app/Main", "step", "()V", None, 16, None, None),
                    (1, 0, _S, "app/Main", "few", "()V", None, 1, None, None),
                ],
                "probe_time": [
                    (_S, 3 * _S, 0, None, False, 36, None, 9, 1, 2),
                    (_S, 3 * _S, 1, None, False, 4, None, 9, 1, 2),
                ],
            },
            "methods with probes were called in other proportions than recorded",
        ),
    ],
)
def test_what_is_not_sound_has_a_reason(tmp_path: Path, more: dict[str, Any], reason: str) -> None:
    query = "SELECT n_samples, ns_per_call, reason FROM measured_context WHERE n_samples >= 12"
    found = _found(tmp_path, query, **more)

    assert len(found) >= 3
    assert all(per_call is None and why.startswith(reason) for _, per_call, why in found)
