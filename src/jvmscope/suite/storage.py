"""Where a suite's runs go: a directory, or what ``fsspec`` reaches under a URL.

A row is finished when ``NAME.run/log/suite.json`` or ``NAME.failed/log/suite.json`` is there,
which holds it, with NAME in it. Nothing else decides what a suite that is resumed leaves alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jvmscope.errors import SuiteError
from jvmscope.schema.json_text import parse_json
from jvmscope.schema.suite import ROW_NAME, row_from_json, row_in, row_to_json, write_suite
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from jvmscope.schema.suite import Row, Suite

__all__ = ["KINDS", "LocalStorage", "Storage", "folder_of", "row_text", "storage_of", "write_row"]

KINDS = ("run", "failed")
"""How the names of the directories of rows end: recorded ones, and others."""

_WORK = ".work"
_OLD = ".old-"
"""How the names of directories begin that hold what was replaced; no row is called like that."""


class Storage(Protocol):
    """What keeps the runs of a suite. It can be sent to other machines, which then bring theirs.

    Attributes:
        root: what the paths of rows begin with.
        is_here: what is there can be looked at under these paths.
    """

    root: Path
    is_here: bool

    def exclusive(self) -> AbstractContextManager[Future[None]]:
        """Keeps other suites out; raises SuiteError if one is running there.

        What it lends ends with a SuiteError if another one has come in all the same.
        """

    def finished(self) -> dict[str, Row]:
        """Returns the rows that are finished, by name."""

    def finished_row(self, name: str) -> Row | None:
        """Returns the row of a name if it is finished."""

    def workshop(self, name: str) -> AbstractContextManager[Path]:
        """Lends an empty directory of this machine in which a row is recorded."""

    def keep(self, directory: Path, row: Row) -> None:
        """Moves a directory with a finished row in, in place of what was there of this row."""

    def evidence(self, directory: Path) -> AbstractContextManager[Path]:
        """Lends a directory of this machine with a finished row's log and its runs' manifests."""

    def change(self, directory: Path, row: Row) -> None:
        """Changes the finished row in a directory, and the directory's kind."""

    def write(self, suite: Suite) -> None:
        """Writes the lock file: it is always the old one or the new one."""


def storage_of(location: str) -> Storage:
    """Returns the storage that a path or a URL of ``fsspec`` names.

    Raises:
        SuiteError: a URL, and fsspec is not installed or has no such file system.
    """
    path = location.removeprefix("file://")
    if "://" not in path:
        return LocalStorage(Path(path))
    from jvmscope.suite.remote_storage import remote_storage

    return remote_storage(location)


def write_row(directory: Path, row: Row, root: Path) -> None:
    """Writes a row into the directory that it is about."""
    with whole_file(directory / ROW_NAME) as partial:
        partial.write_text(row_text(row, root), encoding="ascii")


def row_text(row: Row, root: Path) -> str:
    """Returns the text of the file that holds a row, in ASCII."""
    return json.dumps(row_to_json(row, root), indent=1) + "\n"


def folder_of(row: Row) -> str:
    """Returns the name of the directory that a finished row belongs in."""
    return f"{row.name}.{'run' if row.runs else 'failed'}"


class LocalStorage:
    """A directory of this machine, or of one that others see under the same path."""

    is_here = True

    def __init__(self, root: Path) -> None:
        self.root = root

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[Future[None]]:
        """Keeps other suites out; makes the directory and finishes what a killed one began.

        Raises:
            SuiteError: another one is running, or the directory cannot be made.
        """
        lock = self._lock()
        try:
            self._clear()
            yield Future()  # the kernel keeps the lock
        finally:
            self._clear()
            with contextlib.suppress(OSError):
                (self.root / _WORK / "lock").unlink()
                (self.root / _WORK).rmdir()
            os.close(lock)

    def finished(self) -> dict[str, Row]:
        """Returns the rows that are finished, by name."""
        return self._rows("*")

    def finished_row(self, name: str) -> Row | None:
        """Returns the row of a name if it is finished."""
        return self._rows(name).get(name)

    def _rows(self, names: str) -> dict[str, Row]:
        rows = {}
        for kind in reversed(KINDS):
            for path in self.root.glob(f"{names}.{kind}/{ROW_NAME}"):
                with contextlib.suppress(OSError, ValueError, SuiteError):
                    values = parse_json(path.read_text(encoding="utf-8"))
                    row = row_in(path.parents[1], values, self.root)
                    rows[row.name] = row
        return rows

    @contextlib.contextmanager
    def workshop(self, name: str) -> Iterator[Path]:
        """Lends an empty directory in the storage itself, so that keeping is renaming."""
        # A name of its own: on a cluster, one that a killed suite began may still go on.
        work = (self.root / _WORK).absolute()
        work.mkdir(parents=True, exist_ok=True)
        directory = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=work))
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def keep(self, directory: Path, row: Row) -> None:
        """Moves a directory with a finished row in, in place of what was there of this row."""
        replaced = []
        try:
            for kind in KINDS:
                before = self.root / f"{row.name}.{kind}"
                if before.exists():
                    old = Path(tempfile.mkdtemp(prefix=_OLD, dir=self.root / _WORK)) / "replaced"
                    before.rename(old)
                    replaced.append((before, old))
            directory.rename(self.root / folder_of(row))
        except OSError:
            for before, old in replaced:
                old.rename(before)
            raise
        for _, old in replaced:
            shutil.rmtree(old.parent, ignore_errors=True)

    @contextlib.contextmanager
    def evidence(self, directory: Path) -> Iterator[Path]:
        """Lends the directory itself."""
        yield directory

    def change(self, directory: Path, row: Row) -> None:
        """Changes the finished row in a directory, and the directory's kind.

        In between it has the old row in the new place, which is judged and changed once more.
        """
        target = self.root / folder_of(row)
        if directory != target:
            directory.rename(target)
        write_row(target, row, self.root)

    def write(self, suite: Suite) -> None:
        """Writes the lock file: it is always the old one or the new one.

        Raises:
            SuiteError: it cannot be written.
        """
        try:
            write_suite(suite)
        except OSError as error:
            raise SuiteError(f"{self.root}: cannot be written: {error.strerror}") from None

    def _lock(self) -> int:
        """Locks the directory; returns the descriptor that holds the lock.

        Raises:
            SuiteError: somebody else holds it, or the directory cannot be made.
        """
        path = self.root / _WORK / "lock"
        while True:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise SuiteError(f"{self.root}: cannot be created: {error.strerror}") from None
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                message = f"{self.root}: another `jvmscope suite run` is recording there now"
                raise SuiteError(message) from None
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_ino == os.fstat(lock).st_ino:
                    return lock
            os.close(lock)  # whoever held it has just removed it

    def _clear(self) -> None:
        """Keeps the finished rows that a killed suite had not moved in yet; removes the rest."""
        # What was replaced comes back only where nothing took its place.
        for directory in sorted((self.root / _WORK).iterdir(), key=_is_old):
            if directory.name == "lock":
                continue
            for path in directory.glob(f"*/{ROW_NAME}"):
                with contextlib.suppress(OSError, ValueError, SuiteError):
                    row = row_from_json(parse_json(path.read_text(encoding="utf-8")), self.root)
                    if not (_is_old(directory) and self.finished_row(row.name)):
                        self.keep(path.parents[1], row)
            shutil.rmtree(directory, ignore_errors=True)


def _is_old(directory: Path) -> bool:
    return directory.name.startswith(_OLD)
