"""Writes results to stdout, or to a file that appears when it is complete."""

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
from jvmscope.formats import FORMATS, ITEMS, format_of_file
from jvmscope.formats.texts import TRUNCATED
from jvmscope.output.standard_streams import standard_output
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.queries import Result

__all__ = ["Output", "PagedOutput", "check_replaceable"]

_MARKUP = ("xml", "html", "xhtml", "svg")


def check_replaceable(path: Path, *, is_forced: bool) -> None:
    """Refuses to write a file where one is, unless it is to be replaced and is a regular one.

    A device or a pipe would be replaced by a file of its name, which is never meant.

    Raises:
        JvmscopeError: the path exists.
    """
    if path.exists() and not path.is_file():
        kind = "a directory" if path.is_dir() else "not a regular file"
        raise JvmscopeError(f"{path}: cannot be written: it is {kind}; expected a new file")
    if path.exists() and not is_forced:
        message = f"{path}: the file exists; --force overwrites it"
        raise JvmscopeError(message, in_python={"--force": "force=True"})


@dataclass(frozen=True)
class Output:
    """Where a result goes and in which format; None means the terminal's or the pipe's."""

    format: str | None = None
    file: Path | None = None
    is_forced: bool = False

    @property
    def how_to_see_more(self) -> str:
        """What whoever reads a truncated result may do."""
        return "raise --limit to see them"

    @property
    def is_asked(self) -> bool:
        """Whether a format or a file was named, so that an answer without rows is written, too."""
        return self.format is not None or self.file is not None

    def check(self) -> None:
        """Says before the work what else would be said after it.

        Raises:
            JvmscopeError: the file exists, or there is no directory for it.
            UsageError: a file that is not named is to be replaced.
        """
        if self.file is None:
            if self.is_forced:
                raise click.UsageError("--force needs -o FILE, the file that it overwrites")
            return
        check_replaceable(self.file, is_forced=self.is_forced)
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
            console.warn(f"{TRUNCATED}; {self.how_to_see_more}")

    def _write_rows(self, result: Result, stream: BinaryIO) -> None:
        form = FORMATS[self.resolved_format]
        if form.write_within is not None and self.file is None and sys.stdout.isatty():
            form.write_within(result, stream, shutil.get_terminal_size().columns)
        else:
            form.write(result, stream)

    def write_text(self, text: str, console: Console, encoding: str = "utf-8") -> None:
        """Writes text that is made already; what the encoding lacks, as XML writes it.

        Raises:
            JvmscopeError: the file exists, or cannot be written.
        """
        with self._stream(console) as stream:
            stream.write(text.encode(encoding, "xmlcharrefreplace"))

    @contextlib.contextmanager
    def open(self, console: Console) -> Iterator[BinaryIO]:
        """Opens the file, which appears only when it is whole, and says that it was written."""
        if self.file is None:
            raise ValueError("there is no file to open")
        self.check()
        try:
            with whole_file(self.file) as partial, partial.open("wb") as stream:
                yield stream
        except OSError as error:
            raise JvmscopeError(f"{self.file}: cannot be written: {error.strerror}") from None
        console.wrote(self.file)

    @property
    def form(self) -> str | None:
        """``items`` or ``table``, as the format or the file's name says; None: either."""
        if self.format:
            return ITEMS if self.format == ITEMS else "table"
        if self.file is None:
            return None
        if self.file.suffix.removeprefix(".") in _MARKUP:
            return ITEMS
        return None if format_of_file(self.file) is None else "table"

    @property
    def takes_rows(self) -> bool:
        """Whether rows are all that the format needs of a result."""
        form = FORMATS.get(self.resolved_format)  # items are none
        return form is None or form.takes_rows

    @property
    def resolved_format(self) -> str:
        """The format: the one asked for, else the file's, else the terminal's or the pipe's."""
        if self.format:
            return self.format
        if self.file is not None:
            return format_of_file(self.file) or "csv"
        return "table" if sys.stdout.isatty() else "csv"

    @contextlib.contextmanager
    def _stream(self, console: Console) -> Iterator[BinaryIO]:
        if self.file is not None:
            with self.open(console) as stream:
                yield stream
            return
        self._refuse_binary_terminal()
        with standard_output() as stream:
            yield stream

    def _refuse_binary_terminal(self) -> None:
        form = FORMATS.get(self.resolved_format)
        if form is not None and form.is_binary and sys.stdout.isatty():
            raise JvmscopeError(f"{form.name} is binary: name a file with -o, or pipe it")


@dataclass(frozen=True)
class PagedOutput(Output):
    """An output to a terminal, on which what is longer than the screen goes through a pager."""

    @property
    def how_to_see_more(self) -> str:
        """What to type at the prompt."""
        return ".limit N shows more of them"

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
            with standard_output() as stream:
                stream.write(text.encode())
        else:
            os.environ.setdefault("LESS", "FRSX")  # as git does: lines are not broken
            click.echo_via_pager(text)
