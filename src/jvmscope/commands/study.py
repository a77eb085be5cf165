"""``jvmscope study``: what watching a program costs."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from jvmscope.cli.click_options import (
    LOCAL_PLACE,
    RUN,
    Duration,
    FiniteRange,
    completed,
    console_options,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["command"]

_WITH_RESUME = {"resume", "words", "verbose", "quiet", "color", "progress"}
_WAITS = {
    "warm_up": ("--warm-up", "How long a VM runs before anything is measured.  [default: 5m]"),
    "selection": ("--selection", "How long calls are counted to select methods.  [default: 10m]"),
    "reading": ("--reading", "How long static samples are collected each time.  [default: 60s]"),
    "utilization": (
        "--utilization",
        "The first part of that, in which processor time is measured.  [default: 30s]",
    ),
    "quiet_span": (
        "--quiet-span",
        "How long no compilation may end for the compilers to be quiet.  [default: 20s]",
    ),
    "quiet_timeout": ("--quiet-timeout", "How long to wait for that.  [default: 60s]"),
    "least_delay": ("--least-delay", "Shortest random delay after a method.  [default: 30s]"),
    "most_delay": ("--most-delay", "Longest random delay after a method.  [default: 90s]"),
    "restart_after": ("--restart-after", "How long a VM is used.  [default: 2h]"),
}


def _wait_options(function: Callable[..., int]) -> Callable[..., int]:
    for name, (option, text) in reversed(_WAITS.items()):
        function = click.option(option, name, type=Duration(), metavar="SPAN", help=text)(function)
    return function


@click.group("study")
def command() -> None:
    """Study what dynamic probes cost in a program."""


@command.command(
    "overhead",
    context_settings={"allow_interspersed_args": False},
    options_metavar="[OPTIONS]",
)
@click.argument(
    "words",
    metavar="-- COMMAND",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=completed("files"),
)
@click.option(
    "-o",
    "--output",
    type=LOCAL_PLACE,
    metavar="NAME.study",
    help="Directory of the study.  [default: a new one in runs/]",
)
@click.option("--force", is_flag=True, help="Replace a study.")
@click.option(
    "--resume",
    type=RUN,
    metavar="NAME.study",
    help="Continue a study that ended before it was complete, with its command and options.",
)
@click.option(
    "--classes",
    multiple=True,
    metavar="PATTERN",
    help="Classes to study, such as 'app.**'.  [default: all that are not the JDK's]",
)
@click.option(
    "--methods",
    "n_methods",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="Observe N methods, chosen at random.",
)
@click.option(
    "--calls",
    "least_calls",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Choose among methods that are called N times during --selection.",
)
@click.option(
    "--controls",
    "n_controls",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Run the program N times more without dynamic probes.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Seed of the random choice."
)
@click.option(
    "--scale",
    type=FiniteRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    metavar="F",
    help="Multiply every SPAN that is not given by F.",
)
@_wait_options
@click.option(
    "--buffer-memory",
    "buffer_mib",
    type=click.IntRange(min=1),
    default=1024,
    show_default=True,
    metavar="MIB",
    help="Most memory that static samples take in the VM, outside of its heap.",
)
@console_options
def _overhead(
    *,
    words: tuple[str, ...],
    output: Path | None,
    force: bool,
    resume: Path | None,
    classes: tuple[str, ...],
    n_methods: int,
    least_calls: int,
    n_controls: int,
    seed: int,
    scale: float,
    buffer_mib: int,
    console: Console,
    **waits: float | None,
) -> int:
    """Study what dynamic probes cost in COMMAND, a Java program that runs until it is ended.

    All methods of the program get static probes when they are loaded; methods that are chosen at
    random get a dynamic probe, as of `jvmscope watch --probe`, one after the other. What the
    static probes measure before, while and after it is there says what it costs, and how accurate
    it is. The steps and the waits are those of the paper (S1 to S10), which take about five minutes
    a method.

    Ctrl-C ends the study, and --resume continues it. What the program prints goes to files in
    the study. COMMAND is launched several times, and is ended by SIGTERM.

    \b
    jvmscope study overhead -o app.study -- java -jar server.jar
    jvmscope study overhead --scale 0.1 --methods 40 --classes 'app.**' -- \\
        java -jar server.jar
    jvmscope study overhead --resume app.study
    jvmscope report app.study
    """
    from jvmscope.actions.studying import StudyPlace, new_study, resumed_study, study_overhead
    from jvmscope.watch.study import StudyOptions

    if resume is not None:
        _expect_nothing_else(words)
        with resumed_study(resume) as resumed:
            return study_overhead(StudyPlace(resume), resumed, console)
    if not words:
        raise click.UsageError("nothing to study: give -- COMMAND, or --resume NAME.study")
    if force and output is None:
        raise click.UsageError("--force needs -o NAME.study, the study that it replaces")
    options = StudyOptions.scaled(
        scale,
        waits,
        n_methods=n_methods,
        least_calls=least_calls,
        n_controls=n_controls,
        seed=seed,
        classes=classes,
        buffer_bytes=buffer_mib << 20,
    )
    _expect_order(options.utilization, "--utilization", options.reading, "--reading")
    _expect_order(options.quiet_span, "--quiet-span", options.quiet_timeout, "--quiet-timeout")
    _expect_order(options.least_delay, "--least-delay", options.most_delay, "--most-delay")
    with new_study(output, words, options, is_forced=force) as place:
        status = study_overhead(place, options, console)
    if status == 0:
        path = place.replaced or place.path
        console.say(f"Next: jvmscope report {shlex.quote(str(path))}")
    return status


def _expect_nothing_else(words: tuple[str, ...]) -> None:
    """Refuses what a study that is resumed has already."""
    context = click.get_current_context()
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in _WITH_RESUME
        and context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ]
    given += ["COMMAND"] if words else []
    if given:
        raise click.UsageError(
            f"--resume uses the command and options of the study: leave out {given[0]}"
        )


def _expect_order(less: float, less_name: str, more: float, more_name: str) -> None:
    if less > more:
        raise click.UsageError(
            f"{less_name} is {less:g} s, more than {more_name}, which is {more:g} s"
        )
