"""A run as its two XML files, ``classes.xml`` and ``cct.xml``."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.schema.definitions import ALWAYS, sums, tables
from jvmscope.schema.json_text import parse_json
from jvmscope.schema.local_paths import local
from jvmscope.schema.manifest import MANIFEST_NAME, SCHEMA_VERSION, read_manifest, tables_digest
from jvmscope.schema.xml.vocabulary import (
    CCT_ROOT,
    CLASSES_ROOT,
    NAMESPACE,
    elements,
    tables_in,
)
from jvmscope.schema.xml.writing.cct import write_threads
from jvmscope.schema.xml.writing.classes import write_classes
from jvmscope.schema.xml.writing.properties import property_lines
from jvmscope.schema.xml.writing.table_cursor import Cursor
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Form", "RunTables", "export_xml"]

Form = Literal["nested", "flat"]
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True)
class RunTables:
    """The tables of one run: their files, their numbers of rows, and a digest of their content."""

    directory: Path
    n_rows: dict[str, int]
    digest: str

    def path(self, table: str) -> Path:
        """Returns the table's file."""
        return self.directory / "tables" / f"{table}.parquet"

    def cursor(self, table: str) -> Cursor:
        """Returns the rows of a recorded table by key, or by their owner's key."""
        element = elements()[table]
        column = f"{table}_id" if element.has_key else element.owner
        assert column is not None  # noqa: S101 - what has neither is read whole
        return Cursor(self.path(table), table, column, is_key=element.has_key)


def export_xml(
    run_dir: str | Path,
    cct: str | Path,
    classes: str | Path,
    form: Form = "nested",
    progress: Callable[[str, int, int], None] | None = None,
) -> None:
    """Writes the XML view of a run in memory that does not grow with it.

    Each file appears under its name only when it is whole; one that exists is replaced.

    Args:
        run_dir: the run.
        cct: the file for the calling context trees.
        classes: the file for the classes and the sums of their counts.
        form: contexts inside their parents (``nested``), or one after the other (``flat``).
        progress: called with a stage, the rows done and the rows in all.

    Raises:
        RunError: the run is damaged, or too deep for the nested form.
        OSError: a file cannot be written.
    """
    report = progress or (lambda _stage, _done, _total: None)
    run_dir, cct, classes = Path(run_dir), Path(cct), Path(classes)
    run = _open_run(run_dir)
    with _whole_file(classes) as out:
        _begin(out, CLASSES_ROOT, run, {}, tables_in(CLASSES_ROOT))
        write_classes(run, out, lambda done: report("classes", done, run.n_rows["class"]))
        out.write(f"</dcg:{CLASSES_ROOT}>\n".encode())
        with _whole_file(cct) as tree:
            _begin(tree, CCT_ROOT, run, {"form": form}, (*tables_in(CCT_ROOT), *sums()))
            for line in property_lines(_properties(run_dir)):
                tree.write(f"{line}\n".encode())
            total = run.n_rows["context"]
            write_threads(run, tree, form, lambda done: report("contexts", done, total))
            tree.write(f"</dcg:{CCT_ROOT}>\n".encode())


def _open_run(run_dir: Path) -> RunTables:
    manifest = read_manifest(run_dir)
    n_rows = {}
    for name in sorted(manifest.tables):
        if name not in tables():
            raise RunError(f"{run_dir}: the table {name} has no form in XML")
        path = run_dir / "tables" / f"{name}.parquet"
        try:
            n_rows[name] = pq.read_metadata(local(path)).num_rows
        except (OSError, pa.ArrowException) as error:
            raise RunError(f"{path}: cannot be read: {error}") from None
    if not n_rows:
        raise RunError(f"{run_dir}: the run has no tables: its status is {manifest.status}")
    for table in tables().values():
        if table.recorded == ALWAYS and table.name not in n_rows:
            raise RunError(f"{run_dir}: {MANIFEST_NAME} does not list the table {table.name}")
    return RunTables(run_dir, n_rows, tables_digest(manifest))


def _properties(run_dir: Path) -> dict[str, Any]:
    """Returns the manifest without what the reader makes again: tables and files."""
    document = parse_json((run_dir / MANIFEST_NAME).read_text(encoding="utf-8"))
    return {name: document[name] for name in document if name not in ("schema", "tables", "files")}


def _begin(
    out: BinaryIO, root: str, run: RunTables, attributes: dict[str, str], names: tuple[str, ...]
) -> None:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    out.write(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    out.write(
        f'<dcg:{root} xmlns:dcg="{NAMESPACE}" schemaVersion="{SCHEMA_VERSION}"'
        f' run="{run.digest}"{more}>\n'.encode()
    )
    for name in names:
        if name in run.n_rows:
            out.write(f'<dcg:table name="{name}" rows="{run.n_rows[name]}"/>\n'.encode())


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yields a file that gets its name at the end, and is removed if there is an error."""
    with whole_file(path) as partial, partial.open("wb", buffering=_BUFFER_BYTES) as file:
        yield file
