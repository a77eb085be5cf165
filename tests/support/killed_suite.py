"""Kills ``suite run`` at random moments, and looks at what is left of it each time.

    python -m support.killed_suite FOLDER N SEED

A stand-in records. Each attempt is a fork, so that it takes no time to start. It is killed by
SIGKILL, SIGTERM, SIGINT or SIGHUP at a moment drawn from how long the whole suite takes; an attempt
that comes to its end does not count, and the next one begins with a new directory.

It goes on until some rows were finished before a kill, for at most a number of attempts.
The last line of stdout is JSON: how many were killed, how many rows had been finished by then, and
what went wrong.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from jvmscope import cli
from jvmscope.schema.suite import ROW_NAME
from jvmscope.suite import execution
from support.suites import STAND_IN, write_suite_file

_N_BENCHMARKS = 12
_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_MOST_ATTEMPTS = 400
_GONE_S = 60.0


class _Suite:
    """A suite in a directory, and what is known of it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.out = folder / "out"
        self.ledger = folder / "ledger"
        words = {f"b{n:02}": "wrong" if n % 5 == 4 else "ok" for n in range(_N_BENCHMARKS)}
        self.file = write_suite_file(folder, words)
        self.problems: list[str] = []
        self._finished_before: list[dict[str, str]] = []

    def attempt(self, moment_s: float, number: int) -> bool:
        """Runs the suite and kills it after some time; returns whether it was killed."""
        pid = self._fork()
        time.sleep(moment_s)
        os.kill(pid, number)
        _, status = os.waitpid(pid, 0)
        self._check_gone()
        after = self.finished()
        self.problems += [
            f"{name} was finished and is another now"
            for name, row in self._finished_before[-1].items()
            if after.get(name) != row
        ]
        self._check_lock_file()
        return os.waitstatus_to_exitcode(status) != cli.NO

    def end(self) -> None:
        """Runs the suite to its end."""
        _, status = os.waitpid(self._fork(), 0)
        if os.waitstatus_to_exitcode(status) != cli.NO:
            self.problems.append(f"the end is {status}")
        self._check_gone()
        self._check_started()
        names = sorted(path.name for path in self.out.iterdir())
        expected = [f"b{n:02}-1.{'failed' if n % 5 == 4 else 'run'}" for n in range(_N_BENCHMARKS)]
        if names != [*expected, "suite.lock.json"]:
            self.problems.append(f"at the end there is {names}")

    def finished(self) -> dict[str, str]:
        """Returns the rows that are finished, also those still in the workshop, as text."""
        places = [*self.out.glob(f"*.*/{ROW_NAME}"), *self.out.glob(f".work/*/*/{ROW_NAME}")]
        rows = [path.read_text() for path in places]
        return {json.loads(row)["name"]: row for row in rows}

    def _fork(self) -> int:
        self._finished_before.append(self.finished())
        pid = os.fork()
        if pid == 0:
            os.environ["ATTEMPT"] = str(len(self._finished_before) - 1)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.environ["LEDGER"] = str(self.ledger)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            command = ["suite", "run", str(self.file), "-o", str(self.out), "--jobs", "2"]
            status = cli.BUG
            try:
                status = cli.run(command)
            except SystemExit as end:
                status = int(end.code or 0)
            finally:
                os._exit(status)
        return pid

    def _started(self) -> list[tuple[str, int, int]]:
        """Returns what was begun so far: name, process, attempt."""
        lines = self.ledger.read_text().splitlines() if self.ledger.exists() else []
        words = [line.split() for line in lines]
        return [(name, int(process), int(attempt)) for name, process, attempt in words]

    def _check_started(self) -> None:
        """Notes what was begun twice by one attempt, and what was begun though it was finished."""
        seen = set()
        for name, _, attempt in self._started():
            if name in self._finished_before[attempt]:
                self.problems.append(f"{name} was recorded twice")
            if (name, attempt) in seen:
                self.problems.append(f"{name} was begun twice")
            seen.add((name, attempt))

    def _check_gone(self) -> None:
        """Notes recorders that outlive the suite; the life line needs a moment to be seen."""
        deadline = time.monotonic() + _GONE_S
        for _, process, _ in self._started():
            while _is_alive(process):
                if time.monotonic() > deadline:
                    self.problems.append(f"the recorder {process} is still there")
                    break
                time.sleep(0.005)

    def _check_lock_file(self) -> None:
        lock = self.out / "suite.lock.json"
        if lock.exists():
            rows = json.loads(lock.read_text())["rows"]
            if len(rows) != _N_BENCHMARKS:
                self.problems.append(f"the lock file has {len(rows)} rows")


def _is_alive(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z" and "stand_in" in _command_of(process)


def _command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def main() -> None:
    """Kills suites as often as the command line says."""
    folder, n_kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    execution.RECORDER = STAND_IN
    rng = random.Random(seed)  # noqa: S311 - moments, no secrets
    whole = _Suite(folder / "whole")
    started = time.monotonic()
    whole.end()
    whole_s = time.monotonic() - started
    suites = [whole, _Suite(folder / "0")]
    n_killed, n_finished = 0, 0
    span_s = whole_s / 3  # so that a suite is killed more than once before it is whole
    for _ in range(_MOST_ATTEMPTS):
        if n_killed >= n_kills and n_finished:
            break
        suite = suites[-1]
        if suite.attempt(rng.uniform(0, span_s), _SIGNALS[n_killed % len(_SIGNALS)]):
            n_killed += 1
            n_finished += len(suite.finished())
            if not n_finished:  # the machine is busier than when the whole suite was timed
                span_s *= 1.2
        else:
            suites.append(_Suite(folder / str(len(suites))))
    for suite in suites:
        suite.end()
    problems = [problem for suite in suites for problem in suite.problems]
    print(json.dumps({"killed": n_killed, "finished": n_finished, "problems": problems}))  # noqa: T201


if __name__ == "__main__":
    main()
