"""From what a JVM left behind to a run: tables, manifest, log."""

from __future__ import annotations

import os
import platform
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector.arena import HALTED, RUNNING, SHUT_DOWN, ArenaHeader, read_arena_header
from jvmscope.collector.freeze import freeze
from jvmscope.collector.ingest import IngestOptions, IngestResult, ingest
from jvmscope.collector.launch.flags import OPTION_VARIABLES
from jvmscope.collector.launch.jdk import untried
from jvmscope.collector.lifetime_file import LIFETIME_FILE, read_lifetime_header
from jvmscope.collector.native_file import (
    NATIVE_FILE,
    has_lost_counts,
    read_native_header,
)
from jvmscope.collector.uncounted import uncounted
from jvmscope.errors import JvmscopeError
from jvmscope.schema.ending import signal_name
from jvmscope.schema.limits import Limit
from jvmscope.schema.manifest import ExitFacts, MainFacts, Manifest, write_manifest

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from jvmscope.collector.launch.launch_notes import LaunchNote
    from jvmscope.collector.launch.process import CommandEnd
    from jvmscope.collector.record_options import Messages, RecordOptions

__all__ = ["Finisher"]

_STATES = {SHUT_DOWN: "ended", HALTED: "exited", RUNNING: "killed"}
_UNTOLD = frozenset(
    {"folded_calls", "disk", "class_log", "unlogged", "room", "uncounted", "native"}
)
"""Limits that nothing else tells of: how a JVM ended is told by the command."""
_KEPT_VARIABLES = (
    "PATH",
    "JAVA_HOME",
    "CLASSPATH",
    *OPTION_VARIABLES,
    "JAVA_OPTS",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
)


class Finisher:
    """Makes runs of the JVMs of one recording.

    Attributes:
        failure: why the run of a JVM that was recorded could not be made, of several the last
            one's; None if all were.
    """

    def __init__(
        self,
        options: RecordOptions,
        messages: Messages,
        *,
        jar: Path,
        keeps_raw: bool,
        command: Sequence[str],
        end: CommandEnd,
        directory: str,
        started: dt.datetime,
        duration_s: float,
    ) -> None:
        self.failure: str | None = None
        self._options = options
        self._messages = messages
        self._jar = jar
        self._keeps_raw = keeps_raw
        self._command = list(command)
        self._end = end
        self._directory = directory
        self._started = started
        self._duration_s = duration_s

    def finish(self, note: LaunchNote) -> bool:
        """Turns the JVM's directory into a run; False if nothing was recorded in it."""
        raw = note.directory / "raw"
        was_alive = note.is_alive()
        if was_alive:
            try:
                freeze(note)
            except OSError as error:
                return self._lost(note, f"cannot be copied: {error.strerror}")
        header = self._header(raw)
        if header is None:
            self._keep_agent_log(note)
            return False
        was_alive = was_alive and header.state == RUNNING
        ended = _Ended(
            header,
            note,
            self._end,
            was_alive=was_alive,
            has_lost_native=has_lost_counts(raw / NATIVE_FILE),
        )
        try:
            result: IngestResult | None = self._ingest(note, raw)
            failure = None
        except (JvmscopeError, OSError) as error:
            result, failure = None, str(error)
            self._fail(f"{note.main}: the recording cannot be read: {failure}")
            self._remove_tables(note)
        manifest = self._manifest(note, ended, result, failure)
        try:
            self._keep_agent_log(note)
            if not self._keeps_raw or failure is not None:
                shutil.rmtree(raw)
            (note.directory / "launch").unlink()
            write_manifest(note.directory, manifest)
        except OSError as error:
            return self._lost(note, f"cannot be written: {error.strerror}")
        self._tell(note, manifest, result)
        return True

    def _tell(self, note: LaunchNote, manifest: Manifest, result: IngestResult | None) -> None:
        for limit, code in zip(manifest.limits, manifest.limit_codes, strict=True):
            if code in _UNTOLD:
                self._messages.warn(f"{note.main}: {limit}")
        contexts = "no" if result is None else f"{result.n_contexts:,}"
        self._messages.detail(
            f"{note.main} (process {note.pid}, JDK {note.java_version}): "
            f"{manifest.status}, {contexts} contexts"
        )

    def _header(self, raw: Path) -> ArenaHeader | None:
        if self._options.has_tree:
            return read_arena_header(raw / "arena")
        return read_native_header(raw / NATIVE_FILE)

    def _lost(self, note: LaunchNote, why: str) -> bool:
        self._fail(f"{note.main}: its run {why}")
        return False

    def _fail(self, message: str) -> None:
        self.failure = message
        self._messages.warn(message)

    def _ingest(self, note: LaunchNote, raw: Path) -> IngestResult:
        lifetimes = read_lifetime_header(raw / LIFETIME_FILE)
        if lifetimes is not None:
            self._messages.say(f"{note.main}: {lifetimes}")
        with self._messages.task(f"Reading the recording of {Path(note.main).name}") as update:
            return ingest(
                raw,
                note.directory / "tables",
                note.directory / "classes.zip",
                java=Path(note.prepared_home) / "bin" / "java",
                jar=self._jar,
                options=IngestOptions(has_tree=self._options.has_tree),
                progress=update,
            )

    def _remove_tables(self, note: LaunchNote) -> None:
        shutil.rmtree(note.directory / "tables", ignore_errors=True)
        (note.directory / "classes.zip").unlink(missing_ok=True)

    def _keep_agent_log(self, note: LaunchNote) -> None:
        """Keeps the agent's messages, and shows them if it stopped the VM."""
        text = note.directory / "raw" / "agent.txt"
        if text.exists() and text.stat().st_size:
            log = note.directory / "log"
            log.mkdir(exist_ok=True)
            shutil.copyfile(text, log / "agent.txt")

    def _manifest(
        self, note: LaunchNote, ended: _Ended, result: IngestResult | None, failure: str | None
    ) -> Manifest:
        limits = self._limits(note, ended, result, failure)
        lost = [] if result is None else _lost(result)
        is_cut = ended.is_cut or bool(lost)
        limits += lost
        limits += self._uncounted(note, result)
        return Manifest(
            status="failed" if result is None else "truncated" if is_cut else "complete",
            tables={} if result is None else result.tables,
            files={} if result is None else result.files,
            exit=ended.facts,
            command_exit=None if note.pid == self._end.pid else _exit_of_command(self._end),
            main=MainFacts() if result is None else result.main,
            command=self._command,
            directory=self._directory,
            environment={n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ},
            jvm=self._jvm(note, result),
            host=_host(),
            tool={"name": "jvmscope", "version": version("jvmscope")},
            options=self._options.manifest(),
            tags=self._options.tags,
            limits=[limit.text for limit in limits],
            limit_codes=[limit.code for limit in limits],
            determinism=self._determinism(note),
            kind="recorded" if self._options.has_tree else "native",
            n_exclusions=0 if result is None else result.n_exclusions,
            started=self._started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            duration_s=round(self._duration_s, 3),
        )

    def _limits(
        self, note: LaunchNote, ended: _Ended, result: IngestResult | None, failure: str | None
    ) -> list[Limit]:
        """Returns the limits of the recording and of its reading; warns of those not told yet."""
        limits = ended.limits(has_timed_out=self._end.has_timed_out)
        release = untried(note.java_version)
        if release is not None:
            limits.append(Limit("other", release))
        if failure is not None:
            limits.append(Limit("other", failure))
        failed = _failed_guards(note)
        if failed is not None:
            self._messages.warn(f"{note.main}: {failed}")
            limits.append(Limit("other", failed))
        if result is not None and result.n_dropped:
            dropped = f"{result.n_dropped} nodes were left out: their classes were not logged"
            self._messages.warn(f"{note.main}: {dropped}")
            limits.append(Limit("other", dropped))
        return limits

    def _uncounted(self, note: LaunchNote, result: IngestResult | None) -> list[Limit]:
        has_methods = result is not None and self._options.has_tree
        return uncounted(note.directory / "tables") if has_methods else []

    def _determinism(self, note: LaunchNote) -> list[str]:
        """Returns why counts may vary, in sentences."""
        determinism = list(note.notes)
        if not self._options.has_tree:
            determinism.append(
                "recorded with --no-tree: the VM's options are the program's own, so counts may "
                "vary where they depend on timing or on addresses"
            )
        if not self._options.is_deterministic:
            determinism.append(
                "recorded with --no-deterministic: calls that the JIT compiler replaces by "
                "intrinsics are missing once their caller is hot, and identity hash codes, heap "
                "and processors vary"
            )
        return determinism

    def _jvm(self, note: LaunchNote, result: IngestResult | None) -> dict[str, Any]:
        jvm: dict[str, Any] = {
            "version": note.java_version,
            "home": note.java_home,
            "command": note.command,
            "directory": note.working_directory,
            "added_options": note.added,
            "ordinal": note.ordinal,
        }
        if result is not None:
            jvm.update(result.vm)
        return jvm


def _exit_of_command(end: CommandEnd) -> ExitFacts:
    return ExitFacts("exited" if end.signal is None else "killed", end.status, end.signal)


class _Ended:
    """How a JVM ended, from its last words and, for COMMAND's own process, its exit status."""

    def __init__(
        self,
        header: ArenaHeader,
        note: LaunchNote,
        end: CommandEnd,
        *,
        was_alive: bool,
        has_lost_native: bool,
    ) -> None:
        self._header = header
        self._has_lost_native = has_lost_native
        self._was_alive = was_alive
        is_command = note.pid == end.pid
        state = "killed" if was_alive else _STATES.get(header.state, "killed")
        status = header.status if header.state == HALTED else None
        if is_command and status is None:
            status = end.status
        self.facts = ExitFacts(
            state=state,  # type: ignore[arg-type]  # the values of _STATES
            status=None if was_alive else status,
            signal=end.signal if is_command and state == "killed" else None,
        )
        self._has_timed_out = end.has_timed_out

    @property
    def is_cut(self) -> bool:
        """Whether the counts stop before the program did, or somebody stopped the program."""
        is_short = self._header.is_cut or self._has_lost_native
        return self.facts.state == "killed" or is_short or self._has_timed_out

    def limits(self, *, has_timed_out: bool) -> list[Limit]:
        """Returns every limit that was reached."""
        limits = []
        if self._header.is_folded:
            limits.append(Limit.of("memory"))
        if self._header.has_lost_edges:
            limits.append(Limit.of("folded_calls"))
        if self._header.is_disk_full:
            limits.append(Limit.of("disk"))
        if self._header.is_class_log_full:
            limits.append(Limit.of("class_log"))
        if self._has_lost_native:
            limits.append(Limit.of("native"))
        if has_timed_out:
            limits.append(Limit.of("time"))
        if self._was_alive:
            limits.append(Limit.of("outlived"))
        elif self.facts.signal is not None:
            name = signal_name(self.facts.signal)
            limits.append(Limit("killed", f"the JVM was killed by {name}"))
        elif self.facts.state == "killed":
            limits.append(Limit.of("killed"))
        return limits


def _failed_guards(note: LaunchNote) -> str | None:
    """Returns which guard of the user's own probe failed first, and at how many places one did."""
    text = note.directory / "raw" / "agent.txt"
    if not text.exists():
        return None
    lines = text.read_text(encoding="utf-8", errors="replace").splitlines()
    failed = [line for line in lines if line.startswith("guard ")]
    if not failed:
        return None
    places = "at this place" if len(failed) == 1 else f"at {len(failed):,} places, first this one"
    return f"{failed[0]}: its snippet does not run {places}"


def _lost(result: IngestResult) -> list[Limit]:
    """Returns what tables of objects and of classes lack."""
    limits = []
    if result.unlogged:
        tables = ", ".join(f"{name} ({count:,})" for name, count in result.unlogged.items())
        text = f"classes were not logged, and tables lack or do not name what was theirs: {tables}"
        limits.append(Limit("unlogged", text))
    if result.n_without_room:
        times = f"{result.n_without_room:,} times"
        text = (
            f"there was no memory, or no room on a stack, for what is known of an object, {times}"
        )
        limits.append(Limit("room", f"{text}: counts of objects are too small"))
    return limits


def _host() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "n_processors": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    }
