"""Runs stored under a URL of ``fsspec``: object stores, other machines, memory."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.workspace import Workspace
from jvmscope.errors import SuiteError
from jvmscope.extras import missing
from jvmscope.schema import MANIFEST_NAME
from jvmscope.schema.json_text import parse_json
from jvmscope.schema.suite import LOCK_NAME, ROW_NAME, lock_text, row_in
from jvmscope.suite.remote_mark import marked
from jvmscope.suite.remote_places import opened, reached
from jvmscope.suite.storage import KINDS, folder_of, row_text, write_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from contextlib import AbstractContextManager

    from jvmscope.schema.suite import Row, Suite
    from jvmscope.suite.storage import Storage

__all__ = ["remote_storage"]


def remote_storage(url: str) -> Storage:
    """Returns the storage under a URL.

    Raises:
        SuiteError: fsspec is not installed, or has no such file system.
    """
    absent = missing("a URL", "fsspec")
    if absent is not None:
        raise SuiteError(f"{url}: {absent}")
    try:
        opened(url)
    except (ImportError, ValueError) as error:
        raise SuiteError(f"{url}: {error}") from None
    return _RemoteStorage(url)


class _RemoteStorage:
    """What it holds is its URL alone, so it can be sent to other machines.

    Attributes:
        root: the empty path: those of rows are relative to the URL.
    """

    root = Path()
    is_here = False

    def __init__(self, url: str) -> None:
        self._url = url

    def exclusive(self) -> AbstractContextManager[Future[None]]:
        """Keeps other suites out by a mark, as such file systems have no locks.

        Raises:
            SuiteError: another one is running.
        """
        return marked(self._url)

    def finished(self) -> dict[str, Row]:
        """Returns the rows that are finished, by name.

        Raises:
            SuiteError: it cannot be reached: no row counts as missing for that.
        """
        return self._rows("*")

    def finished_row(self, name: str) -> Row | None:
        """Returns the row of a name if it is finished."""
        return self._rows(f"{name}.*").get(name)

    def _rows(self, directories: str) -> dict[str, Row]:
        with reached(self._url) as (fs, root):
            paths = fs.glob(f"{root}/{directories}/{ROW_NAME}")
            # All at a time, where the file system can do that.
            texts = fs.cat(paths, on_error="return") if paths else {}
            unread = [each for each in texts.values() if isinstance(each, Exception)]
            for error in unread:
                if not isinstance(error, FileNotFoundError):  # it was removed since it was listed
                    raise error
        rows = {}
        for path in sorted(texts, key=_is_run):
            with contextlib.suppress(ValueError, TypeError, SuiteError):
                folder = self.root / path.removesuffix(f"/{ROW_NAME}").rpartition("/")[2]
                row = row_in(folder, parse_json(texts[path]), self.root)
                rows[row.name] = row
        return rows

    @contextlib.contextmanager
    def workshop(self, name: str) -> Iterator[Path]:
        """Lends a temporary directory; the next recording removes it if this one is killed."""
        with Workspace() as workspace:
            directory = workspace.path / f"{name}-1"
            directory.mkdir()
            yield directory

    def keep(self, directory: Path, row: Row) -> None:
        """Uploads a directory, the row in it last: until then it counts as not there.

        Raises:
            SuiteError: it cannot be uploaded.
        """
        with reached(self._url) as (fs, root):
            target = f"{root}/{folder_of(row)}"
            _remove(fs, target)
            files = [path for path in sorted(directory.rglob("*")) if path.is_file()]
            names = [path.relative_to(directory).as_posix() for path in files]
            for folder in sorted({f"{target}/{name}".rpartition("/")[0] for name in names}):
                fs.makedirs(folder, exist_ok=True)
            facts = [name for name in names if name != ROW_NAME]
            for some in (facts, [ROW_NAME]):
                here = [str(directory / name) for name in some]
                fs.put(here, [f"{target}/{name}" for name in some])
            for kind in KINDS:
                if (other := f"{root}/{row.name}.{kind}") != target:
                    _remove(fs, other)

    @contextlib.contextmanager
    def evidence(self, directory: Path) -> Iterator[Path]:
        """Downloads logs and manifests, not the tables of a run."""
        with Workspace() as workspace:
            here = workspace.path / directory.name
            self._download(directory, here, _is_evidence)
            yield here

    def change(self, directory: Path, row: Row) -> None:
        """Changes the finished row in a directory, and the directory's kind.

        Few of these file systems can rename: a directory of another kind goes up once more.

        Raises:
            SuiteError: it cannot be reached.
        """
        if directory.name == folder_of(row):
            with reached(self._url) as (fs, root):
                fs.pipe_file(f"{root}/{directory}/{ROW_NAME}", row_text(row, self.root).encode())
            return
        with self.workshop(row.name) as workshop:
            here = workshop / directory.name
            self._download(directory, here, lambda _name: True)
            write_row(here, row, self.root)
            self.keep(here, row)

    def _download(self, directory: Path, here: Path, is_wanted: Callable[[str], bool]) -> None:
        """Downloads the files of a directory whose names below it are wanted."""
        with reached(self._url) as (fs, root):
            place = f"{root}/{directory}"
            found = [str(path).removeprefix(f"{place}/") for path in fs.find(place)]
            # What others have put there may have any name.
            names = [name for name in found if ".." not in name.split("/") and is_wanted(name)]
            if names:
                fs.get([f"{place}/{name}" for name in names], [str(here / name) for name in names])

    def write(self, suite: Suite) -> None:
        """Writes the lock file: it is always the old one or the new one."""
        with reached(self._url) as (fs, root):
            partial = f"{root}/{LOCK_NAME}.partial"
            fs.pipe_file(partial, lock_text(suite).encode())
            fs.mv(partial, f"{root}/{LOCK_NAME}")


def _remove(fs: Any, directory: str) -> None:
    """Removes a directory of a row, the row first: what is left of the rest is none."""
    if fs.exists(directory):
        with contextlib.suppress(FileNotFoundError):
            fs.rm_file(f"{directory}/{ROW_NAME}")
        fs.rm(directory, recursive=True)


def _is_evidence(name: str) -> bool:
    """Whether the file of a name below a row's directory is needed to judge the row.

    >>> [_is_evidence(name) for name in ("log/stdout.txt", "a-1.run/run.json", "tables/node")]
    [True, True, False]
    """
    folder, _, file = name.rpartition("/")
    return folder == "log" or (file == MANIFEST_NAME and "/" not in folder)


def _is_run(path: str) -> bool:
    return path.removesuffix(f"/{ROW_NAME}").endswith(".run")
