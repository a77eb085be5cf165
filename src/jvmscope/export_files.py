"""Exports to files, which appear under their names when they are whole."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, QueryError, did_you_mean
from jvmscope.output import check_replaceable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmscope.queries import Engine

__all__ = ["EXPORT_FORMATS", "WHOLE_RUN", "export_run", "new_file"]

WHOLE_RUN = ("xml", "duckdb")
"""The formats that hold all tables, and so neither weigh nor leave out anything."""

EXPORT_FORMATS = ("xml", "collapsed", "speedscope", "pprof", "firefox", "csv", "duckdb")


def export_run(
    engine: Engine,
    kind: str,
    path: Path,
    *,
    is_forced: bool = False,
    on_progress: Callable[[float], None] | None = None,
    **options: Any,
) -> tuple[Path, ...]:
    """Writes a run in another format.

    Args:
        engine: the run.
        kind: one of ``EXPORT_FORMATS``.
        path: the file; of ``xml`` the directory for its two files.
        is_forced: whether files that exist are replaced.
        on_progress: called with the percentage done, now and then.
        options: what ``export_tree`` takes; of ``xml`` its ``form``, of ``duckdb`` nothing.

    Returns:
        The files that were written.

    Raises:
        JvmscopeError: there is no such format, a file exists or cannot be written.
        QueryError: an option does not fit the format, or has no such value.
        LimitReached: the database needs more memory than it may have.
    """
    progress = on_progress or (lambda _percentage: None)
    if kind == "xml":
        return _export_xml(engine, path, is_forced=is_forced, progress=progress, **options)
    if kind not in EXPORT_FORMATS:
        hint = did_you_mean(kind, EXPORT_FORMATS) or f"formats: {', '.join(EXPORT_FORMATS)}"
        raise QueryError(f"there is no format {kind!r}", path="export", hint=hint)
    with new_file(path, is_forced=is_forced) as partial:
        if kind == "duckdb":
            from jvmscope.reports.exports.database import write_database

            write_database(engine, partial, progress, **options)
        else:
            from jvmscope.reports.exports import export_tree

            with partial.open("wb") as out:
                export_tree(engine, kind, out, on_progress=progress, **options)
    return (path,)


@contextmanager
def new_file(path: Path, *, is_forced: bool) -> Iterator[Path]:
    """Yields the name of a file that is not there, and gives it its own name at the end.

    Raises:
        JvmscopeError: the file exists, or cannot be written.
    """
    check_replaceable(path, is_forced=is_forced)
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        yield partial
        partial.replace(path)
    except OSError as error:
        raise JvmscopeError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _export_xml(
    engine: Engine,
    directory: Path,
    *,
    is_forced: bool,
    progress: Callable[[float], None],
    form: Any = "nested",
) -> tuple[Path, ...]:
    from jvmscope.schema.xml import export_xml

    files = (directory / "cct.xml", directory / "classes.xml")
    for file in files:
        check_replaceable(file, is_forced=is_forced)
    is_new = not directory.exists()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        export_xml(
            engine.run, *files, form, lambda _, done, total: progress(100 * done / max(1, total))
        )
    except OSError as error:
        reason = error.strerror or error
        raise JvmscopeError(f"{directory}: cannot be written: {reason}") from None
    finally:
        if is_new:
            with suppress(OSError):  # it has files, or was never made
                directory.rmdir()
    return files
