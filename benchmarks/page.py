"""How large pages of large suites are, and how long Chromium takes to show them.

    python -m benchmarks.page [N…]

The reports are made (tests/support/reports.py), with every metric of the catalogue; 50 of their
benchmarks have a synthetic run of 20,000 contexts, so that pages are full of nodes. A page is
opened three times from disk, and the medians are printed: until the script has built it and it
answers, and until the last plot is drawn.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.queries.synthetic import write_synthetic
from jvmscope.reports.html import render

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from support.browser import Browser, browser
from support.reports import made_report

__all__ = ["main"]

_SIZES = (50, 1000)
_N_RUNS = 50
_REPEATS = 3
_MARKS = """
    return ['usable', 'drawn'].map(name => performance.getEntriesByName(name)[0].startTime / 1000)
"""


def main(sizes: list[int]) -> None:
    """Prints a row of a Markdown table for each number of benchmarks."""
    print("| benchmarks | page, MB | written in, s | usable after, s | all drawn after, s |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as scratch, browser() as chromium:
        run = Path(scratch) / "synthetic.run"
        write_synthetic(run, 20_000)
        for size in sizes:
            report = made_report(size, [run] * min(size, _N_RUNS))
            before = time.process_time()
            page = render(report, weights=("calls", "bytecodes"))
            written_s = time.process_time() - before
            path = Path(scratch) / f"{size}.html"
            path.write_text(page, encoding="utf-8")
            usable_s, drawn_s = _opened(chromium, path)
            size_mb = path.stat().st_size / 1e6
            print(
                f"| {size:,} | {size_mb:.1f} | {written_s:.0f} | {usable_s:.2f} | {drawn_s:.1f} |"
            )


def _opened(chromium: Browser, page: Path) -> tuple[float, float]:
    """Returns the medians of when a page is usable and when all of it is drawn, in seconds."""
    times = []
    for _ in range(_REPEATS):
        chromium.open(page)
        times.append(chromium.run(_MARKS))
    usable, drawn = zip(*times, strict=True)
    return statistics.median(usable), statistics.median(drawn)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(_SIZES))
