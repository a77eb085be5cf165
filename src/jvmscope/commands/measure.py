"""``jvmscope measure``: the values of metrics."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from jvmscope.options import RUN, console_options, limit_options, output_options

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.console import Console
    from jvmscope.output import Output

__all__ = ["command"]


_READ_BY_PEOPLE = ("table", "markdown")


@click.command("measure")
@click.argument("runs", type=RUN, nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="ID|GLOB|tag:T",
    help="What to measure.  [default: every metric]",
)
@click.option(
    "--scope",
    default="run",
    help="run, application, thread:NAME or subtree:CLASS.METHOD, where * stands for any text.  "
    "[default: run]",
)
@click.option(
    "--param", "assignments", multiple=True, metavar="NAME=VALUE", help="Set a parameter."
)
@click.option("--no-cache", is_flag=True, help="Neither use nor keep values under RUN/metrics.")
@limit_options
@output_options
@console_options
def command(
    *,
    runs: tuple[Path, ...],
    metrics: tuple[str, ...],
    scope: str,
    assignments: tuple[str, ...],
    no_cache: bool,
    limit: int | None,
    timeout: float | None,
    output: Output,
    console: Console,
) -> int:
    """Measure RUN: one row for each value, null with a reason where there is none.

    Tables and Markdown have a section for each metric, and a column for each of its measures.

    \b
    jvmscope measure app.run
    jvmscope measure app.run -m 'hotness.*' --scope application --format markdown
    """
    from jvmscope.cli import DONE, LIMITED
    from jvmscope.metrics import measure, select, widen
    from jvmscope.queries import Engine, parse_assignments

    with ExitStack() as stack:
        engines = [stack.enter_context(Engine(run)) for run in runs]
        for engine in engines:
            if engine.manifest.status != "complete":
                console.warn(f"{engine.run}: the recording is {engine.manifest.status}")
        result = measure(
            engines,
            metrics=metrics,
            scope=scope,
            params=parse_assignments(assignments),
            limit=limit,
            timeout=timeout,
            is_cached=not no_cache,
        )
        if output.resolved_format in _READ_BY_PEOPLE and limit is None:
            tidy = result.arrow()
            sections = [(f"{m.id}: {m.name}", widen(tidy, m)) for m in select(metrics)]
            output.write_sections(sections, console)
        else:
            output.write(result, console)
    return LIMITED if result.is_truncated else DONE
