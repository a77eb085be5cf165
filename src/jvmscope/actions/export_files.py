"""Exports to files, which appear under their names when they are whole."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, QueryError, did_you_mean
from jvmscope.formats import FORMATS, format_of_file
from jvmscope.output.results import check_replaceable
from jvmscope.reports.exports.formats import RunFormat, format_named
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from jvmscope.queries import Engine, Result

__all__ = ["export_run", "new_file", "write_result"]


def export_run(
    engine: Engine,
    kind: str,
    path: Path,
    options: Mapping[str, Any],
    *,
    is_forced: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> tuple[Path, ...]:
    """Writes a run in another format.

    Args:
        engine: the run.
        kind: one of ``EXPORT_FORMATS``.
        path: the file; of a format of several files, such as ``xml``, their directory.
        options: what ``export_tree`` takes; of a format of whole runs, its own options.
        is_forced: whether files that exist are replaced.
        on_progress: called with the percentage done, now and then.

    Returns:
        The files that were written.

    Raises:
        JvmscopeError: there is no such format, a file exists or cannot be written.
        QueryError: an option does not fit the format, or has no such value.
        LimitReached: the database needs more memory than it may have.
    """
    progress = on_progress or (lambda _percentage: None)
    form = format_named(kind)
    for name in sorted(options.keys() - form.options):
        hint = did_you_mean(name, form.options)
        raise QueryError(f"{kind} has no option {name!r}", path="export", hint=hint)
    if isinstance(form, RunFormat) and form.files:
        files = tuple(path / name for name in form.files)
        with _new_files(path, files, is_forced=is_forced):
            form.write(engine, path, progress, **options)
        return files
    with new_file(path, is_forced=is_forced) as partial:
        if isinstance(form, RunFormat):
            form.write(engine, partial, progress, **options)
        else:
            from jvmscope.reports.exports.tree_export import export_tree

            with partial.open("wb") as out:
                export_tree(engine, kind, out, on_progress=progress, **options)
    return (path,)


def write_result(result: Result, file: Path, form: str | None, *, is_forced: bool) -> None:
    """Writes a result to a file.

    Args:
        result: the rows.
        file: the file.
        form: one of ``FORMATS``; None: the format that the ending of the file stands for.
        is_forced: whether a file that exists is replaced.

    Raises:
        JvmscopeError: there is no such format, or the file exists or cannot be written.
    """
    name = form or format_of_file(file)
    if name not in FORMATS:
        hint = did_you_mean(name or "", FORMATS) or f"formats: {', '.join(FORMATS)}"
        raise JvmscopeError(f"{file}: there is no format {form or file.suffix!r}; {hint}")
    with new_file(file, is_forced=is_forced) as partial, partial.open("wb") as stream:
        FORMATS[name].write(result, stream)


@contextmanager
def new_file(path: Path, *, is_forced: bool) -> Iterator[Path]:
    """Yields the name of a file that is not there, and gives it its own name at the end.

    Raises:
        JvmscopeError: the file exists, or cannot be written.
    """
    check_replaceable(path, is_forced=is_forced)
    try:
        with whole_file(path) as partial:
            yield partial
    except OSError as error:
        raise JvmscopeError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _new_files(directory: Path, files: tuple[Path, ...], *, is_forced: bool) -> Iterator[None]:
    """Has a directory for files within the block; a new one that stays empty goes again.

    Raises:
        JvmscopeError: a file exists, or cannot be written.
    """
    for file in files:
        check_replaceable(file, is_forced=is_forced)
    is_new = not directory.exists()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        reason = error.strerror or error
        raise JvmscopeError(f"{directory}: cannot be written: {reason}") from None
    finally:
        if is_new:
            with suppress(OSError):  # it has files, or was never made
                directory.rmdir()
