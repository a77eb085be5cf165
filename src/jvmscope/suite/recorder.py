"""The process that records one benchmark: ``python -m jvmscope.suite.recorder ORDER.json``.

It is the first of a process group of its own, with the benchmark's streams as its own, and does
what ``jvmscope record`` does. If whoever started it is gone, it ends itself and all of its group.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
import threading
import traceback
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.workspace import Workspace
from jvmscope.collector.record_options import Messages, RecordOptions
from jvmscope.errors import JvmscopeError
from jvmscope.suite.placeholders import SCRATCH
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Order", "Report", "main"]


@dataclass(frozen=True)
class Order:
    """What to record, as the file ORDER.json has it.

    Attributes:
        words: the command; ``{scratch}`` in it and below stands for a fresh directory.
        home: the JDK that is put first in PATH and JAVA_HOME; None: leave them alone.
        options: the arguments of ``RecordOptions``; lists stand for tuples.
        output: where the run goes.
        report: where the report goes, as JSON.
        life_line: a file descriptor that is at its end once nobody waits for the report.
    """

    words: list[str]
    directory: str
    environment: dict[str, str]
    home: str | None
    options: dict[str, Any]
    output: str
    report: str
    life_line: int


@dataclass
class Report:
    """What came of it.

    Attributes:
        runs: the runs' names below `output`; "" is `output` itself.
        error: why nothing could be recorded; None if the benchmark ran.
        failure: why a JVM that the benchmark started could not be recorded; None if there is none.
        unreached: the launchers and programs of JVMs that it started and that were not recorded.
        messages: what the recording had to say.
    """

    exit: int | None = None
    has_timed_out: bool = False
    runs: list[str] = field(default_factory=list)
    error: str | None = None
    failure: str | None = None
    unreached: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


def main(order_path: Path) -> None:
    """Records what a file orders, and writes the report."""
    order = Order(**json.loads(order_path.read_text(encoding="utf-8")))
    _end_with(order.life_line)
    report = Report()
    try:
        with _scratch(order) as filled:
            _record(filled, report)
    except JvmscopeError as error:
        report.error = str(error)
    except Exception:  # whatever it is, the suite goes on
        report.error = traceback.format_exc()
    with whole_file(Path(order.report)) as partial:
        partial.write_text(json.dumps(dataclasses.asdict(report)), encoding="utf-8")


def _end_with(life_line: int) -> None:
    """Kills this process group once the other end of a pipe is closed."""
    os.set_inheritable(life_line, False)  # noqa: FBT003 - the function takes no keyword

    def wait() -> None:
        os.read(life_line, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _scratch(order: Order) -> Iterator[Order]:
    """Makes the fresh directory, if the order needs one, and fills in its name."""
    texts = [*order.words, order.directory, *order.environment.values()]
    if not any(SCRATCH in text for text in texts):
        yield order
        return
    with Workspace() as workspace:
        scratch = workspace.path / "scratch"
        scratch.mkdir()

        def filled(text: str) -> str:
            return text.replace(SCRATCH, str(scratch))

        yield dataclasses.replace(
            order,
            words=[filled(word) for word in order.words],
            directory=filled(order.directory),
            environment={name: filled(text) for name, text in order.environment.items()},
        )


def _record(order: Order, report: Report) -> None:
    """Records; what comes of it goes into the report.

    Raises:
        JvmscopeError: it could not begin.
    """
    from jvmscope.collector.record import record

    try:
        os.chdir(order.directory)
    except OSError as error:
        raise JvmscopeError(f"directory {order.directory}: {error.strerror}") from None
    here = Path.cwd()  # the program may remove it
    if order.home is not None:
        os.environ["JAVA_HOME"] = order.home
        os.environ["PATH"] = f"{order.home}/bin{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    os.environ.update(order.environment)
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in order.options.items()
    }
    if "probe" in options:
        options["probe"] = Path(options["probe"])
    say = report.messages.append
    messages = Messages(say=say, warn=say, task=_untold, detail=say, is_quiet=True)
    output = Path(order.output)
    chosen = RecordOptions(output=output, **options)
    recorded = record(order.words, chosen, messages, keeps_unread=False)
    report.exit, report.has_timed_out = recorded.exit, recorded.has_timed_out
    report.failure = recorded.failure
    report.unreached = list(recorded.unreached)
    report.runs = [_name_below(here / run, output) for run in recorded.runs]


@contextmanager
def _untold(_label: str) -> Iterator[Callable[[int, int], None]]:
    yield lambda _done, _total: None


def _name_below(run: Path, directory: Path) -> str:
    return "" if run == directory else run.relative_to(directory).as_posix()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
