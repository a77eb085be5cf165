"""Messages, warnings and progress of a command, all on stderr."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TextIO

from jvmscope.output.standard_streams import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ColorChoice", "Console", "ProgressChoice"]

ColorChoice = Literal["auto", "always", "never"]
ProgressChoice = Literal["auto", "bar", "plain", "none"]


@dataclass(frozen=True)
class Console:
    """The choices of ``-v``, ``-q``, ``--color`` and ``--progress``, and what obeys them."""

    verbosity: int = 0
    color: ColorChoice = "auto"
    progress: ProgressChoice = "auto"

    def say(self, message: str) -> None:
        """Prints a message, unless ``-q`` was given."""
        if self.verbosity >= 0:
            tell(message)

    def detail(self, message: str) -> None:
        """Prints a message if ``-v`` was given."""
        if self.verbosity >= 1:
            tell(message)

    def warn(self, message: str) -> None:
        """Prints a warning, also with ``-q``."""
        tell(f"warning: {message}")

    def error(self, message: str) -> None:
        """Prints an error after which the verb goes on, also with ``-q``."""
        is_placed = ": error: " in message.partition("\n")[0]
        tell(message if is_placed else f"error: {message}")

    def wrote(self, path: Path) -> None:
        """Says that a file was written."""
        self.say(f"Wrote {path}")

    def uses_color(self, stream: TextIO) -> bool:
        """Returns whether to colour what goes to a stream; ``NO_COLOR`` decides for ``auto``."""
        if self.color == "auto":
            return stream.isatty() and not os.environ.get("NO_COLOR")
        return self.color == "always"

    @contextmanager
    def task(self, label: str, *, says_rest: bool = False) -> Iterator[Callable[[int, int], None]]:
        """Shows the progress of one task.

        Args:
            label: what is being done, as ``ingesting``.
            says_rest: a bar shows the time that is left, too.

        Returns:
            A context manager; its value is called with (done, total), total 0 if unknown.
        """
        kind = self.progress_kind
        if kind == "bar":
            with self._bar(label, says_rest=says_rest) as update:
                yield update
            return
        if kind == "plain":
            tell(f"{label} …")
        yield lambda _done, _total: None

    @contextmanager
    def patience(
        self, label: str, after_s: float = 2.0, *, says_rest: bool = False
    ) -> Iterator[Callable[[float], None]]:
        """Shows the progress of a task that takes longer than some seconds, as ``task`` does.

        Args:
            label: what is being done, as ``querying``.
            after_s: how long to say nothing.
            says_rest: a bar shows the time that is left, too.

        Returns:
            A context manager; its value is called with the percentage done, negative if unknown.
        """
        started = time.monotonic()
        with ExitStack() as stack:
            shown: list[Callable[[int, int], None]] = []

            def update(percentage: float) -> None:
                if not shown and time.monotonic() - started >= after_s:
                    shown.append(stack.enter_context(self.task(label, says_rest=says_rest)))
                if shown:
                    shown[0](int(percentage), 100 if percentage >= 0 else 0)

            yield update

    @contextmanager
    def waiting(self, label: str, after_s: float = 2.0) -> Iterator[None]:
        """Shows what is being done if it takes longer than some seconds, as ``task`` does.

        This is for what does not tell how much of it is done, and writes nothing meanwhile.

        Args:
            label: what is being done, as ``comparing``.
            after_s: how long to say nothing.
        """
        is_over = threading.Event()
        showing = threading.Lock()
        with ExitStack() as stack:

            def show() -> None:
                with showing:
                    if not is_over.is_set():
                        stack.enter_context(self.task(label))

            timer = threading.Timer(after_s, show)
            timer.daemon = True
            timer.start()
            try:
                yield
            finally:
                timer.cancel()
                with showing:
                    is_over.set()

    @property
    def progress_kind(self) -> ProgressChoice:
        """How progress is shown here: ``bar``, ``plain`` or ``none``."""
        if self.progress != "auto":
            return self.progress
        if self.verbosity < 0:
            return "none"
        return "bar" if sys.stderr.isatty() else "plain"

    @contextmanager
    def _bar(self, label: str, *, says_rest: bool) -> Iterator[Callable[[int, int], None]]:
        from rich.console import Console as RichConsole  # 40 ms: for what takes long alone
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        times = [TimeElapsedColumn(), *([TimeRemainingColumn()] if says_rest else [])]
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), *times)
        console = RichConsole(file=sys.stderr, no_color=not self.uses_color(sys.stderr))
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(label, total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total or None)
