"""Where a result goes: stdout, which carries nothing else, or a file that appears when whole."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmscope.errors import JvmscopeError
from jvmscope.formats import FORMATS, ITEMS, TRUNCATED, WRITERS, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmscope.console import Console
    from jvmscope.queries import Result, Serialized

__all__ = ["Output", "PagedOutput"]

_SUFFIXES = {"md": "markdown", "txt": "table"}
_MARKUP = ("xml", "html", "xhtml", "svg")


@dataclass(frozen=True)
class Output:
    """Where a result goes and in which format; None means the terminal's or the pipe's."""

    format: str | None = None
    file: Path | None = None
    is_forced: bool = False

    def check(self) -> None:
        """Says before the work what else would be said after it.

        Raises:
            JvmscopeError: the file exists, or there is no directory for it.
        """
        if self.file is None:
            return
        if self.file.exists() and not self.is_forced:
            raise JvmscopeError(f"{self.file}: the file exists; --force overwrites it")
        if not self.file.absolute().parent.is_dir():
            raise JvmscopeError(f"{self.file}: cannot be written: {os.strerror(errno.ENOENT)}")

    def write(self, result: Result, console: Console) -> None:
        """Writes a result.

        Raises:
            JvmscopeError: the file exists, or cannot be written.
        """
        if self.takes_rows:  # a query that fails at once writes nothing
            result.start_rows()
        else:
            _ = result.arrow_schema
        with self._stream(console) as stream:
            self._write_rows(result, stream)
        if result.is_truncated:
            console.warn(f"{TRUNCATED}; raise --limit to see them")

    def _write_rows(self, result: Result, stream: BinaryIO) -> None:
        if self.resolved_format == "table" and self.file is None and sys.stdout.isatty():
            write_table(result, stream, width=shutil.get_terminal_size().columns)
        else:
            WRITERS[self.resolved_format](result, stream)

    def write_text(self, answer: Serialized, console: Console) -> None:
        """Writes the text of an XQuery's items, with a last line end.

        Raises:
            JvmscopeError: the file exists, or cannot be written.
        """
        text = answer.text if answer.text.endswith("\n") else f"{answer.text}\n"
        with self._stream(console) as stream:
            stream.write(text.encode(answer.encoding, "xmlcharrefreplace"))
        if answer.is_truncated:
            console.warn("truncated: more items exist; raise --limit to see them")

    def write_sections(
        self, sections: Sequence[tuple[str, Result]], console: Console, *, most: int | None = None
    ) -> None:
        """Writes results under titles, as a table or in Markdown.

        Args:
            sections: a title and what is written under it.
            console: says what was written.
            most: write at most this many rows of each, and how many more there are; None: all.

        Raises:
            JvmscopeError: the file exists, or cannot be written.
        """
        mark = "## " if self.resolved_format == "markdown" else ""
        with self._stream(console) as stream:
            for number, (title, result) in enumerate(sections):
                gap = "\n" if number else ""
                stream.write(f"{gap}{mark}{title}\n\n".encode())
                shown, n_more = _first(result, most)
                WRITERS[self.resolved_format](shown, stream)
                if n_more:
                    stream.write(f"… and {n_more:,} rows more\n".encode())

    @contextlib.contextmanager
    def open(self, console: Console) -> Iterator[BinaryIO]:
        """Opens the file, which appears only when it is whole, and says that it was written."""
        if self.file is None:
            raise ValueError("there is no file to open")
        self.check()
        partial = self.file.with_name(f"{self.file.name}.partial")
        try:
            with partial.open("wb") as stream:
                yield stream
            partial.replace(self.file)
        except OSError as error:
            raise JvmscopeError(f"{self.file}: cannot be written: {error.strerror}") from None
        finally:
            partial.unlink(missing_ok=True)
        console.wrote(self.file)

    @property
    def form(self) -> str | None:
        """``items`` or ``table``, as the format or the file's name says; None: either."""
        if self.format:
            return ITEMS if self.format == ITEMS else "table"
        suffix = "" if self.file is None else self.file.suffix.removeprefix(".")
        if suffix in _MARKUP:
            return ITEMS
        return "table" if suffix in (*FORMATS, *_SUFFIXES) else None

    @property
    def takes_rows(self) -> bool:
        """Whether rows are all that the format needs of a result."""
        return self.resolved_format != "parquet"

    @property
    def resolved_format(self) -> str:
        """The format: the one asked for, else the file's, else the terminal's or the pipe's."""
        if self.format:
            return self.format
        if self.file is not None:
            suffix = self.file.suffix.removeprefix(".")
            suffix = _SUFFIXES.get(suffix, suffix)
            return suffix if suffix in FORMATS else "csv"
        return "table" if sys.stdout.isatty() else "csv"

    @contextlib.contextmanager
    def _stream(self, console: Console) -> Iterator[BinaryIO]:
        if self.file is not None:
            with self.open(console) as stream:
                yield stream
            return
        self._refuse_binary_terminal()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()

    def _refuse_binary_terminal(self) -> None:
        if self.resolved_format == "parquet" and sys.stdout.isatty():
            raise JvmscopeError("parquet is binary: name a file with -o, or pipe it")


@dataclass(frozen=True)
class PagedOutput(Output):
    """An output to a terminal, on which what is longer than the screen goes through a pager."""

    @contextlib.contextmanager
    def _stream(self, console: Console) -> Iterator[BinaryIO]:
        if not sys.stdout.isatty():
            with super()._stream(console) as stream:
                yield stream
            return
        self._refuse_binary_terminal()
        kept = io.BytesIO()
        yield kept
        text = kept.getvalue().decode("utf-8", "replace")
        if text.count("\n") < shutil.get_terminal_size().lines:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            os.environ.setdefault("LESS", "FRSX")  # as git does: lines are not broken
            click.echo_via_pager(text)


def _first(result: Result, most: int | None) -> tuple[Result, int]:
    """Returns the first rows of a result, and how many there are more."""
    table = result.arrow()
    if most is None or table.num_rows <= most:
        return result, 0
    return result.of_table(table.slice(0, most), result.columns), table.num_rows - most
