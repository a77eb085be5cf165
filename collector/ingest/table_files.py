"""The Parquet files of a run while they are written."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from jvmscope.collector.ingest.batches import BatchDecoder
from jvmscope.collector.ingest.lanes import Lane
from jvmscope.errors import RunError
from jvmscope.schema.definitions import ALWAYS
from jvmscope.schema.parquet import TableWriter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.collector.ingest.frames import Frame
    from jvmscope.schema.definitions import Table
    from jvmscope.schema.table_facts import TableFacts

__all__ = ["TableFiles"]

# Each row of a context has several of these; they are half of the work and have their own thread.
_BIGGEST = "context_block"
_COUNT = struct.Struct("<Q")


class TableFiles:
    """Writes the tables of a stream of frames, one file a table, in two threads.

    Args:
        directory: where to.
        definitions: the tables that may come.
    """

    def __init__(self, directory: Path, definitions: Mapping[str, Table]) -> None:
        self._definitions = definitions
        self._directory = directory
        self._decoders: dict[int, BatchDecoder] = {}
        self._writers: dict[int, TableWriter] = {}
        self._facts: dict[str, TableFacts] = {}
        self._big = Lane("big table")
        self._others = Lane("tables")

    def start(self, frame: Frame) -> None:
        """Starts the table that a TABLE frame describes."""
        decoder = BatchDecoder(frame)
        definition = self._definitions.get(decoder.name)
        if definition is None:
            raise RunError(f"dump: there is no table {decoder.name}")
        path = self._directory / f"{decoder.name}.parquet"
        self._decoders[frame.table] = decoder
        self._writers[frame.table] = TableWriter(path, definition.arrow_schema)

    def write(self, frame: Frame) -> None:
        """Writes the rows of a BATCH frame."""
        decoder, writer = self._of(frame)
        self._lane(decoder).put(lambda: writer.write(decoder.decode(frame)))

    def end(self, frame: Frame) -> None:
        """Ends the table of an END_TABLE frame, which says how many rows it has."""
        decoder, writer = self._of(frame)
        (n_rows,) = _COUNT.unpack_from(frame.payload)

        def close() -> None:
            facts = writer.close()
            if facts.rows != n_rows:
                raise RunError(f"dump: {facts.rows} rows of {decoder.name}, expected {n_rows}")
            self._facts[decoder.name] = facts

        self._lane(decoder).put(close)

    def close(self) -> dict[str, TableFacts]:
        """Waits for the writers and returns the facts of all files, by table.

        Raises:
            RunError: a table that every run has did not come.
        """
        self._big.close()
        self._others.close()
        missing = [
            name
            for name, table in self._definitions.items()
            if table.recorded == ALWAYS and name not in self._facts
        ]
        if missing:
            raise RunError(f"dump: it wrote no table {', '.join(missing)}")
        return {name: self._facts[name] for name in self._definitions if name in self._facts}

    def abandon(self) -> None:
        """Closes all files, which are not to be kept."""
        self._big.abandon()
        self._others.abandon()
        for writer in self._writers.values():
            writer.__exit__(RunError, None, None)

    def _lane(self, decoder: BatchDecoder) -> Lane:
        return self._big if decoder.name == _BIGGEST else self._others

    def _of(self, frame: Frame) -> tuple[BatchDecoder, TableWriter]:
        try:
            return self._decoders[frame.table], self._writers[frame.table]
        except KeyError:
            raise RunError(f"dump: rows of table {frame.table}, which has no description") from None
