"""A watch run written by hand: it begins at 0 and takes two seconds, sixteen bins of 125 ms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.schema import MainFacts, Manifest
from jvmscope.watch.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    Rows = dict[str, list[tuple[Any, ...]]]

__all__ = ["ROWS", "write_watched"]

_MS = 1_000_000
_LOCK = "app/Lock"

# Stack 0: main called work, interpreted; stack 1: main called work, which is compiled.
ROWS: Rows = {
    "vm_thread": [(0, "main", 1, 11, None), (1, "helper, 1", 2, 12, None)],
    "vm_method": [
        (0, "app/Main", "main", "()V", False),
        (1, "app/Work", "work", "()V", False),
        (2, "app/Workshop", "open", "()V", False),
    ],
    "stack_frame": [
        (0, 0, 1, 3, 7, "Interpreted"),
        (0, 1, 0, 1, 5, "Interpreted"),
        (1, 0, 1, 3, 7, "JIT compiled"),
        (1, 1, 0, 1, 5, "JIT compiled"),
        (2, 0, 2, 1, 5, "Inlined"),
    ],
    "execution_sample": [
        (10 * _MS, 0, 0, False, "STATE_RUNNABLE"),
        (20 * _MS, 0, 1, False, "STATE_RUNNABLE"),
        (300 * _MS, 1, 2, False, "STATE_RUNNABLE"),
    ],
    "collection": [(100 * _MS, 50 * _MS, 0, "G1New", "G1 Evacuation Pause", 50 * _MS, 50 * _MS)],
    "collection_phase": [
        (100 * _MS, 50 * _MS, 0, None, "GCPhasePause", "GC Pause"),
        (110 * _MS, 20 * _MS, 0, None, "GCPhasePauseLevel1", "within it"),
    ],
    "compilation": [
        (0, 10 * _MS, None, 1, "c1", 3, 1, False, True, 100, 0),
        (0, 30 * _MS, None, 2, "c2", 4, 2, False, True, 100, 0),
    ],
    "class_load": [
        (0, 40 * _MS, 0, 0, "app/Outer", None, None),
        (10 * _MS, 20 * _MS, 0, 0, "app/Inner", None, None),  # loaded within the first
        (10 * _MS, 20 * _MS, 1, 2, "app/Other", None, None),  # in another thread
        (50 * _MS, 5 * _MS, 0, 1, "app/Later", None, None),
    ],
    "class_define": [(5 * _MS, 0, 0, "app/Outer", None)],
    "monitor_enter": [
        (100 * _MS, 300 * _MS, 0, 0, _LOCK, 1, 1),
        (100 * _MS, 1 * _MS, 1, 2, "app/LockedBox", 0, 2),
    ],
    "allocation_sample": [(0, 0, 0, "app/A", 1000), (0, 1, 2, "app/A", 500)],
    "process_usage": [
        (0, 0, 0, 100, 0, None, 0, 9),
        (1000 * _MS, 400 * _MS, 100 * _MS, 300, 1, None, 0, 9),
        (2000 * _MS, 400 * _MS, 100 * _MS, 300, 1, None, 0, 9),
    ],
    "vm_operation": [
        (0, 2 * _MS, "G1CollectFull", True, True, 0, 1),
        (0, 3 * _MS, "HandshakeAllThreads", False, True, 0, None),
    ],
    "deoptimization": [(1, 0, 0, 2, "c2", 1, 3, 7, "ifeq", "unstable_if", "reinterpret")],
}


def write_watched(
    run: Path,
    seconds: float = 2.0,
    rows: Rows | None = None,
    jvm: dict[str, Any] | None = None,
    host: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """Writes a watch run of rows, those of ``ROWS`` unless others are given, with some options."""
    manifest = Manifest(
        kind="watch",
        status="truncated",
        tables={},
        main=MainFacts("app/Main"),
        jvm=jvm or {},
        host=host or {},
        options={"started_ns": 0, **options},
        started="2026-11-23T00:00:00Z",
    )
    store = Store(run, manifest)
    for table, given in (rows or ROWS).items():
        for row in given:
            store.append(table, row)
    store.finish(replace(manifest, status="complete", duration_s=seconds))
