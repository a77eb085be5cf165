"""The files of a watch run: tables that grow, readable at any moment, in bounded memory.

Rows wait in memory until the next flush, which writes one more file for each table that has rows,
and then the manifest that lists it. So the run is whole at every moment, also after the watcher
was killed. Many small files of one size are merged into one; the small ones stay for a while, for
whoever has the run open. At the end each table is one file, as in a recorded run.
"""

from __future__ import annotations

import shutil
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.schema import TableFacts, TableWriter, write_manifest
from jvmscope.schema.table_facts import PartFacts
from jvmscope.schema.watched import watch_tables
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from jvmscope.schema import Manifest
    from jvmscope.schema.watched import WatchTable

__all__ = ["Store"]

_FAN_IN = 16
"""As many files of about one size become one."""

_KEPT_S = 600.0
"""How long merged files stay for whoever has the run open."""

_READ_ROWS = 1 << 16


class Store:
    """The tables of one watch run, in its directory.

    Args:
        run: the directory, which exists.
        manifest: what is known of the run before anything is seen.
        on_row: called with the name of the table and the row that is appended; None: nothing is.
    """

    def __init__(
        self,
        run: Path,
        manifest: Manifest,
        on_row: Callable[[str, tuple[Any, ...]], None] | None = None,
    ) -> None:
        self._run = run
        self._on_row = on_row
        self._manifest = manifest
        self._tables = {
            name: _GrowingTable(run / "tables", table) for name, table in watch_tables().items()
        }
        self.n_rows = 0
        """The rows that wait for the next flush."""
        self.flush()

    def append(self, table: str, row: tuple[Any, ...]) -> None:
        """Appends a row to a table; its values are in the order of the columns."""
        self._tables[table].rows.append(row)
        self.n_rows += 1
        if self._on_row is not None:
            self._on_row(table, row)

    def append_batch(self, table: str, batch: pa.RecordBatch) -> None:
        """Appends rows to a table that gets its rows in no other way."""
        self._tables[table].batches.append(batch)
        self.n_rows += batch.num_rows

    def flush(self) -> None:
        """Writes what was appended, so that it stays whatever happens to this process."""
        for table in self._tables.values():
            table.flush()
        self.n_rows = 0
        self._write(self._manifest)
        for table in self._tables.values():
            table.remove_merged()

    def finish(self, manifest: Manifest) -> None:
        """Makes one file of each table, and writes the manifest of the whole run."""
        self.flush()
        for table in self._tables.values():
            table.merge_all()
        self._write(manifest)
        for table in self._tables.values():
            table.remove_parts()

    def _write(self, manifest: Manifest) -> None:
        tables = {name: table.facts for name, table in self._tables.items()}
        write_manifest(self._run, replace(manifest, tables=tables))


class _GrowingTable:
    """One table: its rows that wait, and its files.

    Args:
        tables: the directory of the run's tables.
        definition: the table.
    """

    def __init__(self, tables: Path, definition: WatchTable) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.batches: list[pa.RecordBatch] = []
        self._tables = tables
        self._name = definition.name
        self._schema = definition.arrow_schema
        self._parts: list[PartFacts] = []
        self._whole: PartFacts | None = None
        self._merged: deque[tuple[float, PartFacts]] = deque()
        self._n_files = 0
        (tables / f"{self._name}.parts").mkdir(parents=True)

    @property
    def facts(self) -> TableFacts:
        """What the manifest says of the table."""
        columns = tuple(self._schema.names)
        if self._whole is not None:
            return TableFacts(self._whole.rows, self._whole.bytes, self._whole.sha256, columns)
        rows = sum(part.rows for part in self._parts)
        size = sum(part.bytes for part in self._parts)
        return TableFacts(rows, size, "", columns, tuple(self._parts))

    def flush(self) -> None:
        """Writes the rows that wait; a table has a file, if only an empty one."""
        if not self.rows and not self.batches and self._parts:
            return
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self._schema.names)
        arrays = [
            pa.array(values, field.type)
            for values, field in zip(columns, self._schema, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._parts.append(self._written(self._next_name(), [batch, *self.batches]))
        self.rows, self.batches = [], []
        self._merge_equals()

    def merge_all(self) -> None:
        """Makes one file of all."""
        self._whole = self._written(f"{self._name}.parquet", self._batches(self._parts))

    def remove_parts(self) -> None:
        """Removes the files that grew."""
        shutil.rmtree(self._tables / f"{self._name}.parts", ignore_errors=True)

    def remove_merged(self) -> None:
        """Removes the files that were merged long enough ago."""
        while self._merged and time.monotonic() - self._merged[0][0] > _KEPT_S:
            _, part = self._merged.popleft()
            (self._tables / part.file).unlink(missing_ok=True)

    def _merge_equals(self) -> None:
        """Merges the last files, while so many of them are about equally large."""
        while len(self._parts) >= _FAN_IN:
            last = self._parts[-_FAN_IN:]
            if _level(last[0]) > _level(last[-1]):
                return
            self._parts[-_FAN_IN:] = [self._written(self._next_name(), self._batches(last))]
            self._merged.extend((time.monotonic(), part) for part in last)

    def _next_name(self) -> str:
        self._n_files += 1
        return f"{self._name}.parts/{self._n_files:06}.parquet"

    def _batches(self, parts: list[PartFacts]) -> Iterable[pa.RecordBatch]:
        for part in parts:
            with pq.ParquetFile(self._tables / part.file) as file:
                yield from file.iter_batches(_READ_ROWS)

    def _written(self, name: str, batches: Iterable[pa.RecordBatch]) -> PartFacts:
        path = self._tables / name
        with whole_file(path) as partial, TableWriter(partial, self._schema) as writer:
            for batch in batches:
                writer.write(batch)
            facts = writer.close()
        return PartFacts(name, facts.rows, facts.bytes, facts.sha256)


def _level(part: PartFacts) -> int:
    """Returns how often a file's rows would have to be divided to be few.

    >>> [_level(PartFacts("", rows, 0, "")) for rows in (0, 15, 16, 300)]
    [0, 0, 1, 2]
    """
    level, rows = 0, part.rows
    while rows >= _FAN_IN:
        level, rows = level + 1, rows // _FAN_IN
    return level
