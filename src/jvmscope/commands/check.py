"""``jvmscope check``: is everything there, is a run whole, are two runs identical?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import RUN, console_options, output_options
from jvmscope.output.standard_streams import echo

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import Comparison, Result

__all__ = ["command"]


@click.command("check")
@click.argument("runs", type=RUN, nargs=-1, metavar="[RUN [RUN]]")
@click.option(
    "--below",
    metavar="main|CLASS.METHOD",
    help="Compare two runs only below the first context of this method.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Show at most N differences."
)
@output_options
@console_options
def command(
    *,
    runs: tuple[Path, ...],
    below: str | None,
    limit: int | None,
    output: Output,
    console: Console,
) -> int:
    """Check the installation, a run or a study of overhead, or compare two runs exactly.

    Two runs are compared by content. If they differ, the topmost contexts that differ are
    listed, each with the counts that differ and their values in both runs. Threads that serve
    the VM are listed, too, but differences in them do not make runs different. Of two runs
    without a tree, the counts of native code are compared. The exit status is 1 if a check
    fails or the runs differ.

    \b
    jvmscope check
    jvmscope check app.run
    jvmscope check first.run second.run --below main
    """
    from jvmscope.actions.study_reporting import has_study

    for option, value in (("--below", below), ("--limit", limit)):
        if value is not None and len(runs) != 2:
            raise click.UsageError(f"{option} compares two runs")
    if not runs:
        return _check_installation(output, console)
    if len(runs) == 1 and has_study(runs):
        return _check_study(runs[0], output, console)
    if len(runs) == 1:
        return _check_run(runs[0], output, console)
    if len(runs) > 2:
        raise click.UsageError(f"at most two runs can be compared, {len(runs)} were given")
    return _compare(runs[0], runs[1], below, limit, output=output, console=console)


def _check_installation(output: Output, console: Console) -> int:
    from jvmscope.actions.installation import inspect_installation
    from jvmscope.cli import DONE, NO

    result, is_complete = inspect_installation()
    output.write(result, console)
    return DONE if is_complete else NO


def _check_run(run: Path, output: Output, console: Console) -> int:
    from jvmscope.cli import DONE, NO
    from jvmscope.queries import Engine, broken_invariants
    from jvmscope.schema import read_manifest, verify_run

    with console.task("checking") as progress:
        problems = verify_run(run, progress)
    if not problems:
        with Engine(run) as engine, console.waiting("comparing tables"):
            problems = broken_invariants(engine)
    _show(problems, output, console)
    manifest = read_manifest(run)
    verdict = "damaged" if problems else "its files are those of its manifest, and agree"
    console.say(f"{run}: {manifest.status}; {verdict}")
    for limit in manifest.limits:
        console.say(f"{run}: {limit}")
    return NO if problems else DONE


def _check_study(path: Path, output: Output, console: Console) -> int:
    from jvmscope.cli import DONE, NO
    from jvmscope.watch.study import Study

    with console.waiting("checking"):
        study = Study(path)
        problems = study.problems(is_hashed=True)
    _show(problems, output, console)
    verdict = "damaged" if problems else "its files are those of its manifest"
    if not problems and study.manifest.parts is None:
        verdict = (
            "its files can be read, but an earlier jvmscope began it, whose manifests do not say "
            "which files there are"
        )
    console.say(f"{path}: {study.manifest.state}; {verdict}")
    return NO if problems else DONE


def _show(problems: list[str], output: Output, console: Console) -> None:
    if output.is_asked:
        output.write(_problems(problems), console)
    else:
        for problem in problems:
            echo(problem)


def _problems(problems: list[str]) -> Result:
    """Returns a row with the text of each problem."""
    from jvmscope.queries import Result, ResultColumn

    return Result.of_values([ResultColumn("problem", "VARCHAR")], zip(problems, strict=True))


def _compare(
    a: Path, b: Path, below: str | None, limit: int | None, *, output: Output, console: Console
) -> int:
    from jvmscope.cli import DONE, NO
    from jvmscope.queries import Engine, compare_runs

    with Engine(a) as run, Engine(b) as other:
        for engine in (run, other):
            if engine.manifest.incompleteness is not None:
                console.warn(f"{engine.run}: {engine.manifest.incompleteness}")
        with console.waiting("comparing"):
            comparison = compare_runs(run, other, below, limit)
    if output.is_asked:
        output.write(comparison.differences, console)
    elif comparison.n_differing + comparison.n_internal:
        _list_differences(comparison, output, console)
    console.say(f"below {below}: {comparison}" if below else str(comparison))
    return DONE if comparison.is_identical else NO


def _list_differences(comparison: Comparison, output: Output, console: Console) -> None:
    """Shows the differences: on a terminal line by line, since paths are long."""
    import shutil
    import sys

    from jvmscope.actions.difference_listing import difference_lines
    from jvmscope.formats.texts import TRUNCATED

    if not sys.stdout.isatty():
        output.write(comparison.differences, console)
        return
    for line in difference_lines(comparison, shutil.get_terminal_size().columns):
        echo(line)
    if comparison.differences.is_truncated:
        console.warn(f"{TRUNCATED}; {output.how_to_see_more}")
