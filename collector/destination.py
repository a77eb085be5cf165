"""Where runs go: recorded below NAME.partial, renamed when whole."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jvmscope.collector.begun import BEGUN, OF_JVMS
from jvmscope.errors import AgentError, RunError
from jvmscope.whole_files import replace_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from jvmscope.collector.begun import Begun

__all__ = ["PARTIAL", "Destination", "is_held"]

PARTIAL = ".partial"
_LOCK = "lock"
_LEAST_BYTES = 32 << 20
_OWN_NAMES = (_LOCK, "runs", BEGUN)
"""What a recording puts into its partial directory, beside what belongs to JVMs."""


class Destination:
    """The place of one recording's runs.

    With `output`, one JVM's run is that directory, and of several JVMs it is the parent of
    `NAME-<ordinal>.run`. Without, runs are `NAME.run` or `NAME-<ordinal>.run` in `runs`.

    Attributes:
        name: the name of its runs, without a suffix.
        partial: the directory where the recording is made; another recording cannot use it.
    """

    def __init__(self, output: Path | None, runs: Path, name: str, *, is_forced: bool) -> None:
        """Makes nothing yet.

        Raises:
            AgentError: `output` is the root of all directories.
        """
        self.name = name
        self._output = output
        self._runs = runs
        self._is_forced = is_forced
        self._target = Path.cwd() / (output if output is not None else runs / f"{name}.run")
        if not self._target.name:
            raise AgentError(f"{self._target}: expected the path of a new directory")
        self.partial = self._target.with_name(self._target.name + PARTIAL)
        self._lock = -1

    @classmethod
    @contextmanager
    def of_killed(cls, partial: Path, begun: Begun) -> Iterator[Self]:
        """Yields the place of a recording whose process was killed, and removes what is left there.

        Raises:
            RunError: it is still being made, or a run has its name.
        """
        target = Path.cwd() / partial.with_name(partial.name.removesuffix(PARTIAL))
        place = cls(target, target.parent, begun.name, is_forced=False)
        if not begun.has_output:
            place._output = None
        try:
            place._open_lock()
        except OSError as error:
            raise RunError(f"{partial}: cannot be written: {error.strerror}") from None
        try:
            if not place._is_free():
                raise RunError(f"{partial}: it is still being recorded, or recovered")
            for run in (target, *place._numbered()):
                if run.exists():
                    message = f"{run.name} exists already; give it another name first"
                    raise RunError(f"{partial}: {message}")
            yield place
            shutil.rmtree(partial, ignore_errors=True)
        finally:
            os.close(place._lock)

    def __enter__(self) -> Self:
        """Makes the partial directory.

        Raises:
            AgentError: the run exists already, somebody else records to it, or the partial
                directory is not of a recording.
        """
        for target in (self._target, *self._numbered()):
            _check_target(target, is_forced=self._is_forced)
        _check_path(self._target)
        try:
            self._lock_partial()
        except OSError as error:
            raise AgentError(f"{self.partial}: cannot be created: {error.strerror}") from None
        self._take_over()
        self._check_room()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Removes what is left; an interrupted recording stays, as NAME.partial."""
        is_ended = kind is None or issubclass(kind, AgentError)
        if is_ended or not any(self.partial.glob(f"{OF_JVMS[0]}*")):
            shutil.rmtree(self.partial, ignore_errors=True)
        os.close(self._lock)  # last: whoever gets it may use the directory

    def keep(self, directories: Sequence[Path]) -> list[Path]:
        """Gives the finished runs in `directories` their names; returns these, in order."""
        return [_as_seen_from_here(run) for run in self._keep(directories)]

    def _keep(self, directories: Sequence[Path]) -> list[Path]:
        parent = self.partial / "runs"
        is_begun = parent.exists()  # by a recording that was killed before the last had its name
        if not directories and not is_begun:
            return []
        if len(directories) == 1 and not is_begun:
            return [_move(directories[0], self._target)]
        names = [f"{self.name}-{directory.name[4:]}.run" for directory in directories]
        if self._output is None:
            beside = self._target.parent
            return [
                _move(directory, beside / name)
                for directory, name in zip(directories, names, strict=True)
            ]
        parent.mkdir(exist_ok=True)
        for directory, name in zip(directories, names, strict=True):
            directory.rename(parent / name)
        _move(parent, self._target)
        return [self._target / name for name in names]

    def left(self, kept: Sequence[Path]) -> list[Path]:
        """Returns runs that have this recording's name and are of earlier ones, in order.

        Args:
            kept: the names that this one's runs have got.
        """
        if self._output is not None or not kept:
            return []
        named = [path for path in (self._target, *sorted(self._numbered())) if path.exists()]
        return [path for path in map(_as_seen_from_here, named) if path not in kept]

    def _numbered(self) -> list[Path]:
        """Runs that several JVMs of an earlier recording of this name left."""
        if self._output is not None:
            return []
        prefix = f"{self.name}-"
        return [
            path
            for path in self._target.parent.glob("*.run")
            if path.name.startswith(prefix) and path.stem[len(prefix) :].isdigit()
        ]

    def _check_room(self) -> None:
        """Refuses to begin what cannot end well: the smallest program's run needs so much."""
        free = shutil.disk_usage(self.partial).free
        if free >= _LEAST_BYTES:
            return
        os.close(self._lock)
        shutil.rmtree(self.partial, ignore_errors=True)
        raise AgentError(
            f"{self._target.parent}: {free >> 20} MiB are free, a recording needs "
            f"{_LEAST_BYTES >> 20} MiB or more"
        )

    def _lock_partial(self) -> None:
        """Makes the partial directory and locks it."""
        while True:
            self._refuse_foreign()
            self.partial.mkdir(parents=True, exist_ok=True)
            try:
                self._open_lock()
            except FileNotFoundError:  # who had it has removed it meanwhile
                continue
            if not self._is_free():
                os.close(self._lock)
                raise AgentError(f"{self.partial}: another recording writes there now")
            if self._is_there():
                return
            os.close(self._lock)

    def _open_lock(self) -> None:
        self._lock = os.open(self.partial / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def _is_there(self) -> bool:
        """Whether what is locked is in the partial directory: its last holder removes both."""
        try:
            there = (self.partial / _LOCK).stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._lock))

    def _take_over(self) -> None:
        """Empties the partial directory of what an interrupted recording left."""
        for entry in self.partial.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name != _LOCK:
                entry.unlink()

    def _is_free(self) -> bool:
        """Locks the partial directory; False: another process has done so."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _refuse_foreign(self) -> None:
        """Refuses to empty a directory that is somebody else's, whatever its name is."""
        try:
            foreign = [path for path in self.partial.iterdir() if not _is_of_recording(path.name)]
        except (FileNotFoundError, NotADirectoryError):
            return
        if foreign:
            raise AgentError(
                f"{self.partial}: contains {min(foreign).name}, which is not of a recording; "
                f"to record {self._target.name}, move that directory away or choose another name"
            )


def is_held(partial: Path) -> bool:
    """Whether a recording goes on in a partial directory, or is being recovered from it."""
    try:
        lock = os.open(partial / _LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


def _is_of_recording(name: str) -> bool:
    return name in _OWN_NAMES or name.startswith(OF_JVMS)


def _check_path(target: Path) -> None:
    """Refuses a path under which the run could not be opened: DuckDB's paths are UTF-8."""
    text = str(target)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise AgentError(f"{text!r}: a path that is not UTF-8 cannot be used") from None
    if "\n" in text:
        raise AgentError(f"{text!r}: a path with a line break cannot be used")


def _check_target(target: Path, *, is_forced: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not is_forced:
        message = f"{target}: exists already; --force replaces it"
        raise AgentError(message, in_python={"--force": "force=True"})
    if not _holds_runs_only(target):
        message = f"{target}: not a run, so --force does not replace it"
        raise AgentError(message, in_python={"--force": "force=True"})


def _holds_runs_only(target: Path) -> bool:
    """Whether `target` is a run or the parent of runs and of nothing else."""
    from jvmscope.schema.manifest import MANIFEST_NAME  # loads pyarrow, which starts threads

    if (target / MANIFEST_NAME).is_file():
        return True
    return target.is_dir() and all((child / MANIFEST_NAME).is_file() for child in target.iterdir())


def _as_seen_from_here(path: Path) -> Path:
    """The path without the current directory in front."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # COMMAND has removed it
        return path
    return path.relative_to(here) if path.is_relative_to(here) else path


def _move(source: Path, target: Path) -> Path:
    """Renames `source` to `target`, in place of what is there."""
    replace_directory(source, target)
    return target
