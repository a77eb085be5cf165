"""What a recording did not come to read, since its own process was killed, is not lost."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import OBJECT_PROBES, Recorder, jdks

import jvmscope
from jvmscope.collector import record as recording
from jvmscope.collector import unread
from jvmscope.collector.launch.workspace import MEMORY, Workspace
from jvmscope.collector.record_options import Messages
from jvmscope.errors import AgentError, RunError
from jvmscope.queries import Engine, compare_runs
from jvmscope.schema.manifest import read_manifest
from jvmscope.schema.verify import verify_run

if TYPE_CHECKING:
    from collections.abc import Iterator

JDK = jdks()[0]
_MAIN = """
public class Main {
  static long length(int i) { return i < 2 ? 1 : length(i / 2) + Integer.toString(i).length(); }
  public static void main(String[] words) throws Exception {
    long sum = 0;
    for (int i = 0; i < 1000; i++) sum += length(i);
    System.out.println(sum);
    if (words.length > 0) new java.io.FileInputStream(words[0]).read();
    System.exit(3);
  }
}
"""
_OPTIONS: dict[str, tuple[str, ...]] = {
    "plain": (),
    "objects": ("--probes", OBJECT_PROBES),
    "native": ("--probes", "native", "--no-tree"),
    "env": ("--inject", "env"),
    "tags": ("--tag", "commit=1f2a", "--recursion", "fold", "--exclude", "java.util.*"),
}
_OF_A_RUN = {"run.json", "tables", "classes.zip"}
_KNOWN_EARLIER = ("command", "directory", "environment", "options", "tags", "determinism", "kind")


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """A recorder with directories of its own for what recordings leave, which it removes."""
    recorder = Recorder.of(JDK, tmp_path, Main=_MAIN)
    recorder.environment["TMPDIR"] = str(tmp_path / "t")
    (tmp_path / "t").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", recorder.environment["PATH"])
    monkeypatch.setattr(tempfile, "tempdir", recorder.environment["TMPDIR"])
    before = set(MEMORY.iterdir())
    os.mkfifo("go")
    gate = os.open("go", os.O_RDWR)
    yield recorder
    os.close(gate)
    for note in tmp_path.glob("t/jvmscope-*/arenas"):
        arenas = Path(note.read_text())
        assert arenas.parent == MEMORY
        assert arenas not in before
        for arena in arenas.iterdir():
            arena.unlink()
        arenas.rmdir()


def _killed(recorder: Recorder, *command: str, options: tuple[str, ...] = ()) -> subprocess.Popen:
    """Kills a recording once its program has said its first line; the program goes on."""
    process = recorder.start(*command, options=(*options, "-o", "app.run"))
    assert process.stdout is not None
    assert process.stdout.readline()
    process.kill()
    process.wait()
    return process


def _killed_while_it_reads(recorder: Recorder) -> None:
    """Kills a recording of three JVMs that have ended, once the first of them has been read."""
    script = "java -cp classes Main; java -cp classes Main; java -cp classes Main"
    process = recorder.start("sh", "-c", script, options=("-o", "app.run"))
    while not [*Path("app.run.partial").glob("jvm-2/tables.partial")]:
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.communicate()


def _let_one_go() -> None:
    """Has one program that waits, or will, go on."""
    gate = os.open("go", os.O_WRONLY)
    os.write(gate, b".")
    os.close(gate)


def _await_end(process: subprocess.Popen) -> None:
    """Waits until the program that a killed recording has left has ended."""
    process.communicate()
    deadline = time.monotonic() + 60
    while any(_is_alive(note) for note in Path("app.run.partial").glob("*/launch")):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _is_alive(note: Path) -> bool:
    values = dict(line.split("=", 1) for line in note.read_text().split("\0"))
    return Path(f"/proc/{values['pid']}").exists()


def _recover(recorder: Recorder) -> subprocess.CompletedProcess[str]:
    return _jvmscope(recorder, "recover", "app.run.partial")


def _list(recorder: Recorder) -> str:
    return _jvmscope(recorder, "list", "runs", ".").stderr


def _jvmscope(recorder: Recorder, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jvmscope", *words],
        env=recorder.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _expect_same(one: Path, other: Path) -> None:
    assert verify_run(one, lambda _done, _total: None) == []
    if read_manifest(one).kind == "native":
        return
    with Engine(one) as first, Engine(other) as second:
        assert compare_runs(first, second, limit=5).is_identical


@pytest.mark.parametrize("options", _OPTIONS)
def test_a_program_whose_recording_was_killed_is_recorded_to_its_end(
    options: str, recorder: Recorder
) -> None:
    """GIVEN a killed recording, and others after it, THEN it gives what a whole one gives."""
    words = ("java", "-cp", "classes", "Main", "go")
    killed = _killed(recorder, *words, options=_OPTIONS[options])
    assert "app.run.partial: of a recording that was killed: jvmscope recover" in _list(recorder)
    if options != "env":
        still = _recover(recorder)
        assert (still.returncode, still.stdout) == (2, "")
        assert "still runs and is recorded: wait until it ends, or end it\n" in still.stderr
    _let_one_go()
    _await_end(killed)
    _let_one_go()
    whole = recorder.record(*words, options=(*_OPTIONS[options], "-o", "whole.run"))
    assert (whole.status, whole.stdout) == (3, "17208\n")
    assert "was killed" not in whole.stderr

    done = _recover(recorder)

    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "Wrote app.run\n" in done.stderr
    assert "partial" not in _list(recorder)
    assert not Path("app.run.partial").exists()
    _expect_same(Path("app.run"), Path("whole.run"))
    manifest, expected = read_manifest(Path("app.run")), read_manifest(Path("whole.run"))
    assert (manifest.status, manifest.limit_codes) == ("truncated", ["unseen"])
    assert manifest.exit == dataclasses.replace(expected.exit, status=manifest.exit.status)
    assert {name: getattr(manifest, name) for name in _KNOWN_EARLIER} == {
        name: getattr(expected, name) for name in _KNOWN_EARLIER
    }
    assert list(Path("t").glob("jvmscope-*")) == []  # which would name what is left in memory


def test_jvms_of_a_recording_killed_while_it_reads_are_all_recovered(recorder: Recorder) -> None:
    _killed_while_it_reads(recorder)
    with pytest.raises(AgentError, match=r"started 3 JVMs; open one of app\.run/"):
        jvmscope.recover("app.run.partial")
    runs = sorted(Path("app.run").iterdir())
    assert len(runs) == 3
    assert [read_manifest(run).status for run in runs] == ["complete", "truncated", "truncated"]
    for run in runs[1:]:
        assert {path.name for path in run.iterdir()} == _OF_A_RUN
        _expect_same(run, runs[0])


def _left() -> str:
    """Where to go on: the run has what its JVM left as soon as it has its name."""
    return "app.run.partial" if any(Path("app.run.partial").glob("jvm-*")) else "app.run"


def test_recovering_may_be_killed_as_well(recorder: Recorder) -> None:
    _await_end(_killed(recorder, "java", "-cp", "classes", "Main"))
    for tenths in range(2, 30, 3):
        process = subprocess.Popen(
            [sys.executable, "-m", "jvmscope", "recover", _left()],
            env=recorder.environment,
            stderr=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=tenths / 10)
        process.kill()
        if process.wait() == 0:
            break
    if _left() != "app.run" or read_manifest(Path("app.run")).status == "failed":
        jvmscope.recover(_left()).close()
    assert verify_run(Path("app.run"), lambda _done, _total: None) == []
    assert read_manifest(Path("app.run")).limit_codes == ["unseen"]
    assert "partial" not in _list(recorder)


def test_a_recording_that_goes_on_is_left_alone(recorder: Recorder) -> None:
    process = recorder.start("java", "-cp", "classes", "Main", "go", options=("-o", "app.run"))
    assert process.stdout is not None
    assert process.stdout.readline() == "17208\n"
    assert "partial" not in _list(recorder)
    done = _recover(recorder)
    assert (done.returncode, done.stderr) == (
        2,
        "error: app.run.partial: it is still being recorded, or recovered\n",
    )
    _let_one_go()
    assert recorder.finish(process).status == 3
    assert read_manifest(Path("app.run")).status == "complete"


def test_what_cannot_be_recovered_stays_as_it_is(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _await_end(_killed(recorder, "java", "-cp", "classes", "Main"))
    begun = Path("app.run.partial/recording")
    text = begun.read_text()
    for damage in ("", "[]", "{}", "{" * 100_000, "\x00"):
        begun.write_text(damage)
        with pytest.raises(RunError, match="recording: damaged, so the recording is lost"):
            jvmscope.recover("app.run.partial")
    values = json.loads(text)
    wrong = [(name, value) for name in values for value in (None, 1, [1], {"a": 1})]
    wrong.remove(("options", {"a": 1}))
    for name, value in [*wrong, ("command", []), ("directory", "a\0"), ("name", "../app")]:
        begun.write_text(json.dumps({**values, name: value}))
        with pytest.raises(RunError, match="recording: damaged"):
            jvmscope.recover("app.run.partial")
    begun.unlink()
    with pytest.raises(RunError, match="recording: cannot be read: No such file"):
        jvmscope.recover("app.run.partial")
    begun.write_text(text)
    note = Path("app.run.partial/jvm-1/launch")
    launch = note.read_bytes()
    for damage in (b"", launch.replace(b"pid=", b"pid=x"), launch.replace(b"main=", b"men=")):
        note.write_bytes(damage)
        with pytest.raises(RunError, match="damaged, since its notes of JVMs are"):
            jvmscope.recover("app.run.partial")
    note.write_bytes(launch)
    arena = Path("app.run.partial/jvm-1/raw/arena").resolve()
    arena.rename(arena.with_name("elsewhere"))
    with pytest.raises(RunError, match=r"nodes of Main were in memory, in .*/jvm-1, and are gone"):
        jvmscope.recover("app.run.partial")
    arena.with_name("elsewhere").rename(arena)
    Path("app.run").mkdir()
    with pytest.raises(RunError, match=r"app\.run exists already; give it another name first"):
        jvmscope.recover("app.run.partial")
    Path("app.run").rmdir()
    with monkeypatch.context() as full:
        full.setattr(unread, "keep", _no_room)
        with pytest.raises(RunError, match="jvm-1: cannot be kept: No space left"):
            jvmscope.recover("app.run.partial")
    jvmscope.recover("app.run.partial").close()


def _no_room(_note: Any) -> None:
    raise OSError(28, os.strerror(28))


def test_memory_that_is_kept_is_told_until_it_is_not(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _await_end(_killed(recorder, "java", "-cp", "classes", "Main"))
    partial = recorder.directory / "app.run.partial"
    with Workspace() as workspace:
        assert list(workspace.killed) == [partial]
    monkeypatch.setattr(recording, "_TOLD_BYTES", 1)
    told: list[str] = []
    messages = Messages(say=told.append, warn=told.append, task=Any, detail=lambda _text: None)
    for name in ("missing-1", "missing-2"):
        options = recording.RecordOptions(output=Path(f"{name}.run"))
        recording.record([name], options, messages)
        partial.exists() and partial.rename("elsewhere.partial")
    assert len(told) == 3
    assert told[0].startswith(f"{partial}: of a recording that was killed; ")
    assert told[0].endswith(f"Remove it, or read it: jvmscope recover {partial}")


def test_the_next_recording_of_the_name_takes_its_place(recorder: Recorder) -> None:
    _await_end(_killed(recorder, "java", "-cp", "classes", "Main"))
    outcome = recorder.record("java", "-cp", "classes", "Main", options=("-o", "app.run"))
    assert (outcome.status, outcome.stdout) == (3, "17208\n")
    assert read_manifest(Path("app.run")).status == "complete"
    assert not Path("app.run.partial").exists()
    assert list(Path("t").glob("jvmscope-*")) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_reading_keeps_what_the_jvms_left(
    number: signal.Signals, recorder: Recorder
) -> None:
    """GIVEN a JVM that outlives COMMAND, WHEN nobody waits for it, THEN it is kept so far."""
    script = "java -cp classes Main go > log 2>&1 & until grep -qs 17208 log; do :; done; echo on"
    process = recorder.start("sh", "-c", script, options=("-o", "app.run"))
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    while Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text():
        time.sleep(0.01)
    process.send_signal(number)
    outcome = recorder.finish(process)
    _let_one_go()
    assert outcome.status == 128 + number
    assert "To read it again: jvmscope recover app.run\n" in outcome.stderr
    with jvmscope.recover("app.run") as run:
        [(n_calls,)] = run.query("SELECT sum(n_calls)::INTEGER FROM context").rows()
    assert n_calls > 1000
    assert read_manifest(Path("app.run")).limit_codes == ["outlived"]


def test_a_jvm_killed_at_its_very_start_does_not_keep_the_others(recorder: Recorder) -> None:
    """GIVEN one JVM that left nothing, and one that was read, THEN the last two become runs."""
    _killed_while_it_reads(recorder)
    first, third = Path("app.run.partial/jvm-1"), Path("app.run.partial/jvm-3")
    (first / "raw").mkdir()  # it was to be removed next
    shutil.rmtree(third / "raw")
    (third / "raw").mkdir()
    with pytest.raises(AgentError, match="started 2 JVMs"):
        jvmscope.recover("app.run.partial")
    assert not Path("app.run.partial").exists()
    runs = sorted(Path("app.run").iterdir())
    assert [{path.name for path in run.iterdir()} for run in runs] == 2 * [_OF_A_RUN]
