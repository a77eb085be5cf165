"""The probes of one watch: checked, put in, read, and taken out again."""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.schema.class_content import code_sha256
from jvmscope.schema.limits import Limit
from jvmscope.watch.probes.checking import check_probes
from jvmscope.watch.probes.link import AgentLink
from jvmscope.watch.probes.moved import MovedCode, MovedMethods
from jvmscope.watch.probes.samples import samples_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm
    from jvmscope.watch.probes.probe import Probe
    from jvmscope.watch.store import Store

__all__ = ["Probing"]

_REMOVED_S = 60.0
_LOOKS_S = 1.0  # whether the VM is stopped
_PARTS = 8
"""Each power of two of a histogram has as many buckets; as ``Stats`` of the agent."""

_ALL_IN = {"inserted", "failed", "removed"}
"""The messages after which no probe is about to be put in."""


class Probing:
    """Probes in a VM.

    Args:
        vm: the VM.
        jar: the agent's jar.
        probes: what is measured; none: ``replace`` says what.
        has_callers: whether invocations are told apart by their callers.
        has_samples: whether each invocation is told.

    Raises:
        AgentError: the VM does not take the agent.
        QueryError: a condition does not fit a method; no probe was put in.
    """

    def __init__(
        self,
        vm: JavaVm,
        jar: Path,
        probes: Sequence[Probe],
        *,
        has_callers: bool,
        has_samples: bool,
    ) -> None:
        self._pid, self._vm = vm.pid, vm
        self._probes = probes
        self.gone: list[int] = []
        """Methods of which nothing comes any more, by their numbers; whoever reads clears it."""
        self.moved = MovedMethods()
        """Where the instructions of methods with probes are."""
        self._methods: dict[str, int] = {}
        self._n_methods = 0
        self._callers: dict[str, int] = {}
        self._has_samples = has_samples
        self._n_lost = 0
        self._n_unmeasured = 0
        self._has_callers = has_callers
        self._n_probes = 0
        self._without_methods: dict[int, str] = {}  # the texts of probes that are in no method
        self._n_removals = 0
        self._next: Sequence[Probe] = ()
        self._is_removed = False
        self._has_all = False  # told by an agent whose VM ends
        self._has_ended_early = False  # before it had told all
        self._held: list[list[str]] | None = []  # until all probes are in; then None
        self._in_ns = 0  # when they were
        self._failure: str | None = None
        self._link = AgentLink(vm, jar)
        try:
            check_probes(self._link, probes, has_callers=has_callers, has_samples=has_samples)
        except BaseException:
            self._link.close()
            raise

    def insert(self, store: Store) -> None:
        """Has the probes put in; appends a row for each.

        Args:
            store: the tables of the watch run.
        """
        for probe in self._probes:
            self._tell(probe, store)
        if self._probes:
            self._link.send(["insert"])

    def _tell(self, probe: Probe, store: Store) -> None:
        """Appends the row of a probe, which gets the next number."""
        store.append("probe", (self._n_probes, probe.text, probe.condition is not None))
        self._without_methods[self._n_probes] = probe.text
        self._n_probes += 1

    def replace(self, probes: Sequence[Probe]) -> None:
        """Has other probes in the VM, without conditions, instead of those that are in."""
        self._next = probes
        self._n_removals += 1
        self._link.send(["remove"])

    def _insert_next(self, store: Store) -> None:
        """Puts in the probes that come next, now that no other one is in."""
        probes, self._next = self._next, ()
        if not probes:
            return
        self._held = []
        told = {"has_callers": self._has_callers, "has_samples": self._has_samples}
        for probe in probes:
            self._link.send(probe.fields(self._n_probes, **told))
            self._tell(probe, store)
        self._link.send(["insert"])

    def take(self, store: Store) -> None:
        """Appends the rows of what has come from the VM.

        A method that has a row has its probe: the VM changes all classes at once, after it has
        passed each of them to the agent.
        """
        for message in self._link.received():
            if self._held is None:
                self._append(message, store)
                continue
            self._held.append(message)
            if message[0] in _ALL_IN:
                self._append_held(store)

    def _append_held(self, store: Store) -> None:
        held, self._held = self._held or [], None
        self._in_ns = int(held[-1][2]) if held and held[-1][0] == "inserted" else time.time_ns()
        for message in held:
            self._append(message, store)

    def remove(self, store: Store, has_ended: Callable[[], bool]) -> AgentError | None:
        """Takes the probes out, and appends the last rows; returns what went wrong, or None.

        Where the VM has ended there is nothing to take out.

        Args:
            store: the tables of the watch run.
            has_ended: whether the VM has ended, or does so now.
        """
        self._next = ()
        self._n_removals += 1
        self._link.send(["remove"])
        ends = time.monotonic() + _REMOVED_S
        while not self._is_removed and not self._link.is_over and time.monotonic() < ends:
            self._link.wait(min(_LOOKS_S, ends - time.monotonic()))
            self.take(store)
            if self._vm.is_stopped:
                break
        self.take(store)
        self._append_held(store)
        is_over = self._link.is_over  # said by the other side: closing says so, too
        self._link.close()
        for text in dict.fromkeys(self._without_methods.values()):
            reason = "no method of a class that was loaded could get it"
            store.append("unseen", (f"probe {text}", reason))
        if self._n_lost:
            reason = "the VM had no room to keep them"
            store.append("unseen", (f"{self._n_lost} samples of probes", reason))
        if self._n_unmeasured:
            subject = f"about {self._n_unmeasured:,} invocations of probes"
            store.append("unseen", (subject, "the VM had no room to measure them"))
        if self._failure is not None:
            message = f"process {self._pid}: the agent in the VM failed: {self._failure}"
            return AgentError(message)
        if self._is_removed:
            return None
        if has_ended():
            if self._n_probes and not self._has_all:
                self._miss_last("the VM ended before its agent had told them", store)
                self._has_ended_early = True
            return None
        if is_over:
            self._miss_last("the agent in the VM has gone", store)
            return AgentError(f"process {self._pid}: the agent in the VM has gone")
        self._miss_last("the VM did not tell them in time", store)
        return AgentError(f"process {self._pid}: the VM did not say that the probes are out")

    @staticmethod
    def _miss_last(reason: str, store: Store) -> None:
        store.append("unseen", ("the last invocations of probes", reason))

    def limits(self) -> list[Limit]:
        """Returns what the counts lack, since the VM had no room for it, or ended at once."""
        found = []
        if self._n_unmeasured:
            lacking = f"about {self._n_unmeasured:,} invocations of methods with probes"
            found.append(Limit("room", f"{lacking} were not measured: the VM had no room"))
        if self._has_ended_early:
            lacking = "the last invocations of methods with probes may be missing"
            found.append(Limit("killed", f"{lacking}: the VM ended before its agent had told them"))
        return found

    def close(self) -> None:
        """Lets go of the VM, which takes out what is in."""
        self._link.close()

    def _append(self, message: list[str], store: Store) -> None:
        kind, *rest = message
        if kind == "method":
            self._append_method(rest, store)
        elif kind == "gone":
            if (number := self._methods.pop(rest[0], None)) is not None:  # it may come twice, too
                self.gone.append(number)
        elif kind == "moved":
            self._note_moved(rest)
        elif kind == "caller":
            self._append_caller(rest, store)
        elif kind == "class":
            store.append("class_content", _content(*rest))
        elif kind == "samples":
            batch = samples_of(*rest).batch(self._methods, self._callers)
            store.append_batch("probe_sample", batch)
        elif kind == "time":
            self._append_times(rest, store)
        else:
            self._append_state(kind, rest, store)

    def _append_method(self, fields: list[str], store: Store) -> None:
        agent_number, probe, name, method, descriptor, loader, at_ns, *size = fields
        code_bytes, *lines = map(int, size)
        spans = (code_bytes, *(line if line >= 0 else None for line in lines))
        number = self._methods[agent_number] = self._n_methods
        self._n_methods += 1
        self._without_methods.pop(int(probe), None)
        row = (number, int(probe), int(at_ns), name, method, descriptor)
        store.append("probe_method", (*row, loader or None, *spans))

    def _note_moved(self, fields: list[str]) -> None:
        """Notes where code has moved to, of a class that the VM changed with others or loaded."""
        name, method, descriptor, at_ns, spans, calls = fields
        code = MovedCode.parse(spans, calls)
        self.moved.note((name, method, descriptor), code, max(int(at_ns), self._in_ns))

    def _append_caller(self, fields: list[str], store: Store) -> None:
        number, class_name, method = fields
        if number not in self._callers:  # an agent without room may tell it twice
            self._callers[number] = len(self._callers)
            store.append("probe_caller", (self._callers[number], class_name or None, method))

    def _append_state(self, kind: str, fields: list[str], store: Store) -> None:
        """Takes what the agent tells of itself, and appends what it could not do."""
        if kind == "failure":
            store.append("unseen", (f"probe in {fields[0]}", fields[1]))
        elif kind == "lost":
            self._n_unmeasured += int(fields[0])
        elif kind == "removed":
            self.moved.note_removed(time.time_ns())
            self._n_removals -= 1
            if self._next:
                self._insert_next(store)
            self._is_removed = self._n_removals == 0
        elif kind == "all":
            self._has_all = True
        elif kind == "failed":
            if fields[0] != self._failure:  # an agent without room may tell it twice
                store.append("unseen", ("probes", f"the agent in the VM failed: {fields[0]}"))
            self._failure = fields[0]

    def _append_times(self, fields: list[str], store: Store) -> None:
        start, end, method, caller, is_thrown, total, least, most, sampled, *counts = fields
        key = (self._methods[method], self._callers.get(caller), is_thrown == "1")
        buckets = list(zip(map(int, counts[::2]), map(int, counts[1::2]), strict=True))
        n_calls = sum(n for _, n in buckets)
        n_samples = int(sampled) if self._has_samples else None
        times = (n_calls, n_samples, int(total), int(least), int(most))
        self._n_lost += 0 if n_samples is None else n_calls - n_samples
        store.append("probe_time", (int(start), int(end), *key, *times))
        for bucket, n in buckets:
            store.append("probe_histogram", (int(end), *key, *_bounds(bucket), n))


def _content(name: str, loader: str, text: str) -> tuple[str | None, ...]:
    """Returns the row of a class whose file the VM has told, or had no room to tell.

    >>> _content("app/Main", "", "")
    ('app/Main', 'the VM', None, None, None, None, 'the VM had no room to tell the class file')
    """
    sha256: str | None = None
    reason: str | None = "the VM had no room to tell the class file"
    if text:
        try:
            sha256, reason = code_sha256(base64.b64decode(text)), None
        except ValueError as error:
            reason = str(error)
    return name, "the VM", loader or None, None, None, sha256, reason


def _bounds(bucket: int) -> tuple[int, int]:
    """Returns the least duration of a bucket, and the least one of the next.

    >>> _bounds(0), _bounds(7), _bounds(8), _bounds(17), _bounds(487)
    ((0, 1), (7, 8), (8, 9), (18, 20), (8646911284551352320, 9223372036854775807))
    """
    return _least(bucket), min(_least(bucket + 1), (1 << 63) - 1)


def _least(bucket: int) -> int:
    power, part = divmod(bucket, _PARTS)
    return bucket if power == 0 else (_PARTS + part) << (power - 1)
