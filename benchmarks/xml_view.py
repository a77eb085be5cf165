"""How fast a run becomes XML and XML a run: `python -m benchmarks.xml_view RUN`."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.schema import read_manifest
from jvmscope.schema.xml import Form, export_xml, import_xml

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

_FORMS: tuple[Form, ...] = ("nested", "flat")


def main() -> None:
    """Exports and imports a run in both forms, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.xml_view", description=__doc__)
    parser.add_argument("run", type=Path)
    run = parser.parse_args().run
    facts = read_manifest(run).tables
    print(f"{facts['context'].rows} contexts, {facts['instruction'].rows} instructions")
    with tempfile.TemporaryDirectory(prefix="jvmscope-bench-") as scratch:
        for form in _FORMS:
            cct, classes = Path(scratch, f"{form}.xml"), Path(scratch, "classes.xml")
            copy = Path(scratch, f"{form}.run")
            _measure(f"export {form}", facts["context"].rows, export_xml, run, cct, classes, form)
            size = (cct.stat().st_size >> 20, classes.stat().st_size >> 20)
            print(f"  cct.xml {size[0]} MiB, classes.xml {size[1]} MiB")
            _measure(f"import {form}", facts["context"].rows, import_xml, cct, classes, copy)
            is_same = read_manifest(copy).tables == facts
            print(f"  tables {'identical' if is_same else 'DIFFERENT'}")


def _measure(what: str, n: int, function: Callable[..., None], *arguments: object) -> None:
    """Runs a function in a new process, and prints its times and its memory."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        wall, cpu, peak_mib = pool.apply(_timed, (function, arguments))
    speed = f"{n / wall:,.0f} contexts/s, {n / cpu:,.0f} by CPU time"
    print(f"{what:14} {wall:6.1f} s wall, {cpu:6.1f} s CPU, {speed}, peak {peak_mib} MiB")


def _timed(
    function: Callable[..., None], arguments: tuple[object, ...]
) -> tuple[float, float, int]:
    start, start_cpu = time.perf_counter(), time.process_time()
    function(*arguments)
    wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    return wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    main()
