"""Recording: runs COMMAND so that ``java`` is our shim, and makes a run of each JVM it starts."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import shlex
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar
from jvmscope.collector.begun import Begun
from jvmscope.collector.destination import Destination
from jvmscope.collector.launch.cache import cache_root, hold, is_whole, let_go, prepared
from jvmscope.collector.launch.injection import Injection, inject, inject_by_options
from jvmscope.collector.launch.jdk import Jdk, JdkError, unsuitable, untried
from jvmscope.collector.launch.launch_notes import (
    LaunchNote,
    Start,
    read_launch_notes,
    read_starts,
)
from jvmscope.collector.launch.machine import address_space, may_start_java
from jvmscope.collector.launch.process import CommandEnd, run_command
from jvmscope.collector.launch.session import Settings, write_settings
from jvmscope.collector.launch.toolopts import (
    VARIABLE,
    adopt_jvms,
    running_jvms,
    tool_options,
)
from jvmscope.collector.launch.unreached import JvmWatch
from jvmscope.collector.launch.workspace import Workspace
from jvmscope.collector.native_library import native_library
from jvmscope.collector.record_options import KEEP_RAW, Messages, Recorded, RecordOptions
from jvmscope.collector.run_name import run_name
from jvmscope.collector.unread import in_memory
from jvmscope.errors import AgentError
from jvmscope.signals import Ended, cleaning_up, held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.collector.finish import Finisher

__all__ = ["KEEP_RAW", "Messages", "RecordOptions", "Recorded", "record"]

_TOLD_BYTES = 64 << 20
_OUTLIVE_S = 5.0
_START_S = 120.0
_OUTLIVE_POLL_S = 0.05
NOT_FOUND, NOT_EXECUTABLE, FAILED, TIMED_OUT = 127, 126, 125, 4


def record(
    command: Sequence[str],
    options: RecordOptions,
    messages: Messages,
    *,
    keeps_unread: bool = True,
) -> Recorded:
    """Runs COMMAND and makes a run of each JVM that it starts.

    Args:
        command: its words.
        options: the options of the recording.
        messages: where the recording's own words go.
        keeps_unread: what a JVM left is kept if it is not read, for ``jvmscope recover``.

    Raises:
        AgentError: the recording could not begin; COMMAND was not started.
        KeyboardInterrupt: interrupted after COMMAND ended. What its JVMs left is kept in runs.
    """
    if not command:
        raise AgentError("no command to record: write it after `--`")
    options.check()
    name = run_name(command, options)
    destination = Destination(options.output, options.runs, name, is_forced=options.is_forced)
    with cleaning_up(), destination, Workspace() as workspace:
        recording = _Recording(
            command, options, messages, destination, workspace, keeps_unread=keeps_unread
        )
        with recording.holding:
            recording.tell_killed()
            return recording.run()


class _Recording:
    def __init__(
        self,
        command: Sequence[str],
        options: RecordOptions,
        messages: Messages,
        place: Destination,
        workspace: Workspace,
        *,
        keeps_unread: bool,
    ) -> None:
        self._command = list(command)
        self._options = options
        self._messages = messages
        self._place = place
        self._workspace = workspace
        self._jar = workspace.agent(agent_jar())
        self._partial = workspace.plain(place.partial, "partial")
        self.holding = ExitStack()
        """Keeps what is needed to the end."""
        self._keeps_unread = keeps_unread
        self._scopes: tuple[str, ...] = ()  # of the user's own probe
        self._likely: Jdk | None = None  # which most JVMs of COMMAND probably run on
        self._uses_options = options.injection == "env"
        self._watch = None if self._uses_options else JvmWatch(str(workspace.path))

    def tell_killed(self) -> None:
        """Warns of recordings that were killed and keep much memory."""
        for partial, n_bytes in self._workspace.killed.items():
            if n_bytes >= _TOLD_BYTES:
                self._messages.warn(
                    f"{partial}: of a recording that was killed; {n_bytes >> 20:,} MiB of memory "
                    f"are kept for it. Remove it, or read it: "
                    f"jvmscope recover {shlex.quote(str(partial))}"
                )

    def run(self) -> Recorded:
        injection = self._injection()
        if injection.program is None:
            return self._not_started(f"{self._command[0]}: command not found", NOT_FOUND)
        self._likely = injection.likely
        settings = self._write_settings(injection)
        begun = self._begin()
        finisher = None
        try:
            with held():
                begin = time.monotonic()
                try:
                    end = self._execute(injection.program, injection.environment)
                except OSError as error:
                    status = NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
                    return self._not_started(f"{self._command[0]}: {error.strerror}", status)
                finisher = self._finisher(begun, end, time.monotonic() - begin)
            notes = self._read(finisher, settings)
        except (KeyboardInterrupt, Ended):
            if finisher is not None and self._keeps_unread:
                with held():
                    self._set_aside(finisher)
            raise
        return self._finish(finisher, end, notes)

    def _begin(self) -> Begun:
        """Writes what runs need to know of this recording, for the case that it is killed."""
        begun = Begun.of(
            self._command,
            self._options,
            directory=str(Path.cwd()),  # COMMAND may remove it
            started=dt.datetime.now(dt.UTC),
            name=self._place.name,
            workspace=self._workspace.path,
        )
        partial = self._place.partial
        if self._keeps_unread:
            try:
                begun.write(partial)
                self._workspace.serve(partial)
            except OSError as error:
                raise AgentError(f"{partial}: cannot be written: {error.strerror}") from None
        return begun

    def _execute(self, program: str, environment: dict[str, str]) -> CommandEnd:
        """Runs COMMAND to its end, whatever signals come."""
        return run_command(
            program,
            self._command,
            environment,
            timeout_s=self._options.timeout_s,
            others=self._running,
            look=None if self._watch is None else self._watch.look,
        )

    def _injection(self) -> Injection:
        try:
            if self._uses_options:
                return inject_by_options(self._command, os.environ)
            return inject(self._workspace, self._command, os.environ)
        except JdkError as error:
            raise AgentError(str(error)) from None

    def _write_settings(self, injection: Injection) -> Settings:
        """Writes what the JVMs that COMMAND starts have to know, once the likely JDK is ready."""
        settings = self._settings(injection)
        likely = injection.likely
        has_tree = self._options.has_tree
        if likely is not None and unsuitable(likely, has_tree=has_tree) is None:
            self._prepare(likely, settings)
        if self._uses_options and likely is not None:
            reason = unsuitable(likely, has_tree=has_tree)
            if reason:
                raise AgentError(reason)
            entry = settings.entries[likely.home]
            options = tool_options(settings, entry, self._workspace.path, os.environ)
            injection.environment[VARIABLE] = options
        write_settings(str(self._workspace.path), settings)
        return settings

    def _settings(self, injection: Injection) -> Settings:
        settings = Settings()
        settings.partial = str(self._partial)
        settings.jar = str(self._jar)
        settings.jar_sha256 = hashlib.sha256(self._jar.read_bytes()).hexdigest()
        settings.variant = self._options.variant()
        settings.options = self._options.agent_lines()
        settings.has_tree = self._options.has_tree
        if self._options.native_probes:
            settings.native_mode = "spa" if "native-spa" in self._options.probes else ""
            settings.native = self._plain_library()
            settings.native_clock = self._options.native_clock
        if "locking" in self._options.probes:
            settings.contention = settings.native or self._library("monitors that have to wait")
        if "allocations" in self._options.probes:
            settings.unseen = settings.native or self._library("objects that native code makes")
        self._add_own_probe(settings, injection)
        settings.cache = self._cache()
        if not os.environ.get(KEEP_RAW):
            settings.arenas = str(self._workspace.arenas or "")
        settings.max_bytes = self._options.max_bytes
        settings.is_deterministic = self._options.is_deterministic
        settings.is_quiet = self._messages.is_quiet
        settings.select = self._options.select or ""
        settings.homes = injection.homes
        settings.java_home = os.environ.get("JAVA_HOME")
        settings.named = os.path.dirname(self._command[0])  # noqa: PTH120 - as it is written
        return settings

    def _plain_library(self) -> str:
        """The library for native code; a link to it has its name, by which the agent knows it."""
        library = native_library()
        return str(self._workspace.plain(library, library.name))

    def _library(self, unseen: str) -> str:
        """The library that tells of what bytecode does not see; empty: there is none."""
        try:
            return self._plain_library()
        except AgentError as error:
            self._messages.detail(f"{unseen} are not seen: {error}")
            return ""

    def _prepare(self, jdk: Jdk, settings: Settings) -> None:
        """Prepares a JDK before COMMAND starts, which would have to wait for it."""
        warning = untried(jdk.version)
        if warning:
            self._messages.warn(warning)
        entry = self._entry(jdk, settings)
        self.holding.callback(let_go, hold(entry))  # it is read at the end, too
        if not is_whole(entry):  # just before, another recording has made room
            entry = self._entry(jdk, settings)
        settings.entries[jdk.home] = entry
        self._messages.detail(f"JDK {jdk.version} in {jdk.home}, prepared in {entry}")

    def _entry(self, jdk: Jdk, settings: Settings) -> str:
        try:
            return prepared(
                jdk,
                settings.jar,
                settings.jar_sha256,
                variant=settings.variant,
                root=settings.cache,
                spare=str(self._workspace.path / "cache"),
                say=self._messages.say,
                snippets=settings.snippets,
            )
        except JdkError as error:
            raise AgentError(str(error)) from None

    def _add_own_probe(self, settings: Settings, injection: Injection) -> None:
        if self._options.probe is None:
            return
        from jvmscope.collector.own_probe import compile_probe

        out = self._workspace.path / "snippets"
        probe = compile_probe(self._options.probe, injection.likely, self._jar, out)
        settings.variant = f"{settings.variant} {probe.option}".strip()
        settings.options.append(probe.option)
        settings.snippets = str(probe.classes)
        self._scopes = probe.scopes

    def _cache(self) -> str:
        root = Path(cache_root(dict(os.environ)))
        with suppress(OSError):  # a cache that cannot be made has a substitute
            root.mkdir(parents=True, exist_ok=True)
        return str(self._workspace.plain(root, "cache-link"))

    def _running(self) -> list[int]:
        """The processes of JVMs that are recorded and alive."""
        if self._uses_options:
            return running_jvms(self._partial)
        return [note.pid for note in self._notes() if note.is_alive()]

    def _notes(self) -> list[LaunchNote]:
        return read_launch_notes(self._partial)

    def _not_started(self, message: str, status: int) -> Recorded:
        self._messages.warn(message)
        return Recorded(status, [])

    def _wait_for_the_others(self) -> None:
        """Gives JVMs that outlive COMMAND a moment to end; afterwards they are cut off.

        One that is just being started gets the time for that: it still needs the workspace.
        """
        begin = time.monotonic()
        while True:
            is_shim, is_forked = may_start_java(str(self._workspace.path))
            # Notes come last: a shim that has gone by now has written one.
            alive = [note for note in self._notes() if note.is_alive()]
            is_starting = is_shim or not all(note.has_started() for note in alive)
            limit_s = _START_S if is_starting else _OUTLIVE_S
            if not (alive or is_starting or is_forked) or time.monotonic() - begin >= limit_s:
                break
            time.sleep(_OUTLIVE_POLL_S)
        for note in alive:
            self._messages.warn(
                f"{note.main} (process {note.pid}) outlives the command; "
                "its run ends here and is truncated"
            )

    def _read(self, finisher: Finisher, settings: Settings) -> list[LaunchNote]:
        """Makes a run of each JVM that was recorded."""
        if self._uses_options:
            with held():
                adopt_jvms(settings, self._workspace.path, Path(self._command[0]).name)
        self._wait_for_the_others()
        notes = self._notes()
        for note in notes:
            finisher.finish(note)
        return notes

    def _finish(self, finisher: Finisher, end: CommandEnd, notes: Sequence[LaunchNote]) -> Recorded:
        """Gives the runs their names, and says what came of the recording."""
        starts = read_starts(self._workspace.path)
        runs = self._keep(finisher)
        for left in self._place.left(runs):
            self._messages.warn(f"{left}: of an earlier recording, not of this one")
        status = self._status(end, starts, n_finished=len(runs), n_recorded=len(notes))
        pids = {note.pid for note in notes} | {start.pid for start in starts}
        unreached = self._watch.unreached(pids) if self._watch is not None else []
        if self._watch is not None and unreached:
            homes = self._watch.homes(pids)
            self._tell_unreached(unreached, homes, {note.java_home for note in notes})
        failures = [start.name for start in starts if start.what == "failed"]
        if finisher.failure is not None:
            status = status or FAILED
            failures.append(finisher.failure)
        failure = failures[-1] if failures else None
        return Recorded(
            status,
            runs,
            end.shell_status,
            end.has_timed_out,
            failure,
            self._scopes,
            unreached=tuple(unreached),
        )

    def _finisher(self, begun: Begun, end: CommandEnd, duration_s: float) -> Finisher:
        # Only now: its imports take time and start threads, before COMMAND both would be felt.
        from jvmscope.collector.finish import Finisher

        return Finisher(
            begun,
            self._messages,
            jar=self._jar,
            keeps_raw=bool(os.environ.get(KEEP_RAW)),
            keeps_unread=self._keeps_unread,
            end=end,
            duration_s=duration_s,
        )

    def _set_aside(self, finisher: Finisher) -> None:
        """Keeps what JVMs left whose tables nobody waits for; those that were read are runs."""
        for note in self._notes():
            if note not in finisher.finished and (note.directory / "raw").exists():
                finisher.set_aside(note, "its reading was interrupted")
        self._keep(finisher)

    def _keep(self, finisher: Finisher) -> list[Path]:
        """Gives runs their names, and says how to read again what could not be read."""
        runs = self._place.keep([note.directory for note in finisher.finished])
        for note, run in zip(finisher.finished, runs, strict=True):
            if note not in finisher.unread:
                continue
            memory = in_memory(run / "raw")
            where = f"in {run}/raw"
            if memory is not None:
                where = f"in memory, in {memory}, until the machine is restarted"
            self._messages.warn(
                f"{run}: what the JVM left is kept {where}. To read it again: "
                f"jvmscope recover {shlex.quote(str(run))}"
            )
        return runs

    def _tell_unreached(
        self, unreached: Sequence[str], homes: set[str], homes_reached: set[str]
    ) -> None:
        """Warns of JVMs that were started and not recorded, and says how to reach them.

        Args:
            unreached: what they are called.
            homes: their JDKs, as far as they are known.
            homes_reached: the JDKs of those that were recorded.
        """
        message = (
            f"COMMAND started JVMs that were not recorded: {', '.join(unreached)}. "
            "It started them by an absolute path, not through PATH or JAVA_HOME. "
        )
        if homes and len(homes | homes_reached) > 1:
            message += (
                "COMMAND's JVMs are of several JDKs, and --inject env, which reaches such "
                "paths, is for one: have it start java by name, or record its parts"
            )
        else:
            command = f"jvmscope record --inject env -- {shlex.join(self._command)}"
            if homes and (self._likely is None or homes != {self._likely.home}):
                command = f"JAVA_HOME={shlex.quote(min(homes))} {command}"
            message += f"To record them: {command}"
        self._messages.warn(message)

    def _status(
        self, end: CommandEnd, starts: list[Start], *, n_finished: int, n_recorded: int
    ) -> int:
        if any(start.what == "failed" for start in starts):
            return FAILED
        if n_finished:
            return TIMED_OUT if end.has_timed_out else end.shell_status
        what = " ".join(self._command[:3])
        unselected = [start.name for start in starts if start.what == "unselected"]
        if unselected:
            reason = (
                f"none of the JVMs that {what} started matches --select "
                f"{self._options.select}: {', '.join(dict.fromkeys(unselected))}"
            )
        elif end.has_timed_out:
            reason = f"{what}: --timeout ended it before a JVM had anything to record"
        elif n_recorded:
            reason = f"{what}: the JVM ended before there was anything to record{_few_addresses()}"
        elif starts:
            reason = f"{what}: it started Java, but Java ran no program"
        elif self._uses_options:
            home = self._likely.home if self._likely else "JAVA_HOME or PATH"
            reason = (
                f"{what}: it started no Java that could be recorded; JVMs must be of the JDK in "
                f"{home}: set JAVA_HOME to theirs"
            )
        else:
            reason = (
                f"{what}: it started no Java through PATH or JAVA_HOME; use --inject env if it "
                "starts Java by another path (see docs/record.md)"
            )
        self._messages.warn(f"{reason}; no run was written")
        if end.has_timed_out:
            return TIMED_OUT
        return end.shell_status or FAILED


def _few_addresses() -> str:
    """What may have kept a VM from starting where addresses are limited; else nothing."""
    space = address_space()
    if space is None:
        return ""
    return (
        f", and may use only {space >> 20:,} MiB of addresses (ulimit -v): raise this limit, or "
        "give a smaller --max-memory, and the program a smaller -Xmx"
    )
