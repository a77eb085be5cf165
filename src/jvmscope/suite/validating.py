"""Whether a benchmark did what the suite file expects."""

from __future__ import annotations

import hashlib
import itertools
import re
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.suite.planning import Expectation

__all__ = ["STDERR", "STDOUT", "last_words", "wrong_exit", "wrong_output"]

STDOUT, STDERR = "stdout.txt", "stderr.txt"
"""What it printed, as the files of its log are called."""

_SHOWN = 60
_LAST_BYTES = 4096
_PART = 16 << 20
_LONGEST_LINE = 1 << 20


def wrong_exit(expect: Expectation, exit_status: int, log: Path) -> str | None:
    """Returns why an exit status is not the expected one, with the program's last words."""
    if exit_status == expect.exit:
        return None
    ended = f"exit status {exit_status}, expected {expect.exit}"
    if exit_status > 128:
        ended = f"{ended}: killed by signal {exit_status - 128}"
    words = last_words(log / STDERR)
    return f"{ended}: {words}" if words else ended


def last_words(file: Path) -> str:
    """Returns the first line of an exception's report at the end of a file, or the last line."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _LAST_BYTES))
        lines = stream.read().decode(errors="replace").splitlines()
    shown = [line.strip() for line in lines if line.strip() and not line.startswith("\tat ")]
    return _cut(shown[-1], 3 * _SHOWN) if shown else ""


def wrong_output(expect: Expectation, log: Path) -> str | None:
    """Returns the first thing in which the output is not as expected; None if it is."""
    if expect.stdout is not None:
        difference = _difference(expect.stdout, log / STDOUT)
        if difference:
            return difference
    for name, digest in ((STDOUT, expect.stdout_sha256), (STDERR, expect.stderr_sha256)):
        if digest is None:
            continue
        with (log / name).open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != digest:
            return f"{_stream(name)} has the SHA-256 {found}, expected {digest}"
    for name, pattern in ((STDOUT, expect.stdout_matches), (STDERR, expect.stderr_matches)):
        if pattern is None:
            continue
        if not _is_found(pattern, log / name):
            return f"{_stream(name)} does not match {_cut(pattern, _SHOWN)!r}"
    return None


def _is_found(pattern: str, file: Path) -> bool:
    """Whether a regular expression is found in a file, of which only two parts are in memory."""
    wanted = re.compile(pattern, re.MULTILINE)
    with file.open("rb") as stream:
        before, part = b"", _part(stream)
        while True:
            if wanted.search((before + part).decode(errors="replace")):
                return True
            before, part = part, _part(stream)
            if not part:
                return False


def _part(stream: BinaryIO) -> bytes:
    """Returns the next part of a file; it ends with a line, unless that is too long."""
    return stream.read(_PART) + stream.readline(_LONGEST_LINE)


def _difference(expected: Path, found: Path) -> str | None:
    """Returns the first line in which two files differ; None if they are the same bytes."""
    where = f"stdout differs from {expected.name}"
    number = 1
    with expected.open("rb") as one, found.open("rb") as other:
        for wanted, got in itertools.zip_longest(_lines(one), _lines(other)):
            if wanted == got:
                number += wanted.endswith(b"\n")
                continue
            if got is None:
                return f"{where}: it ends before line {number}, {_line(wanted)}"
            if wanted is None:
                return f"{where}: it continues with line {number}, {_line(got)}"
            ends = got.rstrip(b"\r\n") == wanted.rstrip(b"\r\n")
            shown = [_line(line, with_end=ends) for line in (got, wanted)]
            return f"{where} in line {number}: {shown[0]}, expected {shown[1]}"
    return None


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a file, too long ones in several pieces."""
    return iter(lambda: stream.readline(_LONGEST_LINE), b"")


def _line(line: bytes, *, with_end: bool = False) -> str:
    text = line.decode(errors="replace")
    return repr(_cut(text if with_end else text.rstrip("\r\n"), _SHOWN))


def _stream(name: str) -> str:
    return name.removesuffix(".txt")


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
