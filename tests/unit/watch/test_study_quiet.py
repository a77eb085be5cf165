"""When the compilers were quiet, of compilations that the VM tells some time after they ended."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from jvmscope.watch.study.compilations import Compilation, Compilations
from jvmscope.watch.study.launch import Launch
from jvmscope.watch.study.options import StudyOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

_S = 1_000_000_000
_FLUSH_S = 1.0


class _Vm:
    """A clock of its own; the VM tells every second which compilations have ended."""

    def __init__(self, ends_s: Sequence[float]) -> None:
        self.now_s = 0.0
        self._untold = list(ends_s)
        self.compilations = object.__new__(Compilations)
        self.compilations._waiting = []

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def read(self) -> None:
        flushed_s = self.now_s // _FLUSH_S * _FLUSH_S
        while self._untold and self._untold[0] <= flushed_s:
            at_ns = round(self._untold.pop(0) * _S)
            self.compilations._waiting.append(Compilation(at_ns, None, None, None, 4))


@pytest.mark.parametrize(
    ("ends_s", "expected"),
    [
        ([0.1, 0.5, 1.4, 1.9], 1.9),
        ([], 0.0),
        ([3.0, 4.0], 0.0),
        ([0.5, 1.0, 3.1, 3.2], 1.0),  # the next one is told as soon as the span is over
        ([0.5 * n for n in range(1, 12)] + [7.6], 5.5),
        ([0.5 * n for n in range(1, 16)] + [9.6], None),
        ([0.5 * n for n in range(1, 40)], None),
    ],
)
def test_a_quiet_span_is_seen_though_a_compilation_came_soon_after_it(
    monkeypatch: pytest.MonkeyPatch, ends_s: list[float], expected: float | None
) -> None:
    vm = _Vm(ends_s)
    monkeypatch.setattr(time, "monotonic_ns", lambda: round(vm.now_s * _S))
    options = StudyOptions.scaled(1.0, {"quiet_span": 2.0, "quiet_timeout": 8.0})
    launch = SimpleNamespace(
        _options=options, wait=vm.wait, _read_stream=vm.read, compilations=vm.compilations
    )

    found = Launch.quiet(cast("Launch", launch), 0)

    assert found == (None if expected is None else round(expected * _S))
