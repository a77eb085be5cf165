"""How many nodes a recording keeps below a memory limit, and what reading that many takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from benchmarks import recording
from jvmscope.collector import agent_jar
from jvmscope.collector.ingest import IngestOptions
from jvmscope.collector.ingest import ingest as run_ingest

if TYPE_CHECKING:
    from benchmarks.catalogue import Workload

__all__ = ["HEADER", "Capacity", "Reading", "measure_capacity", "row"]

HEADER = (
    "| limit | nodes | bytes | bytes/node | folded nodes | back edges | record, s "
    "| ingest, s | processor, s | Java, MiB | Python, MiB |\n" + "| --: " * 11 + "|"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One ingest, alone in its process.

    ``java_rss_bytes`` and ``python_rss_bytes`` are the largest resident sets; Java's has the pages
    of the mapped trees in it, which the system may take back.
    """

    seconds: float
    cpu_seconds: float
    java_rss_bytes: int
    python_rss_bytes: int


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one recording kept: memory of the trees in bytes, nodes, and what was folded."""

    limit: str
    n_nodes: int
    arena_bytes: int
    n_folded: int
    n_back_edges: int
    record_seconds: float
    reading: Reading


def measure_capacity(workload: Workload, *, size: str, java_home: Path, limit: str) -> Capacity:
    """Records a workload with ``--max-memory limit`` and ingests the recording once more."""
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        kept = Path(scratch, "kept.run")
        one = recording.record(
            workload.command(size=size),
            java_home=java_home,
            options=["--max-memory", limit],
            timeout_seconds=7200,
            keep=kept,
        )
        reading = subprocess.run(
            [sys.executable, "-m", "benchmarks.capacity", kept / "raw", java_home, scratch],
            capture_output=True,
            check=True,
            text=True,
        )
        return Capacity(
            limit=limit,
            n_nodes=one.n_nodes,
            arena_bytes=one.arena_bytes,
            n_folded=_count(kept, "context", "is_folded"),
            n_back_edges=_count(kept, "back_edge", "TRUE"),
            record_seconds=one.program.wall_ms / 1000,
            reading=Reading(**json.loads(reading.stdout)),
        )


def row(capacity: Capacity) -> str:
    """Returns a row of the table that ``HEADER`` heads."""
    reading = capacity.reading
    cells = [
        capacity.limit,
        f"{capacity.n_nodes:,}",
        f"{capacity.arena_bytes:,}",
        f"{capacity.arena_bytes / capacity.n_nodes:.1f}",
        f"{capacity.n_folded:,}",
        f"{capacity.n_back_edges:,}",
        f"{capacity.record_seconds:.0f}",
        f"{reading.seconds:.1f}",
        f"{reading.cpu_seconds:.1f}",
        f"{reading.java_rss_bytes / 2**20:.0f}",
        f"{reading.python_rss_bytes / 2**20:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _count(run: Path, table: str, condition: str) -> int:
    file = run / "tables" / f"{table}.parquet"
    relation = duckdb.connect().sql(f"SELECT count(*) FROM '{file}' WHERE {condition}")
    return int(relation.fetchall()[0][0])


def _read(raw: Path, java_home: Path, scratch: Path) -> Reading:
    start = time.perf_counter()
    run_ingest(
        raw,
        scratch / "tables",
        scratch / "classes.zip",
        java=java_home / "bin/java",
        jar=agent_jar(),
        options=IngestOptions(),
        progress=lambda _done, _total: None,
    )
    seconds = time.perf_counter() - start
    own, java = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Reading(
        seconds=seconds,
        cpu_seconds=own.ru_utime + own.ru_stime + java.ru_utime + java.ru_stime,
        java_rss_bytes=java.ru_maxrss * 1024,
        python_rss_bytes=own.ru_maxrss * 1024,
    )


if __name__ == "__main__":
    json.dump(asdict(_read(*map(Path, sys.argv[1:4]))), sys.stdout)
