"""Ingest: the raw directory of one VM becomes the tables and the class files of a run."""

from __future__ import annotations

import shutil
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from jvmscope.collector.ingest.class_files import ClassArchive
from jvmscope.collector.ingest.dump import dumping
from jvmscope.collector.ingest.frames import FrameKind, read_frames
from jvmscope.collector.ingest.lanes import Lane
from jvmscope.collector.ingest.properties import read_vm
from jvmscope.collector.ingest.table_files import TableFiles
from jvmscope.errors import RunError
from jvmscope.schema.manifest import FileFacts, MainFacts, tables_of

if TYPE_CHECKING:
    import io
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.table_facts import TableFacts

__all__ = ["IngestOptions", "IngestResult", "ingest"]

_PROGRESS = struct.Struct("<QQ")


@dataclass(frozen=True)
class IngestOptions:
    """How to ingest. What else was recorded, the raw directory says itself.

    ``has_tree`` says that calls were counted, and class files are kept.
    """

    has_tree: bool = True


@dataclass(frozen=True)
class IngestResult:
    """What ingest made, and what it learnt.

    ``main`` has nulls where the program's ``main`` was not entered or its class is not known.
    ``n_dropped`` nodes were left out because a killed VM had not logged their classes.
    ``unlogged`` says, by the name of the table, how much tables lack or have without its class for
    the same reason: objects, or what the table counts. ``n_without_room`` times there was no
    memory for what is known of a class or an object. ``files`` has the entry ``classes.zip``.
    """

    tables: dict[str, TableFacts]
    files: dict[str, FileFacts]
    main: MainFacts
    n_contexts: int
    n_threads: int
    n_exclusions: int
    n_dropped: int
    unlogged: dict[str, int]
    n_without_room: int
    vm: dict[str, Any] = field(default_factory=dict)


def ingest(
    raw_dir: Path,
    tables_dir: Path,
    classes_zip: Path,
    *,
    java: Path,
    jar: Path,
    options: IngestOptions,
    progress: Callable[[int, int], object],
) -> IngestResult:
    """Writes the tables and ``classes.zip`` of a recording; all of them or none.

    Args:
        raw_dir: what the agent wrote into; its arena is changed, ingesting it again is allowed.
        tables_dir: the directory to make, one file a table; replaced if it exists.
        classes_zip: the archive to write.
        java: ``java`` of the JDK that was recorded: the JDK's class files come from there.
        jar: the agent's jar, which has the dump in it.
        options: how to ingest.
        progress: called with (done, total), in bytes of the arena read, each twice.

    Raises:
        RunError: the raw files cannot be read; the message says which and why.
    """
    partial_tables = tables_dir.with_name(tables_dir.name + ".partial")
    partial_zip = classes_zip.with_name(classes_zip.name + ".partial")
    shutil.rmtree(partial_tables, ignore_errors=True)
    partial_tables.mkdir(parents=True)
    try:
        with dumping(raw_dir, java=java, jar=jar) as stream:
            result = _write(stream, partial_tables, partial_zip, options, progress)
        shutil.rmtree(tables_dir, ignore_errors=True)
        partial_tables.rename(tables_dir)
        if options.has_tree:
            partial_zip.replace(classes_zip)
        else:
            partial_zip.unlink()
    except BaseException:
        shutil.rmtree(partial_tables, ignore_errors=True)
        with suppress(OSError):
            partial_zip.unlink(missing_ok=True)
        raise
    result.vm.update(read_vm(raw_dir / "vm.properties"))
    return result


def _write(
    stream: io.RawIOBase,
    tables_dir: Path,
    classes_zip: Path,
    options: IngestOptions,
    progress: Callable[[int, int], object],
) -> IngestResult:
    tables = TableFiles(tables_dir, tables_of("recorded" if options.has_tree else "native"))
    archive = ClassArchive(classes_zip)
    zipping = Lane("class files")
    try:
        outcome = _dispatch(stream, tables, archive, zipping, progress)
        zipping.close()
        files = {"classes.zip": archive.close()}
        return _result(outcome, tables.close(), files if options.has_tree else {})
    except BaseException:
        zipping.abandon()
        tables.abandon()
        archive.abandon()
        raise


def _dispatch(
    stream: io.RawIOBase,
    tables: TableFiles,
    archive: ClassArchive,
    zipping: Lane,
    progress: Callable[[int, int], object],
) -> dict[str, Any]:
    """Gives each frame to whom it concerns; returns the RESULT frame's content."""
    outcome: dict[str, Any] | None = None
    for frame in read_frames(stream):
        match frame.kind:
            case FrameKind.TABLE:
                tables.start(frame)
            case FrameKind.BATCH:
                tables.write(frame)
            case FrameKind.END_TABLE:
                tables.end(frame)
            case FrameKind.PROGRESS:
                progress(*_PROGRESS.unpack_from(frame.payload))
            case FrameKind.CLASS_FILE:
                zipping.put(partial(archive.write, frame.payload))
            case FrameKind.RESULT:
                outcome = frame.json()
            case FrameKind.ERROR:
                raise RunError(frame.json()["message"])
    if outcome is None:
        raise RunError("dump: ended without a result")
    return outcome


def _result(
    outcome: dict[str, Any], tables: dict[str, TableFacts], files: dict[str, FileFacts]
) -> IngestResult:
    main_context = outcome["main_context"]
    return IngestResult(
        tables=tables,
        files=files,
        main=MainFacts(outcome["main_class"], main_context if main_context >= 0 else None),
        n_contexts=outcome["contexts"],
        n_threads=outcome["threads"],
        n_exclusions=outcome["exclusions"],
        n_dropped=outcome["dropped"],
        unlogged=outcome["unlogged"],
        n_without_room=outcome["without_room"],
    )
