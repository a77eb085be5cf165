"""A watch run and a recorded run of one program, written by hand, whose rates are known.

``app/Work.step`` was recorded with 10 outermost calls and measured with 2 us a call, so what it
did stands against 20 us. It calls itself 5 times more. The first ``aaload`` throws in 4 of the 15
executions, which counts if the run has the tables of ``SEGMENTS``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.runs import RunBuilder
from support.watched_rows import write_watched

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from support.watched_rows import Rows

__all__ = ["STEP_BYTES", "write_recorded", "write_watch"]

_S = 1_000_000_000
_STEP = [
    "aload_0", "getfield app/Work.x:I", "aaload!", "aaload", "aastore", "putfield app/Work.x:I",
    "monitorenter", "invokevirtual app/Work.held:()V", "invokedynamic make:()V", "return",
]  # fmt: skip
STEP_BYTES = 16
"""Size of the code of ``step``."""


def _with_lock(rows: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Makes ``held`` synchronized."""
    return [
        {**row, "access_flags": row["access_flags"] | (32 if row["name"] == "held" else 0)}
        for row in rows["method"]
    ]


def write_recorded(
    run: Path,
    *,
    is_folded: bool = False,
    probes: tuple[str, ...] = ("allocation",),
    excluded: tuple[tuple[str | None, ...], ...] = (),
    **manifest: Any,
) -> Path:
    """Writes the recorded run.

    Args:
        run: its directory.
        is_folded: whether ``step`` has folded calls.
        probes: the tables that not every run has.
        excluded: class, method, descriptor and reason of what was not counted.
        manifest: values of the manifest.
    """
    builder = RunBuilder()
    monitor = "java/lang/Object"
    boot: dict[str, Any] = {"loader": "boot", "is_native": True}
    notify = builder.method(monitor, "notify", **boot)
    wait = builder.method(monitor, "wait", loader="boot", blocks=[["return"]])
    timed_wait = builder.method(monitor, "wait", "(J)V", **boot)
    park = builder.method("java/util/concurrent/locks/LockSupport", "park", **boot)
    swap = builder.method("jdk/internal/misc/Unsafe", "compareAndSetInt", **boot)
    held = builder.method("app/Work", "held", blocks=[["return"]])
    step = builder.method("app/Work", "step", blocks=[_STEP])
    idle = builder.method("app/Work", "idle", blocks=[["return"]])
    builder.method("app/Work", "unused", blocks=[["return"]])
    main = builder.method("app/Main", "main", blocks=[["getfield app/Main.y:I", "return"]])
    root = builder.thread("main")
    started = root.call(main)
    outer = started.call(step, calls=10, thrown={(0, 0): 3})
    outer.call(held, calls=12)
    outer.call(notify, calls=20)
    outer.call(wait, calls=10).call(timed_wait, calls=10)
    outer.call(park, calls=5)
    outer.allocates("java/lang/Object", 10, size=16)
    inner = outer.call(step, calls=5, thrown={(0, 0): 1})
    inner.call(swap, calls=30)
    inner.allocates("[I", 5, size=24)
    started.call(idle, calls=3)
    started.allocates("java/lang/Object", 1000, size=16)
    outer.is_folded = is_folded
    builder.derive("method", _with_lock)
    names = ("class_name", "method_name", "descriptor", "reason")
    builder.derive("exclusion", lambda _: [dict(zip(names, row, strict=True)) for row in excluded])
    return builder.write(run, probes=probes, **manifest)


def write_watch(run: Path, **more: Any) -> Path:
    """Writes the watch run; rows of tables may be given."""
    where = (None, STEP_BYTES, None, None)
    rows: Rows = {
        "probe": [(0, "app.Work.*", False), (1, "app.Work.step when $1 > 0", True)],
        "probe_method": [
            (0, 0, 0, "app/Work", "step", "()V", *where),
            (1, 0, 0, "app/Work", "other", "()V", *where),
            (2, 1, 0, "app/Work", "step", "()V", *where),
            (3, 0, 0, "app/Work", "idle", "()V", None, 1, None, None),
        ],
        "probe_time": [
            (0, _S, 0, None, False, 3, None, 6500, 2000, 2500),
            (_S, 2 * _S, 0, None, True, 1, None, 1500, 1500, 1500),
            (0, _S, 2, None, False, 1, None, 9000, 9000, 9000),
            (0, _S, 3, None, False, 4, None, 0, 0, 0),
        ],
        "probe_histogram": [
            (_S, 0, None, False, 2048, 2304, 3),
            (2 * _S, 0, None, True, 1408, 1536, 1),
            (_S, 2, None, False, 8192, 9216, 1),
            (_S, 3, None, False, 0, 1, 4),
        ],
        "process_usage": [
            (_S, _S, 0, 10, 0, None, 0, 9),
            (3 * _S, 4 * _S, _S, 50, 2, None, 0, 9),
        ],
        "collection": [
            (2 * _S, 50_000_000, 0, "G1New", "", 40_000_000, 30_000_000),
            (_S - 1, 50, 1, "G1New", "", 50, 50),
        ],
        **more,
    }
    write_watched(run, rows=rows)
    return run
