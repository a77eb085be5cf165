"""Where instructions of methods with probes were before the probes came.

The VM tells offsets in the code that it runs, in which instructions have moved. Rows have those of
the class file, as a recorded run does. Which code an event has met is told by its time. An
invocation that began before goes on in the code that it began in; where the call at its offset
names another method than the frame above, the other code is meant.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MovedCode", "MovedMethods"]

_ANY = ""
"""What a dynamic call names: any method may be called by it."""


@dataclass(frozen=True)
class MovedCode:
    """The code of a method with probes.

    Attributes:
        moved: offsets in it, ascending, from which on instructions follow as they did; the last is
            the end of the method's own code.
        before: where these were.
        calls: the names of what is called, by the offsets of the calls before.
    """

    moved: tuple[int, ...]
    before: tuple[int, ...]
    calls: dict[int, str]

    @classmethod
    def parse(cls, spans: str, calls: str) -> MovedCode | None:
        """Reads what the agent tells; None: it does not know.

        >>> MovedCode.parse("8:0 24:12 25:13", "1:a 4:")
        MovedCode(moved=(8, 24, 25), before=(0, 12, 13), calls={1: 'a', 4: ''})
        """
        if not spans:
            return None
        moved, before = zip(*(map(int, each.split(":")) for each in spans.split(" ")), strict=True)
        named = (each.split(":", 1) for each in calls.split(" ") if each)
        return cls(moved, before, {int(at): name for at, name in named})

    def original(self, offset: int) -> int | None:
        """Returns where the instruction at an offset was; None: it belongs to a probe.

        >>> code = MovedCode((8, 24, 25), (0, 12, 13), {})
        >>> [code.original(offset) for offset in (0, 8, 13, 19, 20, 23, 24, 25)]
        [None, 0, 5, 11, None, None, 12, None]
        """
        k = bisect_right(self.moved, offset) - 1
        if k < 0 or k == len(self.moved) - 1:
            return None
        found = self.before[k] + offset - self.moved[k]
        return found if found < self.before[k + 1] else None

    def calls_at(self, offset: int | None, callee: str) -> bool:
        """Tells whether a call at an offset before may lead to a method of a name."""
        return offset is not None and self.calls.get(offset) in (callee, _ANY)


class MovedMethods:
    """The methods that have or had probes, and when."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str, str], list[tuple[int, MovedCode | None]]] = {}
        self._times: list[int] = []

    def note(self, method: tuple[str, str, str], code: MovedCode | None, since_ns: int) -> None:
        """Notes that a method has probes from a time on.

        Args:
            method: class in JVM form, name and descriptor.
            code: its code; None: it is not known, or as it was.
            since_ns: the time, in nanoseconds since 1970.
        """
        history = self._codes.setdefault(method, [])
        if not history or history[-1][1] != code:
            history.append((since_ns, code))
            insort(self._times, since_ns)

    def note_removed(self, at_ns: int) -> None:
        """Notes that all methods have their own code again, from a time on."""
        for method, history in self._codes.items():
            if history[-1][1] is not None:
                self.note(method, None, at_ns)

    def epoch(self, at_ns: int) -> int:
        """Returns a number that is the same for two times if all methods have the same code."""
        return bisect_right(self._times, at_ns)

    def original(
        self, method: tuple[str, str, str], at_ns: int, offset: int | None, callee: str | None
    ) -> int | None:
        """Returns where an instruction is in the class file.

        Args:
            method: class in JVM form, name and descriptor.
            at_ns: when its code was run, in nanoseconds since 1970.
            offset: the offset in that code; None: it is not known.
            callee: the name of the method that it calls; None: it calls none, or is the topmost.

        Returns:
            The offset; None: it is not known, or belongs to a probe.
        """
        history = self._codes.get(method)
        if history is None or offset is None:
            return offset
        k = bisect_right(history, at_ns, key=lambda each: each[0]) - 1
        found = _original(history[k][1] if k >= 0 else None, offset)
        codes = [code for _, code in history if code is not None]
        if callee is None or not codes or codes[0].calls_at(found, callee):
            return found
        others = {_original(code, offset) for code in _distinct([None, *codes])}
        fitting = [each for each in others if codes[0].calls_at(each, callee)]
        return fitting[0] if len(fitting) == 1 else found


def _original(code: MovedCode | None, offset: int) -> int | None:
    return offset if code is None else code.original(offset)


def _distinct(codes: Iterable[MovedCode | None]) -> list[MovedCode | None]:
    found: list[MovedCode | None] = []
    for code in codes:
        if code not in found:
            found.append(code)
    return found
