"""The tidy rows of one metric: in memory while they are few, in a file where they are many.

A metric by context has rows for each context, so a large run's do not fit into memory. They are
written to a Parquet file as they come, and read from it a part at a time.
"""

from __future__ import annotations

import itertools
import os
import shutil
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.errors import JvmscopeError
from jvmscope.metrics.sealed_files import read_table, write_tables
from jvmscope.schema.local_paths import local
from jvmscope.temporary_files import temporary_directory
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MOST_ROWS", "Spool", "TidyRows", "gathered"]

MOST_ROWS = 1 << 19
"""Rows that are kept in memory, at most; each takes about a hundred bytes."""

_BATCH_ROWS = 1 << 16
_numbers = itertools.count()


@dataclass(frozen=True)
class TidyRows:
    """Rows in memory or in a file; they go to other processes, too.

    Attributes:
        found: the rows; None: they are in the file.
        path: a Parquet file of them.
    """

    found: pa.Table | None
    path: Path | None = None

    @classmethod
    def of_file(cls, path: Path) -> TidyRows:
        """Returns the rows of a file, which are read at once if they are few.

        Raises:
            OSError: there is no such file.
            ArrowException: it is damaged.
        """
        if pq.read_metadata(local(path)).num_rows > MOST_ROWS:
            return cls(None, path)
        return cls(read_table(path))

    def parts(self) -> Iterator[pa.Table]:
        """Yields the rows, some at a time.

        Raises:
            JvmscopeError: the file cannot be read any more.
        """
        if self.found is not None:
            yield self.found
            return
        assert self.path is not None  # noqa: S101 - there is one or the other
        try:
            with pq.ParquetFile(local(self.path)) as file:
                for batch in file.iter_batches(_BATCH_ROWS):
                    yield pa.Table.from_batches([batch]).replace_schema_metadata()
        except (OSError, pa.ArrowException) as error:
            raise JvmscopeError(f"{self.path}: cannot be read: {error}; delete it") from None

    def table(self) -> pa.Table:
        """Returns all rows in memory."""
        return pa.concat_tables(self.parts())


class Spool:
    """A directory for rows that are many and not kept; it ends with its owner.

    It is made when a file is written, by whatever process.
    """

    def __init__(self) -> None:
        name = f"jvmscope-values-{os.getpid()}-{next(_numbers)}"
        self.folder = Path(temporary_directory()) / name
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def gathered(parts: Iterable[pa.Table], folder: Path, name: str) -> TidyRows:
    """Returns rows that come in parts, at least one.

    Args:
        parts: the rows; all of them share a schema.
        folder: where to write a file if they are many.
        name: the file's.

    Raises:
        JvmscopeError: the file cannot be written.
    """
    coming = iter(parts)
    first: list[pa.Table] = []
    for part in coming:
        first.append(part)
        if sum(each.num_rows for each in first) > MOST_ROWS:
            break
    else:
        return TidyRows(pa.concat_tables(first))
    path = folder / name
    try:
        with whole_file(path, has_rivals=True) as partial:
            _write(partial, itertools.chain(first, coming))
    except OSError as error:
        raise JvmscopeError(f"{path}: cannot be written: {error.strerror or error}") from None
    return TidyRows(None, path)


def _write(path: Path, parts: Iterator[pa.Table]) -> None:
    path.parent.mkdir(exist_ok=True)
    first = next(parts)
    write_tables(path, first.schema, itertools.chain([first], parts))
