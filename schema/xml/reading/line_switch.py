"""Reads contexts line by line where jvmscope wrote them, and by the XML parser elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from jvmscope.schema.xml.reading.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["LineSwitch"]

_THREAD = b"<dcg:thread "
_CONTEXT = b"\n<dcg:context id="
_THREAD_END = b"\n</dcg:thread>"
_LINES_BYTES = 1 << 20


class LineSwitch(Document):
    """The parser gets everything up to a thread's first context, and what is not lines.

    Args:
        path: the file.
        report: called with the bytes read so far.
    """

    def __init__(self, path: Path, report: Callable[[int], None]) -> None:
        super().__init__(path, report)
        self._state: Literal["thread", "context", "lines"] = "thread"  # what is looked for
        self._kept = b""

    @abstractmethod
    def _may_read_lines(self) -> bool:
        """Says whether the kept bytes begin with the first context of a thread."""

    @abstractmethod
    def _read_lines(self, end: int) -> bool:
        """Reads some of the kept bytes; says whether they are lines as jvmscope writes them."""

    @abstractmethod
    def _leave_lines(self) -> None:
        """Brings the parser to where the lines ended: inside the contexts that are open there."""

    def _take(self, chunk: bytes) -> None:
        """Reads contexts in lines where it can, and gives everything else to the parser."""
        self._kept += chunk
        while self._kept and self._take_some():
            pass

    def _take_rest(self) -> None:
        if self._state == "lines":
            self._leave_lines()
        self._give(self._kept)
        self._kept = b""

    def _take_some(self) -> bool:
        """Takes some of the kept bytes; says whether there is more to do without others."""
        if self._state == "lines":
            return self._take_lines()
        mark = _THREAD if self._state == "thread" else _CONTEXT
        at = self._kept.find(mark)
        if at < 0:
            self._give_first(max(0, len(self._kept) - len(mark)))
            return False
        self._give_first(at + 1)
        if self._state == "thread":
            self._state = "context"
        else:
            self._state = "lines" if self._may_read_lines() else "thread"
        return True

    def _give_first(self, n: int) -> None:
        data, self._kept = self._kept[:n], self._kept[n:]
        self._give(data)

    def _take_lines(self) -> bool:
        """Reads the lines up to the end of the thread or of what is there."""
        at = self._kept.find(_THREAD_END)
        if at < 0 and len(self._kept) < _LINES_BYTES:
            return False
        end = at + 1 if at >= 0 else self._kept.rfind(b"\n") + 1
        if not self._read_lines(end) or at >= 0:
            self._state = "thread"
            self._leave_lines()
        return True
