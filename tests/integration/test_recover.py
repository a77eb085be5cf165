"""What a JVM left survives a reading that fails, and gives the tables that it would have given."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import OBJECT_PROBES, Recorder, jdks

import jvmscope
from jvmscope.collector import finish, unread
from jvmscope.errors import RunError
from jvmscope.queries import Engine, broken_invariants, compare_runs
from jvmscope.schema.manifest import Manifest, read_manifest
from jvmscope.schema.verify import verify_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.collector.ingest import IngestResult

JDKS = jdks()

_MAIN = """
public class Main {
  static long length(int i) { return i < 2 ? 1 : length(i / 2) + Integer.toString(i).length(); }
  public static void main(String[] words) throws Exception {
    long sum = 0;
    for (int i = 0; i < 1000; i++) sum += length(i);
    System.out.println(sum);
    if (words.length > 0) {
      String self = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-9", self).start().waitFor();
    }
  }
}
"""
_FILLING = """
public class Filling {
  public static void main(String[] words) throws Exception {
    try (var file = new java.io.FileOutputStream(words[0])) {
      for (byte[] block = new byte[4096]; ; ) file.write(block);
    } catch (java.io.IOException full) {
      System.out.println("full");
    }
  }
}
"""
_FAILURES = {
    "damaged": RunError("raw/arena: is not whole"),
    "disk": OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "tables/context.parquet"),
    "bug": KeyError("n_calls"),
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "objects": {"probes": OBJECT_PROBES.split(",")},
    "native": {"probes": ["native"], "no_tree": True},
    "env": {"inject": "env"},
    "tags": {"tag": {"commit": "1f2a"}, "recursion": "fold", "exclude": ["java.util.*"]},
}

_OF_A_RUN = {"run.json", "tables", "classes.zip", "log"}


class _Broken:
    """An ingest that reads a recording into a directory of its own, and then fails."""

    def __init__(self, directory: Path, error: Exception) -> None:
        self.directory = directory
        self.error = error
        self.result: IngestResult | None = None

    def __call__(self, raw: Path, _tables: Path, _classes: Path, **options: Any) -> IngestResult:
        self.directory.mkdir()
        tables, classes = self.directory / "tables", self.directory / "classes.zip"
        self.result = _INGEST(raw, tables, classes, **options)
        raise self.error


_INGEST = finish.ingest


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_MAIN)
    _enter(recorder, monkeypatch)
    return recorder


def _enter(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(recorder.directory)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", recorder.environment["PATH"])


def _record_and_fail(
    directory: Path,
    monkeypatch: pytest.MonkeyPatch,
    *words: str,
    error: Exception = _FAILURES["disk"],
    status: int = 125,
    **options: Any,
) -> tuple[_Broken, Manifest]:
    broken = _Broken(directory / "expected", error)
    with monkeypatch.context() as patched:
        patched.setattr(finish, "ingest", broken)
        recording = jvmscope.record(
            ["java", "-cp", "classes", "Main", *words], "app.run", quiet=True, **options
        )
    assert recording.status == status
    return broken, read_manifest(Path("app.run"))


def _bytes_of(directory: Path) -> dict[str, bytes]:
    files = [*directory.glob("tables/**/*.parquet"), *directory.glob("classes.zip")]
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def _expect_recovered(broken: _Broken, failed: Manifest, run: Path) -> Manifest:
    """The run has what ingest made of it the first time, and forgets only that this was lost."""
    manifest = read_manifest(run)
    assert broken.result is not None
    assert manifest.tables == broken.result.tables
    assert _bytes_of(run) == _bytes_of(broken.directory) != {}
    assert "unread" not in manifest.limit_codes
    assert not (run / "raw").exists()
    same = ("exit", "command", "command_exit", "directory", "options", "tags", "determinism")
    for name in (*same, "kind", "started", "duration_s"):
        assert getattr(manifest, name) == getattr(failed, name), name
    return manifest


@pytest.mark.parametrize(
    ("options", "failure"),
    [("plain", "damaged"), ("plain", "bug"), *((options, "disk") for options in _OPTIONS)],
)
def test_what_a_jvm_left_is_read_again(
    options: str, failure: str, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, failed = _record_and_fail(
        recorder.directory, monkeypatch, error=_FAILURES[failure], **_OPTIONS[options]
    )
    assert (failed.status, failed.tables) == ("failed", {})
    assert failed.limit_codes[-1] == "unread"
    assert "jvmscope recover RUN" in failed.limits[-1]
    moved = Path("moved.run")
    Path("app.run").rename(moved)

    with jvmscope.recover(moved) as run:
        n_threads = run.query("SELECT count(*) FROM thread").rows()

    assert n_threads != [(0,)]
    assert _expect_recovered(broken, failed, moved).status == "complete"


def test_the_cache_may_lose_the_jdk_before(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a cache that nobody can write to, THEN the JDK was prepared for the recording only."""
    monkeypatch.setenv("JVMSCOPE_CACHE", "/proc/none")
    broken, failed = _record_and_fail(recorder.directory, monkeypatch)
    jvmscope.recover("app.run").close()
    manifest = _expect_recovered(broken, failed, Path("app.run"))
    assert manifest.n_exclusions > 0


def test_a_program_that_ended_too_early_stays_truncated(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, failed = _record_and_fail(recorder.directory, monkeypatch, "kill", status=137)
    jvmscope.recover("app.run").close()
    manifest = _expect_recovered(broken, failed, Path("app.run"))
    assert (manifest.status, manifest.limit_codes) == ("truncated", ["killed"])


def test_memory_keeps_what_the_disk_has_no_room_for(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_a_part(_source: Path, target: Path) -> None:
        target.write_bytes(b"a part")
        raise _FAILURES["disk"]

    monkeypatch.setattr(unread, "copy_sparsely", write_a_part)
    broken, failed = _record_and_fail(recorder.directory, monkeypatch)
    memory = unread.in_memory(Path("app.run/raw"))
    assert memory is not None
    jvmscope.recover("app.run").close()
    _expect_recovered(broken, failed, Path("app.run"))
    assert not memory.exists()


def test_what_memory_had_is_told_after_a_restart(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unread, "copy_sparsely", _no_room)
    _record_and_fail(recorder.directory, monkeypatch)
    memory = unread.in_memory(Path("app.run/raw"))
    assert memory is not None
    shutil.rmtree(memory)
    with pytest.raises(RunError, match="is gone, as after a restart"):
        jvmscope.recover("app.run")


def _no_room(_source: Path, _target: Path) -> None:
    raise _FAILURES["disk"]


def test_what_nothing_has_room_for_is_lost_and_told(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(unread, "copy_sparsely", _no_room)
    monkeypatch.setattr(unread, "_move_to_memory", lambda raw: _no_room(raw, raw))
    _, failed = _record_and_fail(recorder.directory, monkeypatch)
    assert "it cannot be kept, either: No space left" in capsys.readouterr().err
    assert "jvmscope recover" not in failed.limits[-1]
    with pytest.raises(RunError, match="there is nothing to recover it from"):
        jvmscope.recover("app.run")


def test_a_reading_that_fails_again_changes_nothing(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, failed = _record_and_fail(recorder.directory, monkeypatch)
    arena = Path("app.run/raw/arena")
    whole = arena.rename("whole")
    note = Path("app.run/raw/launch")
    text = note.read_bytes()
    note.write_bytes(b"damaged")
    with pytest.raises(RunError, match="raw/launch: damaged, since it does not name a JDK"):
        jvmscope.recover("app.run")
    note.write_bytes(text)
    arena.write_bytes(b"damaged")
    with pytest.raises(RunError, match=r"app\.run: the recording cannot be read: "):
        jvmscope.recover("app.run")
    assert read_manifest(Path("app.run")) == failed
    assert not Path("app.run/tables").exists()
    whole.replace(arena)
    jvmscope.recover("app.run").close()
    _expect_recovered(broken, failed, Path("app.run"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_does_not_wait_for_the_reading_may_have_it_later(
    number: signal.Signals, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN two JVMs, WHEN a signal comes while the first is read, THEN neither is lost."""
    script = "java -cp classes Main; java -cp classes Main"
    process = recorder.start("sh", "-c", script, options=("-o", "app.run"))
    while not (begun := [*Path("app.run.partial").glob("jvm-*/tables.partial")]):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    outcome = recorder.finish(process)

    assert len(begun) == 1
    assert (outcome.status, outcome.stdout) == (128 + number, "17208\n17208\n")
    assert not Path("app.run.partial").exists()
    runs = sorted(Path("app.run").iterdir())
    assert len(runs) == 2
    for run in runs:
        manifest = read_manifest(run)
        assert manifest.limits == [
            "its reading was interrupted; jvmscope recover RUN reads again what the JVM left"
        ]
        assert f"To read it again: jvmscope recover {run}\n" in outcome.stderr
        jvmscope.recover(run).close()
        assert verify_run(run, lambda _done, _total: None) == []
    with Engine(runs[0]) as first, Engine(runs[1]) as second:
        assert compare_runs(first, second, limit=5).is_identical


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_recovering_may_be_killed_at_any_moment(
    number: int, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, failed = _record_and_fail(recorder.directory, monkeypatch)
    for tenths in (2, 5, 8, 11, 14):
        process = subprocess.Popen(
            [sys.executable, "-m", "jvmscope", "recover", "app.run"],
            env=recorder.environment,
            stderr=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=tenths / 10)
        process.send_signal(number)
        process.wait()
        if process.returncode == 0:
            break
        manifest = read_manifest(Path("app.run"))
        assert manifest == failed or manifest.status == "complete"
    if (Path("app.run") / "raw").exists():
        jvmscope.recover("app.run").close()
    _expect_recovered(broken, failed, Path("app.run"))
    assert {path.name for path in Path("app.run").iterdir()} <= _OF_A_RUN


def test_the_jdk_of_a_run_is_not_started_unless_the_user_has_it(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _record_and_fail(recorder.directory, monkeypatch)
    other = recorder.directory / "other"  # a JDK in another place is another JDK
    other.mkdir()
    for entry in Path(JDKS[0].home).iterdir():
        (other / entry.name).symlink_to(entry)
    monkeypatch.setenv("JAVA_HOME", str(other))
    with pytest.raises(RunError, match=f"recorded with the JDK in {JDKS[0].home}, and JAVA_HOME"):
        jvmscope.recover("app.run")
    monkeypatch.setenv("JAVA_HOME", str(JDKS[0].home))
    jvmscope.recover("app.run").close()
    with pytest.raises(RunError, match="nothing to recover, since its recording was read"):
        jvmscope.recover("app.run")


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system; without the right to mount one there is no such test."""
    directory = tmp_path / "small"
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(directory)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    yield directory
    subprocess.run(["umount", "-l", str(directory)], check=True)


def test_a_program_that_fills_the_disk_can_be_read_later(
    full_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a disk that COMMAND fills to the last byte, THEN its recording is not lost."""
    recorder = Recorder.of(JDKS[0], tmp_path, Filling=_FILLING)
    _enter(recorder, monkeypatch)
    run, filler = full_disk / "app.run", full_disk / "filler"
    command = ("java", "-cp", "classes", "Filling", filler)
    outcome = recorder.record(*command, options=("-o", run))
    assert (outcome.status, outcome.stdout) == (125, "full\n")
    assert "To read it again: jvmscope recover small/app.run\n" in outcome.stderr

    filler.unlink()
    jvmscope.recover(run).close()

    assert read_manifest(run).status == "complete"
    assert verify_run(run, lambda _done, _total: None) == []
    with Engine(run) as engine:
        assert broken_invariants(engine) == []
