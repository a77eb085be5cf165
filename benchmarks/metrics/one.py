"""One process that measures every metric: ``python -m benchmarks.metrics.one HOW RUN SCOPE [ID…]``.

HOW is ``together``, or ``alone``: one after the other.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

_STARTED = time.perf_counter()

from jvmscope.metrics import measure, select  # noqa: E402 - the import is part of what is measured
from jvmscope.queries import Engine, parse_scope  # noqa: E402


def main() -> None:
    """Prints the seconds, those of processors, these by metric, and the peak memory."""
    how, run, scope, *patterns = sys.argv[1:]
    by_metric = {}
    groups = [patterns] if how == "together" else [[query.id] for query in select(patterns)]
    with Engine(Path(run)) as engine:
        for group in groups:
            began = time.process_time()
            measure(
                [engine],
                metrics=group,
                scope=parse_scope(scope),
                is_cached=False,
                on_failure=lambda failure: print(failure, file=sys.stderr),
            )
            by_metric[" ".join(group)] = time.process_time() - began
    seconds = time.perf_counter() - _STARTED
    usage = resource.getrusage(resource.RUSAGE_SELF)
    values = {
        "seconds": seconds,
        "processor": usage.ru_utime + usage.ru_stime,
        "peak_mib": usage.ru_maxrss // 1024,
        "by_metric": by_metric,
    }
    json.dump(values, sys.stdout)


if __name__ == "__main__":
    main()
