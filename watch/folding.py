"""Folding: rows of a watch run become time bins, so that a long watch has few rows.

A bin has a row for each combination of the values that are kept apart, with the number of rows and
the sums of their values. Times are divided exactly between the bins that they lie in; all else
counts in the bin in which a row ended, or in the first one. When there are too many rows, the bins
become twice as wide, and each new one is the sum of two. When a few wide bins have too many, the
combinations with least time, or fewest rows if these have none, become one, the rest of their bin.
So no step changes a total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.schema.watched import BINNED, watch_tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from jvmscope.schema.watched import Binning, Function, WatchTable

    Numbers = npt.NDArray[np.int64]

__all__ = ["Folding"]

_LEAST_WIDTH_NS = 125_000_000
_MOST_BINS = 512
_LEAST_BINS = 64
"""With more bins than this, they become wider before combinations become the rest."""

_BEFORE = -1
"""The bin of what was before the watch."""

_FEW_ROWS = 4_096
"""How many rows are divided at a time: a long wait lies in many bins."""


class Folding:
    """How rows of one table are folded, and how wide its bins are by now.

    Args:
        table: the table.
        binning: how its rows are put together.
        start_ns: when the watch began, in nanoseconds since 1970.
        most_rows: how many rows the bins have at most, if few bins suffice for that.
    """

    def __init__(self, table: WatchTable, binning: Binning, start_ns: int, most_rows: int) -> None:
        self._binning = binning
        self._is_here = binning.is_here
        self._has_time = ("duration_ns", "sum") in binning.functions
        self.target = table if self._is_here else watch_tables()[f"{table.name}{BINNED}"]
        """The table that has the bins."""
        names = [column.name for column in table.columns]
        self._moment = next(each for each in ("end_ns", "at_ns", "start_ns") if each in names)
        self._has_duration = "duration_ns" in names
        self._start_ns = start_ns
        self._most_rows = most_rows
        self._width_ns = _LEAST_WIDTH_NS
        summed = "" if self._is_here else "total_"
        self._functions: dict[str, Function] = {
            f"{summed}{name}": how for name, how in binning.functions
        }
        self._keys = [*binning.by] if self._is_here else ["is_rest", *binning.by]
        if not self._is_here:
            self._functions["n_events"] = "sum"
        times = () if self._is_here else ("start_ns", "end_ns")
        columns = [(each.name, each.type) for each in self.target.arrow_schema]
        kept = [each for each in columns if each[0] not in times]
        self._schema = pa.schema([*kept, ("bin", pa.int64())])

    def folded(self, before: pa.Table | None, rows: Iterable[pa.RecordBatch]) -> pa.Table:
        """Returns the bins of before, None if there are none, with more rows."""
        found = None if before is None or not before.num_rows else self._numbered(before)
        for batch in rows:
            for at in range(0, batch.num_rows, _FEW_ROWS):
                few = batch.slice(at, _FEW_ROWS)
                found = self._widened(found, few)
                made = self._made(few, is_first=found is None)
                both = made if found is None else pa.concat_tables([found, made])
                found = self._bounded(self._grouped(both))
        return self._timed(found) if found is not None else self.target.arrow_schema.empty_table()

    def _numbered(self, binned: pa.Table) -> pa.Table:
        """Returns bins with their numbers in place of their times."""
        moment = self._moment if self._is_here else "start_ns"
        numbers = self._numbers(binned.column(moment).to_numpy())
        if self._keeps_first:
            numbers[0] = _BEFORE
        return self._plain(binned.append_column("bin", pa.array(numbers)))

    @property
    def _keeps_first(self) -> bool:
        """Whether the first row of all stays: values are differences to it."""
        return "last" in self._functions.values()

    def _numbers(self, times: Numbers) -> Numbers:
        return np.maximum((times - self._start_ns) // self._width_ns, _BEFORE)

    def _made(self, batch: pa.RecordBatch, *, is_first: bool) -> pa.Table:
        """Returns rows as bins that are not put together yet."""
        rows = pa.Table.from_batches([batch])
        if self._is_here:
            numbers = self._numbers(rows.column(self._moment).to_numpy())
            if is_first and self._keeps_first:
                numbers[0] = _BEFORE
            return self._plain(rows.append_column("bin", pa.array(numbers)))
        return self._divided(rows, rows.column(self._moment).to_numpy(), self._ends(rows))

    def _divided(self, rows: pa.Table, starts: Numbers, ends: Numbers) -> pa.Table:
        """Returns a row for each row, which counts it, and one for each bin that it lies in."""
        numbers = np.maximum(self._numbers(ends), 0)
        counted = self._counted(rows, numbers, np.ones_like(numbers), 0 * numbers)
        if not self._has_time:
            return counted
        last = self._numbers(np.maximum(ends - 1, starts))
        first = self._numbers(starts)
        n = last - first + 1
        places = np.repeat(np.arange(n.size), n)
        numbers = np.arange(places.size) - np.repeat(np.cumsum(n) - n, n) + first[places]
        low = np.where(numbers == _BEFORE, starts[places], self._time(numbers))
        high = np.minimum(ends[places], self._time(numbers + 1))
        times = high - np.maximum(low, starts[places])
        lying = self._counted(rows.take(places), numbers, 0 * numbers, times)
        return pa.concat_tables([counted, lying])

    def _time(self, numbers: Numbers) -> Numbers:
        """Returns when bins begin."""
        return self._start_ns + numbers * self._width_ns

    def _counted(
        self, rows: pa.Table, numbers: Numbers, counts: Numbers, times: Numbers
    ) -> pa.Table:
        """Returns rows as bins, with counts and times; other sums have what a row counts."""
        columns: dict[str, Any] = {name: rows.column(name) for name in self._binning.by}
        columns["bin"] = pa.array(numbers)
        columns["is_rest"] = pa.array(np.zeros(numbers.size, bool))
        columns["n_events"] = pa.array(counts)
        for name, _ in self._binning.functions:
            values = rows.column(name)
            nothing = pa.scalar(0, values.type)
            kept = pc.if_else(pa.array(counts == 1), values, nothing)
            columns[f"total_{name}"] = pa.array(times) if name == "duration_ns" else kept
        return self._plain(pa.Table.from_pydict(columns))

    def _plain(self, rows: pa.Table) -> pa.Table:
        """Returns the columns of bins with numbers."""
        return rows.select(self._schema.names).cast(self._schema)

    def _grouped(self, rows: pa.Table) -> pa.Table:
        """Returns one row for each bin and combination of values that are kept apart."""
        asked = [*self._functions.items()]
        groups = rows.group_by(["bin", *self._keys], use_threads=False).aggregate(asked)
        names = {f"{name}_{how}": name for name, how in asked}
        return self._plain(
            groups.rename_columns([names.get(each, each) for each in groups.column_names])
        )

    def _ends(self, rows: pa.Table | pa.RecordBatch) -> Numbers:
        """Returns when rows ended."""
        ends: Numbers = rows.column(self._moment).to_numpy()
        return ends + rows.column("duration_ns").to_numpy() if self._has_duration else ends

    def _widened(self, found: pa.Table | None, rows: pa.RecordBatch) -> pa.Table | None:
        """Makes the bins wide enough for rows, before these are divided.

        The first ones may come late; and after a quiet hour, each wait as long would be divided
        between very many bins.
        """
        while self._ends(rows).max() - self._start_ns > _MOST_BINS * self._width_ns:
            if found is None:
                self._width_ns *= 2
            else:
                found = self._halved(found)
        return found

    def _halved(self, rows: pa.Table) -> pa.Table:
        """Returns bins that are twice as wide."""
        self._width_ns *= 2
        numbers = rows.column("bin").to_numpy()
        halves = pa.array(np.maximum(numbers // 2, _BEFORE))
        return self._grouped(rows.set_column(rows.column_names.index("bin"), "bin", halves))

    def _bounded(self, rows: pa.Table) -> pa.Table:
        """Returns the bins at a resolution, and with as many rows, as there may be."""
        least = 1 if self._is_here else _LEAST_BINS
        while rows.num_rows:
            n_bins = int(rows.column("bin").to_numpy().max()) + 1
            is_too_much = rows.num_rows > self._most_rows and n_bins > least
            if n_bins <= _MOST_BINS and not is_too_much:
                break
            rows = self._halved(rows)
        return rows if self._is_here or rows.num_rows <= self._most_rows else self._with_rest(rows)

    def _with_rest(self, rows: pa.Table) -> pa.Table:
        """Returns for each bin the combinations that matter most, and the rest of it as one."""
        numbers, counts = rows.column("bin").to_numpy(), rows.column("n_events").to_numpy()
        times = rows.column("total_duration_ns").to_numpy() if self._has_time else counts
        most = max(1, self._most_rows // (2 * (int(numbers.max()) + 2)))
        order = np.lexsort((-counts, -times, numbers))
        begins = np.searchsorted(numbers[order], numbers[order])
        is_small = np.empty(order.size, bool)
        is_small[order] = np.arange(order.size) - begins >= most
        is_rest = pa.array(is_small)
        for at, name in enumerate(rows.column_names):
            column = rows.column(name)
            if name == "is_rest":
                rows = rows.set_column(at, name, pc.or_(column, is_rest))
            elif name in self._binning.by and column.type != pa.bool_():
                nothing = pa.scalar(None, column.type)
                rows = rows.set_column(at, name, pc.if_else(is_rest, nothing, column))
        return self._grouped(rows)

    def _timed(self, rows: pa.Table) -> pa.Table:
        """Returns the rows of the table that has the bins, in the order of time."""
        schema = self.target.arrow_schema
        rows = rows.sort_by("bin")
        if not self._is_here:
            starts = self._time(rows.column("bin").to_numpy())
            rows = rows.append_column("start_ns", pa.array(starts))
            rows = rows.append_column("end_ns", pa.array(starts + self._width_ns))
        return rows.select(schema.names).cast(schema)
