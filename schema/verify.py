"""Whether the files of a run are those that its manifest describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.schema.definitions import ALWAYS
from jvmscope.schema.local_paths import local
from jvmscope.schema.manifest import read_manifest
from jvmscope.schema.table_facts import file_sha256
from jvmscope.schema.watched import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.definitions import Table
    from jvmscope.schema.manifest import Manifest
    from jvmscope.schema.table_facts import PartFacts

__all__ = ["verify_run", "wrong_columns", "wrong_table"]


def verify_run(
    run_dir: Path, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> list[str]:
    """Returns what is wrong with the files of a run, one line each; none if nothing is.

    Args:
        run_dir: the run's directory.
        progress: called with the bytes that were checked and those that there are to check.

    Raises:
        RunError: the directory is not a run, or its manifest cannot be read.
    """
    manifest = read_manifest(run_dir)
    total = sum(facts.bytes for facts in manifest.tables.values())
    total += sum(facts.bytes for facts in manifest.files.values())
    done = 0
    problems = _wrong_table_names(run_dir, manifest)
    for name, facts in manifest.tables.items():
        definition = manifest.definitions.get(name)
        for part in facts.files(name):
            path = run_dir / "tables" / part.file
            problems += wrong_table(path, part, facts.columns, definition)
            done += part.bytes
            progress(done, total)
    for name, file in manifest.files.items():
        problems += _wrong_bytes(run_dir / name, file.bytes, file.sha256)
        done += file.bytes
        progress(done, total)
    return problems


def _wrong_table_names(run_dir: Path, manifest: Manifest) -> list[str]:
    problems = []
    if manifest.status != "failed":
        problems = [
            f"{run_dir / 'run.json'}: the table {name} is missing, which every run has"
            for name, table in manifest.definitions.items()
            if table.recorded in (ALWAYS, RECORDED) and name not in manifest.tables
        ]
    on_disk = sorted((run_dir / "tables").glob("*.parquet"))
    strays = [path for path in on_disk if path.stem not in manifest.tables]
    return problems + [f"{path}: the manifest does not list the table" for path in strays]


def wrong_table(
    path: Path,
    facts: PartFacts,
    columns: tuple[str, ...],
    definition: Table | None,
    *,
    is_hashed: bool = True,
) -> list[str]:
    """Says how a table's file differs from what a manifest says of it; nothing if it does not.

    Args:
        path: the file.
        facts: what the manifest says.
        columns: the columns, in order.
        definition: the table; None: it has no definition.
        is_hashed: whether all of its bytes are read for their hash.
    """
    problems = _wrong_bytes(path, facts.bytes, facts.sha256 if is_hashed else None)
    if problems:
        return problems
    try:
        with pq.ParquetFile(local(path)) as file:
            rows, schema = file.metadata.num_rows, file.schema_arrow
    except (OSError, pa.ArrowException) as error:
        return [f"{path}: not a readable Parquet file: {error}"]
    if rows != facts.rows:
        problems.append(f"{path}: has {rows} rows, the manifest says {facts.rows}")
    if tuple(schema.names) != columns:
        problems.append(
            f"{path}: has the columns {', '.join(schema.names)}, but the manifest has others"
        )
    problems += [f"{path}: {problem}" for problem in wrong_columns(definition, schema)]
    return problems


def wrong_columns(definition: Table | None, found: pa.Schema) -> list[str]:
    """Says how the columns of a table's file differ from its definition; nothing if it has none.

    Args:
        definition: the table.
        found: the schema of its Parquet file.
    """
    if definition is None or found.equals(definition.arrow_schema):
        return []
    expected = definition.arrow_schema
    missing = [column for column in expected.names if column not in found.names]
    added = [column for column in found.names if column not in expected.names]
    return [
        *(f"lacks the column {column}" for column in missing),
        *(f"has a column {column}, which is not in the table" for column in added),
        *(
            f"the column {field.name} is {_type(found.field(field.name))}, expected {_type(field)}"
            for field in expected
            if field.name in found.names and not found.field(field.name).equals(field)
        ),
    ] or [f"has its columns in another order: jvmscope show {definition.name}"]


def _type(field: pa.Field[pa.DataType]) -> str:
    return f"{field.type}{'' if field.nullable else ' not null'}"


def _wrong_bytes(path: Path, size: int, sha256: str | None) -> list[str]:
    try:
        found = path.stat().st_size
    except OSError:
        return [f"{path}: the file is missing"]
    if found != size:
        return [f"{path}: has {found} bytes, the manifest says {size}"]
    if sha256 is not None and file_sha256(path) != sha256:
        return [f"{path}: its SHA-256 is not the manifest's: the file was changed"]
    return []
