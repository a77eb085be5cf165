"""Reading a run's tables in key order, a range of keys at a time, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.schema.definitions import tables
from jvmscope.schema.local_paths import local
from jvmscope.schema.xml.arrow import Column
from jvmscope.schema.xml.arrow import compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Cursor", "read_batches"]

_BATCH_ROWS = 65_536


def read_batches(path: Path, table: str) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a table's file as batches.

    Raises:
        RunError: the file is missing or damaged, or its columns are not the table's.
    """
    expected = tables()[table].arrow_schema
    try:
        with pq.ParquetFile(local(path)) as file:
            found = file.schema_arrow
            if found.names != expected.names or found.types != expected.types:
                raise RunError(f"{path}: the columns are not those of the table {table}")
            yield from file.iter_batches(_BATCH_ROWS)
    except (OSError, pa.ArrowException) as error:
        reason = "missing" if isinstance(error, FileNotFoundError) else f"damaged: {error}"
        raise RunError(f"{path}: the table {table} is {reason}") from None


class Cursor:
    """The rows of one table, taken in order of one of its columns.

    Args:
        path: the table's file.
        table: the table's name.
        column: an integer column without nulls by which the rows are sorted.
        is_key: the column is the dense key, so it must count 0, 1, 2, …
    """

    def __init__(self, path: Path, table: str, column: str, *, is_key: bool = False) -> None:
        self.schema = tables()[table].arrow_schema
        self._path = path
        self._table = table
        self._column = column
        self._batches = read_batches(path, table)
        self._rest: pa.RecordBatch | None = None
        self._last = -1
        self._is_key = is_key

    def below(self, limit: int) -> pa.Table:
        """Returns the rows not yet taken whose column is below the limit."""
        taken: list[pa.RecordBatch] = []
        while (batch := self._rest or self._next()) is not None:
            keys = batch.column(self._column)
            if keys[-1].as_py() < limit:
                taken.append(batch)
                self._rest = None
                continue
            n_below = pc.sum(pc.less(keys, limit)).as_py()
            taken.append(batch.slice(0, n_below))
            self._rest = batch.slice(n_below)
            break
        return pa.Table.from_batches(taken, self.schema)

    def finish(self, limit: int) -> None:
        """Checks that nothing is left.

        Raises:
            RunError: a row refers to a key that is not below the limit.
        """
        if (self._rest or self._next()) is not None:
            raise RunError(f"{self._path}: {self._column} refers to a row that does not exist")
        if self._is_key and self._last != limit - 1:
            raise RunError(f"{self._path}: {self._table} has {self._last + 1} rows, not {limit}")

    def _next(self) -> pa.RecordBatch | None:
        for batch in self._batches:
            if batch.num_rows:
                self._check_order(batch.column(self._column))
                return batch
        return None

    def _check_order(self, keys: Column) -> None:
        steps = pc.subtract(keys.slice(1), keys.slice(0, len(keys) - 1))
        first = keys[0].as_py() - self._last
        least, most = (1, 1) if self._is_key else (0, None)
        bounds = pc.min_max(steps).as_py()
        lows = [first if self._last >= 0 or self._is_key else max(first, 0), bounds["min"]]
        highs = [first, bounds["max"]]
        if (
            keys.null_count
            or any(low is not None and low < least for low in lows)
            or (most is not None and any(high is not None and high > most for high in highs))
        ):
            raise RunError(f"{self._path}: the rows are not in order of {self._column}")
        self._last = keys[-1].as_py()
