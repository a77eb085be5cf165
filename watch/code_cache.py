"""The compiled methods in a VM's code cache: which versions there are, where, and until when.

The event stream has each compilation while it is watched. What was compiled before, where the code
is, and when it is gone, the VM says if it is asked for its code list. It writes that anew each
time, 10 to 40 ms for thousands of versions, so that a large one is asked for less often.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.errors import AgentError
from jvmscope.watch.attach import NoAnswerError, run_in_vm
from jvmscope.watch.class_names import jvm_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.watch.machines import JavaVm

    _Row = tuple[int, int, str, int, str, str, str, int, int]

__all__ = ["CodeCache", "CompiledVersion", "changes", "listed", "pause_s"]

_LEAST_PAUSE_S = 4.0
_MOST_PAUSE_S = 60.0
_ENDS_S = 4.0
_SHARE = 0.001  # of a processor, that the VM may spend on the list
_NOT_INSTALLED = "-1"
_VERSION = re.compile(
    r"(?P<id>\d+) (?P<tier>-?\d+) (?P<state>-?\d+) (?P<method>[^(]+)(?P<descriptor>\(\S*)"
    r" \[0x[0-9a-f]+, 0x(?P<begin>[0-9a-f]+) - 0x(?P<end>[0-9a-f]+)\]"
)


class CompiledVersion(NamedTuple):
    """A version of a compiled method, as ``compiled_code`` has it, but for its state."""

    compile_id: int
    tier: int
    class_name: str
    name: str
    descriptor: str
    begin_address: int
    end_address: int


def listed(text: str) -> dict[CompiledVersion, bool]:
    """Returns the versions of a code list, and for each whether it is entered.

    Code that a compiler still fills in (state -1) is no version yet.

    >>> text = "7 3 2 p.A$B.f(J)J [0x0000000000000010, 0x0000000000000020 - 0x0000000000000040]"
    >>> listed(text)
    {CompiledVersion(compile_id=7, tier=3, class_name='p/A$B', name='f', descriptor='(J)J', \
begin_address=32, end_address=64): False}
    """
    found = {}
    for match in map(_VERSION.fullmatch, text.splitlines()):
        if match is not None and match["state"] != _NOT_INSTALLED:
            class_name, _, name = match["method"].rpartition(".")
            version = CompiledVersion(
                int(match["id"]),
                int(match["tier"]),
                jvm_name(class_name) if "/" in class_name else class_name.replace(".", "/"),
                name,
                match["descriptor"],
                int(match["begin"], 16),
                int(match["end"], 16),
            )
            found[version] = match["state"] == "0"
    return found


def changes(
    before: dict[CompiledVersion, bool], now: dict[CompiledVersion, bool]
) -> Iterator[tuple[str, CompiledVersion]]:
    """Yields the states that are new in a code list, in the order of the compilations.

    >>> one, other = (CompiledVersion(n, 4, "A", "f", "()V", 0, 1) for n in (1, 2))
    >>> [(state, each.compile_id) for state, each in changes({one: True}, {other: True})]
    [('gone', 1), ('in use', 2)]
    >>> [state for state, _ in changes({one: True}, {one: False})]
    ['not entered']
    """
    for version in sorted(before.keys() | now.keys()):
        if version not in now:
            yield "gone", version
        elif before.get(version) is not now[version]:
            yield ("in use" if now[version] else "not entered"), version


def pause_s(answered_in_s: float) -> float:
    """Returns how long not to ask after an answer that took so long.

    >>> pause_s(0.002), pause_s(0.038), pause_s(0.5)
    (4.0, 38.0, 60.0)
    """
    return min(max(_LEAST_PAUSE_S, answered_in_s / _SHARE), _MOST_PAUSE_S)


class CodeCache:
    """Asks a VM for its code list again and again, in a thread, until ``end``.

    Args:
        vm: the VM.
    """

    def __init__(self, vm: JavaVm) -> None:
        self._vm = vm
        self._known: dict[CompiledVersion, bool] = {}
        self._rows: deque[_Row] = deque()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._ask, name="code cache", daemon=True)
        self.failure: AgentError | None = None
        """Why the VM has not answered; None while it does."""
        self.read_ns: int | None = None
        """When the VM answered last, since 1970; None: it never did."""

    def begin(self) -> None:
        """Asks for the first time, soon."""
        self._thread.start()

    def rows(self) -> Iterator[_Row]:
        """Yields the rows of ``compiled_code`` that came since this was last called."""
        while self._rows:
            yield self._rows.popleft()

    def end(self, patience_s: float = _ENDS_S) -> None:
        """Asks for the last time; does nothing in a VM that has ended, or does not answer."""
        self._is_over.set()
        if self._thread.is_alive() and self.failure is None:
            self._thread.join(patience_s)
            if self._thread.is_alive():
                self.failure = NoAnswerError(self._vm, patience_s)

    def _ask(self) -> None:
        is_last = False
        while self.failure is None:
            asked = time.monotonic()
            try:
                text = run_in_vm(self._vm, "Compiler.codelist")
            except AgentError as error:  # the VM ends, or its code cache cannot be listed
                self.failure = error
                return
            pause = pause_s(time.monotonic() - asked)
            self._note(listed(text))
            if is_last:
                return
            is_last = self._is_over.wait(pause)

    def _note(self, now: dict[CompiledVersion, bool]) -> None:
        at_ns = self.read_ns = time.time_ns()
        for state, version in changes(self._known, now):
            self._rows.append((at_ns, version.compile_id, state, *version[1:]))
        self._known = now
