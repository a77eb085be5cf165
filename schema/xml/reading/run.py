"""Two XML files as a run."""

from __future__ import annotations

import dataclasses
import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.errors import RunError
from jvmscope.schema.manifest import (
    MANIFEST_NAME,
    SCHEMA_VERSION,
    Manifest,
    read_manifest,
    write_manifest,
)
from jvmscope.schema.xml.reading.cct import CctDocument
from jvmscope.schema.xml.reading.classes import ClassesDocument
from jvmscope.schema.xml.reading.table_files import TableRows
from jvmscope.whole_files import replace_directory, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.schema.table_facts import TableFacts

__all__ = ["import_xml"]


def import_xml(
    cct: str | Path,
    classes: str | Path,
    run_dir: str | Path,
    progress: Callable[[str, int, int], None] | None = None,
    *,
    is_forced: bool = False,
) -> None:
    """Makes a run from its XML view, in memory that does not grow with it.

    The run is made beside its place and renamed when it is whole; after an error nothing is left.

    Args:
        cct: the calling context trees, in either form.
        classes: the classes.
        run_dir: where the run goes.
        progress: called with a stage, the bytes done and the bytes in all.
        is_forced: replace a run that is there already, once the new one is whole.

    Raises:
        RunError: a file is wrong, with its line and reason; or there is something in the way.
    """
    report = progress or (lambda _stage, _done, _total: None)
    cct, classes, run_dir = Path(cct), Path(classes), Path(run_dir)
    partial = run_dir.with_name(f"{run_dir.name}.partial")
    _check_place(run_dir, is_forced=is_forced)
    for path in (cct, classes):
        if not path.is_file():
            raise RunError(f"{path}: {'not a file' if path.exists() else 'there is no such file'}")
    try:
        partial.mkdir(parents=True)
    except FileExistsError:
        raise RunError(
            f"{partial}: exists already: another command is making this run, or one was killed "
            "while it did; remove it"
        ) from None
    except OSError as error:
        raise RunError(f"{partial}: cannot be created: {error.strerror}") from None
    try:
        with unfinished(partial):
            _make_run(cct, classes, partial, report)
            replace_directory(partial, run_dir)
    except OSError as error:
        raise RunError(f"{partial}: cannot be written: {error.strerror or error}") from None


def _check_place(run_dir: Path, *, is_forced: bool) -> None:
    if not run_dir.exists():
        return
    if not is_forced:
        message = f"{run_dir}: exists already; --force replaces it"
        raise RunError(message, in_python={"--force": "is_forced=True"})
    if not (run_dir / MANIFEST_NAME).is_file():
        raise RunError(f"{run_dir}: not a run, so it is not replaced")


def _make_run(
    cct: Path, classes: Path, partial: Path, report: Callable[[str, int, int], None]
) -> None:
    tables_dir = partial / "tables"
    tables_dir.mkdir()
    rows: dict[str, TableRows] = {}
    with ExitStack() as stack:

        def open_rows(table: str) -> TableRows:
            rows[table] = stack.enter_context(TableRows(tables_dir, table))
            return rows[table]

        size = classes.stat().st_size
        static = ClassesDocument(classes, open_rows, lambda n: report("classes", n, size)).read()
        size = cct.stat().st_size
        document = CctDocument(cct, static, open_rows, lambda n: report("contexts", n, size))
        properties = document.read()
        facts = {table: rows[table].close() for table in rows}
    _write_manifest(partial, document, properties, facts)


def _write_manifest(
    partial: Path, document: CctDocument, properties: dict[str, Any], facts: dict[str, TableFacts]
) -> None:
    values = {
        "status": "complete",
        "exclusions": facts["exclusion"].rows,
        **properties,
        "schema": SCHEMA_VERSION,
        "tables": {},
        "files": {},
    }
    # The manifest's own reader checks the values: it names their file, which is not this one.
    path = partial / MANIFEST_NAME
    path.write_text(json.dumps(values), encoding="utf-8")
    where = f"{document.path}:{document.properties.line}"
    try:
        manifest: Manifest = read_manifest(partial)
        path.unlink()
        if manifest.kind != "recorded":
            message = f'the kind of the run is "{manifest.kind}", expected "recorded"'
            raise RunError(f"{path}: {message}")
        context = manifest.main.context_id
        if context is not None and not 0 <= context < facts["context"].rows:
            raise RunError(f"{path}: main.context_id is {context}, but there is no such context")
        write_manifest(partial, dataclasses.replace(manifest, tables=facts))
    except RunError as error:
        raise RunError(f"{where}: error: {str(error).removeprefix(f'{path}: ')}") from None
    except UnicodeEncodeError:
        raise RunError(f"{where}: error: a property holds a lone surrogate") from None
