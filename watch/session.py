"""One watch: from the VM's event stream and the operating system to a watch run, until it ends."""

from __future__ import annotations

import os
import select
import shutil
import signal
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

from jvmscope.errors import AgentError
from jvmscope.schema import MANIFEST_NAME, MainFacts, Manifest, read_manifest
from jvmscope.schema.limits import Limit
from jvmscope.schema.watched import watch_tables
from jvmscope.signals import Ended
from jvmscope.watch.attach import expect_running
from jvmscope.watch.claim import claimed
from jvmscope.watch.class_path import ClassPath
from jvmscope.watch.code_cache import CodeCache
from jvmscope.watch.flight import Repository
from jvmscope.watch.lapses import Lapses
from jvmscope.watch.lease import Lease
from jvmscope.watch.probes import MovedMethods, ProbeSearch, Probing, named_probe
from jvmscope.watch.processor import processor_name
from jvmscope.watch.requests import noted_signals
from jvmscope.watch.rows import EventRows
from jvmscope.watch.settings import settings_file
from jvmscope.watch.store import Limits, Store
from jvmscope.watch.tally import Tally
from jvmscope.watch.unseen import UNSEEN, lacking_events, unasked
from jvmscope.watch.usage import process_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.watch.flight import Event
    from jvmscope.watch.machines import JavaVm
    from jvmscope.watch.probes import Following, Probe
    from jvmscope.watch.tally import View

__all__ = ["WatchOptions", "expect_writable", "is_watch_run", "watch"]

Ending = Literal["time", "vm", "interrupted"]

_POLL_S = 0.25
_FLUSH_S = 1.0
_USAGE_S = 1.0
_MOST_WAITING_ROWS = 50_000
_DRAIN_S = 5.0
_PATIENCE_S, _AT_ONCE_S = 10.0, 1.0  # for answers of a VM that runs, and of one that is stopped
_ENDS_S = 5.0


@dataclass(frozen=True)
class WatchOptions:
    """How a watch is made.

    Attributes:
        run: the directory of the watch run; a watch run that has the name is replaced when the
            watch begins, and anything else is refused.
        seconds: how long to watch; None: until the VM ends or Ctrl-C.
        command: the command that started the VM; none if it ran already.
        probes: what is measured of methods.
        agent: the jar of the agent for probes; None if there are none.
        has_callers: whether invocations are told apart by their callers.
        has_samples: whether each measured invocation gets a row.
        has_io: whether reads and writes of files and sockets are recorded.
        sample_every_s: how often the VM samples what its threads run, and at most twice what they
            allocate; None: every 40 ms.
        limits: how large the watch run becomes.
        following: how probes follow a search while the VM is watched; None: they do not.
        on_view: called about once a second with what has been seen so far, until it raises
            OSError; None: nobody looks on.
    """

    run: Path
    seconds: float | None = None
    command: Sequence[str] = ()
    probes: Sequence[Probe] = ()
    agent: Path | None = None
    has_callers: bool = False
    has_samples: bool = False
    has_io: bool = False
    sample_every_s: float | None = None
    limits: Limits = field(default_factory=Limits)
    following: Following | None = None
    on_view: Callable[[View], None] | None = None


def watch(vm: JavaVm, options: WatchOptions) -> Ending:
    """Watches a VM, and returns what ended it: the time, the VM, or an interruption.

    Raises:
        AgentError: the VM cannot be watched, and nothing was written; or there is no room for
            the watch run, which has what was written before.
        QueryError: the condition of a probe does not fit; nothing was written.
        Ended: a signal ends this process; the watch run is whole.
    """
    with _written(options.run):
        return _watched(vm, options)


def expect_writable(run: Path) -> None:
    """Refuses a directory that a watch could not write now; leaves nothing.

    Raises:
        AgentError: as ``watch`` would; nothing was watched.
    """
    with _written(run):
        pass


@contextmanager
def _written(run: Path) -> Iterator[None]:
    """Has the directory of a watch run to itself."""
    if not run.is_dir():
        _expect_replaceable(run)
    try:
        with claimed(run):
            _expect_replaceable(run)
            yield
    except OSError as error:
        message = f"{run}: cannot be written: {error.strerror or error}"
        raise AgentError(message) from None


def _watched(vm: JavaVm, options: WatchOptions) -> Ending:
    """Watches a VM; what cannot be written as a run is removed."""
    process = _opened(vm)
    try:
        expect_running(vm)
        return _Watch(vm, options, process).run()
    except OSError:
        if not (options.run / MANIFEST_NAME).exists():  # not a run yet
            shutil.rmtree(options.run, ignore_errors=True)
        raise
    finally:
        os.close(process)


def is_watch_run(path: Path) -> bool:
    """Tells whether a directory has a watch run.

    Raises:
        RunError: what it has is damaged.
    """
    return (path / MANIFEST_NAME).is_file() and read_manifest(path).kind == "watch"


def _expect_replaceable(run: Path) -> None:
    """Refuses a directory that cannot be made or replaced, before the VM is touched."""
    if run.exists() and not (run.is_dir() and not any(run.iterdir())) and not is_watch_run(run):
        raise AgentError(f"{run}: exists already, and is not a watch run")
    above = next(path for path in run.absolute().parents if path.exists())
    if not above.is_dir():
        raise AgentError(f"{run}: cannot be written: {above} is not a directory")
    if not os.access(above, os.W_OK | os.X_OK):
        raise AgentError(f"{run}: cannot be written: {above} does not permit it")


def _opened(vm: JavaVm) -> int:
    """Returns a descriptor that can be read when the process has ended."""
    try:
        return os.pidfd_open(vm.pid)
    except ProcessLookupError:
        raise AgentError(f"process {vm.pid}: the VM has ended") from None
    except OSError as error:
        message = f"process {vm.pid}: the system does not tell when it ends: {error.strerror}"
        raise AgentError(message) from None


class _Watch:
    """The state of one watch.

    Args:
        vm: the VM.
        options: how it is watched.
        process: a descriptor that can be read when the VM has ended.
    """

    def __init__(self, vm: JavaVm, options: WatchOptions, process: int) -> None:
        self._vm = vm
        self._options = options
        self._process = process
        self._started = time.monotonic()
        self._started_ns = self._opened_ns = time.time_ns()
        self._lapses = Lapses()
        self._asked = {"io"} if options.has_io else set()
        asked = {"", *self._asked}
        tables = [name for name, each in watch_tables().items() if each.asked in asked]
        self._lease = Lease(
            vm,
            settings_file(tables, options.sample_every_s),
            self._lapses.add_unrecorded,
        )
        self._code_cache = CodeCache(vm)
        self._class_path = ClassPath(vm)
        self._next_flush = self._next_usage = self._started
        # Before the VM is asked for anything, which takes seconds where the machine is busy.
        self._first_usage = process_usage(vm.pid)
        self._knows_lacks = False
        self._probing: Probing | None = None
        self._closing = ExitStack()
        self._waiting: list[Event] = []
        self._tally = Tally()
        self._on_view = options.on_view
        following = options.following
        self._search = ProbeSearch(following) if following is not None else None

    def run(self) -> Ending:
        """Watches to the end; until the VM has answered, a signal ends this at once."""
        options, patience_s = self._options, _AT_ONCE_S
        try:
            if options.agent is not None and (options.probes or options.following):
                self._probing = Probing(
                    self._vm,
                    options.agent,
                    options.probes,
                    has_callers=options.has_callers,
                    has_samples=options.has_samples,
                )
            repository_path = self._lease.begin()
            self._opened_ns = time.time_ns()
            self._code_cache.begin()
            with noted_signals() as came:
                self._begin(repository_path)
                ending = self._watch(came)
                self._finish(ending)
                patience_s = _PATIENCE_S
        finally:
            self._closing.close()
            if self._probing is not None:
                self._probing.close()
            self._code_cache.end(patience_s)
            self._class_path.close()
            self._lease.end(patience_s)
        number = came()
        if number is not None and number != signal.SIGINT:
            raise Ended(number)
        return ending

    def _begin(self, repository_path: Path) -> None:
        for path in self._options.run.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self._store = Store(self._options.run, self._manifest(), self._on_row, self._options.limits)
        moved = MovedMethods() if self._probing is None else self._probing.moved
        self._rows = EventRows(self._store, moved)
        wanted = self._rows.events_of({"", *self._asked})
        on_gap = self._lapses.add_unseen
        self._repository = Repository(repository_path, self._started_ns, wanted, on_gap)
        self._closing.callback(self._repository.close)
        self._repository.follow()
        for row in (*UNSEEN, *unasked(self._asked)):
            self._store.append("unseen", row)
        if self._first_usage is not None:
            self._store.append("process_usage", self._first_usage)
        if self._probing is not None:
            self._probing.insert(self._store)

    def _watch(self, came: Callable[[], int | None]) -> Ending:
        """Reads until something ends the watch; the time counts from here, where all is ready."""
        seconds, began = self._options.seconds, time.monotonic()
        while True:
            self._read()
            if came() is not None:
                return "interrupted"
            passed = time.monotonic() - began
            if seconds is not None and passed >= seconds:
                return "time"
            rest = _POLL_S if seconds is None else min(_POLL_S, seconds - passed)
            if select.select([self._process], [], [], rest)[0]:
                return "vm"

    def _read(self, *, is_over: bool = False) -> None:
        """Takes what is new, and writes it if it is time or there is much of it."""
        if self._probing is not None:
            self._probing.take(self._store)  # before the events of methods that have probes now
            self._forget_gone(self._probing.gone)
        for event in self._events(is_over=is_over):
            self._rows.append(event)
            if self._store.n_rows >= _MOST_WAITING_ROWS:
                self._store.flush()
        now = time.monotonic()
        if now >= self._next_usage and (usage := process_usage(self._vm.pid)):
            self._store.append("process_usage", usage)
            self._next_usage = now + _USAGE_S
        for row in self._code_cache.rows():
            self._store.append("compiled_code", row)
        for class_name in self._rows.new_classes():
            if (content := self._class_path.row(class_name)) is not None:
                self._store.append("class_content", content)
        self._append_what_is_missing()
        if now >= self._next_flush:
            self._show()
            if not is_over:
                self._follow()
            self._store.flush()
            self._next_flush = now + _FLUSH_S

    def _events(self, *, is_over: bool) -> Iterator[Event]:
        """Yields events that are new; beside probes, those that were new when this last looked.

        What the agent tells of a class that was just loaded may come after an event of it.
        """
        waiting, self._waiting = self._waiting, []
        yield from waiting
        found = self._repository.events(is_over=is_over)
        if self._probing is None or is_over:
            yield from found
            return
        for event in found:
            self._waiting.append(event)
            if len(self._waiting) >= _MOST_WAITING_ROWS:
                waiting, self._waiting = self._waiting, []
                yield from waiting

    def _on_row(self, table: str, row: tuple[Any, ...]) -> None:
        if table == "data_loss":
            self._lapses.note_dropped(row)
        if self._on_view is not None:
            self._tally.add(table, row)
        if self._search is not None:
            self._search.add(table, row)

    def _forget_gone(self, gone: list[int]) -> None:
        """Forgets methods of classes that are gone, but for their rows."""
        for number in gone:
            self._tally.forget_method(number)
            if self._search is not None:
                self._search.forget_method(number)
        gone.clear()

    def _follow(self) -> None:
        """Has the probes in the VM that the search wants next."""
        if self._search is None or self._probing is None:
            return
        rows, methods = self._search.next(time.time_ns())
        for row in rows:
            self._store.append("probe_step", row)
        if methods is not None:
            self._probing.replace([named_probe(*method) for method in methods])

    def _show(self) -> None:
        if self._on_view is None:
            return
        try:
            self._on_view(self._tally.view())
        except OSError:  # the terminal is gone, as when its window is closed
            self._on_view = None

    def _append_what_is_missing(self) -> None:
        for lapse in self._lapses.take():
            self._store.append("lapse", lapse)
        if not self._knows_lacks and self._repository.event_names:
            self._knows_lacks = True
            for row in lacking_events(self._repository.event_names):
                self._store.append("unseen", row)

    def _finish(self, ending: Ending) -> None:
        """Takes probes out, stops the recordings, reads what comes of that, completes the run."""
        over_ns = time.time_ns()
        search, self._search = self._search, None
        if search is not None:
            for row in search.finish(time.time_ns()):
                self._store.append("probe_step", row)
            if (unseen := search.unseen()) is not None:
                self._store.append("unseen", unseen)
        failures: list[AgentError | None] = []
        if self._probing is not None:
            failures.append(self._probing.remove(self._store, self._has_ended))
        has_vm_ended = self._stop(ending)
        if not self._repository.is_drained:
            flushed_ns = self._repository.flushed_ns
            self._lapses.add_unflushed(flushed_ns, over_ns, has_vm_ended=has_vm_ended)
        self._repository.close()
        self._append_what_is_missing()
        self._show()
        if self._code_cache.failure is not None:
            self._append_unread_code(self._code_cache.failure, has_vm_ended=has_vm_ended)
        failures += [] if has_vm_ended else [self._lease.failure]
        limits = [Limit("other", str(failure)) for failure in failures if failure is not None]
        limits += self._probing.limits() if self._probing is not None else []
        limits += self._lapses.limits()
        self._store.finish(
            replace(
                self._manifest(),
                status="truncated" if limits else "complete",
                limits=[limit.text for limit in limits],
                limit_codes=[limit.code for limit in limits],
                options={**self._manifest().options, "ended_by": ending},
                duration_s=round(time.monotonic() - self._started, 3),
            )
        )

    def _stop(self, ending: Ending) -> bool:
        """Stops the recordings, and reads the last events; returns whether the VM has ended."""
        self._code_cache.end(self._patience_s())
        if ending != "vm":
            with suppress(AgentError):
                self._repository.look_once_more()
                self._lease.end(self._patience_s())
        ends = time.monotonic() + (0 if self._vm.is_stopped else _DRAIN_S)
        has_vm_ended = ending == "vm"
        self._read(is_over=not has_vm_ended)
        while not has_vm_ended and not self._repository.is_drained and time.monotonic() < ends:
            has_vm_ended = bool(select.select([self._process], [], [], _POLL_S)[0])
            self._read(is_over=True)
        for event in self._waiting:
            self._rows.append(event)
        return has_vm_ended

    def _patience_s(self) -> float:
        """Returns how long to wait for an answer now: a VM is not seen to be stopped at once."""
        return _AT_ONCE_S if self._vm.is_stopped else _PATIENCE_S

    def _append_unread_code(self, failure: AgentError, *, has_vm_ended: bool) -> None:
        """Says since when it is not known which versions of compiled code are in use."""
        reason, read_ns = str(failure), self._code_cache.read_ns
        if has_vm_ended:
            reason = "the VM had ended before its code list was read"
            if read_ns is not None:
                after = (read_ns - self._started_ns) / 1e9
                reason += f" again: the last time was {after:.1f} s after the watch began"
        self._store.append("unseen", ("compiled code that came or went later", reason))

    def _has_ended(self) -> bool:
        """Tells whether the VM has ended; what closes its connections ends it in a moment."""
        patience_s = 0.0 if self._vm.is_stopped else _ENDS_S
        return bool(select.select([self._process], [], [], patience_s)[0])

    def _manifest(self) -> Manifest:
        """Returns what is known of the run while it grows."""
        vm, unfinished = self._vm, Limit.of("unfinished")
        jvm = {
            "pid": vm.pid,
            "version": vm.version,
            "home": vm.home,
            "name": vm.name,
            "vm_version": vm.build,
        }
        started = datetime.fromtimestamp(self._started_ns / 1e9, UTC)
        return Manifest(
            kind="watch",
            status="truncated",
            tables={},
            main=MainFacts(class_name=vm.main.replace(".", "/") if _is_class(vm.main) else None),
            command=list(self._options.command),
            jvm={name: value for name, value in jvm.items() if value is not None},
            host={"processor": processor_name()},
            tool={"name": "jvmscope", "version": version("jvmscope")},
            options=self._manifest_options(),
            limits=[unfinished.text],
            limit_codes=[unfinished.code],
            started=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )

    def _manifest_options(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "seconds": self._options.seconds,
            "started_ns": self._started_ns,
            "opened_ns": self._opened_ns,  # from here on, the VM tells of every event
            "io": self._options.has_io,
            "events": self._options.limits.events,
        }
        if self._options.sample_every_s is not None:
            found["sample_every_s"] = self._options.sample_every_s
        if self._options.probes:
            found["probes"] = [probe.text for probe in self._options.probes]
            found["callers"] = self._options.has_callers
            found["samples"] = self._options.has_samples
        if self._options.following is not None:
            found["refine"] = self._options.following.metric
            found["refine_probes"] = self._options.following.budget
        return found


def _is_class(main: str | None) -> TypeGuard[str]:
    """Tells whether what a VM runs is a class, not a jar or a module.

    >>> _is_class("app.Main"), _is_class("lib/app.jar"), _is_class(None)
    (True, False, False)
    """
    return main is not None and "/" not in main and not main.endswith(".jar")
