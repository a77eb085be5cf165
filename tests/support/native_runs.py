"""Small runs of native code alone, built by hand, as ``record --no-tree`` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema import (
    ExitFacts,
    MainFacts,
    Manifest,
    TableFacts,
    TableWriter,
    native_tables,
    write_manifest,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ROWS", "write_native_run"]


def write_native_run(run: Path, **changed: list[dict[str, Any]]) -> Path:
    """Writes a run with one thread that called two native methods, and returns its directory.

    Args:
        run: the directory, which must not exist.
        changed: other rows of a table, by its name.
    """
    (run / "tables").mkdir(parents=True)
    facts: dict[str, TableFacts] = {}
    for name, table in native_tables().items():
        rows = changed.get(name, ROWS[name])
        writer = TableWriter(run / "tables" / f"{name}.parquet", table.arrow_schema)
        writer.write(pa.Table.from_pylist(rows, schema=table.arrow_schema))
        facts[name] = writer.close()
    manifest = Manifest(
        status="complete",
        tables=facts,
        exit=ExitFacts("ended", 0),
        main=MainFacts("p/Main", None),
        command=["java", "p.Main"],
        kind="native",
    )
    write_manifest(run, manifest)
    return run


ROWS: dict[str, list[dict[str, Any]]] = {
    "class": [{"class_id": 0, "name": "java/io/Console"}, {"class_id": 1, "name": "p/Main"}],
    "method": [
        {"method_id": 0, "class_id": 0, "name": "echo", "descriptor": "(Z)Z"},
        {"method_id": 1, "class_id": 1, "name": "down", "descriptor": "(I)I"},
    ],
    "thread": [
        {
            "thread_id": 0,
            "name": "main",
            "kind": "platform",
            "start_order": 0,
            "is_daemon": False,
            "is_vm_internal": False,
        }
    ],
    "native_clock": [
        {"clock": "timestamp", "resolution_ns": 1, "read_ns": 20, "interval_ns": 18},
    ],
    "native_method": [
        {
            "thread_id": 0,
            "method_id": method,
            "library": library,
            "n_calls": n_calls,
            "n_exceptions": 0,
            "n_jni_calls": n_jni_calls,
        }
        for method, library, n_calls, n_jni_calls in ((0, "libjava.so", 3, 0), (1, None, 4, 2))
    ],
    "native_time": [
        {"thread_id": 0, "method_id": 0, "library": "libjava.so", "self_ns": 1000},
        {"thread_id": 0, "method_id": 1, "library": None, "self_ns": 3000},
    ],
    "native_transition": [
        {"thread_id": 0, "kind": "call_static", "n_transitions": 3},
        {"thread_id": 0, "kind": "native_method", "n_transitions": 7},
    ],
    "unfollowed_native": [],
    "thread_time": [{"thread_id": 0, "bytecode_ns": 12000, "native_ns": 4000}],
}
