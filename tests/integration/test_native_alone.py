"""Native code alone: recorded without the calling context tree, on a JDK as it is."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library

import jvmscope
from benchmarks import native_share
from jvmscope import cli
from jvmscope.collector.launch.jdk import jdk_of_home
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError
from jvmscope.queries import Engine, broken_invariants
from jvmscope.schema import read_manifest, verify_run
from jvmscope.suite import open_suite

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "native"
_ALONE = ("--no-tree", "--probes", "native")
_OWN = """
    SELECT t.name, m.name, m.descriptor, n.n_calls, n.n_exceptions, n.n_jni_calls, n.library
    FROM native_method AS n JOIN thread AS t USING (thread_id) JOIN method AS m USING (method_id)
    JOIN class AS c USING (class_id) WHERE c.name = 'Transitions' ORDER BY ALL
"""
_THREADS = "SELECT name, kind::VARCHAR, is_daemon, is_vm_internal FROM thread ORDER BY ALL"
_ENDS = """
public class Ends {
  static volatile boolean runs; // a VM may end before a thread that was started begins

  public static void main(String[] arguments) throws Exception {
    Thread daemon = new Thread(() -> { for (runs = true; ; ) Thread.onSpinWait(); }, "first");
    daemon.setDaemon(true);
    daemon.start();
    while (!runs) Thread.onSpinWait();
    daemon.setName("d\\u00e4mon \\ud83d\\ude00");
    System.out.println("ready");
    System.in.read();
    switch (arguments[0]) {
      case "exit" -> System.exit(3);
      case "kill" ->
          new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
      case "halt" -> Runtime.getRuntime().halt(4);
      case "throw" -> throw new IllegalStateException("planned");
      default -> { }
    }
  }
}
"""

_SUITE = """
schema = 1
name = "natives"
[defaults]
record = {{ tree = false, probes = ["native"] }}
[[benchmark]]
name = "ends"
java = "{java}"
command = ["-cp", "{classes}", "Ends", "end"]
"""


_QUIET = """
public class Quiet {
  public static void main(String[] arguments) {}
}
"""


def _library(jdk: Jdk) -> Path:
    try:
        return agent_library(jdk, "transitions", BUILD, folder=_SOURCES)
    except MissingTool as error:
        pytest.skip(str(error))


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with jvmscope.open(run) as opened:
        return list(opened.query(query, language="sql").rows())


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """Returns a recorder with programs."""
    jdk: Jdk = request.param
    try:
        native_library()
    except AgentError as error:
        pytest.skip(str(error))
    sources = {
        name: (_SOURCES / f"{name}.java").read_text(encoding="utf-8") for name in ("Transitions",)
    }
    directory = tmp_path_factory.mktemp("alone")
    return Recorder.of(jdk, directory, Ends=_ENDS, **sources)


def test_counts_are_those_beside_a_tree(recorder: Recorder) -> None:
    """GIVEN a program recorded with its calls and alone, THEN its native methods are counted so."""
    library = _library(recorder.jdk)
    java = ("java", "-cp", "classes", "Transitions", str(library))
    bare = subprocess.run(
        [recorder.jdk.java, *java[1:]],
        cwd=recorder.directory,
        capture_output=True,
        text=True,
        check=True,
    )
    unprepared = Recorder(recorder.directory, recorder.jdk)
    unprepared.environment["JVMSCOPE_CACHE"] = str(recorder.directory / "cache")
    alone = unprepared.record(*java, options=_ALONE)
    (kept,) = (recorder.directory / "cache" / "jdk").glob("*/replaced-natives.txt")
    assert {path.name for path in kept.parent.iterdir()} == {kept.name, "files.list"}
    beside = recorder.record(*java, options=("--probes", "native", "--native-clock", "none"))

    assert (alone.status, alone.stdout) == (beside.status, beside.stdout) == (0, bare.stdout)
    run = recorder.directory / alone.run
    assert verify_run(run) == []
    with Engine(run) as engine:
        assert broken_invariants(engine) == []
    own = _rows(run, _OWN)
    assert own == _rows(recorder.directory / beside.run, _OWN)
    assert len(own) > 10
    reasons = "SELECT reason::VARCHAR, COUNT(*) > 10 FROM unfollowed_native GROUP BY 1 ORDER BY 1"
    expected = {("recorder", True), ("replaced", True), ("startup", False)}
    assert expected <= set(_rows(run, reasons))
    ((bytecode, native),) = _rows(run, "SELECT SUM(bytecode_ns), SUM(native_ns) FROM thread_time")
    assert bytecode > 0
    assert native > 0


@pytest.mark.parametrize(
    ("how", "state", "status"),
    [("end", "ended", 0), ("throw", "ended", 1), ("exit", "exited", 3), ("halt", "exited", 4)],
)
def test_the_run_knows_how_the_program_ended(
    recorder: Recorder, how: str, state: str, status: int
) -> None:
    outcome = recorder.record("java", "-cp", "classes", "Ends", how, options=_ALONE, stdin="\n")
    manifest = read_manifest(recorder.directory / outcome.run)

    assert (outcome.status, outcome.stdout) == (status, "ready\n")
    assert manifest.status == "complete"
    assert manifest.exit is not None
    assert (manifest.exit.state, manifest.exit.status) == (state, status)
    assert manifest.main.class_name == "Ends"
    assert manifest.jvm["vm_name"]
    threads = _rows(recorder.directory / outcome.run, _THREADS)
    assert ("dämon 😀", "platform", True, False) in threads
    assert {name for name, *_ in threads} >= {"main"}


def test_a_killed_vm_keeps_its_counts(recorder: Recorder) -> None:
    outcome = recorder.record("java", "-cp", "classes", "Ends", "kill", options=_ALONE)

    assert outcome.status == 128 + 9
    manifest = read_manifest(recorder.directory / outcome.run)
    assert manifest.status == "truncated"
    assert manifest.exit is not None
    assert manifest.exit.state == "killed"
    n_calls = "SELECT SUM(n_calls) > 100 FROM native_method"
    assert _rows(recorder.directory / outcome.run, n_calls) == [(True,)]


def test_tools_of_the_jdk_and_jvms_of_scripts_are_recorded(recorder: Recorder) -> None:
    made = "jar --create --file 'ends of it.jar' --main-class Ends -C classes ."
    started = "java -jar 'ends of it.jar' exit < /dev/null"
    outcome = recorder.record("sh", "-c", f"{made}; {started}", options=_ALONE)
    manifests = [read_manifest(recorder.directory / run) for run in outcome.runs]
    assert [manifest.jvm["command"][0] for manifest in manifests] == ["jar", "java"]
    assert manifests[1].main.class_name == "Ends"
    assert outcome.status == 3


def test_the_events_of_the_vm_tell_of_the_same_calls(recorder: Recorder) -> None:
    """GIVEN a program recorded in both ways, THEN its native methods have the same calls."""
    library = _library(recorder.jdk)
    java = ("java", "-cp", "classes", "Transitions", str(library))
    by_functions, by_events = (
        recorder.record(*java, options=("--no-tree", "--probes", probe))
        for probe in ("native", "native-spa")
    )

    assert by_events.status == 0
    assert by_events.stdout == by_functions.stdout
    assert by_events.manifest.options["probes"] == ["native-spa"]
    run = recorder.directory / by_events.run
    calls = f"SELECT * EXCLUDE (n_jni_calls) FROM ({_OWN})"  # events also tell of the VM's calls
    assert _rows(run, calls) == _rows(recorder.directory / by_functions.run, calls)
    with Engine(run) as engine:
        assert broken_invariants(engine) == []
    kinds = {kind for (kind,) in _rows(run, "SELECT DISTINCT kind::VARCHAR FROM native_transition")}
    assert kinds == {"java_method", "native_method"}
    with jvmscope.open(run) as opened:
        measured = opened.measure("native.jni_calls", "native.share").arrow().to_pylist()
    values = {row["measure"]: row["value"] for row in measured}
    assert values["n_calls"] > 100
    assert values["n_static"] is None
    assert 0 < values["native_share"] < 1


def test_the_benchmark_of_known_times_knows_its_calls(recorder: Recorder, tmp_path: Path) -> None:
    """GIVEN its threads, at a small size, THEN each has the calls that it counted itself."""
    _library(recorder.jdk)  # or skip
    laboratory = native_share.Laboratory(jdk_of_home(str(recorder.jdk.home)), tmp_path)
    setting = native_share.Setting("", has_tree=False, clock="timestamp")
    known, seen = laboratory.record(setting, milliseconds=20)

    calls = {name: (facts.n_native, facts.n_jni) for name, facts in known.items()}
    assert {name: (seen[name].n_native, seen[name].n_jni) for name in known} == calls
    assert len(calls) == 11
    assert calls["10 µs, calls of Java by JNI"][1] > 0
    assert all(seen[name].points(facts) is not None for name, facts in known.items())


def test_a_suite_is_recorded_without_the_tree(
    recorder: Recorder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a suite file with ``tree = false``, THEN its runs are of native code alone."""
    file, out = tmp_path / "suite.toml", tmp_path / "out"
    classes = recorder.directory / "classes"
    file.write_text(_SUITE.format(java=recorder.jdk.java, classes=classes), encoding="utf-8")

    assert cli.run(["suite", "run", str(file), "-o", str(out)]) == cli.DONE
    assert f"Next: jvmscope suite list {out}" in (said := capsys.readouterr().err)
    assert f"jvmscope measure {out}/*.run -m 'native.*'" in said
    (row,) = open_suite(out).rows
    assert row.run is not None
    assert read_manifest(row.run).kind == "native"
    assert _rows(row.run, "SELECT SUM(n_calls) > 100 FROM native_method") == [(True,)]
    assert cli.run(["suite", "run", str(file), "-o", str(out)]) == cli.DONE
    assert "nothing to do" in capsys.readouterr().err
    for kind in ("summary", "html"):
        assert cli.run(["report", str(out), kind]) == cli.WRONG
        assert "no calling context tree" in capsys.readouterr().err


@pytest.mark.parametrize("options", [_ALONE, ("--probes", "native")], ids=["alone", "beside"])
def test_jvms_that_only_a_variable_reaches_are_recorded(
    recorder: Recorder, options: tuple[str, ...]
) -> None:
    """GIVEN two JVMs and one without a program, THEN each program has its own counts."""
    java = "java -cp classes Ends"
    both = f"java -version; {java} halt < /dev/null; {java} exit < /dev/null"
    outcome = recorder.record("sh", "-c", both, options=(*options, "--inject", "env"))

    runs = [recorder.directory / run for run in outcome.runs]
    manifests = [read_manifest(run) for run in runs]
    assert outcome.status == 3
    assert [manifest.exit and manifest.exit.status for manifest in manifests] == [4, 3]
    assert {manifest.main.class_name for manifest in manifests} == {"Ends"}
    assert {manifest.jvm["version"].split(".")[0] for manifest in manifests} == {
        str(recorder.jdk.version)
    }
    for run in runs:
        assert _rows(run, "SELECT SUM(n_calls) > 100 FROM native_method") == [(True,)]


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_what_the_recording_does_itself_is_not_counted(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a JDK that lacks what a prepared one has, and a program without exceptions."""
    recorder = Recorder.of(jdk, tmp_path, Quiet=_QUIET)
    run = recorder.record("java", "-cp", "classes", "Quiet", options=_ALONE)
    query = """
        SELECT t.name, n.n_calls FROM native_method AS n JOIN thread AS t USING (thread_id)
        JOIN method AS m USING (method_id) WHERE m.name = 'fillInStackTrace'
    """
    assert _rows(recorder.directory / run.run, query) == []
