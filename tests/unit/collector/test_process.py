"""COMMAND runs as if nothing were around it."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.process import CommandEnd, run_command

if TYPE_CHECKING:
    from pathlib import Path


def run(*argv: str, timeout_s: float | None = None) -> CommandEnd:
    program = shutil.which(argv[0])
    assert program is not None
    return run_command(program, argv, dict(os.environ), timeout_s=timeout_s, others=list)


def test_the_status_is_the_programs() -> None:
    assert run("sh", "-c", "exit 7").shell_status == 7
    assert run("true").shell_status == 0


def test_a_killed_program_shows_as_in_a_shell() -> None:
    end = run("sh", "-c", "kill -KILL $$")
    assert (end.status, end.signal, end.shell_status) == (None, signal.SIGKILL, 137)


def test_signals_have_their_usual_meaning(tmp_path: Path) -> None:
    """Python ignores SIGPIPE; the program must not inherit that."""
    status = tmp_path / "status"
    run("sh", "-c", f"grep SigIgn /proc/self/status > '{status}'")
    ignored = int(status.read_text().split()[1], 16)
    assert not ignored & 1 << (signal.SIGPIPE - 1)
    assert not ignored & 1 << (signal.SIGXFSZ - 1)


def test_a_script_without_a_first_line_runs(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("exit $1\n")
    script.chmod(0o755)
    end = run_command(
        str(script), [str(script), "5"], dict(os.environ), timeout_s=None, others=list
    )
    assert end.shell_status == 5


def test_a_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_command(str(tmp_path / "no"), ["no"], {}, timeout_s=None, others=list)


def test_a_timeout_ends_the_program() -> None:
    end = run("sleep", "100000", timeout_s=0.2)
    assert end.has_timed_out
    assert end.signal == signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_us_goes_to_the_program(number: signal.Signals) -> None:
    script = f"trap 'exit 33' {number.name[3:]}; kill -{number.name[3:]} $PPID; sleep 60 & wait"
    assert run("sh", "-c", script).shell_status == 33


def test_other_threads_do_not_disturb() -> None:
    thread = threading.Thread(target=time.sleep, args=(0.1,))
    thread.start()
    assert run("sh", "-c", "exit 3").shell_status == 3
    thread.join()
