"""Records a workload once and collects what the recording cost."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import measure, timed
from jvmscope.collector.arena import read_arena_header
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.measure import Sample

__all__ = ["Recording", "RecordingFailed", "environment", "prepare_jdk", "record"]

_CHECKOUT = Path(__file__).parent.parent
_MAIN = "import sys; from jvmscope.cli import main; sys.exit(main())"


class RecordingFailed(Exception):
    """There is no run; the message is what `jvmscope record` said."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What one recording cost.

    Attributes:
        program: the program alone, instrumented, timed inside the recording.
        total_ms: `jvmscope record` from start to exit, ingest included.
        n_nodes: rows of the table `context`.
        arena_bytes: memory that the calling context trees took, per node or not.
        run_bytes: the run on disk.
        limits: limits reached, as run.json says.
    """

    program: Sample
    total_ms: float
    n_nodes: int
    arena_bytes: int
    run_bytes: int
    status: str
    limits: list[str]


def environment(java_home: Path) -> dict[str, str]:
    """Returns our environment with `java_home` first, so that `java` is its java."""
    path = f"{java_home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return {
        **os.environ,
        "PATH": path,
        "JAVA_HOME": str(java_home),
        "PYTHONPATH": str(_CHECKOUT),
        "JVMSCOPE_KEEP_RAW": "1",
    }


def record(
    command: list[str],
    *,
    java_home: Path,
    options: list[str],
    timeout_seconds: float,
    keep: Path | None = None,
) -> Recording:
    """Records `java` with the arguments `command`; the run is removed, or moved to `keep`.

    Raises:
        RecordingFailed: there is no run.
    """
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        out = Path(scratch, "sample.json")
        run = Path(scratch, "bench.run")
        recorder = [sys.executable, "-c", _MAIN, "record", "--quiet", *options, "-o", str(run)]
        program = [sys.executable, "-m", "benchmarks.timed", str(out), "java", *command]
        start = time.perf_counter()
        whole = measure.run(
            [*recorder, "--", *program],
            timeout_seconds=timeout_seconds,
            env=environment(java_home),
        )
        total_ms = (time.perf_counter() - start) * 1000
        if not (run / "run.json").exists():
            msg = f"recording failed with {whole.status}: {whole.stderr}"
            raise RecordingFailed(msg)
        recording = _collect(run, timed.read(out), total_ms)
        if keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.move(run, keep)
    return recording


def prepare_jdk(java_home: Path, options: Sequence[str] = ()) -> None:
    """Records `javac -version`, so that no measured recording prepares the JDK."""
    command = ["-m", "jdk.compiler/com.sun.tools.javac.Main", "-version"]
    record(command, java_home=java_home, options=list(options), timeout_seconds=600)


def _collect(run: Path, program: Sample, total_ms: float) -> Recording:
    manifest = read_manifest(run)
    arena = read_arena_header(run / "raw" / "arena")
    context = manifest.tables.get("context")
    return Recording(
        program=program,
        total_ms=total_ms,
        n_nodes=context.rows if context else 0,
        arena_bytes=arena.used_bytes if arena else 0,
        run_bytes=sum(path.stat().st_size for path in _files(run)),
        status=manifest.status,
        # What no recording of a program can count is nothing wrong with this one.
        limits=[
            limit
            for limit, code in zip(manifest.limits, manifest.limit_codes, strict=True)
            if code != "uncounted"
        ],
    )


def _files(run: Path) -> Iterator[Path]:
    return (p for p in run.rglob("*") if p.is_file() and "raw" not in p.relative_to(run).parts)
