"""Pages of the documentation, run literally: each command, and what it prints.

A block of ``console`` has commands after ``$`` (a quoted text goes on after ``>``), each with what
it prints: all of stdout, line by line, and any lines of stderr. ``…`` stands for anything within a
line, and alone on a line for any lines. ``[exit status 1]`` says how a command ends if not with 0.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import struct
import subprocess
import termios
from dataclasses import dataclass
from fcntl import ioctl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["Beginnings", "Command", "commands_of", "run_commands"]

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_STATUS = re.compile(r"\[exit status (\d+)\]")
_COLUMNS = 100
_TIMEOUT_S = 600
_RECORDING = "jvmscope record "

_Ended = tuple[int, list[str], list[str]]
"""How a command ended, and the lines that it wrote to stdout and stderr."""


@dataclass(frozen=True)
class Command:
    """A command of a page.

    Attributes:
        line: what is typed.
        printed: the lines below it.
        status: how it ends.
    """

    line: str
    printed: tuple[str, ...]
    status: int


class Beginnings:
    """What pages begin with: the same commands up to a recording are run once.

    Args:
        directory: where copies of the directories that they were run in are kept.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._ended: dict[tuple[str, ...], tuple[Path, list[_Ended]]] = {}

    def keep(self, lines: Sequence[str], directory: Path, ended: Sequence[_Ended]) -> None:
        """Keeps what commands have made of a directory, whose name says what was in it before."""
        copy = self._directory / str(len(self._ended))
        shutil.copytree(directory, copy)
        self._ended[directory.name, *lines] = copy, list(ended)

    def begin(self, lines: Sequence[str], directory: Path) -> list[_Ended]:
        """Makes of a directory what the first of some commands did, and returns how they ended."""
        for n in range(len(lines), 0, -1):
            found = self._ended.get((directory.name, *lines[:n]))
            if found is not None:
                shutil.copytree(found[0], directory, dirs_exist_ok=True)
                return list(found[1])
        return []


def commands_of(text: str) -> Iterator[Command]:
    """Yields the commands of a page."""
    for block in _BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, *lines = part.rstrip("\n").split("\n")
            typed = [first]
            while lines and lines[0].startswith("> "):
                typed.append(lines.pop(0).removeprefix("> "))
            statuses = [int(found[1]) for line in lines if (found := _STATUS.fullmatch(line))]
            shown = tuple(line.rstrip() for line in lines if not _STATUS.fullmatch(line))
            while shown and not shown[-1]:
                shown = shown[:-1]
            yield Command("\n".join(typed), shown, statuses[0] if statuses else 0)


def run_commands(
    commands: Sequence[Command],
    directory: Path,
    environment: Mapping[str, str],
    beginnings: Beginnings,
) -> list[str]:
    """Returns what does not do what the page says, as text for people; empty: all is as said."""
    wrong = []
    lines = [command.line for command in commands]
    ended = beginnings.begin(lines, directory)
    for number, command in enumerate(commands):
        if number == len(ended):
            ended.append(_run(command.line, directory, environment))
            if command.line.startswith(_RECORDING):
                beginnings.keep(lines[: number + 1], directory, ended)
        status, out, err = ended[number]
        if status != command.status or not _is_shown(command.printed, out, err):
            wrong.append(
                f"$ {command.line}\n[exit status {status}, expected {command.status}]\n"
                + "\n".join([*out, "--- stderr", *err, "--- the page says", *command.printed])
            )
    return wrong


def _run(line: str, directory: Path, environment: Mapping[str, str]) -> _Ended:
    """Runs a command whose stdout is a terminal; returns its status and the lines of both."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, _COLUMNS, 0, 0))
    settings = {**environment, "TERM": "dumb", "NO_COLOR": "1"}
    process = subprocess.Popen(
        ["bash", "-c", line], cwd=directory, env=settings, stdout=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    written = bytearray()
    try:
        while chunk := _read(ours):
            written += chunk
        _, err = process.communicate(timeout=_TIMEOUT_S)
    finally:
        process.kill()
        os.close(ours)
    return process.returncode, _lines(bytes(written)), _lines(err)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # what Linux says where nobody has the other end any more
        return b""


def _lines(written: bytes) -> list[str]:
    lines = [line.rstrip() for line in written.decode().replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _is_shown(page: Sequence[str], out: Sequence[str], err: Sequence[str]) -> bool:
    """Returns whether a page shows what was printed.

    >>> _is_shown(["a …", "Wrote x"], ["a 1"], ["measuring", "Wrote x"])
    True
    >>> _is_shown(["a", "…", "z"], ["a", "b", "c"], []), _is_shown(["…", "c"], ["a", "b", "c"], [])
    (False, True)
    >>> _is_shown(["a"], ["a", "b"], []), _is_shown(["a", "b"], ["a"], [])
    (False, False)
    """
    of_out = [line for line in page if line == "…" or not any(_matches(line, e) for e in err)]
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else f"{_pattern(line)}\n" for line in of_out)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in out)) is not None


def _matches(line: str, printed: str) -> bool:
    return bool(line) and re.fullmatch(_pattern(line), printed) is not None


def _pattern(line: str) -> str:
    return ".*".join(map(re.escape, line.split("…")))
