"""``jvmscope report``: a page about a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmscope.options import RUN, console_options

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.console import Console

__all__ = ["command"]


@click.command("report")
@click.argument("run", type=RUN)
@click.argument("kind", type=click.Choice(["summary"]), default="summary")
@click.option("--scope", default="run", help="What the numbers are about; see jvmscope measure.")
@click.option("-o", "--output", "output_file", type=RUN, help="Write to a file, not stdout.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@console_options
def command(
    *,
    run: Path,
    kind: str,  # noqa: ARG001  # there is one kind so far
    scope: str,
    output_file: Path | None,
    force: bool,
    console: Console,
) -> int:
    """Write a page about RUN, in Markdown: metrics, hottest methods, polymorphic call sites."""
    from jvmscope.cli import DONE
    from jvmscope.output import Output
    from jvmscope.queries import Engine
    from jvmscope.reports import summarize

    with Engine(run) as engine:
        page = summarize(engine, scope)
    if output_file is None:
        click.echo(page, nl=False)
    else:
        with Output(file=output_file, is_forced=force).open(console) as stream:
            stream.write(page.encode())
    return DONE
