"""The status of a recording and the reason for it, decided after it ended or again later.

What a benchmark printed is kept, so an expectation that was added or mended needs no new recording.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from jvmscope.errors import RunError
from jvmscope.schema import MANIFEST_NAME, read_manifest
from jvmscope.suite.recorder import Report
from jvmscope.suite.validating import STDERR, STDOUT, wrong_exit, wrong_output

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.suite import Row, RowStatus
    from jvmscope.suite.planning import Planned
    from jvmscope.suite.storage import Storage

__all__ = ["MESSAGES", "judged", "judged_again"]

MESSAGES = "recorder.txt"
"""What the recording had to say, as the file of the log is called."""


def judged(planned: Planned, row: Row, report: Report, directory: Path, root: Path) -> Row:
    """Returns a row with what is to be thought of its recording, and where that belongs.

    Args:
        planned: what was recorded.
        row: the row so far.
        report: what came of it.
        directory: where it is now.
        root: where the suite is, below which the row's paths are.
    """
    status, reason, is_validated = _verdict(planned, report, directory)
    is_recorded = status == "recorded"
    target = root / f"{row.name}.{'run' if is_recorded else 'failed'}"
    runs = tuple(target / name for name in report.runs) if is_recorded else ()
    return dataclasses.replace(
        row,
        status=status,
        reason=reason,
        run=runs[0] if runs else None,
        runs=runs,
        is_validated=is_validated,
        failure=report.failure,
        unreached=tuple(report.unreached),
        limits=_limits(report, directory) if is_recorded else (),
        log=target / "log",
    )


def judged_again(planned: Planned, row: Row, storage: Storage) -> Row:
    """Returns a finished row as it would be by what is expected now.

    Args:
        planned: what the suite file asks for, of the same identity.
        row: the row; without its log it stays as it is.
        storage: where the row is.

    Raises:
        SuiteError: its log cannot be reached.
    """
    if row.log is None or row.exit is None or row.status == "timeout":
        return row
    with storage.evidence(row.log.parent) as directory:
        log = directory / "log"
        if not all((log / name).is_file() for name in (STDOUT, STDERR, MESSAGES)):
            return row
        messages = (log / MESSAGES).read_text(encoding="utf-8", errors="replace").splitlines()
        report = Report(
            row.exit,
            runs=_runs_in(directory),
            failure=row.failure,
            unreached=list(row.unreached),
            messages=messages,
        )
        return judged(planned, row, report, directory, storage.root)


def _runs_in(directory: Path) -> list[str]:
    """Returns the names of the runs in a directory, in the order of their JVMs; "" is itself."""
    if (directory / MANIFEST_NAME).is_file():
        return [""]
    names = [path.parent.name for path in directory.glob(f"*/{MANIFEST_NAME}")]
    return sorted(names, key=lambda name: (len(name), name))


def _verdict(
    planned: Planned, report: Report, directory: Path
) -> tuple[RowStatus, str | None, bool | None]:
    """Returns the status, its reason, and whether the output was compared with anything."""
    expect, log = planned.expect, directory / "log"
    if report.has_timed_out:
        return "timeout", f"not done after {planned.timeout_s or 0:g} s", None
    failure = _failure(planned, report, directory)
    if failure is not None:
        return "failed", failure, None
    try:
        wrong = wrong_output(expect, log)
    except OSError as error:
        # The recording is kept: what it printed is compared when that can be read again.
        return "failed", f"{error.filename}: cannot be compared: {error.strerror}", None
    if wrong is not None:
        return "invalid", wrong, True
    is_validated = dataclasses.replace(expect, exit=0) != type(expect)()
    manifests = [read_manifest(directory / name) for name in report.runs]
    limits = [limit for each in manifests if each.status == "truncated" for limit in each.limits]
    if any(each.status == "truncated" for each in manifests):
        return "truncated", "; ".join(limits) or "its counts are incomplete", is_validated
    return "recorded", None, is_validated


def _limits(report: Report, directory: Path) -> tuple[str, ...]:
    """Returns what the manifests of some runs say that they lack, each sentence once."""
    manifests = (read_manifest(directory / name) for name in report.runs)
    return tuple(dict.fromkeys(limit for each in manifests for limit in each.limits))


def _failure(planned: Planned, report: Report, directory: Path) -> str | None:
    """Returns why there is no run that could be looked at; None if there is one."""
    if report.error is not None:
        return _last_line(report.error)
    said = _last_line("\n".join(report.messages))
    if report.exit is None:
        return said or "it was not started"
    wrong = wrong_exit(planned.expect, report.exit, directory / "log")
    if wrong is not None:
        return wrong
    if report.failure is not None:
        return _last_line(report.failure)
    try:
        statuses = [read_manifest(directory / name).status for name in report.runs]
    except RunError as error:
        return str(error)
    return None if statuses and "failed" not in statuses else said or "no JVM was recorded"


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
