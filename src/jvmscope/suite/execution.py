"""One recording of a suite, from the order to a finished row, on whatever machine it is made."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.children import child
from jvmscope.collector.launch.jdk import JdkError, jdk_of_launcher
from jvmscope.collector.launch.workspace import clear_abandoned
from jvmscope.errors import JvmscopeError, RunError
from jvmscope.schema import read_manifest
from jvmscope.schema.suite import Row
from jvmscope.suite.judging import MESSAGES, judged
from jvmscope.suite.recorder import Order, Report
from jvmscope.suite.storage import write_row
from jvmscope.suite.validating import STDERR, STDOUT, last_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.schema.suite import RowStatus
    from jvmscope.suite.planning import Planned
    from jvmscope.suite.storage import Storage

__all__ = ["RECORDER", "NotWanted", "record_one", "row_of"]

RECORDER = (sys.executable, "-m", "jvmscope.suite.recorder")
"""The command that takes an order; tests put a stand-in here."""

_POLL_S = 0.25
_RECORDED = "recorded"


class NotWanted(Exception):
    """The suite ended before the recording did; nothing of it is kept."""


def row_of(planned: Planned, identity: str, status: RowStatus, reason: str | None = None) -> Row:
    """Returns a row that says what was planned, and nothing of a run."""
    return Row(
        name=planned.name,
        benchmark=planned.benchmark,
        status=status,
        reason=reason,
        parameters=dict(planned.parameters),
        jvm=planned.jvm,
        invocation=planned.invocation,
        identity=identity,
        command=planned.words,
        tags=planned.tags,
    )


def record_one(
    planned: Planned, identity: str, suite: str, storage: Storage, is_wanted: Callable[[], bool]
) -> Row:
    """Records one benchmark once, in a process of its own, and stores its run.

    Args:
        planned: what to record.
        identity: its identity, for the row.
        suite: the suite's name, for the run's tags.
        storage: where the run goes.
        is_wanted: asked now and then; once it says no, the recording is killed.

    Raises:
        NotWanted: it was killed.
        JvmscopeError: the storage cannot be written.
    """
    with storage.workshop(planned.name) as workshop:
        started = dt.datetime.now(dt.UTC)
        try:
            report = _run_recorder(planned, suite, workshop, is_wanted)
        except NotWanted:
            clear_abandoned()
            raise
        directory = _tidied(workshop, report)
        row = dataclasses.replace(
            row_of(planned, identity, "failed"),
            exit=report.exit,
            duration_s=_duration_s(directory, report),
            recorded=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        row = judged(planned, row, report, directory, storage.root)
        write_row(directory, row, storage.root)
        try:
            storage.keep(directory, row)
        except OSError as error:
            raise JvmscopeError(f"{planned.name}: cannot be stored: {error}") from None
        return row


def _run_recorder(
    planned: Planned, suite: str, workshop: Path, is_wanted: Callable[[], bool]
) -> Report:
    """Runs the recorder to its end; returns its report."""
    ours, theirs = os.pipe()
    try:
        order = _order(planned, suite, workshop, ours)
        (workshop / "order.json").write_text(json.dumps(dataclasses.asdict(order)), "utf-8")
        with contextlib.ExitStack() as stack:
            stdin = planned.stdin or os.devnull
            process = stack.enter_context(
                child(
                    [*RECORDER, str(workshop / "order.json")],
                    stdin=stack.enter_context(Path(stdin).open("rb")),
                    stdout=stack.enter_context((workshop / STDOUT).open("wb")),
                    stderr=stack.enter_context((workshop / STDERR).open("wb")),
                    pass_fds=[ours],
                    start_new_session=True,
                )
            )
            stack.callback(_kill_group, process)
            _wait(process, is_wanted)
    finally:
        os.close(ours)
        os.close(theirs)
    try:
        return Report(**json.loads(Path(order.report).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        words = last_words(workshop / STDERR)
        ended = f"the recorder ended with status {process.returncode}"
        return Report(error=f"{ended}: {words}" if words else ended)


def _order(planned: Planned, suite: str, workshop: Path, life_line: int) -> Order:
    tags = {"suite": suite, "benchmark": planned.benchmark, "invocation": str(planned.invocation)}
    tags |= {key: str(value) for key, value in planned.parameters.items()}
    if planned.jvm is not None:
        tags["jvm"] = planned.jvm
    options: dict[str, Any] = {**planned.options, "timeout_s": planned.timeout_s, "tags": tags}
    return Order(
        words=list(planned.words),
        directory=planned.directory,
        environment=dict(planned.environment),
        home=_home(planned),
        options=options,
        output=str(workshop / _RECORDED),
        report=str(workshop / "report.json"),
        life_line=life_line,
    )


def _home(planned: Planned) -> str | None:
    """Returns the JDK that a program has to find first; None where it may take any."""
    if planned.has_launcher or "/" not in planned.java:
        return None
    try:
        return jdk_of_launcher(planned.java).home
    except JdkError:
        return None


def _wait(process: subprocess.Popen[bytes], is_wanted: Callable[[], bool]) -> None:
    """Waits for the end of the recorder.

    Raises:
        NotWanted: nobody wants the recording any more.
    """
    while True:
        try:
            process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            if not is_wanted():
                raise NotWanted from None
        else:
            return


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills the recorder, if it lives, and what it may have left running."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tidied(workshop: Path, report: Report) -> Path:
    """Returns the directory of what was recorded, with the benchmark's output as its log."""
    directory = workshop / _RECORDED
    log = directory / "log"
    log.mkdir(parents=True, exist_ok=True)
    for name in (STDOUT, STDERR):
        (workshop / name).rename(log / name)
    text = "".join(f"{message}\n" for message in (*report.messages, report.error or "") if message)
    (log / MESSAGES).write_text(text, encoding="utf-8", errors="backslashreplace")
    return directory


def _duration_s(directory: Path, report: Report) -> float | None:
    for name in report.runs:
        with contextlib.suppress(RunError):
            return read_manifest(directory / name).duration_s
    return None
