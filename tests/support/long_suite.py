"""Runs a suite of many rows to its end, and says what that costs beyond the recordings.

    python -m support.long_suite FOLDER N

A stand-in records, at once, so that what is left is the suite's own. The last line of stdout is
JSON: processor seconds of the suite for all rows and of its recorders, megabytes of its largest
memory, bytes of the lock file, and seconds of running it again with nothing to do and of reading
it.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from jvmscope import cli
from jvmscope.schema.suite import LOCK_NAME, open_suite
from jvmscope.suite import execution
from support.suites import STAND_IN, write_suite_file


def main() -> None:
    """Runs the suite that the command line asks for."""
    folder, n_rows = Path(sys.argv[1]), int(sys.argv[2])
    execution.RECORDER = STAND_IN
    file = write_suite_file(folder, {"b": "ok"}, f"runs = {n_rows}")
    command = ["suite", "run", str(file), "-o", str(folder / "out"), "--jobs", "2", "-q"]
    seconds = []
    for _ in range(2):
        begin = time.process_time()
        if cli.run(command) != cli.DONE:
            sys.exit("the suite failed")
        seconds.append(time.process_time() - begin)
    begin = time.process_time()
    suite = open_suite(folder / "out")
    read_s = time.process_time() - begin
    found = {
        "recorded": sum(row.status == "recorded" for row in suite.rows),
        "suite_s": round(seconds[0], 2),
        "recorders_s": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, 2),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "lock_file_bytes": (folder / "out" / LOCK_NAME).stat().st_size,
        "again_s": round(seconds[1], 2),
        "read_s": round(read_s, 3),
    }
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
