"""``jvmscope watch``: what a running VM does, as a watch run."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jvmscope.cli.click_options import (
    LOCAL_PLACE,
    Duration,
    completed,
    console_options,
    given_options,
    refine_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.actions.refining import Refining
    from jvmscope.output.console import Console
    from jvmscope.watch import Following

__all__ = ["command"]


@click.command(
    "watch",
    context_settings={"allow_interspersed_args": False},
    options_metavar="[OPTIONS]",
)
@click.argument(
    "words",
    metavar="PID | -- COMMAND",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=completed("files"),
)
@click.option("--list", "is_list", is_flag=True, help="List the VMs that run on this machine.")
@click.option(
    "--for", "seconds", type=Duration(), metavar="SPAN", help="Watch for this long, such as 30s."
)
@click.option(
    "-o",
    "--output",
    type=LOCAL_PLACE,
    metavar="NAME.watch",
    help="Directory of the watch run.  [default: a new one in runs/]",
)
@click.option("--force", is_flag=True, help="Replace a watch run.")
@click.option(
    "--probe",
    "probes",
    multiple=True,
    metavar="METHODS",
    help="Measure invocations of methods: 'app.Cache.get(String key) when key.length() > 32'.",
)
@click.option(
    "--callers", "has_callers", is_flag=True, help="Tell measured invocations apart by caller."
)
@click.option(
    "--samples", "has_samples", is_flag=True, help="Keep each measured invocation as a row."
)
@click.option(
    "--io",
    "has_io",
    is_flag=True,
    help="Also record each read and write of files and sockets, of any duration.",
)
@click.option(
    "--sample-every",
    "sample_every_s",
    type=Duration("10ms", "10s"),
    metavar="SPAN",
    help="How often the VM samples what its threads run, from 10ms to 10s, and up to twice "
    "as often what they allocate.  [default: 40ms]",
)
@click.option(
    "--events",
    "n_events",
    type=click.IntRange(min=10_000),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Keep the newest N events of each kind; older ones are summed up in time bins.",
)
@refine_options
@click.option(
    "--refine-probes",
    "n_refine_probes",
    type=click.IntRange(min=1),
    metavar="N",
    help="For --refine: while watching, put probes into up to N methods that the search comes to.",
)
@console_options
def command(
    *,
    words: tuple[str, ...],
    is_list: bool,
    seconds: float | None,
    output: Path | None,
    force: bool,
    probes: tuple[str, ...],
    has_callers: bool,
    has_samples: bool,
    has_io: bool,
    sample_every_s: float | None,
    n_events: int,
    n_refine_probes: int | None,
    console: Console,
    **refining: Any,
) -> int:
    """Watch a running Java VM from outside, or start COMMAND and watch its VM.

    Writes what the VM does to a watch run: collections, compilations, classes, safepoints, waits,
    samples and more, as tables that can be queried while they grow. The VM needs no option, and
    nothing of jvmscope runs in it. The watch ends with the VM, after --for, or with Ctrl-C.

    However long it takes, the watch run stays small: of each kind of event the newest are kept,
    and older ones become sums in time bins, whose resolution halves now and then.

    With --probe, an agent in the VM changes the methods that it names, and counts and measures
    their invocations until the watch ends; then it changes them back.

    With --refine, the watch run is searched for a bottleneck when the watch has ended, as by
    jvmscope report --refine, and what is found is shown. With --refine-probes, a search goes on
    while the VM is watched, with probes in the methods that it comes to: on the stacks of samples,
    or of the metric that --refine names, such as lock_wait_time.

    The exit status of COMMAND becomes that of watch; 125 means that it could not be watched, 126
    that it cannot be executed, and 127 that it was not found. A COMMAND that goes on after --for is
    waited for.

    \b
    jvmscope watch --list
    jvmscope watch --for 30s -o app.watch 4711
    jvmscope watch -o app.watch -- java -cp classes p.Main
    jvmscope watch --probe 'app.Cache.get(String key) when key.length() > 32' 4711
    jvmscope query app.watch 'SELECT cause, COUNT(*) FROM collection GROUP BY 1'
    """
    from jvmscope.actions.refining import asked_refining
    from jvmscope.actions.watching import (
        read_probes,
        watch_command,
        watch_options,
        watch_process,
        watch_target,
    )
    from jvmscope.watch import Limits

    if is_list:
        return _list(words, console)
    words, refining = _divided(words, refining)
    search = asked_refining(given_options(), refining)
    _check(
        words,
        has_output=output is not None,
        is_forced=force,
        has_probes=bool(probes),
        of_probes={"--callers": has_callers, "--samples": has_samples},
    )
    following = _following(n_refine_probes, search, has_probes=bool(probes), has_io=has_io)
    measured = read_probes(probes)
    is_process = len(words) == 1 and words[0].isdecimal()
    program = words[0] if not is_process else f"process-{words[0]}"
    run = watch_target(output, Path(program).name, is_forced=force)
    command_words = () if is_process else words
    details = {"has_callers": has_callers, "has_samples": has_samples}
    options = replace(
        watch_options(run, seconds, command_words, measured, following, **details),
        has_io=has_io,
        sample_every_s=sample_every_s,
        limits=Limits(n_events),
    )
    if is_process:
        status, was_watched = watch_process(int(words[0]), options, console), True
    else:
        status, was_watched = watch_command(options, console)
    if was_watched:  # else a run of the name is an earlier one
        _say_next(run, search, console, is_of_command=not is_process)
    return status


def _list(words: tuple[str, ...], console: Console) -> int:
    """Writes which VMs run."""
    from jvmscope.actions.watching import vm_listing
    from jvmscope.cli import DONE
    from jvmscope.output.results import Output

    shown = {"--list", "--color", "--progress", "--quiet", "--verbose"}
    if words or given_options().keys() - shown:
        raise click.UsageError(
            "--list only shows which VMs run: leave out PID, COMMAND and other options"
        )
    Output().write(vm_listing(), console)
    return DONE


def _say_next(run: Path, search: Refining | None, console: Console, *, is_of_command: bool) -> None:
    """Says what a search finds in the watch run, if one was asked for, and what can be done.

    Raises:
        QueryError: the search names a resource that the run does not have; where a command was
            watched, whose status is that of the watch, this is only said.
    """
    from jvmscope.actions.refining import refined_text
    from jvmscope.errors import QueryError

    if search is not None:
        try:
            console.say(refined_text(run, search))
        except QueryError as error:
            if not is_of_command:
                raise
            console.error(str(error))
    console.say(f"Next: jvmscope list tables {shlex.quote(str(run))}")


def _following(
    n: int | None, search: Refining | None, *, has_probes: bool, has_io: bool
) -> Following | None:
    """Returns how probes follow the search; None: they do not."""
    from jvmscope.watch import Following

    if n is None:
        return None
    if search is None or has_probes:
        raise click.UsageError("--refine-probes needs --refine, and no --probe beside it")
    if search.text is None:
        return Following(n, search.search.threshold)
    return Following(n, search.search.threshold, _followed(search.text, has_io=has_io))


def _followed(text: str, *, has_io: bool) -> str:
    """Returns the metric function that probes follow, of a pair."""
    from jvmscope.reports.watched import METRIC_FUNCTIONS, parse_pair
    from jvmscope.watch import FOLLOWED

    pair = parse_pair(text, "--refine")
    if pair.metric not in FOLLOWED:
        raise click.UsageError(
            f"--refine-probes cannot follow {pair.metric}: expected {', '.join(FOLLOWED)}"
        )
    if pair.constraint is not None:
        raise click.UsageError(
            f"--refine-probes follows {pair.metric} wherever it is: leave out its constraints"
        )
    if METRIC_FUNCTIONS[pair.metric].asked == "io" and not has_io:
        raise click.UsageError(f"{pair.metric} needs --io, which has reads and writes recorded")
    return pair.metric


def _divided(
    words: tuple[str, ...], refining: dict[str, Any]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Returns the arguments and what --refine has, which may have taken the PID for a metric.

    >>> _divided((), {"refine": "4711"}), _divided(("4711",), {"refine": "samples"})
    ((('4711',), {'refine': ''}), (('4711',), {'refine': 'samples'}))
    """
    text = refining["refine"]
    if not words and text is not None and text.isdecimal():
        return (text,), refining | {"refine": ""}
    return words, refining


def _check(
    words: tuple[str, ...],
    *,
    has_output: bool,
    is_forced: bool,
    has_probes: bool,
    of_probes: Mapping[str, bool],
) -> None:
    """Refuses options that lack what they are about."""
    if not words:
        raise click.UsageError("nothing to watch: give the PID of a VM, or -- COMMAND")
    if len(words) > 1 and words[0].isdecimal():
        raise click.UsageError(
            f"{words[1]}: stands behind the PID {words[0]}; expected one PID, and options before it"
        )
    if is_forced and not has_output:
        raise click.UsageError("--force needs -o NAME.watch, the watch run that it replaces")
    uses = {"--callers": "tells apart", "--samples": "keeps"}
    for option, is_given in of_probes.items():
        if is_given and not has_probes:
            raise click.UsageError(f"{option} needs --probe, whose invocations it {uses[option]}")
