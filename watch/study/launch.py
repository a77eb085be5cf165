"""What is done in one launch of the program: waiting, reading samples, probes in and out."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from jvmscope.errors import AgentError
from jvmscope.watch.attach import run_in_vm
from jvmscope.watch.probes import SampledProbes, exact_probe
from jvmscope.watch.study.compilations import FLUSHED_S, Compilations, quiet_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from jvmscope.watch.probes import Sample
    from jvmscope.watch.study.agent_link import StudiedMethod
    from jvmscope.watch.study.options import StudyOptions
    from jvmscope.watch.study.program import StudiedProgram

__all__ = ["Interrupted", "Launch", "Reading"]

_POLL_S = 0.25
_STREAM_S = 5.0  # seldom: whoever reads the stream while the program is measured disturbs it
_MOST_SAMPLES = 2_000_000
_CPUCLOCK_SCHED = 2  # of Linux: user and system time of all threads, in nanoseconds


class Interrupted(Exception):
    """A signal, whose number it has, asked the study to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Reading(NamedTuple):
    """Static samples of a span: its bounds, the processor utilization, and rows of samples.

    A row has the study's number of the method, the thread, the entry and the exit.
    """

    started_ns: int
    ended_ns: int
    utilization: float | None
    samples: npt.NDArray[np.int64]


class Launch:
    """One launch, from the connection of its VM on.

    Args:
        program: the program.
        jar: the agent's jar.
        options: the waits.
        came: returns the signal that asked for the end, or None.

    Raises:
        AgentError: the VM takes no probes, or ends; so do the methods.
        Interrupted: a signal came; so do the methods that wait.
    """

    def __init__(
        self,
        program: StudiedProgram,
        jar: Path,
        options: StudyOptions,
        came: Callable[[], int | None],
    ) -> None:
        self._program = program
        self._options = options
        self._came = came
        self.vm = program.connected_vm(self._heed)
        self.n_processors = len(os.sched_getaffinity(self.vm.pid))
        """The processors that the VM may use."""
        self.compilations = Compilations(self.vm)
        self._samples: list[npt.NDArray[np.int64]] = []
        self._observed: StudiedMethod | None = None
        self._next_stream = 0.0
        try:
            self.probes = SampledProbes(self.vm, jar)
        except AgentError as error:
            self.compilations.close()
            if "EnableDynamicAgentLoading" in str(error):
                raise AgentError(
                    f"process {self.vm.pid}: the VM takes no probes, since it was started with "
                    "-XX:-EnableDynamicAgentLoading: start it without that option"
                ) from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.probes.close()
        self.compilations.close()

    def wait(self, seconds: float) -> None:
        """Waits, and takes meanwhile what the VM tells."""
        ends = time.monotonic() + seconds
        while (rest := ends - time.monotonic()) > 0:
            time.sleep(min(_POLL_S, rest))
            self._look()

    def _heed(self) -> None:
        if (number := self._came()) is not None:
            raise Interrupted(number)

    def _look(self) -> None:
        self._heed()
        if self._program.has_ended:
            raise AgentError("the VM has ended")
        if time.monotonic() >= self._next_stream:
            self._read_stream()
        if self._observed is not None:
            self._keep_samples()

    def _read_stream(self) -> None:
        self.compilations.read()
        self._next_stream = time.monotonic() + _STREAM_S

    def warm_up(self) -> None:
        """Step S2: warms the program up, and the code of dynamic probes with it.

        Halfway the method that is called most gets a probe for a while, so that the VM has
        compiled what probes call, and has changed a class once.
        """
        part = self._options.warm_up / 4
        self.wait(2 * part)
        calls = self._program.agent.calls()
        busiest = max(calls, key=lambda each: (calls[each][1], each), default=None)
        if busiest is not None and calls[busiest][1]:
            self.insert(busiest)
            self.wait(part)
            self.remove()
        else:
            self.wait(part)
        self.wait(part)
        self._collect()

    def calls_in(self, seconds: float) -> dict[StudiedMethod, int]:
        """Returns how often each method with a static probe was called in a span."""
        before = self._program.agent.calls()
        self.wait(seconds)
        after = self._program.agent.calls()
        return {method: n - before.get(method, (0, 0))[1] for method, (_, n) in after.items()}

    def read(self, methods: Mapping[StudiedMethod, int]) -> Reading:
        """Reads the static samples of methods and the processor time: S3, S6, S8 or S10.

        Args:
            methods: the methods, and their numbers in the study.
        """
        options, agent = self._options, self._program.agent
        known = {number: methods[each] for each, (number, _) in agent.calls().items()
                 if each in methods}  # fmt: skip
        self._collect()
        started_ns, used_ns = time.monotonic_ns(), self._processor_ns()
        self.wait(options.utilization)
        utilization = self._utilization(started_ns, used_ns)
        self.wait(options.reading - (time.monotonic_ns() - started_ns) / 1e9)
        ended_ns = time.monotonic_ns()
        found = agent.samples(self._program.directory / "samples", started_ns, list(known))
        found = found[found[:, 3] <= ended_ns]
        numbers = np.full(max(known, default=0) + 1, -1, np.int64)
        numbers[list(known)] = list(known.values())
        found[:, 0] = numbers[found[:, 0]]
        in_order = np.lexsort((found[:, 2], found[:, 1], found[:, 0]))
        return Reading(started_ns, ended_ns, utilization, found[in_order])

    def insert(self, method: StudiedMethod) -> str | None:
        """Puts a dynamic probe into a method; returns why there is none, or None."""
        self._samples = []
        self._observed = method
        n_changed = self.probes.insert([exact_probe(*method)])
        if n_changed:
            return None
        reasons = [f"{subject}: {reason}" for subject, reason in self.probes.failures]
        return "; ".join(reasons) or "the class is not in the VM"

    def remove(self) -> None:
        """Takes the dynamic probe out."""
        self._keep(self.probes.remove())

    def dynamic_samples(self) -> npt.NDArray[np.int64]:
        """Returns thread, entry and exit of what the last probe measured, ordered by these.

        Of very many the last ones are kept, as in the buffers of static probes.
        """
        found = np.concatenate([np.empty((0, 3), np.int64), *self._samples])
        self._samples, self._observed = [], None
        return found[np.lexsort((found[:, 1], found[:, 0]))]

    def quiet(self, since_ns: int) -> int | None:
        """Waits until the compilers are quiet after a change at some time.

        Returns:
            Nanoseconds from there to the end of the last compilation, 0 if there was none; None if
            the time-out was over before.
        """
        quiet_ns = int(self._options.quiet_span * 1e9)
        timeout_ns = int(self._options.quiet_timeout * 1e9)
        flushed_ns = int(FLUSHED_S * 1e9)
        while True:
            self.wait(_POLL_S)
            self._read_stream()
            told_ns = time.monotonic_ns() - flushed_ns  # all that ended by then was read
            # What is told at once may be ends of before and after a quiet span.
            ends = self.compilations.ends_since(since_ns)
            began_ns = quiet_from(since_ns, ends, told_ns, quiet_ns)
            if began_ns is not None:
                return began_ns - since_ns if began_ns - since_ns <= timeout_ns else None
            if told_ns - since_ns >= timeout_ns:
                return None

    def _keep_samples(self) -> None:
        self._keep(self.probes.samples())

    def _keep(self, found: list[Sample]) -> None:
        rows = [(each.thread_id, each.entry_ns, each.exit_ns) for each in found
                if each.method == self._observed]  # fmt: skip
        if rows:
            self._samples.append(np.array(rows, np.int64))
        n_kept = sum(map(len, self._samples))
        while len(self._samples) > 1 and n_kept - len(self._samples[0]) >= _MOST_SAMPLES:
            n_kept -= len(self._samples.pop(0))

    def _collect(self) -> None:
        """Forces a collection, so that it does not fall into what is measured."""
        answer = run_in_vm(self.vm, "GC.run")
        if "disabled" in answer:
            raise AgentError(
                f"process {self.vm.pid}: the VM collects nothing on demand, since it was started "
                "with -XX:+DisableExplicitGC: start it without that option"
            )

    def _processor_ns(self) -> int | None:
        """Returns the processor time of the VM's process, all threads that it has had."""
        try:
            return time.clock_gettime_ns(~self.vm.pid << 3 | _CPUCLOCK_SCHED)
        except OSError:
            return None

    def _utilization(self, started_ns: int, used_ns: int | None) -> float | None:
        now_ns, all_ns = time.monotonic_ns(), self._processor_ns()
        if used_ns is None or all_ns is None:
            return None
        return min(1.0, (all_ns - used_ns) / (now_ns - started_ns) / self.n_processors)
