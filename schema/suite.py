"""A recorded suite: a directory of runs, and ``suite.lock.json``, which says what was run.

    DIR/suite.lock.json          a row for each benchmark, matrix value, JVM and invocation
    DIR/NAME.run/                the run of a row that was recorded
    DIR/NAME.failed/             what is left of a row that was not: its log, and facts if any
    DIR/…/log/suite.json         the row
    DIR/…/log/stdout.txt, …      what the benchmark printed

A row that could not be recorded stays a row, with a status and a reason and no run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args

from jvmscope.errors import SuiteError
from jvmscope.schema.json_text import parse_json
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "LOCK_NAME",
    "ROW_NAME",
    "Row",
    "RowStatus",
    "Suite",
    "is_suite",
    "lock_text",
    "open_suite",
    "read_lock",
    "row_from_json",
    "row_in",
    "row_to_json",
    "write_suite",
]

LOCK_NAME = "suite.lock.json"
ROW_NAME = "log/suite.json"
_VERSION = 1

RowStatus = Literal["recorded", "failed", "timeout", "invalid", "truncated", "missing"]
_STATUSES = get_args(RowStatus)
_Parameter = str | int | float | bool
_LISTS = ("runs", "command", "tags", "unreached", "limits")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "parameters": (dict,),
    "invocation": (int,),
    "identity": (str,),
    "exit": (int, NoneType),
    "is_validated": (bool, NoneType),
    "duration_s": (int, float, NoneType),
}
"""Of entries that are not texts or null."""


@dataclass(frozen=True)
class Row:
    """One invocation of one benchmark, with one set of matrix values, on one JVM.

    Attributes:
        name: unique in the suite; the run's directory is called like it.
        benchmark: the benchmark's name in the suite file.
        status: ``recorded``: the run is whole and what the benchmark printed is as expected,
            where the suite file expects something; ``failed``: it ended with another status than
            expected, or could not be recorded; ``timeout``; ``invalid``: it printed something
            else; ``truncated``: it ended well and its counts are incomplete; ``missing``: it was
            not run yet, or only with another command.
        reason: why it is not recorded, one line; None if it is.
        run: the run's directory; None unless recorded. Of several JVMs, the first one's.
        runs: the runs of all JVMs that the benchmark started, in the order of their start.
        parameters: the values of the matrix, by key, in the order of the suite file.
        jvm: the JVM's name in the suite file; None where that names none.
        invocation: from 1.
        identity: digest of what can change the run's facts: command, JVM, inputs, options.
        command: the words that were run.
        tags: the benchmark's.
        exit: its exit status, 128 + n for a signal n; None if it did not run.
        failure: why a JVM that it started could not be recorded; None if there is none.
        unreached: the launchers and programs of JVMs that it started and that were not recorded.
        limits: what its runs lack although they are whole, such as calls that were folded since
            memory was full, each a sentence; none unless recorded.
        is_validated: whether what it printed was compared with what the suite file expects;
            None if it was not run.
        duration_s: how long the program ran, recorded; None if it did not.
        log: the directory with stdout.txt and stderr.txt; None if it was not run.
        recorded: when it was run, in UTC, as 2026-11-21T09:12:03Z; None if it was not.
    """

    name: str
    benchmark: str
    status: RowStatus
    reason: str | None = None
    run: Path | None = None
    runs: tuple[Path, ...] = ()
    parameters: Mapping[str, _Parameter] = field(default_factory=dict)
    jvm: str | None = None
    invocation: int = 1
    identity: str = ""
    command: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    exit: int | None = None
    failure: str | None = None
    unreached: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    is_validated: bool | None = None
    duration_s: float | None = None
    log: Path | None = None
    recorded: str | None = None


@dataclass(frozen=True)
class Suite:
    """A recorded suite; rows are in the order of the suite file."""

    name: str
    path: Path
    rows: tuple[Row, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else the lock file says: ``suite_file``, ``suite_sha256``, ``tool``, ``started``,
    ``ended``."""


def is_suite(path: str | os.PathLike[str]) -> bool:
    """Whether a directory is a recorded suite."""
    return (Path(path) / LOCK_NAME).is_file()


def open_suite(path: str | os.PathLike[str]) -> Suite:
    """Returns the suite recorded in a directory.

    A row that was finished after the lock file was written is as it says itself: while a suite
    runs, and if it was killed, the lock file may be behind. A row whose run is gone has the
    status ``missing``.

    Raises:
        SuiteError: it is not a suite, or its lock file is damaged or of another version.
    """
    directory = Path(path)
    try:
        text = (directory / LOCK_NAME).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise SuiteError(
            f"{directory}: not a recorded suite: it has no {LOCK_NAME}; "
            "record one: jvmscope suite run SUITE.toml -o DIR"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{directory / LOCK_NAME}: cannot be read: {error}") from None
    suite = read_lock(text, directory)
    rows = tuple(_if_there(_latest(row, directory)) for row in suite.rows)
    return dataclasses.replace(suite, rows=rows)


def read_lock(text: str, directory: Path) -> Suite:
    """Returns the suite that the text of a lock file describes, without looking at its runs.

    Raises:
        SuiteError: the text is damaged or of another version.
    """
    where = str(directory / LOCK_NAME)
    try:
        document = parse_json(text)
    except ValueError as error:
        raise SuiteError(f"{where}: not valid JSON: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("rows"), list):
        raise SuiteError(f"{where}: expected an object with rows")
    if document.get("schema") != _VERSION:
        raise SuiteError(
            f'{where}: "schema" is {document.get("schema")!r}, '
            f"this jvmscope reads version {_VERSION}"
        )
    rows = tuple(row_from_json(row, directory) for row in document.pop("rows"))
    del document["schema"]
    return Suite(str(document.pop("name", directory.name)), directory, rows, document)


def write_suite(suite: Suite) -> None:
    """Writes the lock file of a suite, so that it is the old one or the new one, and whole."""
    target = suite.path / LOCK_NAME
    with whole_file(target) as partial, partial.open("w", encoding="utf-8") as file:
        file.write(lock_text(suite))
        file.flush()
        os.fsync(file.fileno())


def lock_text(suite: Suite) -> str:
    """Returns the text of a suite's lock file, in ASCII."""
    document = {
        "schema": _VERSION,
        "name": suite.name,
        **suite.facts,
        "rows": [row_to_json(row, suite.path) for row in suite.rows],
    }
    return json.dumps(document, indent=1) + "\n"


def row_to_json(row: Row, directory: Path) -> dict[str, Any]:
    """Returns a row as JSON has it: paths are relative to the suite's directory."""
    # A copy that is not deep: of a thousand rows it is made after each recording.
    values = {**vars(row), "parameters": dict(row.parameters)}
    values["run"] = _relative(row.run, directory)
    values["runs"] = [_relative(run, directory) for run in row.runs]
    values["log"] = _relative(row.log, directory)
    return values


def row_from_json(values: object, directory: Path) -> Row:
    """Returns the row that JSON describes; unknown entries are left out.

    Raises:
        SuiteError: an entry is missing or of another type, or leads out of the suite.
    """
    if not isinstance(values, dict):
        raise SuiteError(f"{directory}: a row is {values!r}, expected an object")
    known = {each.name for each in dataclasses.fields(Row)}
    kept = {key: value for key, value in values.items() if key in known}
    if not isinstance(kept.get("name"), str) or not isinstance(kept.get("benchmark"), str):
        raise SuiteError(f"{directory}: a row without name and benchmark: {values!r}")
    if kept.get("status") not in _STATUSES:
        raise SuiteError(
            f"{directory}: {kept['name']}: the status is {kept.get('status')!r}, "
            f"expected one of {', '.join(_STATUSES)}"
        )
    for key, value in kept.items():
        if not _is_typed(key, value):
            raise SuiteError(
                f"{directory}: {kept['name']}: the entry {key!r} is {value!r}, of a wrong type"
            )
    for key in ("name", "run", "log", "runs"):
        _check_path(key, kept, directory)
    for key in ("run", "log"):
        kept[key] = directory / kept[key] if kept.get(key) else None
    kept["runs"] = tuple(directory / run for run in kept.get("runs", ()))
    for key in ("command", "tags", "unreached", "limits"):
        kept[key] = tuple(kept.get(key, ()))
    return Row(**kept)


def row_in(folder: Path, values: object, directory: Path) -> Row:
    """Returns the row that lies in a folder of a suite, with the paths that it has there.

    Args:
        folder: where it lies: what is moved or copied by hand is no other row.
        values: what JSON describes.
        directory: the suite's.

    Raises:
        SuiteError: the row is damaged, or belongs in another folder.
    """
    row = row_from_json(values, directory)
    if folder.name not in (f"{row.name}.run", f"{row.name}.failed"):
        raise SuiteError(f"{folder}: it has the row {row.name}, which belongs elsewhere")
    runs = tuple(folder.joinpath(*run.relative_to(directory).parts[1:]) for run in row.runs)
    return dataclasses.replace(row, run=next(iter(runs), None), runs=runs, log=folder / "log")


def _check_path(key: str, values: Mapping[str, Any], directory: Path) -> None:
    """Refuses names and paths that lead out of the suite."""
    value = values.get(key)
    for text in value if isinstance(value, list | tuple) else (value,):
        parts = PurePosixPath(text or "").parts
        is_inside = ".." not in parts and not (text or "").startswith("/") and "\0" not in str(text)
        if not is_inside or (key == "name" and parts != (text,)):
            raise SuiteError(
                f"{directory}: {values['name']!r}: the entry {key!r} is {text!r}, "
                "which may lead out of the suite"
            )


def _is_typed(key: str, value: object) -> bool:
    """Tells whether an entry of a row has the type that it has in JSON."""
    if key in _LISTS:
        return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    if key == "parameters" and isinstance(value, dict):
        return all(isinstance(item, str | int | float) for item in value.values())
    if isinstance(value, bool) and key != "is_validated":
        return False
    return isinstance(value, _TYPES.get(key, (str, NoneType)))


def _latest(row: Row, directory: Path) -> Row:
    """Returns what a finished row says itself, which may be newer than the lock file."""
    for kind in ("run", "failed"):
        with contextlib.suppress(OSError, ValueError, SuiteError):
            folder = directory / f"{row.name}.{kind}"
            text = (folder / ROW_NAME).read_text(encoding="utf-8")
            found = row_in(folder, parse_json(text), directory)
            if found.identity == row.identity:
                return found
    return row


def _if_there(row: Row) -> Row:
    gone = next((run for run in row.runs if not run.is_dir()), None)
    if gone is None:
        return row
    reason = f"its run {gone.name} is gone"
    return dataclasses.replace(row, status="missing", reason=reason, run=None, runs=())


def _relative(path: Path | None, directory: Path) -> str | None:
    return None if path is None else path.relative_to(directory).as_posix()
