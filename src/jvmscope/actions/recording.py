"""What ``jvmscope record`` does around a recording: messages, the XML view, repetition."""

from __future__ import annotations

import dataclasses
import shutil
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from jvmscope.actions.difference_listing import difference_lines
from jvmscope.actions.failure_notice import tell_failures
from jvmscope.actions.folding_notice import tell_folding
from jvmscope.actions.pattern_notice import tell_uncovered, tell_unmatched
from jvmscope.actions.start_notice import tell_unstarted
from jvmscope.collector.record import Messages, Recorded, RecordOptions, record
from jvmscope.errors import AgentError, RunError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["messages_of", "record_once", "record_repeatedly", "tell_run"]

_QUIET_S = 2.0
_SHOWN_DIFFERENCES = 10
_INDENT = 2


def record_once(
    command: Sequence[str], options: RecordOptions, console: Console, *, has_xml: bool
) -> Recorded:
    """Records COMMAND, says what was written, and writes the XML view if that is wanted.

    Raises:
        AgentError: the recording could not begin.
    """
    recorded = record(command, options, messages_of(console))
    for run in recorded.runs:
        console.wrote(run)
        tell_run(run, console)
        tell_unmatched(run, options.include, options.exclude, console)
        tell_uncovered(run, recorded.scopes, console)
        tell_unstarted(run, options.start_at, console)
        if has_xml:
            _write_xml(run, console)
    return recorded


def record_repeatedly(
    command: Sequence[str], options: RecordOptions, n: int, console: Console, *, has_xml: bool
) -> int:
    """Records COMMAND `n` times and compares each recording with the first.

    Returns:
        The program's exit status if it failed, 1 if two recordings differ, else 0.

    Raises:
        AgentError: a recording could not begin, or wrote no run.
    """
    recordings = []
    for i in range(1, n + 1):
        recorded = record_once(command, _numbered(options, i, n), console, has_xml=has_xml)
        if not recorded.runs:
            return recorded.status
        recordings.append(recorded)
    is_identical = [_is_same(recordings[0], other, console) for other in recordings[1:]]
    failed = [recorded.status for recorded in recordings if recorded.status]
    return failed[0] if failed else 0 if all(is_identical) else 1


def tell_run(run: Path, console: Console) -> None:
    """Says how a run's program ended, and what its counts lack that the run itself tells."""
    _tell_ending(run, console)
    tell_folding(run, console)
    tell_failures(run, console)


def _tell_ending(run: Path, console: Console) -> None:
    """Says how the program ended, as far as the recording knows."""
    from jvmscope.schema.ending import ending_of
    from jvmscope.schema.manifest import read_manifest

    manifest = read_manifest(run)
    ending = ending_of(run, manifest)
    if ending is not None:
        name = (manifest.main.class_name or "").replace("/", ".") or "The program"
        console.say(f"{name} {ending.text}")


def _numbered(options: RecordOptions, i: int, n: int) -> RecordOptions:
    """The options of the i-th of n recordings: a name of its own for each."""
    number = f"repeat-{i:0{len(str(n))}}"
    if options.output is not None:
        return dataclasses.replace(options, output=options.output / f"{number}.run")
    name = f"{options.name}-{number}" if options.name else None
    return dataclasses.replace(options, name=name)


def _is_same(first: Recorded, other: Recorded, console: Console) -> bool:
    """Compares the runs of two recordings, JVM by JVM, and says what differs."""
    from jvmscope.queries import Engine, compare_runs

    if len(first.runs) != len(other.runs):
        console.warn(f"{len(first.runs)} JVMs the first time, {len(other.runs)} later")
        return False
    is_same = True
    for one, two in zip(first.runs, other.runs, strict=True):
        with Engine(one) as run, Engine(two) as again, console.waiting("comparing"):
            comparison = compare_runs(run, again, limit=_SHOWN_DIFFERENCES)
        console.say(f"{one.name} and {two.name}: {comparison}")
        for line in difference_lines(comparison, shutil.get_terminal_size().columns - _INDENT):
            console.say(f"{'':{_INDENT}}{line}")
        is_same = is_same and comparison.is_identical
    return is_same


def _write_xml(run: Path, console: Console) -> None:
    from jvmscope.schema.manifest import read_manifest
    from jvmscope.schema.xml.writing.run import export_xml

    if read_manifest(run).status == "failed":
        return
    directory = run / "xml"
    directory.mkdir()
    try:
        with console.waiting("writing XML"):
            try:
                export_xml(run, directory / "cct.xml", directory / "classes.xml")
            except RunError:
                # Deeper than nested elements may be: contexts one after the other instead.
                export_xml(run, directory / "cct.xml", directory / "classes.xml", "flat")
    except OSError as error:
        raise AgentError(f"{directory}: cannot be written: {error.strerror}") from None
    console.wrote(directory)


def messages_of(console: Console) -> Messages:
    """Returns a console as what a recording tells its own words."""
    return Messages(
        say=console.say,
        warn=console.warn,
        task=lambda label: _late_task(console, label),
        detail=console.detail,
        is_quiet=console.verbosity < 0,
    )


@contextmanager
def _late_task(console: Console, label: str) -> Iterator[Callable[[int, int], None]]:
    """Shows the progress of a task once it has taken two seconds."""
    begin = time.monotonic()
    shown: Callable[[int, int], None] | None = None
    with ExitStack() as stack:

        def update(done: int, total: int) -> None:
            nonlocal shown
            if shown is None and time.monotonic() - begin >= _QUIET_S:
                shown = stack.enter_context(console.task(label))
            if shown is not None:
                shown(done, total)

        yield update
