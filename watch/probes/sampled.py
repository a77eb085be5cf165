"""Probes that come and go in one VM, with each invocation that they measure."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Self

from jvmscope.errors import AgentError
from jvmscope.watch.probes.checking import check_probes
from jvmscope.watch.probes.link import AgentLink
from jvmscope.watch.probes.samples import samples_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm
    from jvmscope.watch.probes.probe import Probe
    from jvmscope.watch.probes.samples import Samples

__all__ = ["Sample", "SampledProbes"]

_ANSWER_S = 60.0
_MOST_WAITING = 1_000_000


class Sample(NamedTuple):
    """One measured invocation.

    Attributes:
        method: class in JVM form, name and descriptor of the method.
        thread_id: the thread's number in Java; 0: it is not known.
        entry_ns: when it began, by ``System.nanoTime()``, which is CLOCK_MONOTONIC.
        exit_ns: when it ended.
        is_exceptional: whether it ended by an exception.
    """

    method: tuple[str, str, str]
    thread_id: int
    entry_ns: int
    exit_ns: int
    is_exceptional: bool


class SampledProbes:
    """Probes in a VM: some are put in, read and taken out again, and then others.

    The agent stays in the VM between them. The VM may be watched at the same time, though not with
    probes. Samples wait here until they are read, up to a million; what comes then is lost.

    Args:
        vm: the VM.
        jar: the agent's jar.

    Raises:
        AgentError: the VM does not take the agent.

    ::

        with SampledProbes(vm, agent_jar()) as probes:
            probes.insert([parse_probe("app.Service.handle")])
            ...
            some = probes.samples()
            rest = probes.remove()
    """

    def __init__(self, vm: JavaVm, jar: Path) -> None:
        self._pid = vm.pid
        self._samples: deque[Sample] = deque()
        self._methods: dict[str, tuple[str, str, str]] = {}
        self.n_calls = 0
        """Invocations of the probes that were put in last, as far as was told: about once a second,
        and when they are removed. Those that the VM had no room to measure count about."""
        self.n_lost = 0
        """Of these, how many have no sample, since there was no room in the VM or here."""
        self.failures: list[tuple[str, str]] = []
        """Classes and methods of the last probes that got none, each with the reason."""
        self._link = AgentLink(vm, jar)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def insert(self, probes: Sequence[Probe]) -> int:
        """Puts probes in; returns how many classes were changed for them.

        Classes that are loaded later get the probes, too.

        Raises:
            AgentError: the agent does not answer, or has failed.
            QueryError: a condition does not fit a method; nothing was changed.
        """
        self.n_calls = self.n_lost = 0
        self.failures = []
        self._samples.clear()
        check_probes(self._link, probes, has_callers=False, has_samples=True)
        self._link.send(["insert"])
        return int(self._take_until("inserted")[1])

    def samples(self) -> list[Sample]:
        """Returns what has come since this was last called, in the order of the ends by thread."""
        for message in self._link.received():
            self._take(message)
        found = list(self._samples)
        self._samples.clear()
        return found

    def remove(self) -> list[Sample]:
        """Takes the probes out; returns the samples that ``samples`` has not returned.

        Raises:
            AgentError: the agent does not answer, or has failed.
        """
        self._link.send(["remove"])
        self._take_until("removed")
        return self.samples()

    def close(self) -> None:
        """Lets go of the VM, which takes out the probes that are in."""
        self._link.close()

    def _take_until(self, kind: str) -> list[str]:
        """Takes messages up to one of a kind, which is returned."""
        answer: list[str] | None = None
        while answer is None:
            self._link.wait(_ANSWER_S)
            messages = self._link.received()
            if not messages:
                wrong = "has ended" if self._link.is_over else "does not answer"
                raise AgentError(f"process {self._pid}: the agent in the VM {wrong}")
            for message in messages:
                self._take(message)
                if message[0] == kind:
                    answer = message
        return answer

    def _take(self, message: list[str]) -> None:
        kind, *rest = message
        if kind == "method":
            number, _, class_name, name, descriptor, *_ = rest
            self._methods[number] = (class_name, name, descriptor)
        elif kind == "samples":
            self._append(samples_of(*rest))
        elif kind == "time":
            n_calls = sum(map(int, rest[10::2]))
            self.n_calls += n_calls
            self.n_lost += n_calls - int(rest[8])
        elif kind == "lost":
            self.n_calls += int(rest[0])
            self.n_lost += int(rest[0])
        elif kind == "failure":
            self.failures.append((rest[0], rest[1]))
        elif kind == "failed":
            message_text = f"process {self._pid}: the agent in the VM failed: {rest[0]}"
            raise AgentError(message_text)

    def _append(self, found: Samples) -> None:
        methods = [self._methods[number] for number, _, n in found.groups for _ in range(n)]
        n = min(len(methods), _MOST_WAITING - len(self._samples))
        self.n_lost += len(methods) - n
        columns = (found.thread_id, found.entry_ns, found.exit_ns, found.is_exceptional)
        rows = zip(methods[:n], *(column[:n].tolist() for column in columns), strict=True)
        self._samples.extend(Sample(*row) for row in rows)
