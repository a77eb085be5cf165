"""A calibration, a recorded run and a watch run of one program, whose estimates are known.

``Main.main`` has 20 samples in the interpreter and 10 in code of C2, and the same work takes ten
times as long in the interpreter: of 6 executions 1 was there. The compiler inlined ``Item.size``
there, of which the samples are, and not ``Work.make``. ``Work.make`` has too few samples.
``Old.run`` was compiled before the watch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.calibration import Calibration, Cost
from support.runs import RunBuilder
from support.watched_rows import write_watched

if TYPE_CHECKING:
    from pathlib import Path

    from support.watched_rows import Rows

__all__ = ["calibration", "write_counted", "write_sampled"]

_MAIN = ["invokestatic app/Work.make:()V", "invokevirtual app/Item.size:()V", "new", "newarray"]
_MAKE = ["invokevirtual java/lang/StringBuilder.append:()V", "return"]
_OLD = ["invokestatic app/Work.make:()V", "invokedynamic run:()V", "return"]
_COSTS = (
    ("work", "loop", "interpreter", 20, 20, 20),
    ("work", "loop", "tier_4", 2, 2, 2),
    ("call", "static", "interpreter", 40, 38, 42),
    ("call", "static", "tier_4", 2, 1, 3),
    ("call", "static", "tier_4_inlined", 0, 0, 0.5),
    ("call", "virtual_1", "interpreter", 50, 48, 52),
    ("call", "virtual_1", "tier_4", 3, 2, 4),
    ("call", "virtual_1", "tier_4_inlined", 0.2, 0.1, 0.3),
    ("object", "16", "interpreter", 10, 9, 11),
    ("object", "32", "interpreter", 18, 17, 19),
    ("object", "16", "tier_4", 4, 3, 5),
    ("object", "32", "tier_4", 6, 5, 7),
    ("array", "16", "interpreter", 22, 20, 24),
    ("array", "116", "interpreter", 42, 40, 44),
    ("array", "16", "tier_4", 3, 2, 4),
    ("array", "116", "tier_4", 13, 12, 14),
)


def calibration(version: str = "17.0.15") -> Calibration:
    """Returns costs that are easy to compute with."""
    jdk = {"version": version, "name": "OpenJDK 64-Bit Server VM", "home": "/jdk"}
    machine = {"host": "here", "processor": "one", "n_processors": 2}
    costs = tuple(Cost(*each) for each in _COSTS)
    return Calibration(jdk, machine, "2026-11-24T00:00:00+00:00", 5, costs)


def write_counted(run: Path, *, is_folded: bool = False) -> Path:
    """Writes the recorded run."""
    builder = RunBuilder()
    append = builder.method(
        "java/lang/StringBuilder", "append", loader="boot", blocks=[["newarray", "return"]]
    )
    size = builder.method("app/Item", "size", blocks=[["return"]])
    make = builder.method("app/Work", "make", blocks=[_MAKE], is_static=True)
    main = builder.method("app/Main", "main", blocks=[_MAIN], is_static=True)
    old = builder.method("app/Old", "run", blocks=[_OLD])
    started = builder.thread("main").call(main)
    made = started.call(make, site=0, calls=100)
    made.call(append, site=0, calls=200).allocates("[B", 200, size=66, instruction=0)
    started.call(size, site=1, calls=1000)
    started.allocates("app/Item", 6, size=24, instruction=2)
    started.allocates("[B", 12, size=216, instruction=3)
    started.allocates("java/lang/Class", 1, size=None, instruction=None)
    running = builder.thread("old").call(old)
    running.call(make, site=0, calls=10)
    running.call(size, site=1, calls=3)
    started.is_folded = is_folded
    return builder.write(run, probes=("allocation", "allocation_site"))


def write_sampled(
    run: Path, jvm: dict[str, str] | None = None, host: dict[str, str] | None = None
) -> Path:
    """Writes the watch run, of a VM and a machine that are known or not."""
    samples = [(0, 20), (1, 10), (2, 9), (3, 10)]  # of each stack
    rows: Rows = {
        "vm_thread": [(0, "main", 1, 11, None)],
        "vm_method": [
            (0, "app/Main", "main", "()V", False),
            (1, "app/Work", "make", "()V", False),
            (2, "app/Old", "run", "()V", False),
            (3, "app/Item", "size", "()V", False),
        ],
        "stack_frame": [
            (0, 0, 0, 0, None, "Interpreted"),
            (1, 0, 3, 0, None, "Inlined"),
            (1, 1, 0, 3, None, "JIT compiled"),
            (2, 0, 1, 0, None, "Interpreted"),
            (3, 0, 2, 0, None, "JIT compiled"),
        ],
        "execution_sample": [
            (1000 + at, 0, stack, False, "STATE_RUNNABLE")
            for stack, n_samples in samples
            for at in range(n_samples)
        ],
        "compilation": [(10, 5, None, 7, "c2", 4, 0, False, True, 100, 0)],
        "compiled_code": [(0, 3, "in use", 4, "app/Old", "run", "()V", 4096, 8192)],
        "inlining": [
            (12, 7, 0, 0, "app/Work", "make", "()V", False, "too big"),
            (12, 7, 0, 3, "app/Item", "size", "()V", True, "inline (hot)"),
        ],
    }
    write_watched(run, rows=rows, jvm=jvm, host=host)
    return run
