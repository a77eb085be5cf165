"""``jvmscope measure``: the values of metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmscope.actions.measuring import write_measures
from jvmscope.cli.click_options import (
    RUN,
    calibration_option,
    console_options,
    jobs_option,
    limit_options,
    metric_options,
    output_options,
)
from jvmscope.output.page_writing import PAGE_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jvmscope.metrics.measure import Failure
    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import CostModel, Scope
    from jvmscope.schema.calibration import Calibration

__all__ = ["command", "status_of"]


@click.command("measure")
@click.argument("runs", type=RUN, nargs=-1, required=True, metavar="RUN...")
@metric_options
@click.option(
    "--with",
    "beside",
    type=RUN,
    metavar="RUN",
    help="Put a recorded run beside watch runs, for metrics that need both.",
)
@calibration_option
@click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="N",
    help="Rows of each metric in tables and Markdown; 0 shows all, or 10,000 of very many."
    "  [default: 20; in a file all]",
)
@jobs_option
@limit_options
@output_options
@console_options
def command(
    *,
    runs: tuple[Path, ...],
    metrics: tuple[str, ...],
    scope: Scope,
    assignments: tuple[str, ...],
    cost_model: CostModel | None,
    no_cache: bool,
    beside: Path | None,
    calibration: Calibration | None,
    top: int | None,
    jobs: int | None,
    limit: int | None,
    timeout: float | None,
    output: Output,
    console: Console,
) -> int:
    """Compute the metrics of runs.

    Without -m, tables and Markdown show the measures that distinguish programs, and the hottest
    methods. With -m, they have a section for each metric and a column for each of its measures,
    with names in place of keys. Every other format has one row for each value, with its keys. A
    value that could not be computed is null and has a reason. If a metric fails on a run, its
    values are null and an error names it.

    Of watch runs, without -m, all metrics about times are computed. Most divide times by the counts
    of a recorded run of the same program, which --with names.

    \b
    jvmscope measure app.run
    jvmscope measure app.run -m 'hotness.*' --scope application --format markdown
    jvmscope measure runs/*.run -m tag:paper -o measures.parquet
    jvmscope measure app.watch --with app.run -m time.methods
    """
    from jvmscope.cli import DONE, LIMITED
    from jvmscope.metrics import measure
    from jvmscope.queries import parse_assignments

    is_page = output.resolved_format in PAGE_FORMATS and limit is None
    if top is not None and not is_page:
        raise click.UsageError("--top is for --format table or markdown, without --limit")
    is_overview = is_page and not metrics and output.file is None and not _are_watches(runs)
    if is_overview:
        from jvmscope.reports.pages import overview_metrics

        metrics = overview_metrics()
    _warn_of_incomplete(runs if beside is None else (*runs, beside), console)
    failures: list[Failure] = []
    with console.patience("measuring", says_rest=True) as progress:
        result = measure(
            runs,
            metrics=metrics,
            scope=scope,
            params=parse_assignments(assignments),
            limit=limit,
            timeout=timeout,
            is_cached=not no_cache,
            cost_model=cost_model,
            on_failure=failures.append,
            on_progress=progress,
            jobs=jobs,
            beside=beside,
            calibration=calibration,
        )
    if is_page:
        write_measures(
            result, result.metrics, runs, output, console, top=top, is_overview=is_overview
        )
    else:
        output.write(result, console)
    for failure in failures:
        console.error(str(failure))
    if failures:
        return status_of(failures)
    return LIMITED if result.is_truncated else DONE


def _warn_of_incomplete(runs: Iterable[Path], console: Console) -> None:
    """Warns of runs that are not whole, or have folded calls, before any is measured.

    Raises:
        RunError: one of them is not a run.
    """
    from jvmscope.actions.folding_notice import tell_folding
    from jvmscope.schema import read_manifest

    for run in runs:
        incompleteness = read_manifest(run).incompleteness
        if incompleteness is not None:
            console.warn(f"{run}: {incompleteness}")
        tell_folding(run, console)


def _are_watches(runs: Iterable[Path]) -> bool:
    """Returns whether all runs are watch runs, whose times have no overview."""
    from jvmscope.schema import read_manifest

    return all(read_manifest(run).kind == "watch" for run in runs)


def status_of(failures: Iterable[Failure]) -> int:
    """Returns the exit status after metrics that failed: whether nothing but limits did it."""
    from jvmscope.cli import LIMITED, WRONG
    from jvmscope.errors import LimitReached

    has_limits_alone = all(isinstance(failure.error, LimitReached) for failure in failures)
    return LIMITED if has_limits_alone else WRONG
