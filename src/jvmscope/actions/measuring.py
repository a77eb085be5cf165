"""The values of metrics as people read them: an overview, or a table for each metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import QueryFile, Result
    from jvmscope.reports.pages.measured import Names

__all__ = ["write_measures"]

_TOP = 20
_WIDTH = 100


def write_measures(
    values: Result,
    metrics: Sequence[QueryFile],
    runs: Sequence[Path],
    output: Output,
    console: Console,
    *,
    top: int | None,
    is_overview: bool,
) -> None:
    """Writes values as a page.

    Args:
        values: tidy values of the metrics on the runs, which are read.
        metrics: what was measured.
        runs: the runs' directories.
        output: where to, as a table or in Markdown.
        console: says what was written, and what else there is.
        top: rows of each metric; 0: all, or 10,000 of very many; None: 20, and all in a file.
        is_overview: whether to show only what matters first.

    Raises:
        JvmscopeError: the file exists, or cannot be written.
    """
    from jvmscope.output.page_writing import write_page
    from jvmscope.reports.pages import Look, excerpt, metrics_page, overview_page

    most = top if top is not None else 0 if output.file is not None else _TOP
    shown = excerpt(values, metrics, most or None)
    look = Look(_names_in(runs), most or None, shown.n_left_out)
    page = overview_page if is_overview else metrics_page
    blocks = page(shown.values, metrics, look)
    write_page(blocks, output.resolved_format, output, console, width=_WIDTH)
    if is_overview:
        console.say("More: -m METRIC, for any of: jvmscope list metrics")


def _names_in(runs: Sequence[Path]) -> Names:
    """Returns what looks up the names of keys, and opens a run for that."""
    from jvmscope.metrics.measure import run_names
    from jvmscope.queries import Engine
    from jvmscope.reports.named import names_of

    paths = dict(zip(run_names(runs), runs, strict=True))

    def names(run: str, key: str, keys: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        with Engine(paths[run]) as engine:
            return names_of(engine, key, keys)

    return names
