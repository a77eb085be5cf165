"""From what a JVM left behind to a run: tables, manifest, log."""

from __future__ import annotations

import os
import platform
import shutil
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector import unread
from jvmscope.collector.arena import HALTED, RUNNING, SHUT_DOWN, ArenaHeader, read_arena_header
from jvmscope.collector.completion import completed, keep_agent_log, with_limits
from jvmscope.collector.freeze import freeze
from jvmscope.collector.ingest import IngestOptions, IngestResult, ingest
from jvmscope.collector.launch.jdk import untried
from jvmscope.collector.lifetime_file import LIFETIME_FILE, read_lifetime_header
from jvmscope.collector.native_file import (
    NATIVE_FILE,
    has_lost_counts,
    read_native_header,
)
from jvmscope.errors import JvmscopeError
from jvmscope.schema.ending import signal_name
from jvmscope.schema.limits import Limit
from jvmscope.schema.manifest import ExitFacts, Manifest, write_manifest

if TYPE_CHECKING:
    from jvmscope.collector.begun import Begun
    from jvmscope.collector.launch.launch_notes import LaunchNote
    from jvmscope.collector.launch.process import CommandEnd
    from jvmscope.collector.record_options import Messages

__all__ = ["Finisher"]

_STATES = {SHUT_DOWN: "ended", HALTED: "exited", RUNNING: "killed"}
_UNTOLD = frozenset(
    {"folded_calls", "disk", "class_log", "unlogged", "room", "uncounted", "native"}
)
"""Limits that nothing else tells of: how a JVM ended is told by the command."""


class Finisher:
    """Makes runs of the JVMs of one recording.

    Args:
        begun: what was known when COMMAND started.
        messages: where what is found is told.
        jar: the agent's.
        keeps_raw: runs keep what the agent wrote, for tests and benchmarks.
        keeps_unread: they keep it if it is not read.
        end: how COMMAND ended; None: nobody was there to see it.
        duration_s: how long COMMAND ran; None: not known.

    Attributes:
        failure: why the run of a JVM that was recorded could not be made, of several the last
            one's; None if all were.
        finished: the JVMs whose directories are runs, in the order in which they were finished.
        unread: the JVMs whose runs have no tables, and what the agent wrote instead.
    """

    def __init__(
        self,
        begun: Begun,
        messages: Messages,
        *,
        jar: Path,
        keeps_raw: bool,
        keeps_unread: bool,
        end: CommandEnd | None,
        duration_s: float | None,
    ) -> None:
        self.failure: str | None = None
        self.finished: list[LaunchNote] = []
        self.unread: list[LaunchNote] = []
        self._begun = begun
        self._messages = messages
        self._jar = jar
        self._keeps_raw = keeps_raw
        self._keeps_unread = keeps_unread
        self._end = end
        self._duration_s = duration_s

    def finish(self, note: LaunchNote) -> None:
        """Turns the JVM's directory into a run, if anything was recorded in it."""
        manifest = self._unread_manifest(note)
        if manifest is None:
            return
        result = None
        try:
            result = self._ingest(note)
            manifest = completed(manifest, result, note.directory)
        except Exception as error:  # not even a bug may cost an hour's recording
            why = _text_of(error)
            self._fail(f"{note.main}: the recording cannot be read: {why}")
            self._remove_tables(note)
            manifest = self._keep_unread(note, manifest, why)
        self._write(note, manifest, result)

    def has(self, note: LaunchNote) -> bool:
        """Whether the JVM has left anything to read."""
        return self._header(note.directory / "raw") is not None

    def set_aside(self, note: LaunchNote, why: str) -> None:
        """Makes a run that has only what the JVM left, to be read later.

        Args:
            note: of the JVM.
            why: it is not read now.
        """
        manifest = self._unread_manifest(note)
        if manifest is None:
            return
        self._remove_tables(note)
        manifest = self._keep_unread(note, manifest, why)
        self._write(note, manifest, None)

    def _unread_manifest(self, note: LaunchNote) -> Manifest | None:
        """Returns the manifest of what has not been read yet; None if nothing was recorded."""
        raw = note.directory / "raw"
        was_alive = note.is_alive()
        if was_alive:
            try:
                freeze(note)
            except OSError as error:
                self._lose(note, f"cannot be copied: {error.strerror}")
                return None
        header = self._header(raw)
        if header is None:
            return None
        was_alive = was_alive and header.state == RUNNING
        ended = _Ended(
            header,
            note,
            self._end,
            was_alive=was_alive,
            has_lost_native=has_lost_counts(raw / NATIVE_FILE),
        )
        return self._manifest(note, ended)

    def _write(self, note: LaunchNote, manifest: Manifest, result: IngestResult | None) -> None:
        """Writes what the run does not have yet, and removes what was for the recording alone."""
        raw = note.directory / "raw"
        try:
            keep_agent_log(note.directory)
            write_manifest(note.directory, manifest)
            if manifest.status != "failed" and not self._keeps_raw:
                shutil.rmtree(raw)
            (note.directory / unread.LAUNCH).unlink(missing_ok=True)
        except OSError as error:
            with suppress(OSError):
                unread.discard(raw)
            self._lose(note, f"cannot be written: {error.strerror}")
        else:
            self.finished.append(note)
            self._tell(note, manifest, result)

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
        if self._begun.has_tree:
            return read_arena_header(raw / "arena")
        return read_native_header(raw / NATIVE_FILE)

    def _lose(self, note: LaunchNote, why: str) -> None:
        self._fail(f"{note.main}: its run {why}")

    def _fail(self, message: str) -> None:
        self.failure = message
        self._messages.warn(message)

    def _ingest(self, note: LaunchNote) -> IngestResult:
        raw = note.directory / "raw"
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
                options=IngestOptions(has_tree=self._begun.has_tree),
                progress=update,
            )

    def _remove_tables(self, note: LaunchNote) -> None:
        shutil.rmtree(note.directory / "tables", ignore_errors=True)
        (note.directory / "classes.zip").unlink(missing_ok=True)

    def _keep_unread(self, note: LaunchNote, manifest: Manifest, why: str) -> Manifest:
        """Keeps what the agent wrote, if it may be read later; says in the manifest that it is."""
        raw = note.directory / "raw"
        if self._keeps_unread:
            try:
                unread.keep(note)
            except OSError as error:
                self._messages.warn(f"{note.main}: it cannot be kept, either: {error.strerror}")
                unread.discard(raw)
            else:
                self.unread.append(note)
                why = f"{why}; jvmscope recover RUN reads again what the JVM left"
        else:
            shutil.rmtree(raw)
        return with_limits(manifest, [Limit("unread", why)])

    def _manifest(self, note: LaunchNote, ended: _Ended) -> Manifest:
        """Returns the manifest of what has not been read yet."""
        limits = self._limits(note, ended)
        return Manifest(
            status="failed",
            tables={},
            exit=ended.facts,
            command_exit=self._exit_of_command(note),
            command=self._begun.command,
            directory=self._begun.directory,
            environment=self._begun.environment,
            jvm={
                "version": note.java_version,
                "home": note.java_home,
                "command": note.command,
                "directory": note.working_directory,
                "added_options": note.added,
                "ordinal": note.ordinal,
            },
            host=_host(),
            tool={"name": "jvmscope", "version": version("jvmscope")},
            options=self._begun.options,
            tags=self._begun.tags,
            limits=[limit.text for limit in limits],
            limit_codes=[limit.code for limit in limits],
            determinism=self._determinism(note),
            kind="recorded" if self._begun.has_tree else "native",
            started=self._begun.started,
            duration_s=None if self._duration_s is None else round(self._duration_s, 3),
        )

    def _exit_of_command(self, note: LaunchNote) -> ExitFacts | None:
        """Returns how COMMAND ended, if that is known and another process than the JVM."""
        end = self._end
        if end is None or note.pid == end.pid:
            return None
        return ExitFacts("exited" if end.signal is None else "killed", end.status, end.signal)

    def _limits(self, note: LaunchNote, ended: _Ended) -> list[Limit]:
        """Returns the limits of the recording; warns of those not told yet."""
        limits = ended.limits()
        if self._end is None:
            limits.append(Limit.of("unseen"))
        release = untried(note.java_version)
        if release is not None:
            limits.append(Limit("other", release))
        failed = _failed_guards(note)
        if failed is not None:
            self._messages.warn(f"{note.main}: {failed}")
            limits.append(Limit("other", failed))
        return limits

    def _determinism(self, note: LaunchNote) -> list[str]:
        """Returns why counts may vary, in sentences."""
        determinism = list(note.notes)
        if not self._begun.has_tree:
            determinism.append(
                "recorded with --no-tree: the VM's options are the program's own, so counts may "
                "vary where they depend on timing or on addresses"
            )
        if not self._begun.is_deterministic:
            determinism.append(
                "recorded with --no-deterministic: calls that the JIT compiler replaces by "
                "intrinsics are missing once their caller is hot, and identity hash codes, heap "
                "and processors vary"
            )
        return determinism


def _text_of(error: Exception) -> str:
    """Returns what went wrong; of what jvmscope does not expect, with the exception's name."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) if isinstance(error, JvmscopeError) else f"{type(error).__name__}: {error}"


class _Ended:
    """How a JVM ended, from its last words and, for COMMAND's own process, its exit status."""

    def __init__(
        self,
        header: ArenaHeader,
        note: LaunchNote,
        end: CommandEnd | None,
        *,
        was_alive: bool,
        has_lost_native: bool,
    ) -> None:
        self._header = header
        self._has_lost_native = has_lost_native
        self._was_alive = was_alive
        self._has_timed_out = end is not None and end.has_timed_out
        state = "killed" if was_alive else _STATES.get(header.state, "killed")
        status = header.status if header.state == HALTED else None
        number = None
        if end is not None and note.pid == end.pid:
            status = end.status if status is None else status
            number = end.signal if state == "killed" else None
        self.facts = ExitFacts(
            state=state,  # type: ignore[arg-type]  # the values of _STATES
            status=None if was_alive else status,
            signal=number,
        )

    def limits(self) -> list[Limit]:
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
        if self._has_timed_out:
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


def _host() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "n_processors": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    }
