"""Ends each verb that writes by a signal, at all kinds of moments, and looks at what is left.

    python -m support.killed_verbs FOLDER [VERB...] [whole]

A verb is run once undisturbed. Then it is run anew for each time that it opened a file to write it,
made a directory, renamed or removed something, and gets a signal just before it does so again. What
is there afterwards was there before or is whole. Without ``whole``, each signal comes once: before
the last file gets its name, after it was opened, and in between.

Other moments are every thousandth call, of whatever function: libraries call some in places where
they drop what is raised. Without ``whole``, three verbs get four signals there.

A line of stdout is JSON about a verb: how many moments it has, and what went wrong.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope import cli, commands
from jvmscope.__main__ import main as jvmscope
from support.samples import write_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

__all__ = ["VERBS", "import_all", "main", "prepare_in_fork"]

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_LAST_WORDS = {
    signal.SIGTERM: "ended by SIGTERM\n",
    signal.SIGHUP: "ended by SIGHUP\n",
    signal.SIGINT: "interrupted\n",
}
_QUERY = ["query", "a.run", "SELECT name FROM method", "-q", "-o"]
VERBS = {
    "check": ["check", "a.run", "b.run", "-q", "-o", "out.csv"],
    "compare": ["compare", "a.run", "b.run", "-m", "execution.*", "-q", "-o", "out.csv"],
    "export collapsed": ["export", "a.run", "collapsed", "-q", "-o", "out.txt"],
    "export csv": ["export", "a.run", "csv", "-q", "-o", "out.csv"],
    "export duckdb": ["export", "a.run", "duckdb", "-q", "-o", "out.duckdb"],
    "export firefox": ["export", "a.run", "firefox", "-q", "-o", "out.json"],
    "export pprof": ["export", "a.run", "pprof", "-q", "-o", "out.pb.gz"],
    "export speedscope": ["export", "a.run", "speedscope", "-q", "-o", "out.json"],
    "export xml": ["export", "a.run", "xml", "-q"],
    "export xml elsewhere": ["export", "a.run", "xml", "-q", "-o", "view"],
    "import": ["import", "xml/cct.xml", "xml/classes.xml", "-q", "-o", "c.run"],
    "import over": ["import", "xml/cct.xml", "xml/classes.xml", "-q", "--force", "-o", "b.run"],
    "list metrics": ["list", "metrics", "-q", "-o", "out.csv"],
    "list modules": ["list", "modules", "-q", "-o", "out.csv"],
    "list runs": ["list", "runs", ".", "-q", "-o", "out.csv"],
    "list tables": ["list", "tables", "-q", "-o", "out.csv"],
    "measure": ["measure", "a.run", "-m", "execution.*", "-q", "-o", "out.parquet"],
    "query csv": [*_QUERY, "out.csv"],
    "query json over": [*_QUERY, "old.json", "--force"],
    "query parquet": [*_QUERY, "out.parquet"],
    "report html": ["report", "a.run", "html", "-m", "execution.*", "-q", "-o", "out.html"],
    "report tree": ["report", "a.run", "tree", "-q", "-o", "out.md"],
    "suite list": ["suite", "list", "suite.toml", "-q", "-o", "out.csv"],
    "test": ["test", "tests", "--accept", "-q"],
}
"""A command line for each of them, by its name and what is said of it."""

_IMPORTED = [
    *(f"jvmscope.commands.{module.name}" for module in pkgutil.iter_modules(commands.__path__)),
    "jvmscope.actions.export_files",
    "jvmscope.metrics.measure",
    "jvmscope.reports.building",
    "jvmscope.reports.exports",
    "jvmscope.reports.html",
    "jvmscope.schema.xml",
    "jvmscope.suite.listing",
    "jvmscope.testing",
    "pyarrow.compute",
    "pyarrow.parquet",
    "rich.table",
]
_EVENTS = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir"}
_WELL = (cli.DONE, cli.NO)
_EVERY = 997
_CALLING = ("check", "export xml", "query csv")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_LONGEST_S = 60.0


@dataclass
class _End:
    status: int
    stderr: str
    moments: list[str]
    left: dict[str, str] = field(default_factory=dict)


def import_all() -> None:
    """Imports what the verbs need, once for all forks."""
    for module in _IMPORTED:
        importlib.import_module(module)


def prepare_in_fork(folder: Path) -> None:
    """Writes what the verbs read; that starts threads, which a process that forks may not have."""
    folder.mkdir(parents=True)
    pid = os.fork()
    if pid == 0:
        _prepare(folder)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0


def _prepare(folder: Path) -> None:
    write_shapes(folder / "a.run")
    write_shapes(folder / "b.run", n_circles=16)
    (folder / "old.json").write_text("old\n")
    (folder / "tmp").mkdir()
    tests = folder / "tests" / "names"
    tests.mkdir(parents=True)
    write_shapes(tests / "shapes.run")
    (tests / "names.sql").write_text("SELECT name FROM method ORDER BY name\n")
    (tests / "shapes.expected.csv").write_text("name\nnone\n")
    (folder / "suite.toml").write_text(
        'schema = 1\nname = "s"\n[[benchmark]]\nname = "b"\ncommand = ["Main"]\n'
    )
    os.chdir(folder)
    assert cli.run(["export", "a.run", "xml", "-q", "-o", "xml"]) == 0


@dataclass(frozen=True)
class _Shot:
    """A signal at a moment of a kind; without a moment there is none."""

    kind: str
    moment: int | None = None
    number: int = signal.SIGTERM


class _Moments:
    """Notes moments, and sends this process a signal at one of them."""

    def __init__(self, log: int, shot: _Shot) -> None:
        self._log = log
        self._shot = shot
        self._n_seen = 0
        self._n_calls = 0

    def pass_one(self, place: str) -> None:
        os.write(self._log, f"{place}\n".encode())
        self._n_seen += 1
        if self._n_seen - 1 == self._shot.moment:
            os.kill(os.getpid(), self._shot.number)

    def watch_files(self, folder: Path) -> None:
        def look(event: str, arguments: tuple[Any, ...]) -> None:
            if event not in _EVENTS or not _is_inside(folder, arguments[0]):
                return
            if event != "open" or (arguments[2] or 0) & _WRITES:
                self.pass_one(f"{event} {os.fspath(arguments[0])}")

        sys.addaudithook(look)

    def watch_calls(self) -> None:
        def look(frame: FrameType, event: str, _argument: object) -> None:
            self._n_calls += event in {"call", "c_call"}
            if self._n_calls == _EVERY:
                self._n_calls = 0
                self.pass_one(f"{frame.f_code.co_filename}:{frame.f_lineno}")

        sys.setprofile(look)


def _run(verb: str, base: Path, folder: Path, shot: _Shot) -> _End:
    """Runs a verb in a fork, in a copy of what it reads; it gets a signal at a moment."""
    shutil.copytree(base, folder)
    log, moments = folder.with_suffix(".stderr"), folder.with_suffix(".moments")
    pid = os.fork()
    if pid == 0:
        _become(verb, folder, shot, [log, moments])
    watch = threading.Timer(_LONGEST_S, os.kill, (pid, signal.SIGKILL))
    watch.start()
    _, code = os.waitpid(pid, 0)
    watch.cancel()
    end = _End(os.waitstatus_to_exitcode(code), log.read_text(), moments.read_text().splitlines())
    end.left = dict(_contents(folder))
    shutil.rmtree(folder)
    return end


def _become(verb: str, folder: Path, shot: _Shot, logs: list[Path]) -> None:
    """Turns this fork into the verb; its own clean-up at the end of Python is part of it."""
    os.chdir(folder)
    tempfile.tempdir = str(folder / "tmp")  # as it is, or Python tries it with a file of its own
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    streams = [os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC) for log in logs]
    os.dup2(streams[0], 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.argv = ["jvmscope", *VERBS[verb]]
    moments = _Moments(streams[1], shot)
    if shot.kind == "files":
        moments.watch_files(folder)
    else:
        moments.watch_calls()
    jvmscope()


def _is_inside(folder: Path, path: object) -> bool:
    return isinstance(path, str | os.PathLike) and Path(path).absolute().is_relative_to(folder)


def _contents(folder: Path) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        yield name, "" if path.is_dir() else str(path.stat().st_size)


def _problems(verb: str, end: _End, before: _End, after: _End, number: int) -> Iterator[str]:
    """Yields what is wrong after a signal; of a file, its size tells whether it is whole."""
    allowed = {(*item,) for item in (*before.left.items(), *after.left.items())}
    moment = end.moments[-1] if end.moments else "no moment"
    where = f"{verb}, {signal.Signals(number).name} at {moment}"
    in_order = (128 + number, _LAST_WORDS[signal.Signals(number)])
    before_or_after_all = (-number, "")
    if (end.status, end.stderr) not in (in_order, before_or_after_all):
        yield f"{where}: status {end.status}, stderr {end.stderr!r}"
    for name in sorted(name for name, size in end.left.items() if (name, size) not in allowed):
        yield f"{where}: {name} is left"
    for name in sorted(name for name in before.left if name not in end.left):
        yield f"{where}: {name} is lost"


def _killed(base: Path, verb: str, kind: str, *, is_whole: bool) -> tuple[int, list[str]]:
    """Returns how many moments a verb has, and what is wrong with it."""
    folder = base.with_name("work")
    before = _End(0, "", [], dict(_contents(base)))
    after = _run(verb, base, folder, _Shot(kind))
    n_moments = len(after.moments)
    if after.status not in _WELL or not n_moments:
        return n_moments, [f"{verb}: undisturbed, status {after.status}, {after.stderr!r}"]
    choose = _of_files if kind == "files" else _of_calls
    problems = []
    for moment, number in choose(after.moments, is_whole=is_whole):
        end = _run(verb, base, folder, _Shot(kind, moment, number))
        problems += _problems(verb, end, before, after, number)
    return n_moments, problems


def _of_files(moments: Sequence[str], *, is_whole: bool) -> Iterator[tuple[int, int]]:
    """Yields moments and signals: all, or each signal at another moment."""
    if is_whole:
        yield from itertools.product(range(len(moments)), _SIGNALS)
        return
    at = {text.partition(" ")[0]: moment for moment, text in enumerate(moments)}
    begun, named = at.get("open", 0), at["os.rename"]  # DuckDB opens its files itself
    yield from zip((named, begun + 1, (begun + named) // 2), _SIGNALS, strict=True)


def _of_calls(moments: Sequence[str], *, is_whole: bool) -> Iterator[tuple[int, int]]:
    """Yields moments, all or some that are evenly spread, and signals in turn."""
    n = len(moments)
    chosen = range(n) if is_whole else [(2 * k + 1) * n // 8 for k in range(4)]
    yield from zip(chosen, itertools.cycle(_SIGNALS), strict=False)


def main() -> None:
    """Ends all verbs, or those that are named."""
    base = Path(sys.argv[1]).absolute() / "base"
    prepare_in_fork(base)
    import_all()
    verbs = [verb for verb in VERBS if verb in sys.argv[2:]] or VERBS
    is_whole = "whole" in sys.argv
    of_files = ((verb, "files") for verb in verbs)
    of_calls = ((verb, "calls") for verb in verbs if is_whole or verb in _CALLING)
    for verb, kind in (*of_files, *of_calls):
        n_moments, problems = _killed(base, verb, kind, is_whole=is_whole)
        print(json.dumps({"verb": verb, "moments": n_moments, "problems": problems}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
