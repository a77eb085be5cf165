"""A study of overhead of a small server, killed after its first method and gone on with.

There is one study, since each launch of the program takes seconds: whoever needs a study of a real
VM takes the fixture ``study``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS, Jdk
from support.forked import run_jvmscope
from support.long import IS_LONG

from jvmscope.reports.study import study_report
from jvmscope.watch import find_vms
from jvmscope.watch.study import Study
from jvmscope.watch.study.random_order import method_of

if TYPE_CHECKING:
    from collections.abc import Callable

# One in a usual run: a study is made of launches, and the JDKs differ in what tests of probes see.
JDKS = jdks() if IS_LONG else jdks()[-1:]
_JVMSCOPE = [sys.executable, "-m", "jvmscope"]
_LONG_S = 240.0
_POLL_S = 0.05
_SEED = 3
_SPANS = {
    "warm-up": "1s",
    "selection": "1s",
    "reading": "500ms",
    "utilization": "250ms",
    "quiet-span": "200ms",
    "quiet-timeout": "1s",
    "least-delay": "10ms",
    "most-delay": "50ms",
    "restart-after": "1h",
}
_OPTIONS = [word for name, span in _SPANS.items() for word in (f"--{name}", span)]
# The threads that serve; a request may be half counted at either end of a span.
_N_WORKERS = 2


@pytest.fixture(scope="module", params=JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def jdk(request: pytest.FixtureRequest) -> Jdk:
    return request.param


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = (PROGRAMS / "watch" / "Served.java").read_text(encoding="utf-8")
    return compile_java(jdk, tmp_path_factory.mktemp("classes"), Served=source)


def _until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + _LONG_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(_POLL_S)


def _jvmscope(*words: str, directory: Path) -> tuple[int, str]:
    """Runs a command line to its end; returns status and messages."""
    ended = run_jvmscope(words, directory=directory, environment=os.environ, timeout_s=_LONG_S)
    return ended.returncode, ended.stderr.decode()


@dataclass
class Made:
    """A study, and what there was of it when it was killed."""

    path: Path
    rows_before: dict[str, list[tuple[Any, ...]]]
    vm_outlived: bool
    left_behind: list[Path]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with Study(self.path).connect() as connection:
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def study(jdk: Jdk, classes: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A study of two methods and one control; it was killed after the first method."""
    directory = tmp_path_factory.mktemp("study")
    path = directory / "app.study"
    java = [str(jdk.home / "bin" / "java"), "-XX:TieredStopAtLevel=1", "-Xmx64m"]
    command = [*java, f"-Djava.io.tmpdir={directory}", "-cp", str(classes), "Served"]
    options = ["--methods", "2", "--calls", "20", "--seed", str(_SEED), *_OPTIONS]
    words = ["study", "overhead", "-o", str(path), *options, "--", *command]
    begun = subprocess.Popen([*_JVMSCOPE, *words], stderr=subprocess.PIPE, text=True)
    try:
        _until(lambda: (path / "parts" / "000001").exists() or begun.poll() is not None)
        pids = [vm.pid for vm in find_vms() if vm.main == "Served" and _runs(vm.pid, directory)]
        ours = [_agent_directory(pid) for pid in pids]
    finally:
        begun.kill()
        _, said = begun.communicate()
    assert (begun.returncode, len(ours)) == (-signal.SIGKILL, 1), said
    ends = time.monotonic() + _LONG_S / 4
    while (outlived := any(_runs(pid, directory) for pid in pids)) and time.monotonic() < ends:
        time.sleep(_POLL_S)
    kept = Study(path)
    assert kept.manifest.state == "running"
    with kept.connect() as connection:
        before = {
            name: connection.execute(f"FROM {name}").fetchall()
            for name in ("study_method", "cycle", "reading", "static_sample", "dynamic_sample")
        }
    status, said = _jvmscope("study", "overhead", "--resume", str(path), directory=directory)
    assert status == 0, said
    assert f"Wrote {path}" in said
    return Made(path, before, outlived, [path for path in ours if path.exists()])


def _agent_directory(pid: int) -> Path:
    """Where the agent of static probes of a VM is, by its command line."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    option = next(os.fsdecode(word) for word in words if word.startswith(b"-javaagent:"))
    return Path(option.rpartition("=")[2])


def _runs(pid: int, directory: Path) -> bool:
    """Whether a VM of the study runs; others may run the same program."""
    try:
        return os.fsencode(directory) in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_study_that_is_killed_ends_its_vm_and_stays(study: Made) -> None:
    assert not study.vm_outlived
    assert study.left_behind == []
    for table, rows in study.rows_before.items():
        assert rows
        assert study.rows(f"FROM {table}")[: len(rows)] == rows


def test_it_goes_on_where_it_was(study: Made) -> None:
    manifest = Study(study.path).manifest
    assert (manifest.state, manifest.unmeasured, manifest.n_unmeasured) == ("complete", {}, 0)
    assert study.rows("SELECT restart_id, is_control FROM restart") == [
        *((0, False), (1, False), (2, True))
    ]
    eligible = [row[0] for row in study.rows("FROM study_method WHERE is_eligible")]
    assert study.rows("SELECT cycle_id, restart_id, method_id FROM cycle") == [
        (cycle, cycle, method_of(cycle, eligible, _SEED)) for cycle in range(2)
    ]
    steps = study.rows("SELECT reading_id, restart_id, cycle_id, step FROM reading")
    assert [row[1:] for row in steps] == [
        *((0, None, "S3"), (0, 0, "S6"), (0, 0, "S8")),
        *((1, None, "S3"), (1, 1, "S6"), (1, 1, "S8"), (1, None, "S10")),
        *((2, None, "S3"), (2, None, "S10")),
    ]
    assert [row[0] for row in steps] == list(range(len(steps)))


def test_calls_are_those_of_the_program(study: Made) -> None:
    """The counts stand beside the methods of the program."""
    found = {name: (n, eligible) for name, n, eligible in study.rows(
        "SELECT name, n_calls, is_eligible FROM study_method WHERE class_name = 'Served'"
    )}  # fmt: skip
    requests, _ = found["handle"]

    assert found.keys() == {
        *("<init>", "main", "lambda$main$0", "handle", "price", "depth", "check")
    }
    assert found["<init>"] == found["main"] == (0, False)
    assert requests >= 20
    for name, calls in (("lambda$main$0", 1), ("price", 3), ("depth", 1), ("check", 1)):
        n, is_eligible = found[name]
        assert is_eligible
        assert abs(n - calls * requests) <= calls * _N_WORKERS


def test_static_samples_nest_as_the_calls_do(study: Made) -> None:
    """Within each request there are the calls that it makes, and no other."""
    nested = study.rows("""
        WITH named AS (
            SELECT reading_id, thread_id, name, entry_ns, exit_ns
            FROM static_sample JOIN study_method USING (method_id)
        ), known AS ( -- since when the buffer of the most frequent method reaches back
            SELECT reading_id, thread_id, MIN(entry_ns) AS since_ns
            FROM named WHERE name = 'price' GROUP BY ALL
        )
        SELECT request.reading_id, request.entry_ns,
               COUNT(*) FILTER (call.name = 'price'), COUNT(*) FILTER (call.name = 'depth'),
               COUNT(*) FILTER (call.name = 'check')
        FROM named AS request
        JOIN known
          ON known.reading_id = request.reading_id AND known.thread_id = request.thread_id
         AND request.entry_ns <= since_ns + 1_000_000_000 AND request.exit_ns >= since_ns
        JOIN named AS call
          ON call.reading_id = request.reading_id AND call.thread_id = request.thread_id
         AND call.entry_ns >= request.entry_ns AND call.exit_ns <= request.exit_ns
        WHERE request.name = 'handle' AND request.entry_ns > since_ns
        GROUP BY ALL""")

    assert len({row[0] for row in nested}) == 9  # in every reading
    assert {row[2:] for row in nested} == {(3, 1, 1)}


def test_samples_lie_in_their_readings(study: Made) -> None:
    outside = study.rows("""
        SELECT * FROM static_sample JOIN reading USING (reading_id)
        WHERE entry_ns < started_ns OR exit_ns > ended_ns OR exit_ns < entry_ns""")
    spans = study.rows("SELECT (ended_ns - started_ns) / 1e9, utilization FROM reading")

    assert outside == []
    assert all(seconds >= 0.5 and 0 < utilization <= 1 for seconds, utilization in spans)


def test_a_static_and_a_dynamic_sample_of_one_invocation_pair(study: Made) -> None:
    """Each static sample of the observed method lies in one dynamic sample of its thread."""
    pairs = study.rows("""
        SELECT cycle.cycle_id, static.entry_ns, COUNT(dynamic.entry_ns)
        FROM cycle
        JOIN reading ON reading.cycle_id = cycle.cycle_id AND step = 'S6'
        JOIN static_sample AS static
          ON static.reading_id = reading.reading_id AND static.method_id = cycle.method_id
        LEFT JOIN dynamic_sample AS dynamic
          ON dynamic.cycle_id = cycle.cycle_id AND dynamic.thread_id = static.thread_id
         AND dynamic.entry_ns <= static.entry_ns AND dynamic.exit_ns >= static.exit_ns
        GROUP BY ALL""")
    early = study.rows("""
        SELECT * FROM dynamic_sample JOIN cycle USING (cycle_id) WHERE entry_ns < inserted_ns""")

    assert {row[0] for row in pairs} == {0, 1}
    assert {row[2] for row in pairs} == {1}
    assert early == []


def test_compilations_follow_changes(study: Made) -> None:
    cycles = study.rows("""
        SELECT cycle_id, restart_id, inserted_ns, insertion_quiet_ns, removed_ns,
               removal_quiet_ns, reason
        FROM cycle""")
    for cycle, restart, inserted, insertion, removed, removal, reason in cycles:
        (until,) = study.rows(
            f"SELECT started_ns FROM reading WHERE cycle_id = {cycle} AND step = 'S6'"
        )[0]
        for changed_ns, quiet, what in (
            (inserted, insertion, "put in"),
            (removed, removal, "taken out"),
        ):
            if quiet is None:
                assert f"after the probe was {what}" in reason
            elif quiet > 0:
                at = changed_ns + quiet
                found = f"FROM compilation WHERE restart_id = {restart} AND at_ns = {at}"
                assert len(study.rows(found)) >= 1
        assert until > inserted
    assert all(row[0] for row in study.rows("SELECT tier BETWEEN 1 AND 4 FROM compilation"))


@dataclass(frozen=True)
class Refused:
    """A command that cannot be studied, and what is said of it."""

    options: list[str]
    java: list[str]
    main: str
    expected: str


_REFUSED = {
    "no main": Refused([], [], "Missing", "it ended with exit status 1; its output is in "),
    "few calls": Refused(
        ["--calls", "1000000"], [], "Served", "no method was called 1000000 times in 1 s: of "
    ),
    "no classes": Refused(
        ["--classes", "other.**"], [], "Served", "no method got a static probe: expected classes"
    ),
    "no agents": Refused(
        [], ["-XX:-EnableDynamicAgentLoading"], "Served", "start it without that option"
    ),
    "no attaching": Refused(
        [], ["-XX:+DisableAttachMechanism"], "Served", "start it without that option"
    ),
    "no collections": Refused(
        [], ["-XX:+DisableExplicitGC"], "Served", "the VM collects nothing on demand"
    ),
}
_USUAL = ("no main", "few calls")


@pytest.mark.parametrize("case", _REFUSED if IS_LONG else _USUAL)
def test_what_cannot_be_studied_is_said(case: str, jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    refused = _REFUSED[case]
    java = [str(jdk.home / "bin" / "java"), *refused.java, f"-Djava.io.tmpdir={tmp_path}"]
    words = ["study", "overhead", "-o", "a.study", *refused.options, *_OPTIONS]
    status, said = _jvmscope(
        *words, "--", *java, "-cp", str(classes), refused.main, directory=tmp_path
    )

    assert (status, "Traceback" in said) == (2, False)
    assert refused.expected in said
    assert "jvmscope study overhead --resume a.study" in said or not (tmp_path / "a.study").exists()
    assert not [vm for vm in find_vms() if _runs(vm.pid, tmp_path)]


def test_what_is_no_java_program_is_said(tmp_path: Path) -> None:
    status, said = _jvmscope("study", "overhead", "-o", "a.study", "--", "true", directory=tmp_path)

    assert status == 2
    assert "error: true: no Java VM could be studied: it ended with exit status 0" in said
    assert not (tmp_path / "a.study").exists()


def test_samples_of_both_probes_are_paired_without_doubt(study: Made) -> None:
    """The dynamic probe is around the static one; what it calls before that is the difference."""
    with Study(study.path).connect() as connection:
        report = study_report(connection, title="served")

    found = {each.name: each.value for part in report.questions for each in part.answers}
    assert found["accuracy.n_pairs"]
    assert found["accuracy.n_pairs"] == found["accuracy.n_dynamic_outside"]
    for doubt in ("ambiguous_static", "ambiguous_dynamic", "crossing"):
        assert found[f"accuracy.n_{doubt}"] == 0
    assert (found["accuracy.difference.minimum"] or 0) > 0
    assert len(report.observed) == 2
