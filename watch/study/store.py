"""The files of a study: parts that appear whole, one for each launch, cycle or end of a launch.

A part is a directory with a Parquet file for each table that it has rows of. It gets its name when
all of them are written, so a study that was killed is whole up to its last part.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema import TableWriter, study_tables
from jvmscope.watch.study.manifest import read_study_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import duckdb

    from jvmscope.watch.study.manifest import StudyManifest

__all__ = ["Study", "StudyParts"]

_PARTS = "parts"


class Study:
    """A study in a directory, finished or not.

    Args:
        path: its directory.

    Raises:
        RunError: there is no study.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest: StudyManifest = read_study_manifest(path)
        self._parts = StudyParts(path)

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Returns a new database with a view of each table of ``study_tables``.

        The rows of a view come in the order that the table declares. A later part does not appear
        in views of a connection that is open.
        """
        import duckdb

        connection = duckdb.connect()
        for table in study_tables().values():
            files = self._parts.files(table.name)
            columns = ", ".join(column.name for column in table.columns)
            if files:
                listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
                rows = f"SELECT {columns} FROM read_parquet([{listed}])"
            else:
                nulls = ", ".join(f"NULL::{each.sql_type} AS {each.name}" for each in table.columns)
                rows = f"SELECT {nulls} LIMIT 0"
            connection.execute(f"CREATE VIEW {table.name} AS ({rows}) ORDER BY {table.order}")
        return connection


class StudyParts:
    """The parts of a study in a directory.

    Args:
        path: the study's directory.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path / _PARTS

    def files(self, table: str) -> list[Path]:
        """Returns the files of a table, those of an older part first."""
        return [file for part in self._whole() if (file := part / f"{table}.parquet").exists()]

    def add(self, rows: Mapping[str, Sequence[tuple[Any, ...] | pa.RecordBatch]]) -> None:
        """Writes a part, which is there wholly or not at all.

        Args:
            rows: the rows of tables, each with its values in the order of the columns, or many of
                them as a batch.
        """
        whole = self._whole()
        number = int(whole[-1].name) + 1 if whole else 0
        partial = self._folder / f"{number:06}.partial"
        shutil.rmtree(partial, ignore_errors=True)  # a killed process may have left it
        partial.mkdir(parents=True)
        for name, table_rows in rows.items():
            schema = study_tables()[name].arrow_schema
            with TableWriter(partial / f"{name}.parquet", schema) as writer:
                single = [row for row in table_rows if not isinstance(row, pa.RecordBatch)]
                writer.write(_batch(single, schema))
                for batch in table_rows:
                    if isinstance(batch, pa.RecordBatch):
                        writer.write(batch)
                writer.close()
        for file in partial.iterdir():
            _sync(file)
        partial.rename(self._folder / f"{number:06}")
        _sync(self._folder)

    def _whole(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.iterdir() if path.name.isdecimal())


def _batch(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema.names)
    arrays = [pa.array(values, each.type) for values, each in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _sync(path: Path) -> None:
    """Has the disk hold what was written, since the machine may stop, too."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
