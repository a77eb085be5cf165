"""The files of a watch run: tables that grow, readable at any moment, in bounded memory.

Rows wait in memory until the next flush, which writes one more file for each table that has rows,
and then the manifest that lists it. So the run is whole at every moment, also after the watcher
was killed. Many small files of one size are merged into one; the small ones stay for a while, for
whoever has the run open. At the end each table is one file, as in a recorded run.

A table has a limited number of rows. When there are more, the older half is folded into time bins
(``folding``), and the names that no row refers to any more, as those of stacks, are left out.
"""

from __future__ import annotations

import shutil
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jvmscope.schema import TableFacts, TableWriter, write_manifest
from jvmscope.schema.local_paths import local
from jvmscope.schema.table_facts import PartFacts
from jvmscope.schema.watched import watch_tables
from jvmscope.watch.folding import Folding
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from jvmscope.schema import Manifest
    from jvmscope.schema.watched import WatchTable

__all__ = ["Limits", "Store"]

_FAN_IN = 16
"""As many files of about one size become one."""

_KEPT_S = 600.0
"""How long merged files stay for whoever has the run open."""

_READ_ROWS = 1 << 16

_NAMES = {"stack_frame": "stack_id", "vm_method": "vm_method_id", "vm_thread": "vm_thread_id"}
"""The tables of what others refer to, an earlier one also to later ones, and their numbers."""


@dataclass(frozen=True)
class Limits:
    """How large a watch run becomes.

    Attributes:
        events: how many rows of a table are kept one by one, at most; the newest.
        bins: how many rows the time bins of a table have, at most, if a few bins suffice for that.
        names: from how many rows on tables of names are looked through for what is not used.
    """

    events: int = 1_000_000
    bins: int = 20_000
    names: int = 1_000_000


class Store:
    """The tables of one watch run, in its directory.

    Args:
        run: the directory, which exists.
        manifest: what is known of the run before anything is seen.
        on_row: called with the name of the table and the row that is appended; None: nothing is.
        limits: how large the tables become.
    """

    def __init__(
        self,
        run: Path,
        manifest: Manifest,
        on_row: Callable[[str, tuple[Any, ...]], None] | None = None,
        limits: Limits = Limits(),
    ) -> None:
        self._run = run
        self._on_row = on_row
        self._manifest = manifest
        self._limits = limits
        self._most_names = self._limits.names
        most_merged = self._limits.events // 8
        self._tables = {
            name: _GrowingTable(run / "tables", table, most_merged if table.binning else None)
            for name, table in watch_tables().items()
        }
        start_ns = manifest.options.get("started_ns", 0)
        self._foldings = {
            name: Folding(table, table.binning, start_ns, self._limits.bins)
            for name, table in watch_tables().items()
            if table.binning is not None
        }
        self.on_names: Callable[[Mapping[str, set[int]]], None] | None = None
        """Called with the numbers of the names that stay, by table, when others are left out."""
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
        for name, folding in self._foldings.items():
            self._fold(self._tables[name], folding)
        if max(self._tables[name].n_rows for name in _NAMES) > self._most_names:
            self._drop_names()
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

    def _fold(self, table: _GrowingTable, folding: Folding) -> None:
        """Folds the older half of the rows of a table that has too many."""
        if table.n_rows <= self._limits.events:
            return
        target = self._tables[folding.target.name]
        rows = table.taken(self._limits.events // 2)
        target.replace_bins(folding.folded(target.bins(), rows))

    def _drop_names(self) -> None:
        """Leaves out the names that no row refers to."""
        kept: dict[str, set[int]] = {}
        for name, number in _NAMES.items():
            used = {number for table in self._tables.values() for number in table.references(name)}
            if name == "vm_thread":
                used |= self._threads_of_samples()
            kept[name] = used
            self._tables[name].keep(number, used)
        most = max(self._tables[name].n_rows for name in _NAMES)
        self._most_names = max(self._limits.names, 2 * most)
        if self.on_names is not None:
            self.on_names(kept)

    def _threads_of_samples(self) -> set[int]:
        """Returns the threads that samples of probes refer to by their numbers in Java."""
        samples = [self._tables[name] for name in ("probe_sample", "probe_sample_bin")]
        numbers = {number for table in samples for number in table.numbers("java_thread_id")}
        rows = self._tables["vm_thread"].rows_of("vm_thread_id", "java_thread_id")
        return {thread for thread, number in rows if number in numbers}

    def _write(self, manifest: Manifest) -> None:
        tables = {name: table.facts for name, table in self._tables.items()}
        write_manifest(self._run, replace(manifest, tables=tables))


class _GrowingTable:
    """One table: its rows that wait, and its files.

    Args:
        tables: the directory of the run's tables.
        definition: the table.
        most_merged: how many rows are merged into a file, at most; None: any number.
    """

    def __init__(self, tables: Path, definition: WatchTable, most_merged: int | None) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.batches: list[pa.RecordBatch] = []
        self._tables = tables
        self._name = definition.name
        self._schema = definition.arrow_schema
        self._columns = definition.columns
        self._most_merged = most_merged
        self._bins: PartFacts | None = None
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
        parts = self._all_parts
        rows, size = sum(part.rows for part in parts), sum(part.bytes for part in parts)
        return TableFacts(rows, size, "", columns, tuple(parts))

    @property
    def n_rows(self) -> int:
        """The rows in files, without those that are bins."""
        return sum(part.rows for part in self._parts)

    @property
    def _all_parts(self) -> list[PartFacts]:
        return [*([self._bins] if self._bins is not None else []), *self._parts]

    def flush(self) -> None:
        """Writes the rows that wait; a table has a file, if only an empty one."""
        if not self.rows and not self.batches and self._all_parts:
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

    def taken(self, n_left: int) -> Iterable[pa.RecordBatch]:
        """Takes the oldest rows out, until as many as there may be are left; yields them."""
        while self.n_rows > n_left:
            part = self._parts.pop(0)
            n_newer = n_left - self.n_rows  # a burst comes in one file
            if n_newer > 0:
                rows = pa.Table.from_batches(self._batches([part]), self._schema)
                n_older = rows.num_rows - n_newer
                newer = self._written(self._next_name(), rows.slice(n_older).to_batches())
                self._parts.insert(0, newer)
                yield from rows.slice(0, n_older).to_batches()
            else:
                yield from self._batches([part])
            self._forget(part)
        if not self._all_parts:
            self._parts.append(self._written(self._next_name(), []))

    def bins(self) -> pa.Table | None:
        """Returns the rows that are bins; None: there are none yet."""
        if self._bins is None:
            return None
        return pa.Table.from_batches(self._batches([self._bins]), self._schema)

    def replace_bins(self, rows: pa.Table) -> None:
        """Writes the rows that are bins in place of those of before."""
        if self._bins is not None:
            self._forget(self._bins)
        self._bins = self._written(self._next_name(), rows.to_batches())

    def references(self, name: str) -> set[int]:
        """Returns the numbers in columns that refer to a table of names."""
        found: set[int] = set()
        for column in self._columns:
            is_stack = name == "stack_frame" != self._name and column.name == _NAMES[name]
            if is_stack or column.references == name:
                found |= self.numbers(column.name)
        return found

    def numbers(self, column: str) -> set[int]:
        """Returns the different numbers in a column."""
        found: set[int] = set()
        for batch in self._batches(self._all_parts, [column]):
            found.update(n for n in pc.unique(batch.column(0)).to_pylist() if n is not None)
        return found

    def rows_of(self, *columns: str) -> Iterable[tuple[Any, ...]]:
        """Yields the values of some columns of each row."""
        for batch in self._batches(self._all_parts, [*columns]):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def keep(self, column: str, numbers: set[int]) -> None:
        """Leaves out the rows that have other numbers in a column."""
        kept = pa.array(sorted(numbers), pa.int32())
        chosen = (
            batch.filter(pc.is_in(batch.column(column), kept))
            for batch in self._batches(self._parts)
        )
        part = self._written(self._next_name(), chosen)
        for each in self._parts:
            self._forget(each)
        self._parts = [part]

    def merge_all(self) -> None:
        """Makes one file of all."""
        self._whole = self._written(f"{self._name}.parquet", self._batches(self._all_parts))

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
            n_rows = sum(part.rows for part in last)
            if _level(last[0]) > _level(last[-1]):
                return
            if self._most_merged is not None and n_rows > self._most_merged:
                return
            self._parts[-_FAN_IN:] = [self._written(self._next_name(), self._batches(last))]
            for part in last:
                self._forget(part)

    def _forget(self, part: PartFacts) -> None:
        """Has a file removed that whoever has the run open may still read."""
        self._merged.append((time.monotonic(), part))

    def _next_name(self) -> str:
        self._n_files += 1
        return f"{self._name}.parts/{self._n_files:06}.parquet"

    def _batches(
        self, parts: list[PartFacts], columns: list[str] | None = None
    ) -> Iterable[pa.RecordBatch]:
        for part in parts:
            with pq.ParquetFile(local(self._tables / part.file)) as file:
                yield from file.iter_batches(_READ_ROWS, columns=columns)

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
