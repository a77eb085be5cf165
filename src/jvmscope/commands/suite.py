"""``jvmscope suite``: many benchmarks, recorded by one file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from jvmscope.cli.click_options import PLACE, RUN, console_options, output_options

if TYPE_CHECKING:
    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.schema.suite import RowStatus, Suite
    from jvmscope.suite.reading import SuiteFile
    from jvmscope.suite.running import Agenda
    from jvmscope.suite.storage import Storage

__all__ = ["command"]

_select = click.option(
    "--select",
    "selections",
    multiple=True,
    metavar="GLOB|tag:T|jvm:J|KEY=VALUE",
    help="Only benchmarks that match all parts between commas.  [default: every benchmark]",
)
_set = click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a key of every benchmark, such as timeout=20m, runs=3 or vars.size=large.",
)


@click.group("suite")
def command() -> None:
    """Record the benchmarks of a suite file, or list them."""


@command.command("run")
@click.argument("file", type=RUN, metavar="SUITE.toml")
@click.option(
    "-o",
    "--output",
    "location",
    type=PLACE,
    metavar="DIR|URL",
    help="Where to write runs: a directory or a URL of fsspec.  [default: runs/NAME]",
)
@_select
@_set
@click.option("--retry-failed", is_flag=True, help="Record failed benchmarks again.")
@click.option("--rerun", is_flag=True, help="Record all benchmarks again.")
@click.option("--dry-run", is_flag=True, help="Only print what would be recorded.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Record N benchmarks at a time.",
)
@click.option(
    "--engine", metavar="dask://HOST:PORT", help="Record on the workers of a Dask cluster."
)
@console_options
def _run(
    *,
    file: Path,
    location: str | None,
    dry_run: bool,
    jobs: int,
    engine: str | None,
    console: Console,
    **chosen: Any,
) -> int:
    """Record the benchmarks of SUITE.toml that are not recorded yet.

    If the command is interrupted, run it again and it continues where it stopped. The exit status
    is 1 if a selected benchmark failed, took too long or printed something unexpected.

    \b
    jvmscope suite run suites/languages/suite.toml --jobs 2
    jvmscope suite run dacapo.toml -o dacapo --select 'lu*' --select tag:text
    jvmscope suite run dacapo.toml -o dacapo --retry-failed --set timeout=1h
    """
    from jvmscope.suite.engines import engine_of
    from jvmscope.suite.progress import telling
    from jvmscope.suite.reading import read_suite_file
    from jvmscope.suite.running import run_agenda
    from jvmscope.suite.storage import storage_of

    if engine and jobs != 1:
        raise click.UsageError("--jobs is for this machine; a cluster has its own workers")
    if dry_run and (engine or jobs != 1):
        raise click.UsageError("--dry-run records nothing: leave out --jobs and --engine")
    if chosen["rerun"] and chosen["retry_failed"]:
        raise click.UsageError("--rerun records failed benchmarks, too: leave out --retry-failed")
    suite = read_suite_file(file, chosen.pop("assignments"))
    location = location or str(Path("runs") / suite.name)
    if engine and "://" not in location:
        location = str(Path(location).absolute())
    storage = storage_of(location)
    if dry_run:
        return _say_what_would_be_done(_agenda(suite, storage, chosen, console), console)
    with storage.exclusive() as lost:
        things = _agenda(suite, storage, chosen, console)
        n_todo = len(things.todo)
        with (
            engine_of(engine if n_todo else None, min(jobs, n_todo or 1)) as used,
            telling(console, suite.name, n_todo) as tell,
        ):
            done = run_agenda(things, used, lost, tell)
    return _say_how_it_ended(done, things, location, console)


@command.command("list")
@click.argument("path", type=RUN, metavar="SUITE.toml|DIR")
@_select
@_set
@output_options
@console_options
def _list(
    *,
    path: Path,
    selections: tuple[str, ...],
    assignments: tuple[str, ...],
    output: Output,
    console: Console,
) -> int:
    """List what a suite file asks for, or what was recorded in DIR.

    With -v each row of a suite file has all that is resolved for it: command, options, expected
    output.
    """
    from jvmscope.cli import DONE
    from jvmscope.suite.listing import planned_rows, recorded_rows

    if path.is_dir():
        from jvmscope.schema.suite import open_suite

        if selections or assignments:
            raise click.UsageError("--select and --set are for suite files")
        output.write(recorded_rows(open_suite(path)), console)
        return DONE
    from jvmscope.suite.planning import plan
    from jvmscope.suite.reading import read_suite_file
    from jvmscope.suite.selection import select

    planned = select(plan(read_suite_file(path, assignments)), selections)
    output.write(planned_rows(planned, is_resolved=console.verbosity > 0), console)
    return DONE


def _agenda(suite: SuiteFile, storage: Storage, chosen: dict[str, Any], console: Console) -> Agenda:
    from jvmscope.suite.running import agenda

    things = agenda(
        suite,
        storage,
        selections=chosen["selections"],
        retries_failed=chosen["retry_failed"],
        reruns=chosen["rerun"],
    )
    if things.strays:
        shown = ", ".join(things.strays[:5]) + (" …" if len(things.strays) > 5 else "")
        console.warn(f"recorded, but no longer in the suite file: {shown}")
    for each in things.idle_inputs:
        console.warn(f"inputs that match no file: {each}")
    return things


def _say_what_would_be_done(things: Agenda, console: Console) -> int:
    from jvmscope.cli import DONE

    reasons = {row.name: row.reason or row.status for row in things.rows}
    for planned in things.todo:
        console.say(f"{planned.name}: {reasons[planned.name]}")
    console.say(f"{len(things.todo)} of {len(things.selected)} would be recorded")
    return DONE


def _say_how_it_ended(done: Suite, things: Agenda, location: str, console: Console) -> int:
    from jvmscope.cli import DONE, NO

    counts = Counter(row.status for row in done.rows if row.name in things.selected)
    n_failed = counts.total() - counts["recorded"]
    if not things.todo:
        again = "; --retry-failed records them again" if n_failed else ""
        console.say(f"nothing to do: {_shown(counts)}{again}")
        return NO if n_failed else DONE
    console.say(f"Wrote {location}: {_shown(counts)}")
    if counts["recorded"] and "://" not in location:
        console.say(f"Next: jvmscope suite list {location}")
        has_tree = all(planned.options.get("has_tree", True) for planned in things.todo)
        what = "report {} summary" if has_tree else "measure {}/*.run -m 'native.*'"
        console.say(f"      jvmscope {what.format(location)}")
    return NO if n_failed else DONE


def _shown(counts: Counter[RowStatus]) -> str:
    """Returns how many rows have each status, the good ones first."""
    from jvmscope.schema.suite import RowStatus

    known = [status for status in get_args(RowStatus) if counts[status]]
    return ", ".join(f"{counts[status]} {status}" for status in known) or "none"
