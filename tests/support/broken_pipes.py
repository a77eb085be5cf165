"""Runs each verb with outputs that nobody reads, and looks at how it ends.

    python -m support.broken_pipes FOLDER

    python -m support.broken_pipes FOLDER whole

Each verb runs in a fork, once undisturbed and then with its streams in one of these ways. It has to
end with the same status, to leave the same files, and to say the same on stderr, if that is read.

- ``stdout``: its reader is gone, as of ``jvmscope … | true``.
- ``both``: nobody reads stdout and stderr, as of ``jvmscope … 2>&1 | true``.
- ``head``: the reader of stdout takes one part and closes the pipe.
- ``missing``: the process was started without a stdout, as with ``>&-``.

With ``whole``, each verb runs in every format that it declares, and in all ways. Otherwise that is
so of one query with many rows; the others have a stdout without a reader, in one format.

A line of stdout is JSON about a verb: in how many ways it ran, and what went wrong.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.__main__ import main as jvmscope
from support.killed_verbs import import_all, prepare_in_fork
from support.verbs import verbs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["VERBS", "main"]

_MANY_ROWS = "query a.run 'SELECT range, sqrt(range) FROM range(99999)'"
VERBS = {
    "calibrate ./no-java -o c.calibration": 2,
    "check a.run b.run": 1,
    "check a.run": 0,
    "check damaged.run": 1,
    "compare a.run b.run --fail-if 'delta <> 0' -m execution.totals": 1,
    "completion bash": 0,
    "explain immutable a.run": 2,
    "export a.run FORMAT": 0,
    "export a.run duckdb -o out.duckdb": 0,
    "import xml/cct.xml xml/classes.xml -o c.run": 0,
    "list metrics": 0,
    "list modules": 0,
    "list runs .": 0,
    "list tables": 0,
    "measure a.run -m execution.totals": 0,
    "measure a.run -m execution.totals --limit 1 --format csv": 4,
    "query a.run 'SELECT name FROM method' --limit 1 --format csv": 4,
    "query a.run 'SELECT name FROM method' -o out.csv": 0,
    _MANY_ROWS: 0,
    "query a.run 'SELECT nme FROM method' --format csv": 2,
    "query a.run '$methods ! string(@name)' --xquery --explain": 0,
    "query a.run '$methods ! string(@name)' --xquery --locked -o out.csv": 0,
    "record -- true": 125,
    "recover a.run": 2,
    "report a.run table -m execution.totals": 0,
    "report a.run html -m execution.totals -o out.html": 0,
    "show execution.totals": 0,
    "study overhead -o s.study -- true": 2,
    "suite list suite.toml": 0,
    "suite run suite.toml --dry-run": 0,
    "test tests": 1,
    "watch --list": 0,
}
"""Command lines with their statuses in their first format; FORMAT stands for all of an argument."""

_WAYS = ("stdout", "both", "head", "missing")
_READS = ("whole", "head")
_CANNOT_WRITE = "error: stdout: cannot be written"


@dataclass
class _End:
    status: int
    stderr: str
    left: set[tuple[str, int]]


def _run(words: Sequence[str], base: Path, way: str) -> _End:
    """Runs a verb in a fork, in a copy of what it reads, with its streams in some way."""
    folder, log = base.with_name("work"), base.with_name("stderr")
    shutil.copytree(base, folder)
    reader, writer = os.pipe()
    if way not in _READS:
        os.close(reader)
    pid = os.fork()
    if pid == 0:
        if way in _READS:
            os.close(reader)
        _become(words, folder, log, writer, way)
    os.close(writer)
    if way in _READS:
        while os.read(reader, 1 << 16) and way == "whole":
            pass
        os.close(reader)
    _, code = os.waitpid(pid, 0)
    end = _End(os.waitstatus_to_exitcode(code), log.read_text(), set(_contents(folder)))
    shutil.rmtree(folder)
    return end


def _become(words: Sequence[str], folder: Path, log: Path, writer: int, way: str) -> None:
    """Turns this fork into the verb, with the streams that it would have started with."""
    os.chdir(folder)
    os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 2)
    os.dup2(writer, 1)
    os.close(writer)
    sys.stdout = os.fdopen(1, "w", closefd=False)  # the one of before thinks that it is a file
    if way == "both":
        os.dup2(1, 2)
    if way == "missing":
        os.close(1)
        sys.stdout = None  # type: ignore[assignment]  # as Python does
    sys.argv = ["jvmscope", *words]
    jvmscope()


def _contents(folder: Path) -> Iterator[tuple[str, int]]:
    for path in folder.rglob("*"):
        if "metrics" not in path.parts:  # a cached value depends on nothing that is written
            yield str(path.relative_to(folder)), 0 if path.is_dir() else path.stat().st_size


def _lines(line: str) -> Iterator[list[str]]:
    """Yields a command line in every format that its verb declares."""
    words, declared = shlex.split(line), verbs()
    verb = next(name for name in declared if f"{line} ".startswith(f"{name} "))
    n_words = len(verb.split())
    if verb != "completion":
        words[n_words:n_words] = ["--progress", "none"]  # it depends on the time
    forms: Sequence[str] = ()
    for parameter in declared[verb].params:
        if isinstance(parameter.type, click.Choice) and (
            parameter.human_readable_name == "FORMAT" or "--format" in parameter.opts
        ):
            forms = parameter.type.choices
    if "FORMAT" in words:
        yield from ([form if word == "FORMAT" else word for word in words] for form in forms)
    elif forms and not {"--format", "--explain", "-o"} & {*words}:
        yield from ([*words, "--format", form] for form in forms)
    else:
        yield words


def _problems(words: Sequence[str], whole: _End, end: _End, way: str) -> Iterator[str]:
    where = f"{shlex.join(words)}, {way}"
    if way == "missing" and _CANNOT_WRITE in end.stderr and end.status in {2, 125}:
        return
    if end.status != whole.status:
        yield f"{where}: status {end.status}, not {whole.status}; {end.stderr!r}"
    if end.stderr != ("" if way == "both" else whole.stderr):
        yield f"{where}: stderr {end.stderr!r}, not {whole.stderr!r}"
    for name, size in sorted(end.left ^ whole.left):
        yield f"{where}: {name} has {size} bytes in one of two"


def _tried(line: str, base: Path, *, is_whole: bool) -> tuple[int, list[str]]:
    """Returns in how many ways a verb ran, and what went wrong."""
    n_ways, problems = 0, []
    is_thorough = is_whole or line == _MANY_ROWS
    for number, words in enumerate(_lines(line) if is_thorough else [next(_lines(line))]):
        whole = _run(words, base, "whole")
        if number == 0 and whole.status != VERBS[line]:
            problems.append(f"{shlex.join(words)}: status {whole.status}; {whole.stderr!r}")
        for way in _WAYS if is_thorough and number == 0 else _WAYS[:1]:
            problems += _problems(words, whole, _run(words, base, way), way)
            n_ways += 1
    return n_ways, problems


def main() -> None:
    """Runs all verbs."""
    base = Path(sys.argv[1]).absolute() / "base"
    prepare_in_fork(base)
    shutil.copytree(base / "a.run", base / "damaged.run")
    (base / "damaged.run" / "tables" / "thread.parquet").unlink()
    import_all()
    _run(["record", "--", "true"], base, "whole")  # the first one prepares the JDK, and says so
    for line in VERBS:
        n_ways, problems = _tried(line, base, is_whole="whole" in sys.argv)
        print(json.dumps({"verb": line, "ways": n_ways, "problems": problems}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
