"""The files of a study: parts that appear whole, one for each launch, cycle or end of a launch.

A part is a directory with a Parquet file for each table that it has rows of. It gets its name when
all of them are written, and the manifest lists it after that, so a study that was killed is whole
up to the last part that is listed. One that is not is replaced when the study goes on.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.schema import TableWriter, study_tables
from jvmscope.schema.local_paths import local
from jvmscope.schema.table_facts import PartFacts
from jvmscope.schema.verify import wrong_columns, wrong_table
from jvmscope.watch.study.manifest import part_file, read_study_manifest, write_study_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from jvmscope.schema import TableFacts
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

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest: StudyManifest = read_study_manifest(self.path)
        self._parts = StudyParts(self.path, self.manifest.parts)

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Returns a new database with a view of each table of ``study_tables``.

        The rows of a view come in the order that the table declares. A later part does not appear
        in views of a connection that is open.

        Raises:
            RunError: the parts are not those of the manifest.
        """
        import duckdb

        self.expect_whole()
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

    def expect_whole(self, *, is_hashed: bool = False) -> None:
        """Refuses a study whose parts are not those of its manifest.

        Args:
            is_hashed: whether all bytes are read for their hashes.

        Raises:
            RunError: they are not.
        """
        if problems := self.problems(is_hashed=is_hashed):
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise RunError(
                f"{problems[0]}{more}: the study is damaged; jvmscope check {self.path} says all"
            )

    def problems(self, *, is_hashed: bool = False) -> list[str]:
        """Returns how the parts differ from those of the manifest, one line each; none if not.

        Args:
            is_hashed: whether all bytes are read for their hashes.
        """
        is_complete = self.manifest.state == "complete"
        return self._parts.problems(is_complete=is_complete, is_hashed=is_hashed)


class StudyParts:
    """The parts of a study in a directory.

    Args:
        path: the study's directory.
        listed: the parts that the manifest lists; None: it lists none, as of an earlier jvmscope.
    """

    def __init__(self, path: Path, listed: Sequence[Mapping[str, PartFacts]] | None) -> None:
        self._path = path
        self._folder = path / _PARTS
        self._listed = listed

    def files(self, table: str) -> list[Path]:
        """Returns the files of a table, those of an older part first."""
        if self._listed is None:
            return [file for part in self._whole() if (file := part / f"{table}.parquet").exists()]
        return [self._folder / part[table].file for part in self._listed if table in part]

    def problems(self, *, is_complete: bool, is_hashed: bool) -> list[str]:
        """Returns how the files differ from what is listed; see ``Study.problems``.

        Args:
            is_complete: whether no part may be there that is not listed yet.
            is_hashed: whether all bytes are read for their hashes.
        """
        if self._listed is None:
            return self._unlisted_problems(is_read=is_hashed)
        problems = []
        for part in self._listed:
            for table, facts in part.items():
                definition = study_tables()[table]
                columns = tuple(definition.arrow_schema.names)
                file = self._folder / facts.file
                problems += wrong_table(file, facts, columns, definition, is_hashed=is_hashed)
        n_listed = len(self._listed)
        for path in self._whole():
            number = int(path.name)
            if number < n_listed:
                known = {Path(facts.file).name for facts in self._listed[number].values()}
                problems += [
                    f"{file}: the manifest does not list the file"
                    for file in sorted(path.iterdir())
                    if file.name not in known
                ]
            elif is_complete or number > n_listed:
                problems.append(f"{path}: the manifest does not list the part")
        return problems

    def _unlisted_problems(self, *, is_read: bool) -> list[str]:
        """Returns what can be known of parts that no manifest lists: gaps, and unreadable files."""
        problems = []
        for number, part in enumerate(self._whole()):
            if part.name != f"{number:06}":
                problems.append(f"{self._folder / f'{number:06}'}: the part is missing")
                break
            for file in sorted(part.iterdir()):
                if file.suffix == ".parquet" and file.stem in study_tables():
                    problems += _unreadable(file, is_read=is_read)
        return problems

    def add(
        self,
        manifest: StudyManifest,
        rows: Mapping[str, Sequence[tuple[Any, ...] | pa.RecordBatch]],
    ) -> StudyManifest:
        """Writes a part, which is there wholly or not at all, and the manifest that lists it.

        Args:
            manifest: the manifest of the study so far.
            rows: the rows of tables, each with its values in the order of the columns, or many of
                them as a batch.

        Returns:
            the new manifest.
        """
        number = len(self._whole() if manifest.parts is None else manifest.parts)
        part = self._folder / f"{number:06}"
        partial = part.with_suffix(".partial")
        for left in (partial, part):  # of a process that was killed
            shutil.rmtree(left, ignore_errors=True)
        partial.mkdir(parents=True)
        written = {}
        for name, table_rows in rows.items():
            facts = _write_table(partial / f"{name}.parquet", name, table_rows)
            file = part_file(number, name)
            written[name] = PartFacts(file, facts.rows, facts.bytes, facts.sha256)
        for path in partial.iterdir():
            _sync(path)
        partial.rename(part)
        _sync(self._folder)
        if manifest.parts is not None:
            manifest = replace(manifest, parts=[*manifest.parts, written])
            write_study_manifest(self._path, manifest)
            self._listed = manifest.parts
        return manifest

    def _whole(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.iterdir() if path.name.isdecimal())


def _write_table(
    path: Path, name: str, rows: Sequence[tuple[Any, ...] | pa.RecordBatch]
) -> TableFacts:
    schema = study_tables()[name].arrow_schema
    with TableWriter(path, schema) as writer:
        writer.write(_batch([row for row in rows if not isinstance(row, pa.RecordBatch)], schema))
        for batch in rows:
            if isinstance(batch, pa.RecordBatch):
                writer.write(batch)
        return writer.close()


def _unreadable(file: Path, *, is_read: bool) -> list[str]:
    try:
        with pq.ParquetFile(local(file)) as opened:
            found = opened.schema_arrow
            for _batch_read in opened.iter_batches() if is_read else ():
                pass
    except (OSError, pa.ArrowException) as error:
        return [f"{file}: not a readable Parquet file: {error}"]
    return [f"{file}: {problem}" for problem in wrong_columns(study_tables()[file.stem], found)]


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
