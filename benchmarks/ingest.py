"""How fast a raw recording becomes a run: nodes a second, from a real recording."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import recording
from jvmscope.collector import agent_jar
from jvmscope.collector.ingest import IngestOptions
from jvmscope.collector.ingest import ingest as run_ingest

if TYPE_CHECKING:
    from benchmarks.catalogue import Workload

__all__ = ["IngestSpeed", "measure_ingest"]


@dataclass(frozen=True, slots=True)
class IngestSpeed:
    """The times of several ingests of the same raw recording."""

    workload: str
    n_nodes: int
    seconds: list[float]

    def nodes_per_second(self) -> float:
        """Returns the speed of the fastest one."""
        return self.n_nodes / min(self.seconds)


def measure_ingest(
    workload: Workload, *, size: str, java_home: Path, repetitions: int
) -> IngestSpeed:
    """Records `workload` once, and ingests the recording `repetitions` times."""
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        kept = Path(scratch, "kept.run")
        command = workload.command(size=size)
        one = recording.record(
            command, java_home=java_home, options=[], timeout_seconds=900, keep=kept
        )
        seconds = []
        for i in range(repetitions):
            out = Path(scratch, str(i))
            out.mkdir()
            start = time.perf_counter()
            run_ingest(
                kept / "raw",
                out / "tables",
                out / "classes.zip",
                java=java_home / "bin/java",
                jar=agent_jar(),
                options=IngestOptions(),
                progress=lambda _done, _total: None,
            )
            seconds.append(time.perf_counter() - start)
    return IngestSpeed(workload.name, one.n_nodes, seconds)
