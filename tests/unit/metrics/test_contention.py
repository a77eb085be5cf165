"""Contended entries of monitors in a hand-made run, and why there are none in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.runs import RunBuilder

import jvmscope

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_METRICS = ("locking.contention", "locking.contended_sites", "locking.contended_types")
_Rows = list[dict[str, Any]]


def _builder() -> RunBuilder:
    """Two threads enter a monitor 6 and 4 times; 3 of the one and 2 of the other have to wait."""
    builder = RunBuilder()
    enter = builder.method("app/A", "enter", blocks=[["monitorenter", "monitorexit", "return"]])
    for name, calls in (("main", 6), ("other", 4)):
        builder.thread(name).call(enter, calls=calls)

    def entries(rows: Mapping[str, _Rows]) -> _Rows:
        first, second = (r["context_id"] for r in rows["context"] if r["method_id"] is not None)
        of_class = next(row["class_id"] for row in rows["class"] if row["name"] == "app/A")
        found = [(first, None, 1), (first, of_class, 2), (second, of_class, 2)]
        return [
            {"context_id": context, "instruction_id": 0, "class_id": class_id, "n_entries": n}
            for context, class_id, n in found
        ]

    builder.derive("contended_entry", entries)
    return builder


def _measured(run: Path) -> dict[tuple[str, str | None, str], tuple[Any, str | None]]:
    with jvmscope.open(run) as opened:
        rows = opened.measure(*_METRICS).arrow().to_pylist()
    return {
        (row["metric"], row.get("type"), row["measure"]): (row["value"], row["reason"])
        for row in rows
    }


def test_entries_that_wait_are_shares_of_all(tmp_path: Path) -> None:
    run = _builder().write(tmp_path / "a.run", probes=["contended_entry"])
    values = {key: value for key, (value, _) in _measured(run).items()}
    contention = {k[2]: v for k, v in values.items() if k[0] == "locking.contention"}
    assert contention == {
        "n_contended": 5,
        "contended_share": 0.5,
        "density": 1000 * 5 / 30,
        "n_operations": 10,
        "n_bytecodes": 30,
    }
    sites = {k[2]: v for k, v in values.items() if k[0] == "locking.contended_sites"}
    assert sites == {"n_sites": 1, "n_covering": 1, "covering_share": 1.0, "n_contended": 5}
    types = {k[1:]: v for k, v in values.items() if k[0] == "locking.contended_types"}
    assert types == {
        (None, "n_contended"): 1,
        (None, "contended_share"): 0.2,
        (None, "n_threads"): 1,
        ("app/A", "n_contended"): 4,
        ("app/A", "contended_share"): 0.8,
        ("app/A", "n_threads"): 2,
    }


def test_without_the_library_the_reason_is_that(tmp_path: Path) -> None:
    """GIVEN a recording with the option, THEN nobody is told to give it again."""
    run = _builder().write(tmp_path / "a.run", options={"probes": ["locking"]})
    for value, reason in _measured(run).values():
        assert value is None
        assert reason == (
            'the table "contended_entry" was not recorded: recording it needs the library for '
            "native code, which is for Linux on x86-64"
        )


def test_without_the_probe_the_reason_names_it(tmp_path: Path) -> None:
    run = _builder().write(tmp_path / "a.run")
    for value, reason in _measured(run).values():
        assert value is None
        assert (reason or "").endswith(": record again with --probes locking")
