"""Probes that follow a search while the VM is watched, as Paradyn's: from callers to callees.

The search follows the stacks of one metric: of samples, or of what waits or allocates. It begins
with the first methods of threads. Those on stacks that have enough of the metric get probes. A
method whose calls take enough of the time matters, and the methods that it calls are next. Of a
method that does not return, as main, stacks alone decide. The search ends where no method below
matters, or its budget is spent; then no probe is left.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.schema.hidden_classes import is_hidden
from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["FOLLOWED", "Followed", "Following", "ProbeSearch", "Step"]

Method = tuple[str, str]

_IN_JDK = re.compile(r"(?:java|javax|jdk|sun|com.sun|io.jvmscope)[/.]")
_LEAST_ROWS = 20
_LEAST_NS = 2_000_000_000
"""So much waiting tells where a program waits, also if it was a few times."""

_MOST_KNOWN = 50_000
_STEP_NS = 3_500_000_000
"""How long probes stay at least."""

_TOLD_NS = 1_250_000_000
"""The agent tells once a second what they have counted."""


@dataclass(frozen=True)
class Followed:
    """A metric function whose stacks a search can follow.

    Attributes:
        tables: the tables whose rows have the stacks.
        amount: the column of how much a row is; empty: each row is one.
    """

    tables: tuple[str, ...]
    amount: str = ""

    @property
    def is_time(self) -> bool:
        """Whether rows are times, in nanoseconds."""
        return self.amount == "duration_ns"


FOLLOWED: Mapping[str, Followed] = {
    "samples": Followed(("execution_sample",)),
    "allocated_bytes": Followed(("allocation_sample",), "weight_bytes"),
    "lock_wait_time": Followed(("monitor_enter",), "duration_ns"),
    "object_wait_time": Followed(("monitor_wait",), "duration_ns"),
    "park_time": Followed(("park",), "duration_ns"),
    "sleep_time": Followed(("sleep",), "duration_ns"),
    "file_wait_time": Followed(("file_read", "file_write"), "duration_ns"),
    "socket_wait_time": Followed(("socket_read", "socket_write"), "duration_ns"),
}
"""The metric functions that a search can follow; of ``samples``, those outside of native code."""


@dataclass(frozen=True)
class Following:
    """What a search follows, and how far.

    Attributes:
        budget: how many methods get a probe, at most.
        threshold: the least share of the metric, and of the time, that matters.
        metric: one of ``FOLLOWED``.
    """

    budget: int
    threshold: float = 0.2
    metric: str = "samples"


@dataclass
class Step:
    """A method of the search; the fields are those of the table ``probe_step``."""

    method: Method
    caller: Method | None
    depth: int
    sampled_share: float
    start_ns: int = 0
    n_calls: int = 0
    total_ns: int = 0
    told_ns: int = 0
    has_probe: bool = False

    def row(self, now_ns: int, outcome: str) -> tuple[Any, ...]:
        """Returns the row of ``probe_step``."""
        caller = ".".join(self.caller) if self.caller is not None else None
        end_ns = self._end_ns(now_ns)
        return (
            *(self.start_ns, end_ns, self.depth, *self.method, caller, self.sampled_share),
            *(self.n_calls, self.total_ns, self.share(now_ns), outcome),
        )

    def share(self, now_ns: int) -> float | None:
        """Returns the part of the time that calls took; None: no call ended."""
        if not self.n_calls:
            return None
        return self.total_ns / max(1, self._end_ns(now_ns) - self.start_ns)

    def _end_ns(self, now_ns: int) -> int:
        """Returns until when calls have been told, or might have been."""
        return max(self.start_ns, self.told_ns, now_ns - _TOLD_NS)


@dataclass
class ProbeSearch:
    """The search, on the rows of a watch run as they come.

    Attributes:
        following: how far it goes.
        is_over: whether it has ended.
    """

    following: Following
    is_over: bool = False
    _methods: dict[int, Method] = field(default_factory=dict)
    _stacks: dict[int, list[Method]] = field(default_factory=dict)
    _n_rows: int = 0
    _total: int = 0
    _on_stack: Counter[Method] = field(default_factory=Counter)
    _calls: Counter[tuple[Method | None, Method]] = field(default_factory=Counter)
    _probed: dict[int, Method] = field(default_factory=dict)
    _steps: dict[Method, Step] = field(default_factory=dict)
    _tried: set[Method] = field(default_factory=set)
    _waiting: deque[tuple[Method | None, int]] = field(default_factory=lambda: deque([(None, 0)]))

    def __post_init__(self) -> None:
        """Knows where the tables that it follows have what it needs."""
        followed = FOLLOWED[self.following.metric]
        self._is_time = followed.is_time
        self._read = {table: _reader(table, followed.amount) for table in followed.tables}

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        """Takes a row of a table of the watch run, if it says something to the search."""
        if table == "vm_method":
            self._methods[row[0]] = (row[1], row[2])
        elif table == "stack_frame" and (method := self._methods.get(row[2])) is not None:
            if len(self._stacks) > _MOST_KNOWN:
                self._stacks.clear()
            self._stacks.setdefault(row[0], []).append(method)
        elif (read := self._read.get(table)) is not None:
            stack_id, amount = read(row)
            if stack_id is not None:
                self._charge(self._stacks.get(stack_id, []), amount)
        elif table == "probe_method":
            self._probed[row[0]] = (row[3], row[4])
            if (step := self._steps.get(self._probed[row[0]])) is not None:
                step.has_probe = True
                step.start_ns = max(step.start_ns, row[2])
        elif table == "probe_time":
            step = self._steps.get(self._probed[row[2]])
            if step is not None:
                step.n_calls += row[5]
                step.total_ns += row[7]
                step.told_ns = row[1]

    def forget_method(self, number: int) -> None:
        """Forgets a method of a class that is gone, by its number in the watch run."""
        self._probed.pop(number, None)

    def _charge(self, frames: list[Method], amount: int) -> None:
        """Charges each of the program's methods on a stack, and their calls."""
        program = [each for each in reversed(frames) if _is_followed(each[0])]
        if program and amount:
            self._n_rows += 1
            self._total += amount
            for method in set(program):
                self._on_stack[method] += amount
            for call in set(zip([None, *program], program, strict=False)):
                self._calls[call] += amount

    def _knows_enough(self) -> bool:
        return self._n_rows >= _LEAST_ROWS or (self._is_time and self._total >= _LEAST_NS)

    def next(self, now_ns: int) -> tuple[list[tuple[Any, ...]], Sequence[Method] | None]:
        """Judges methods that had their probes long enough, and chooses the next.

        Returns:
            Rows of ``probe_step``, and the methods that shall have probes; None: as before.
        """
        if self.is_over or not self._knows_enough():
            return [], None
        started = max((step.start_ns for step in self._steps.values()), default=0)
        if now_ns - started < _STEP_NS:
            return [], None
        rows = [self._judged(step, now_ns) for step in self._steps.values()]
        self._steps = {}
        while self._waiting and not self._steps:
            rows += self._begin(*self._waiting.popleft(), now_ns)
        self.is_over = not self._steps
        return rows, list(self._steps)

    def finish(self, now_ns: int) -> list[tuple[Any, ...]]:
        """Ends the search with the watch; returns the rows of methods that were not judged."""
        rows = [step.row(now_ns, "watch ended") for step in self._steps.values()]
        self._steps, self.is_over = {}, True
        return rows

    def unseen(self) -> tuple[str, str] | None:
        """Returns what had no probe, and why, as in table ``unseen``; None: some method had one.

        >>> ProbeSearch(Following(budget=8)).unseen()
        ('probes that follow samples', '0 with methods of the program, and a search begins with 20')
        """
        if self._tried:
            return None
        subject = f"probes that follow {self.following.metric}"
        if self._knows_enough():
            share = f"{self.following.threshold:.0%}"
            return subject, f"no method that threads of the program begin with has {share} of it"
        least = f"{_LEAST_ROWS}, or with 2 s" if self._is_time else str(_LEAST_ROWS)
        known = f"{self._n_rows} with methods of the program"
        return subject, f"{known}, and a search begins with {least}"

    def _judged(self, step: Step, now_ns: int) -> tuple[Any, ...]:
        share = step.share(now_ns)
        outcome = "matters"
        if not step.has_probe:
            outcome = "no probe"
        elif share is None:
            outcome = "no call ended"
        elif share < self.following.threshold:
            outcome = "does not matter"
        if outcome != "does not matter":
            self._waiting.append((step.method, step.depth + 1))
        return step.row(now_ns, outcome)

    def _begin(self, caller: Method | None, depth: int, now_ns: int) -> list[tuple[Any, ...]]:
        """Begins with the methods that a method calls; returns rows of those beyond the budget."""
        least = self.following.threshold * self._total
        called = [
            (n, method)
            for (above, method), n in self._calls.items()
            if above == caller and n >= least and method not in self._tried
        ]
        rows = []
        for _, method in sorted(called, key=lambda each: (-each[0], each[1])):
            share = self._on_stack[method] / self._total
            step = Step(method, caller, depth, share, now_ns)
            if len(self._tried) >= self.following.budget:
                rows.append(step.row(now_ns, "no budget"))
                continue
            self._tried.add(method)
            self._steps[method] = step
        return rows


def _is_followed(class_name: str) -> bool:
    """Tells whether methods of a class get probes: the VM changes no class that is hidden.

    >>> [_is_followed(name) for name in ("app/Main", "java/util/List", "app/Main$$Lambda.0x01")]
    [True, False, False]
    """
    return not _IN_JDK.match(class_name) and not is_hidden(class_name)


def _reader(table: str, amount: str) -> Callable[[tuple[Any, ...]], tuple[int | None, int]]:
    """Returns what finds the stack of a row of a table, and how much the row is."""
    names = [column.name for column in watch_tables()[table].columns]
    stack_at = names.index("stack_id")
    if amount:
        amount_at = names.index(amount)
        return lambda row: (row[stack_at], row[amount_at])
    native_at = names.index("is_native")
    return lambda row: (row[stack_at], int(not row[native_at]))
