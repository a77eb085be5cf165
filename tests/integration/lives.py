"""How long the objects of a program lived: as they are recorded, and as the collector finds it."""

from __future__ import annotations

import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from integration.recording import Recorder

__all__ = ["COLLECTING", "Lives", "collected", "record", "recorded"]

Lives = Counter[tuple[str, str]]
"""Objects by the name of their class and the whole ticks that they lived, or ``alive``."""

_LIVED = """
    SELECT replace(type, '/', '.'), lifetime_bytes, SUM(n_objects)::INTEGER
    FROM object_lifetime WHERE type NOT LIKE '%$$Lambda%' GROUP BY ALL
"""
COLLECTING = ("-Xint", "-XX:+UseSerialGC", "-Xmx128m")


def record(
    recorder: Recorder,
    *words: str,
    status: int = 0,
    path: str = "classes",
    options: tuple[str, ...] = ("--probes", "lifetimes"),
) -> Path:
    """Records a program; the words follow the class path."""
    outcome = recorder.record("java", "-cp", path, *words, options=options)
    assert outcome.status == status, outcome.stderr
    return recorder.directory / outcome.run


def recorded(run: Path, tick: int, own: str | None = None, seen: Lives | None = None) -> Lives:
    """How long objects lived: of a class and those in it, or of the classes that were seen."""
    names = {name for name, _ in seen or ()}
    lived: Lives = Counter()
    with jvmscope.open(run) as opened:
        for name, lifetime, count in opened.query(_LIVED).rows():
            if name in names or (own and (name == own or name.startswith(f"{own}$"))):
                lived[name, "alive" if lifetime is None else str(lifetime // tick)] += count
    return lived


def collected(recorder: Recorder, program: str, *words: str, path: str = "classes") -> Lives:
    """The same, as the collector finds it, which runs at every tick; kept for the next time."""
    file = recorder.directory / f"{program}.txt"
    if not file.exists():
        command = [recorder.jdk.java, *COLLECTING, "-cp", path, program, file, *words]
        subprocess.run(command, cwd=recorder.directory, check=True, capture_output=True)
    lines = file.read_text(encoding="utf-8").splitlines()
    return Counter((name, ticks) for name, ticks in map(str.split, lines))
