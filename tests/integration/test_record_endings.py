"""However a program ends, the run says so and keeps what was recorded."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import Jdk, class_path
from support.warm_dump import warm_dump

from jvmscope.queries import Engine
from jvmscope.schema.manifest import ExitFacts, Manifest, read_manifest

JDKS = jdks()
_UNTIL_READY = "until grep -qs ready log; do sleep 0.1; done"  # in a script, of WaitsForSignal


@pytest.fixture(scope="module", params=JDKS[:1], ids=lambda jdk: f"jdk{jdk.version}")
def jdk(request: pytest.FixtureRequest) -> Jdk:
    return request.param


@pytest.fixture(scope="module")
def classes(jdk: Jdk) -> Path:
    return class_path(jdk, BUILD)


@pytest.fixture
def recorder(tmp_path: Path, jdk: Jdk) -> Recorder:
    return Recorder(tmp_path, jdk)


def n_calls(run: Path, owner: str, method: str) -> int:
    """The calls of a method in all contexts."""
    query = (
        "SELECT coalesce(sum(x.n_calls), 0) FROM context AS x JOIN method AS m "
        "USING (method_id) JOIN class AS c USING (class_id) WHERE c.name = ? AND m.name = ?"
    )
    with Engine(run) as engine:
        ((found,),) = engine.connect().execute(query, [owner, method]).fetchall()
    return int(found)


def exit_of(manifest: Manifest) -> tuple[str, int | None, int | None]:
    assert manifest.exit is not None
    return manifest.exit.state, manifest.exit.status, manifest.exit.signal


# program, its VM options, state, exit status, calls of its method work if that says something
_ENDINGS = (
    ("SystemExit", (), "exited", 42, 10),
    ("StackOverflow", ("-Xss600k",), "ended", 1, 1),
    ("DaemonsRunning", (), "ended", 0, None),
    ("Halt", (), "exited", 43, 9),
    ("ExitFromThread", (), "exited", 5, 1),
    ("Uncaught", (), "ended", 1, None),
    ("UncaughtInThread", (), "ended", 0, None),
    ("OutOfMemory", ("-Xmx64m",), "ended", 1, None),
)
_CASES = [
    pytest.param(jdk, *ending, id=f"{ending[0]}-jdk{jdk.version}")
    for jdk in JDKS
    for ending in (_ENDINGS if jdk == JDKS[0] else _ENDINGS[:3])
]


@pytest.mark.parametrize(
    ("jdk", "program", "options", "state", "status", "calls"), _CASES, indirect=["jdk"]
)
def test_a_program_that_ends_by_itself_is_complete(
    recorder: Recorder,
    classes: Path,
    *,
    program: str,
    options: tuple[str, ...],
    state: str,
    status: int,
    calls: int | None,
) -> None:
    words = ("java", *options, "-cp", classes, program)
    recorder.dump = warm_dump(recorder.jdk)
    outcome = recorder.record(*words)
    bare = subprocess.run(
        [recorder.jdk.java, *(str(word) for word in words[1:])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (outcome.status, outcome.stdout) == (bare.returncode, bare.stdout)
    assert outcome.status == status
    manifest = read_manifest(recorder.directory / outcome.run)
    assert manifest.status == "complete"
    assert manifest.limits == []
    assert exit_of(manifest) == (state, status, None)
    if calls is not None:
        assert n_calls(recorder.directory / outcome.run, program, "work") == calls


def started(recorder: Recorder, *words: str | Path) -> tuple[subprocess.Popen[str], str]:
    """Starts a recording of WaitsForSignal and waits until it says that it is ready."""
    process = recorder.start(*words)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line == "ready 204\n", (line, process.communicate()[1])
    return process, line


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_to_record_ends_the_program_in_order(
    recorder: Recorder, classes: Path, number: signal.Signals, status: int
) -> None:
    process, line = started(recorder, "java", "-cp", classes, "WaitsForSignal")
    process.send_signal(number)
    outcome = recorder.finish(process, line)
    assert (outcome.status, outcome.stdout) == (status, "ready 204\nhook 16\n")
    run = recorder.directory / outcome.run
    assert read_manifest(run).status == "complete"
    assert exit_of(read_manifest(run)) == ("exited", status, None)
    assert n_calls(run, "WaitsForSignal", "work") == 10


def children_of(process: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(child) for child in children.read_text().split()]


def child_of(process: subprocess.Popen[str]) -> int:
    (child,) = children_of(process)
    return child


def test_a_killed_program_leaves_a_truncated_run(recorder: Recorder, classes: Path) -> None:
    process, line = started(recorder, "java", "-cp", classes, "WaitsForSignal")
    os.kill(child_of(process), signal.SIGKILL)
    outcome = recorder.finish(process, line)
    assert outcome.status == 137
    run = recorder.directory / outcome.run
    manifest = read_manifest(run)
    assert manifest.status == "truncated"
    assert exit_of(manifest) == ("killed", None, signal.SIGKILL)
    assert manifest.command_exit is None  # it is the same process
    assert manifest.limits[0] == "the JVM was killed by SIGKILL"
    assert n_calls(run, "WaitsForSignal", "work") == 9


def test_a_jvm_killed_below_a_script_is_truncated_too(recorder: Recorder, classes: Path) -> None:
    script = f"java -cp '{classes}' WaitsForSignal > log & {_UNTIL_READY}; kill -9 $!; wait $!"
    script += "; exit 6"
    outcome = recorder.record("sh", "-c", script)
    assert outcome.status == 6
    manifest = read_manifest(recorder.directory / outcome.run)
    assert (manifest.status, exit_of(manifest)) == ("truncated", ("killed", None, None))


def test_a_jvm_that_the_command_does_not_wait_for_is_recorded(recorder: Recorder) -> None:
    """GIVEN a script that ends while its JVM still starts, THEN that is recorded to its end."""
    late = "class Late { public static void main(String[] a) { System.out.println(a[0]); } }"
    compile_java(recorder.jdk, recorder.directory, Late=late)
    script = 'java -cp . Late 1 > log1 & "$JAVA_HOME/bin/java" -cp . Late 2 > log2 & exit 3'
    recorder.environment["JAVA_HOME"] = str(recorder.jdk.home)
    outcome = recorder.record("sh", "-c", script)
    assert outcome.status == 3, outcome.stderr
    assert [(recorder.directory / f"log{n}").read_text() for n in "12"] == ["1\n", "2\n"]
    manifests = [read_manifest(recorder.directory / run) for run in outcome.runs]
    assert [manifest.status for manifest in manifests] == ["complete", "complete"]
    assert {manifest.command_exit for manifest in manifests} == {ExitFacts("exited", 3)}


def test_a_jvm_that_outlives_the_command_is_cut_off(recorder: Recorder, classes: Path) -> None:
    script = f"java -cp '{classes}' WaitsForSignal > log 2>&1 & echo $!; {_UNTIL_READY}"
    outcome = recorder.record("sh", "-c", script)
    daemon = int(outcome.stdout)
    try:
        assert "outlives the command" in outcome.stderr
        run = recorder.directory / outcome.run
        manifest = read_manifest(run)
        assert manifest.status == "truncated", manifest.limits
        assert n_calls(run, "WaitsForSignal", "work") == 9
        os.kill(daemon, 0)  # it still runs, and can end in order
    finally:
        os.kill(daemon, signal.SIGTERM)
    deadline = time.monotonic() + 240
    while "hook" not in (recorder.directory / "log").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_ctrl_c_goes_to_the_program_and_record_survives_it(
    recorder: Recorder, classes: Path
) -> None:
    """GIVEN a terminal, WHEN Ctrl-C is typed once, THEN the run is still made."""
    command = recorder.command("java", "-cp", classes, "WaitsForSignal")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(recorder.directory)
        os.execve(command[0], command, recorder.environment)  # noqa: S606
    text = read_until(terminal, "ready 204")
    os.write(terminal, b"\x03")
    text += read_until(terminal, "Wrote ")
    text += read_until(terminal, None)
    _, code = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(code) == 130
    assert "hook 16" in text
    run = next(recorder.runs.glob("*.run"))
    assert read_manifest(run).status == "complete"
    assert n_calls(run, "WaitsForSignal", "work") == 10


def read_until(terminal: int, mark: str | None) -> str:
    """What the terminal shows up to a mark, or to its end."""
    text = ""
    while mark is None or mark not in text:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # its last process has ended
            data = b""
        if not data:
            assert mark is None, text
            break
        text += data.decode()
    return text
