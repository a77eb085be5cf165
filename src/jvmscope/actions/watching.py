"""What ``jvmscope watch`` does around a watch: finds or starts the VM, and says how it ended."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.actions.run_rows import rows_of
from jvmscope.collector import agent_jar
from jvmscope.errors import AgentError, QueryError
from jvmscope.output.watch_view import WatchScreen
from jvmscope.schema import ExitFacts, read_manifest, write_manifest
from jvmscope.signals import Ended, heard
from jvmscope.watch import (
    WatchOptions,
    expect_writable,
    find_vm,
    find_vms,
    is_watch_run,
    parse_probe,
    vms_below,
    watch,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.output.console import Console
    from jvmscope.queries import Result
    from jvmscope.watch import Following, JavaVm, Probe

__all__ = [
    "read_probes",
    "vm_listing",
    "watch_command",
    "watch_options",
    "watch_process",
    "watch_target",
]

_LOOK_S = 0.02
_LEAVES_S = 1.0  # a command whose VM has ended, or that Ctrl-C reached
_STARTS_S = 1.0
_NOT_FOUND, _NOT_EXECUTABLE, _FAILED = 127, 126, 125
_ENDINGS = {
    "time": "the time was over",
    "vm": "the VM ended",
    "interrupted": "it was interrupted",
}


def vm_listing() -> Result:
    """Returns a row for each VM that runs here, by its number."""
    from jvmscope.queries import Result, ResultColumn

    columns = [
        ResultColumn("pid", "INTEGER"),
        ResultColumn("version", "VARCHAR"),
        ResultColumn("main", "VARCHAR"),
        ResultColumn("not_watchable", "VARCHAR"),
    ]
    found = ((vm.pid, vm.version, vm.main, vm.refusal) for vm in find_vms())
    return Result.of_values(columns, found)


def watch_target(output: Path | None, program: str, *, is_forced: bool) -> Path:
    """Returns the directory of a new watch run: there is none, or one that may be replaced.

    Args:
        output: the user's choice; None: a new name below ``runs``.
        program: what is watched, for such a name.
        is_forced: whether a watch run that has the name may be replaced.

    Raises:
        AgentError: something else has the name, or a run that may not be replaced.
    """
    if output is None:
        kept = "".join(ch if ch.isalnum() or ch in "._+$-" else "-" for ch in program)
        now = dt.datetime.now(dt.UTC)
        name = f"{kept.strip('.-') or 'vm'}-{now:%Y%m%dT%H%M%SZ}-{os.urandom(2).hex()}.watch"
        return Path("runs") / name
    if not output.exists() or (output.is_dir() and not any(output.iterdir())):
        return output
    if not is_forced:
        message = f"{output}: exists already; --force replaces it"
        raise AgentError(message, in_python={"--force": "force=True"})
    if not is_watch_run(output):
        raise AgentError(f"{output}: not a watch run, so --force does not replace it")
    return output


def read_probes(texts: Sequence[str]) -> list[Probe]:
    """Returns the probes that texts name.

    Raises:
        QueryError: one of them names none; with its place.
        AgentError: there are probes, and the agent for them was not built.
    """
    if texts:
        agent_jar()
    return [parse_probe(text) for text in texts]


def watch_options(
    run: Path,
    seconds: float | None,
    command: Sequence[str],
    probes: Sequence[Probe],
    following: Following | None,
    *,
    has_callers: bool,
    has_samples: bool,
) -> WatchOptions:
    """Returns how a watch is made, with the agent if there are probes."""
    agent = agent_jar() if probes or following is not None else None
    made = WatchOptions(run, seconds, command, probes, agent, has_callers, has_samples)
    return replace(made, following=following)


def watch_process(pid: int, options: WatchOptions, console: Console) -> int:
    """Watches the VM of a process; returns the exit status.

    Raises:
        AgentError: it cannot be watched.
        QueryError: the condition of a probe does not fit.
    """
    from jvmscope.cli import DONE

    vm = find_vm(pid)
    if vm is None:
        raise AgentError(
            f"process {pid}: there is no Java VM with that number; jvmscope watch --list shows all"
        )
    _watch(vm, options, console)
    return DONE


def watch_command(options: WatchOptions, console: Console) -> tuple[int, bool]:
    """Watches the first VM of a command; returns its exit status, and whether it was watched.

    That of one that cannot be started is a shell's: 127 if there is none, else 126. None is started
    whose run could not be written. SIGTERM and SIGHUP end the watch and are passed on.
    """
    command = options.command
    try:
        expect_writable(options.run)
    except AgentError as error:
        console.error(str(error))
        return _FAILED, False
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        console.error(f"{command[0]}: cannot be started: {error.strerror}")
        is_there = not isinstance(error, FileNotFoundError)
        return (_NOT_EXECUTABLE if is_there else _NOT_FOUND), False
    status, was_watched = None, False
    try:
        vm = _first_vm(process, console)
        if vm is None:
            console.error(f"{command[0]}: ended before a Java VM of it could be watched")
        else:
            _watch(vm, options, console)
            was_watched = True
            status = _status_of(process, command[0], console)
    except (AgentError, QueryError) as error:
        console.error(str(error))
    except KeyboardInterrupt:  # the command got it, too
        if not was_watched:
            console.warn(f"no watch run: interrupted before {command[0]} could be watched")
            _status_of(process, command[0], console)
            raise
        heard()
        status = process.wait()
    except Ended as signalled:
        process.send_signal(signalled.number)
        _status_of(process, command[0], console)
        raise
    ended = process.wait()
    if was_watched:  # else a run that is there is another watch's
        _note_exit(options.run, ended)
    return _FAILED if status is None else 128 - ended if ended < 0 else ended, was_watched


def _status_of(process: subprocess.Popen[bytes], name: str, console: Console) -> int:
    """Waits for the end of a command; says so if that takes its time."""
    try:
        return process.wait(_LEAVES_S)
    except subprocess.TimeoutExpired:
        console.warn(f"{name} still runs: waiting for its exit status (Ctrl-C ends it, too)")
        return process.wait()


def _note_exit(run: Path, ended: int) -> None:
    """Notes in a watch run how its command has ended, for gates; ``ended`` is as of ``Popen``."""
    facts = ExitFacts("killed", signal=-ended) if ended < 0 else ExitFacts("exited", ended)
    write_manifest(run, replace(read_manifest(run), exit=facts))


def _first_vm(process: subprocess.Popen[bytes], console: Console) -> JavaVm | None:
    """Returns the first VM of a command that can be watched; None if the command ends before.

    Says of each VM that has started and refuses to be watched why it does.
    """
    seen: dict[int, float] = {}  # a VM without counters does not tell when it has started
    told: set[int] = set()
    while process.poll() is None:
        now = time.monotonic()
        for vm in vms_below(process.pid):
            is_old = now > seen.setdefault(vm.pid, now) + _STARTS_S
            # One that has refused and ends has no counters any more that say so.
            is_ready = vm.build is not None or (is_old and vm.pid not in told)
            if vm.refusal is None and is_ready:
                return vm
            if vm.refusal is not None and is_old and vm.pid not in told:
                told.add(vm.pid)
                console.warn(f"process {vm.pid} cannot be watched: {vm.refusal}")
        try:
            process.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            continue
    return None


def _watch(vm: JavaVm, options: WatchOptions, console: Console) -> None:
    vm.expect_watchable()
    java = f", Java {vm.version}" if vm.version else ""
    title = f"watching {vm.main or 'the VM'} (process {vm.pid}){java}"
    if _has_screen(options, console):
        with WatchScreen(console, title) as screen:
            ending = watch(vm, replace(options, on_view=screen.show))
    else:
        console.say(title)
        ending = watch(vm, options)
    manifest = read_manifest(options.run)
    console.say(f"watched for {manifest.duration_s:.1f} s: {_ENDINGS[ending]}")
    for limit in manifest.limits:
        console.warn(limit)
    _tell_unplaced(options, console)
    _tell_followed(options, console)
    console.wrote(options.run)


def _tell_unplaced(options: WatchOptions, console: Console) -> None:
    """Warns of probes that are in no method, maybe for a typing error."""
    if not options.probes:
        return
    subjects = {row["subject"] for row in rows_of(options.run, "unseen", ["subject"])}
    for text in dict.fromkeys(probe.text for probe in options.probes):
        if f"probe {text}" in subjects:
            console.warn(
                f"--probe {text}: no method of a class that was loaded could get it; the table "
                "unseen may say why"
            )


def _tell_followed(options: WatchOptions, console: Console) -> None:
    """Says which methods got probes by a search, or warns that none did, and why."""
    if options.following is None:
        return
    metric = options.following.metric
    steps = rows_of(options.run, "probe_step", ["depth", "class_name", "name", "outcome"])
    if not steps:
        reasons = {
            row["subject"]: row["reason"]
            for row in rows_of(options.run, "unseen", ["subject", "reason"])
        }
        reason = reasons.get(f"probes that follow {metric}", "the watch ended before")
        console.warn(f"no probe followed {metric}: {reason}")
        return
    console.say(f"probes followed {metric}; the table probe_step has their times:")
    for row in steps:
        method = f"{row['class_name'].replace('/', '.')}.{row['name']}"
        console.say(f"{'  ' * (row['depth'] + 1)}{method}: {row['outcome']}")


def _has_screen(options: WatchOptions, console: Console) -> bool:
    """Tells whether the terminal shows what is seen: it is ours if no command writes to it."""
    if console.progress_kind != "bar" or not sys.stderr.isatty():
        return False
    return not options.command or console.progress == "bar"
