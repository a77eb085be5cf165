"""``jvmscope recover``: what a JVM left, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import RUN, console_options

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["command"]


@click.command("recover")
@click.argument("run", type=RUN)
@console_options
def command(*, run: Path, console: Console) -> int:
    """Read a recording that was not read when it ended.

    If a disk is full, if reading fails for another reason or is interrupted, record writes a run
    without tables and keeps in it what the JVM left. Later, recover writes the tables. If record
    was killed, RUN.partial is left, and recover makes the run of it. JAVA_HOME or PATH must lead to
    the JDK that was recorded.

    \b
    jvmscope recover app.run
    jvmscope recover app.run.partial
    """
    from jvmscope.actions.recovering import recover_runs
    from jvmscope.cli import DONE
    from jvmscope.commands.record import say_what_next

    say_what_next(recover_runs(run, console), console)
    return DONE
