"""``jvmscope calibrate``: what calls and objects cost in a JDK on this machine."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import LOCAL_PLACE, console_options

if TYPE_CHECKING:
    from jvmscope.output.console import Console

__all__ = ["command"]


@click.command("calibrate")
@click.argument("java", type=click.Path(path_type=Path), required=False)
@click.option(
    "-o",
    "--output",
    type=LOCAL_PLACE,
    metavar="FILE",
    help="The file.  [default: one in runs/, named by JDK, machine and time]",
)
@click.option("--force", is_flag=True, help="Replace a calibration.")
@click.option(
    "--vms",
    "n_vms",
    type=click.IntRange(2, 31),
    default=7,
    show_default=True,
    metavar="N",
    help="Measure each form in N VMs: more make the intervals narrower.",
)
@console_options
def command(
    *, java: Path | None, output: Path | None, force: bool, n_vms: int, console: Console
) -> int:
    """Measure what calls and objects cost in a JDK on this machine.

    JAVA is the program java of the JDK, else the one of the search path is taken. Costs are
    measured in each form in which code runs: interpreted, compiled by C1 or C2, and inlined. It
    takes a minute or two; an idle machine makes the intervals narrow.

    With the file, measure and report tell what the calls and the objects of a program cost: the
    counts of a recorded run times the costs in the forms that a watch run saw.

    \b
    jvmscope calibrate -o costs.calibration
    jvmscope calibrate /opt/jdk-25/bin/java -o costs-25.calibration
    jvmscope measure app.watch --with app.run --calibration costs.calibration \\
        -m 'time.estimated*'
    """
    from jvmscope.actions.calibrating import write_costs
    from jvmscope.cli import DONE

    if force and output is None:
        raise click.UsageError("--force needs -o FILE, the calibration that it replaces")
    path = write_costs(java, output, n_vms, console, is_forced=force)
    console.wrote(path)
    name = shlex.quote(str(path))
    console.say(f"Next: jvmscope report NAME.watch --with NAME.run --calibration {name}")
    return DONE
