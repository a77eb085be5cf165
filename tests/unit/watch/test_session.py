"""What a watch refuses before it touches the VM."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.watched_rows import write_watched

from jvmscope.actions.watching import watch_command
from jvmscope.errors import AgentError
from jvmscope.output.console import Console
from jvmscope.watch import JavaVm, WatchOptions, is_watch_run, session, watch
from jvmscope.watch.claim import claimed
from jvmscope.watch.lease import Lease

if TYPE_CHECKING:
    from pathlib import Path


def test_only_a_watch_run_is_replaced(tmp_path: Path) -> None:
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    (tmp_path / "kept").touch()

    with pytest.raises(AgentError, match="exists already, and is not a watch run"):
        watch(vm, WatchOptions(tmp_path))
    with pytest.raises(AgentError, match="exists already, and is not a watch run"):
        watch(vm, WatchOptions(tmp_path / "kept"))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_what_the_process_used_is_read_before_the_vm_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the machine is busy the VM's answer takes seconds, which would be without a reading."""
    came: list[str] = []

    def read(_pid: int) -> None:
        came.append("usage")

    def ask(*_arguments: object) -> None:
        came.append("recording")
        raise AgentError("the VM does not answer")

    monkeypatch.setattr(session, "process_usage", read)
    monkeypatch.setattr(Lease, "begin", ask)
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    with pytest.raises(AgentError, match="does not answer"):
        watch(vm, WatchOptions(tmp_path / "a.watch"))

    assert came == ["usage", "recording"]


@pytest.mark.parametrize("place", ["file/a.watch", "/proc/a.watch", "kept", "own.watch"])
def test_no_command_is_started_for_a_run_that_cannot_be_written(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    run = tmp_path / place
    options = WatchOptions(run, command=["touch", str(tmp_path / "started")])
    with claimed(tmp_path / "own.watch"):
        ended = watch_command(options, Console())

    assert ended == (125, False)
    assert capfd.readouterr().err.startswith(f"error: {run}: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "kept"]


def test_a_vm_that_has_refused_is_not_watched_as_it_ends(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What said so is gone by then, and it is like a VM that tells nothing of itself."""
    nobody = 2**30
    refusing = JavaVm(nobody, nobody, os.geteuid(), "17", "Main", None, None, "it was told to")
    ending = replace(refusing, refusal=None)
    looks = iter([refusing] * 3 + [ending] * 3)
    monkeypatch.setattr("jvmscope.actions.watching.vms_below", lambda _: [next(looks, ending)])
    monkeypatch.setattr("jvmscope.actions.watching._STARTS_S", 0)
    options = WatchOptions(tmp_path / "a.watch", command=["sleep", "0.5"])

    assert watch_command(options, Console()) == (125, False)

    said = capfd.readouterr().err
    assert said.count("cannot be watched: it was told to") == 1
    assert said.endswith("error: sleep: ended before a Java VM of it could be watched\n")


@pytest.mark.parametrize("is_there", [False, True])
def test_one_watch_at_a_time_writes_a_run(tmp_path: Path, *, is_there: bool) -> None:
    """The other one is refused; once the first has ended, however it did, its lock is gone."""
    run = tmp_path / "new" / "a.watch"
    if is_there:
        run.parent.mkdir()
        write_watched(run)
    nobody = JavaVm(2**30, 2**30, os.geteuid(), "17", "Main", None, None, None)
    before = sorted(tmp_path.rglob("*"))

    with claimed(run), pytest.raises(AgentError, match=r"a\.watch: another watch writes it now"):
        watch(nobody, WatchOptions(run))
    with pytest.raises(AgentError, match="the VM has ended"):
        watch(nobody, WatchOptions(run))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_killed_watch_leaves_no_lock(tmp_path: Path) -> None:
    run = tmp_path / "a.watch"
    program = f"""
import os
import subprocess
import sys
from pathlib import Path
from jvmscope.watch.claim import claimed
with claimed(Path({str(run)!r})):
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    with claimed(run):
        assert run.is_dir()


def test_a_watch_run_is_known(tmp_path: Path) -> None:
    write_watched(run := tmp_path / "a.watch")
    assert (is_watch_run(run), is_watch_run(tmp_path)) == (True, False)
