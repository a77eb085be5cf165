"""Programs that we start: none is lost to a signal, whenever it comes."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jvmscope.children import NotStarted, child, run_child
from jvmscope.signals import cleaning_up, held

_ROOT = Path(__file__).parents[3]
_LONG_S = 600

# Has a signal come before each instruction in turn, from the start of a program to its answer.
_DISTURBED = """\
import os, signal, sys, time
from jvmscope import children
from jvmscope.signals import cleaning_up

OURS = {"children.py", "signals.py", "subprocess.py", "contextlib.py", "selectors.py"}

def disturbed(at):
    left = at

    def look(frame, event, _):
        nonlocal left
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if frame.f_code.co_filename.rpartition("/")[2] not in OURS:
            return None
        if event == "opcode":
            left -= 1
            if not left or left > 0 and frame.f_code.co_name == "select":
                left = -1 if left else -2
                sys.settrace(None)
                signal.raise_signal(signal.SIGTERM)
        return look

    before = time.monotonic()
    try:
        with cleaning_up():
            sys.settrace(look)
            try:
                children.run_child(["sleep", "600"])
            finally:
                sys.settrace(None)
    except SystemExit:
        pass
    else:
        raise AssertionError(f"the signal before instruction {at} was lost")
    return left == -2, time.monotonic() - before

at, goes_on = 0, True
while goes_on:
    at += 1
    goes_on, seconds = disturbed(at)
    left = open(f"/proc/self/task/{os.getpid()}/children").read()
    assert seconds < 60, f"instruction {at}: {seconds} s"
    assert not left, f"instruction {at}: {left} still runs"
print(at)
"""


def test_no_moment_of_a_signal_leaves_a_program() -> None:
    """Not of Ctrl-C, which gives a program a quarter of a second to end by itself."""
    command = [sys.executable, "-c", _DISTURBED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LONG_S, check=False)

    assert done.stderr == ""
    assert int(done.stdout) > 500, "so many instructions were tried"


def test_a_program_does_not_outlive_its_block() -> None:
    before = time.monotonic()
    with child(["sleep", str(_LONG_S)]) as process:
        assert process.poll() is None

    assert process.returncode == -signal.SIGKILL
    assert time.monotonic() < before + _LONG_S / 2


def test_status_and_output_of_a_program() -> None:
    done = run_child(["sh", "-c", "cat; echo no >&2; exit 3"], given=b"yes")

    assert (done.returncode, done.stdout, done.stderr) == (3, b"yes", b"no\n")


def test_a_program_that_takes_too_long_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_child(["sleep", str(_LONG_S)], timeout_s=0.1)


def test_a_program_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match="No such file"):
        run_child([str(tmp_path / "missing")])


def test_a_signal_waits_for_the_end_of_the_block() -> None:
    steps = []

    def step() -> None:
        with cleaning_up():
            with held(), held():
                signal.raise_signal(signal.SIGTERM)
                steps.append("done")
            steps.append("too late")

    with pytest.raises(SystemExit):
        step()
    assert steps == ["done"]


def _starters(path: Path) -> set[str]:
    """What a file calls of ``subprocess`` to start programs."""
    names = (
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )
    found = {"run", "Popen", "call", "check_call", "check_output", "getoutput"}
    return {name for name in names if name in {f"subprocess.{word}" for word in found}}


def test_programs_start_in_one_place() -> None:
    """But for users' commands, and for what may import nothing of ours or little.

    That is the build of a library, what starts no thread, and launches, whose stand-ins for
    ``java`` have few modules.
    """
    folders = ("collector", "metrics", "queries", "reports", "schema", "src", "watch")
    files = {path.resolve() for folder in folders for path in (_ROOT / folder).rglob("*.py")}
    starting = {path.relative_to(_ROOT).as_posix() for path in files if _starters(path)}

    assert starting == {
        "collector/launch/cache.py",
        "collector/launch/jdk.py",
        "collector/native_build.py",
        "src/jvmscope/actions/watching.py",
        "src/jvmscope/children.py",
        "src/jvmscope/confinement/availability.py",
        "watch/study/program.py",
    }
