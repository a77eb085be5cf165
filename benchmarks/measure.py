"""Runs one program once and says how long it took, how much memory, what it printed."""

from __future__ import annotations

import hashlib
import os
import re
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import resource

__all__ = ["Sample", "machine", "run", "steady"]

_ITERATION = re.compile(r"^ITER ([0-9.]+) ([0-9.]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sample:
    """One process, measured from start to exit.

    `peak_rss_bytes` is the largest of the process and its descendants; `steady_ms`, and
    `steady_cpu_ms`, processor time of the thread, are null unless the program printed iterations.
    """

    status: int
    wall_ms: float
    cpu_ms: float
    peak_rss_bytes: int
    stdout_sha256: str
    steady_ms: float | None
    steady_cpu_ms: float | None
    stderr: str


def run(command: list[str], *, timeout_seconds: float, env: dict[str, str] | None = None) -> Sample:
    """Runs `command`, its output captured in files so that pipes cost it nothing."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env
        )
        status, usage = _wait(process, start + timeout_seconds)
        wall = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        digest = hashlib.file_digest(out, "sha256").hexdigest()
        stderr = err.read().decode(errors="replace")
    iterations = [(float(wall), float(cpu)) for wall, cpu in _ITERATION.findall(stderr)]
    return Sample(
        status=status,
        wall_ms=wall * 1000,
        cpu_ms=(usage.ru_utime + usage.ru_stime) * 1000,
        peak_rss_bytes=usage.ru_maxrss * 1024,
        stdout_sha256=digest,
        steady_ms=steady([wall for wall, _ in iterations]),
        steady_cpu_ms=steady([cpu for _, cpu in iterations]),
        stderr=_ITERATION.sub("", stderr).strip(),
    )


def steady(iterations_ms: list[float]) -> float | None:
    """Returns the median of the last half of the iterations, the first half being warm-up.

    >>> steady([90.0, 20.0, 11.0, 10.0, 12.0])
    11.0
    >>> steady([]) is None
    True
    """
    if not iterations_ms:
        return None
    return statistics.median(iterations_ms[len(iterations_ms) // 2 :])


def _wait(process: subprocess.Popen[bytes], deadline: float) -> tuple[int, resource.struct_rusage]:
    """Waits by polling, coarsely enough to take no processor time from the program."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.perf_counter() > deadline:
            process.terminate()
            deadline += 10
        time.sleep(0.005)


def machine() -> dict[str, str]:
    """Describes this machine: processor, cores, memory, kernel, load."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(encoding="utf-8"))
    return {
        "processor": cpu[1] if cpu else "unknown",
        "cores": str(os.cpu_count()),
        "memory": f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "unknown",
        "kernel": os.uname().release.split("-")[0],
        "load_average": f"{os.getloadavg()[0]:.2f}",
    }
