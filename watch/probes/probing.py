"""The probes of one watch: checked, put in, read, and taken out again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from jvmscope.errors import AgentError
from jvmscope.watch.probes.link import AgentLink
from jvmscope.watch.probes.tokens import probe_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm
    from jvmscope.watch.probes.probe import Probe

    Append = Callable[[str, tuple[Any, ...]], None]

__all__ = ["Probing"]

_REMOVED_S = 60.0
_PARTS = 8
"""Each power of two of a histogram has as many buckets; as ``Stats`` of the agent."""


class Probing:
    """Probes in a VM.

    Args:
        vm: the VM.
        jar: the agent's jar.
        probes: what is measured; at least one probe.
        has_callers: whether invocations are told apart by their callers.

    Raises:
        AgentError: the VM does not take the agent.
        QueryError: a condition does not fit a method; no probe was put in.
    """

    def __init__(
        self, vm: JavaVm, jar: Path, probes: Sequence[Probe], *, has_callers: bool
    ) -> None:
        self._pid = vm.pid
        self._probes = probes
        self._methods: dict[str, int] = {}
        self._callers: dict[str, int] = {}
        self._is_removed = False
        self._failure: str | None = None
        self._link = AgentLink(vm, jar)
        try:
            self._check(has_callers=has_callers)
        except BaseException:
            self._link.close()
            raise

    def _check(self, *, has_callers: bool) -> None:
        for number, probe in enumerate(self._probes):
            self._link.send(probe.fields(number, has_callers=has_callers))
        self._link.send(["check"])
        kind, *rest = self._link.answer("checked", "wrong")
        if kind == "wrong":
            wrong, column, length, message = rest
            text = self._probes[int(wrong)].text
            raise probe_error(text, int(column) - 1, int(length), message, None)

    def insert(self, append: Append) -> None:
        """Has the probes put in; appends a row for each.

        Args:
            append: appends a row to a table of the watch run.
        """
        for number, probe in enumerate(self._probes):
            append("probe", (number, probe.text))
        self._link.send(["insert"])

    def take(self, append: Append) -> None:
        """Appends the rows of what has come from the VM."""
        for message in self._link.received():
            self._append(message, append)

    def remove(self, append: Append) -> AgentError | None:
        """Takes the probes out, and appends the last rows; returns what went wrong, or None.

        Where the VM has ended there is nothing to take out.
        """
        self._link.send(["remove"])
        ends = time.monotonic() + _REMOVED_S
        while not self._is_removed and not self._link.is_over and time.monotonic() < ends:
            self._link.wait(ends - time.monotonic())
            self.take(append)
        self.take(append)
        self._link.close()
        if self._failure is not None:
            message = f"process {self._pid}: the agent in the VM failed: {self._failure}"
            return AgentError(message)
        if self._is_removed or self._link.is_over:
            return None
        return AgentError(f"process {self._pid}: the VM did not say that the probes are out")

    def close(self) -> None:
        """Lets go of the VM, which takes out what is in."""
        self._link.close()

    def _append(self, message: list[str], append: Append) -> None:
        kind, *rest = message
        if kind == "method":
            number, probe, name, method, descriptor, loader, at_ns = rest
            self._methods[number] = len(self._methods)
            row = (self._methods[number], int(probe), int(at_ns), name, method, descriptor)
            append("probe_method", (*row, loader or None))
        elif kind == "caller":
            number, name, method = rest
            self._callers[number] = len(self._callers)
            append("probe_caller", (self._callers[number], name or None, method))
        elif kind == "failure":
            append("unseen", (f"probe in {rest[0]}", rest[1]))
        elif kind == "time":
            self._append_times(rest, append)
        elif kind == "removed":
            self._is_removed = True
        elif kind == "failed":
            append("unseen", ("probes", f"the agent in the VM failed: {rest[0]}"))
            self._failure = rest[0]

    def _append_times(self, fields: list[str], append: Append) -> None:
        start, end, method, caller, is_thrown, total, least, most, *counts = fields
        key = (self._methods[method], self._callers.get(caller), is_thrown == "1")
        buckets = list(zip(map(int, counts[::2]), map(int, counts[1::2]), strict=True))
        n_calls = sum(n for _, n in buckets)
        times = (n_calls, int(total), int(least), int(most))
        append("probe_time", (int(start), int(end), *key, *times))
        for bucket, n in buckets:
            append("probe_histogram", (int(end), *key, *_bounds(bucket), n))


def _bounds(bucket: int) -> tuple[int, int]:
    """Returns the least duration of a bucket, and the least one of the next.

    >>> _bounds(0), _bounds(7), _bounds(8), _bounds(17), _bounds(487)
    ((0, 1), (7, 8), (8, 9), (18, 20), (8646911284551352320, 9223372036854775807))
    """
    return _least(bucket), min(_least(bucket + 1), (1 << 63) - 1)


def _least(bucket: int) -> int:
    power, part = divmod(bucket, _PARTS)
    return bucket if power == 0 else (_PARTS + part) << (power - 1)
