"""Probes in a running VM: counts that are known by construction, and what is left afterwards."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from oracle.toolchain import PROGRAMS, Jdk
from support.forked import run_jvmscope
from support.long import IS_LONG

from jvmscope.collector import agent_jar
from jvmscope.queries import Engine
from jvmscope.schema.manifest import read_manifest
from jvmscope.watch import SampledProbes, find_vm, parse_probe
from jvmscope.watch.probes.link import AgentLink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_JVMSCOPE = [sys.executable, "-m", "jvmscope"]
_LONG_S = 120.0
_POLL_S = 0.05
_OURS = "io/jvmscope/watch"
_CALLS, _DEPTH, _THREADS = 1_000, 10, 4
_MANY = 5_000_000
_FIRST_WITH_VIRTUAL_THREADS = 21
_LOADERS = 3
# So little that classes are unloaded, and that a leak ends the program.
_SMALL = ("-Xmx64m", "-XX:MaxMetaspaceSize=48m")
# A VM of Java 17 does not use again what it frees of older versions of a class.
_ROOMY = ("-Xmx64m", "-XX:MaxMetaspaceSize=1g")
# How many more bytes of objects and of classes may be in use: for each insertion, and in all. The
# VM has a small class for each lambda that is linked again, and older versions for a while.
_MOST_MORE = ((100, 1 << 20), (5_000, 16 << 20))
_MESSAGES = ("inserted", "removed", "method", "time", "failure")
_N_INSERTIONS = 10_000 if IS_LONG else 40
# Classes of the agent whose objects are about probes; others have some for as long as a thread or
# the agent is there.
_OF_PROBES = {
    *("Activation", "ChangedClass", "Expression", "Ledger", "Link", "MethodPattern", "Probe"),
    *("ProbedMethod", "ProbeTransformer", "Redefinitions", "Session", "Stats", "Totals"),
}

_TEXTS = [None if i % 4 == 0 else "x" * (i % 64) for i in range(_CALLS)]
_CONDITIONS = {
    "Measured.text(String key) when key.length() > 32": sum(
        text is not None and len(text) > 32 for text in _TEXTS
    ),
    "Measured.text when $1 == null": _TEXTS.count(None),
    "Measured.text when key == null || key.isEmpty()": sum(not text for text in _TEXTS),
    'Measured.text when key.startsWith("xxxx") && key != "xxxxx"': sum(
        text is not None and len(text) >= 4 and text != "xxxxx" for text in _TEXTS
    ),
    'Measured.text when key.contains("xx") && !key.endsWith("xxx")': _TEXTS.count("xx"),
    "Measured.plain(int n) when n % 10 == 3": _CALLS // 10,
    "Measured.plain when i < 40000 && i * 2 - 1 >= 1001": _CALLS - 501,
    "Measured.plain when i % (i - i) == 0": 0,
    'Measured.plain when thread.name == "main" && -i < 0': _CALLS - 1,
    'Measured.plain when thread.name.contains("none")': 0,
    "Measured.field(int n) when this.size == n && n > 9": _CALLS - 10,
    "Measured.branches when half > 1.5 && values.length == 4": sum(
        i / 2 > 1.5 and i % 5 == 4 for i in range(_CALLS)
    ),
    "Measured.branches(int, double h, int[]) when (h >= 12.5 || i == 1) == true": _CALLS - 24,
    "Measured.recursive(int depth) when depth == 4": _CALLS,
    'Measured.<init>(int, String name) when name == "odd"': _CALLS // 2,
    "Measured$Derived.step when this.above >= 10": _CALLS - 10,  # none where it is not there
    "Measured$Kept.keep when this.modCount >= 500": _CALLS - 500,
    "Measured$Kept.keep when i > this.LIMIT": _CALLS - 8,
}
"""Conditions, and how many invocations of the act ``calls`` meet each; None: it is refused."""

_N_BUSY = 40
_BUSY = {
    "short": "Busy.spin(int us) when us == 500",
    "long": "Busy.spin(int us) when us == 2000",
    "twice": "Busy.twice",
    "recursive": "Busy.recursive",
    "failing": "Busy.failing",
    "parked": "Busy.parked",
}
"""What the act ``busy`` spends, and the probe that measures it."""

_OF_THREADS = {
    "Measured.plain when thread.id > 0 && thread.id <= 3": (2 * _CALLS, 0),
    'Measured.plain when !thread.isDaemon && thread.group == "main"': ((2 + _THREADS) * _CALLS, 0),
    "Measured.plain when thread.isVirtual && thread.isDaemon": (0, _THREADS * _CALLS),
}
"""Conditions, and how many invocations meet each in platform and in virtual threads."""


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program and the observer; the program with the names of its parameters."""
    directory = tmp_path_factory.mktemp("classes")
    compiled = directory / "classes"
    names = ("Measured", "Observer", "Busy")
    sources = [str(PROGRAMS / "watch" / f"{name}.java") for name in names]
    subprocess.run([jdk.tool("javac"), "-g", "-d", str(compiled), *sources], check=True)
    manifest = directory / "manifest"
    manifest.write_text("Agent-Class: Observer\nCan-Retransform-Classes: true\n")
    jar = [jdk.tool("jar"), "cfm", str(directory / "observer.jar"), str(manifest)]
    more = [path.name for path in compiled.glob("Observer*.class")]
    subprocess.run([*jar, *more], cwd=compiled, check=True)
    (directory / "observer.jar").rename(compiled / "observer.jar")
    return compiled


@dataclass
class Program:
    """The program, which does what it is told."""

    process: subprocess.Popen[str]
    pid: int
    jdk: Jdk
    classes: Path
    directory: Path

    def act(self, *names: str) -> None:
        """Has the program do something, and waits until that is done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for name in names:
            self.process.stdin.write(f"{name}\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "done\n"

    def seen(self) -> str:
        """The instructions of the class as another agent sees them, less numbers of constants."""
        file = self.directory / "Measured.class"
        file.unlink(missing_ok=True)
        agent = [str(self.classes / "observer.jar"), f"{file}:Measured"]
        command = [self.jdk.tool("jcmd"), str(self.pid), "JVMTI.agent_load", *agent]
        subprocess.run(command, check=True, capture_output=True)
        javap = [self.jdk.tool("javap"), "-c", "-p", "-l", str(file)]
        text = subprocess.run(javap, check=True, capture_output=True, text=True).stdout
        return re.sub(r"#\d+", "#", text)

    def watch(self, run: Path, *options: str) -> subprocess.Popen[str]:
        """Starts to watch the program; returns when the probes are in."""
        command = [*_JVMSCOPE, "watch", "-o", str(run), *options, str(self.pid)]
        watcher = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        _until(lambda: watcher.poll() is not None or _has_rows(run, "probe_method"))
        return watcher


@contextmanager
def program(
    jdk: Jdk, classes: Path, directory: Path, *options: str, within: Sequence[str] = ()
) -> Iterator[Program]:
    """Runs the program; if it is run within another command, its VM is that one's child."""
    own = f"-Djava.io.tmpdir={directory}"
    java = [str(jdk.home / "bin" / "java"), own, *options, "-cp", str(classes), "Measured"]
    command = [*within, *java]
    process = subprocess.Popen(
        command,
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        pid = process.pid
        if within:
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii"))
        yield Program(process, pid, jdk, classes, directory)
    finally:
        process.kill()
        process.communicate()


def _until(holds: Any) -> None:
    ends = time.monotonic() + _LONG_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(_POLL_S)


def _has_rows(run: Path, table: str) -> bool:
    return (run / "run.json").exists() and read_manifest(run).tables[table].rows > 0


def _ended(watcher: subprocess.Popen[str], number: int = signal.SIGINT) -> tuple[int, str]:
    """Has a watcher end by a signal; returns its status and what it said."""
    watcher.send_signal(number)
    _, said = watcher.communicate(timeout=_LONG_S)
    return watcher.returncode, said


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with Engine(run) as engine:
        return list(engine.query(query).rows())


def _probes(*texts: str) -> list[str]:
    return [word for text in texts for word in ("--probe", text)]


@pytest.fixture(scope="module")
def measured(
    jdk: Jdk, classes: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[str]]]:
    """A run with a probe in every method and one for each condition; the class seen meanwhile."""
    directory = tmp_path_factory.mktemp("measured")
    conditions = [*(text for text, n in _CONDITIONS.items() if n is not None), *_OF_THREADS]
    everywhere = ("Measured.*", "Measured.<init>", "Measured$Later.*", "java.util.BitSet.size")
    is_virtual = jdk.version >= _FIRST_WITH_VIRTUAL_THREADS
    with program(jdk, classes, directory) as running:
        before = running.seen()
        watcher = running.watch(
            directory / "a.watch", "--samples", *_probes(*everywhere, *conditions)
        )
        between = running.seen()
        running.act("calls", "threads", "load", "lying", *(["virtual"] if is_virtual else []))
        status, said = _ended(watcher)
        assert status == 0, said
        yield directory / "a.watch", [before, between, running.seen()]
        running.act("calls")


def _calls(run: Path, text: str) -> dict[tuple[str, bool], int]:
    """How often methods were called that a probe is for, by name and kind of exit."""
    query = f"""
        SELECT m.name, t.is_exceptional, SUM(t.n_calls)
        FROM probe_time AS t JOIN probe_method AS m USING (probe_method_id)
        JOIN probe AS p USING (probe_id)
        WHERE p.text = '{text.replace("'", "''")}' GROUP BY ALL
    """
    return {(name, is_exceptional): n for name, is_exceptional, n in _rows(run, query)}


def test_the_run_is_whole(measured: tuple[Path, list[str]]) -> None:
    run, _ = measured
    checked = run_jvmscope(
        ["check", str(run)], directory=Path.cwd(), environment=os.environ, timeout_s=_LONG_S
    )

    assert (read_manifest(run).status, checked.returncode) == ("complete", 0)
    assert _rows(run, "FROM unseen WHERE subject LIKE 'probe in %'") == []


def test_calls_are_counted_by_method_and_exit(jdk: Jdk, measured: tuple[Path, list[str]]) -> None:
    is_virtual = jdk.version >= _FIRST_WITH_VIRTUAL_THREADS
    in_threads = _THREADS * _CALLS * (2 if is_virtual else 1)
    found = _calls(measured[0], "Measured.*")

    assert found["plain", False] == _CALLS + in_threads + _CALLS
    assert found["recursive", False] == _CALLS + in_threads
    assert found["failing", True] == _CALLS // 4
    assert found["failing", False] == _CALLS - _CALLS // 4
    assert found["shared", False] == _CALLS + _CALLS // 10
    assert {name: found[name, False] for name in ("first", "second", "field", "branches")} == {
        "first": _CALLS,
        "second": _CALLS // 10,
        "field": _CALLS,
        "branches": _CALLS,
    }
    assert ("plain", True) not in found
    assert _calls(measured[0], "Measured.<init>") == {("<init>", False): 2 * _CALLS}


def test_a_class_that_is_loaded_later_has_probes_from_the_first_call(
    measured: tuple[Path, list[str]],
) -> None:
    expected = {("act", False): 1, ("step", False): _CALLS}

    assert _calls(measured[0], "Measured$Later.*") == expected


@pytest.mark.parametrize("text", [text for text, n in _CONDITIONS.items() if n])
def test_invocations_that_meet_a_condition_count(
    measured: tuple[Path, list[str]], jdk: Jdk, text: str
) -> None:
    """Methods that threads call, too, are called by these for the same conditions."""
    is_virtual = jdk.version >= _FIRST_WITH_VIRTUAL_THREADS
    n_more = 1 + (_THREADS * (2 if is_virtual else 1))
    expected = _CONDITIONS[text]
    assert expected is not None
    if "thread.name" in text:
        expected *= 2
    elif "Measured.plain" in text:
        expected *= n_more + 1
    elif "Measured.recursive" in text:
        expected *= n_more

    assert sum(_calls(measured[0], text).values()) == expected


@pytest.mark.parametrize("text", _OF_THREADS)
def test_conditions_see_the_thread(measured: tuple[Path, list[str]], jdk: Jdk, text: str) -> None:
    platform, virtual = _OF_THREADS[text]
    n_calls = platform + (virtual if jdk.version >= _FIRST_WITH_VIRTUAL_THREADS else 0)

    assert sum(_calls(measured[0], text).values()) == n_calls


def test_conditions_that_never_hold_have_no_rows(measured: tuple[Path, list[str]]) -> None:
    for text, n in _CONDITIONS.items():
        if n == 0:
            assert _calls(measured[0], text) == {}


def test_histograms_have_the_same_calls(measured: tuple[Path, list[str]]) -> None:
    run, _ = measured
    keys = "probe_method_id, is_exceptional, end_ns"
    wrong = f"""
        SELECT * FROM probe_time AS t JOIN (
            SELECT {keys}, SUM(n_calls) AS n, MIN(low_ns) AS low, MAX(high_ns) AS high,
                SUM(n_calls * low_ns) AS least, SUM(n_calls * high_ns) AS most
            FROM probe_histogram GROUP BY ALL
        ) USING ({keys})
        WHERE n <> n_calls OR least_ns > high OR most_ns < low
            OR total_ns NOT BETWEEN least AND most
    """
    widths = "FROM probe_histogram WHERE high_ns - low_ns > GREATEST(1, low_ns / 8)"

    assert _rows(run, wrong) == []
    assert _rows(run, widths) == []


def test_samples_are_the_invocations_that_count(measured: tuple[Path, list[str]]) -> None:
    run, _ = measured
    keys = "probe_method_id, is_exceptional"
    different = f"""
        SELECT {keys}, SUM(n_calls) AS n, SUM(n_samples) AS n_kept, SUM(total_ns) AS total,
            MIN(least_ns) AS least, MAX(most_ns) AS most
        FROM probe_time GROUP BY ALL
        EXCEPT
        SELECT {keys}, COUNT(*), COUNT(*), SUM(duration_ns), MIN(duration_ns), MAX(duration_ns)
        FROM probe_sample GROUP BY ALL
    """

    assert _rows(run, different) == []
    assert _rows(run, "SELECT COUNT(*) FROM probe_sample") == _rows(
        run, "SELECT SUM(n_calls) FROM probe_time"
    )


def test_samples_of_a_thread_follow_each_other(jdk: Jdk, measured: tuple[Path, list[str]]) -> None:
    """Its main thread has called a method before, between and after others that do the same."""
    of_plain = """
        FROM probe_sample JOIN probe_method USING (probe_method_id) JOIN probe USING (probe_id)
        WHERE text = 'Measured.*' AND name = 'plain'
    """
    overlapping = f"""
        SELECT * FROM (
            SELECT entry_ns, duration_ns, LEAD(entry_ns) OVER (
                PARTITION BY java_thread_id ORDER BY entry_ns) AS next
            {of_plain}
        ) WHERE entry_ns + duration_ns > next
    """
    by_thread = f"""
        SELECT n, COUNT(*) FROM (SELECT COUNT(*) AS n {of_plain} GROUP BY java_thread_id)
        GROUP BY n ORDER BY n
    """
    n_threads = _THREADS * (2 if jdk.version >= _FIRST_WITH_VIRTUAL_THREADS else 1)

    assert _rows(measured[0], overlapping) == []
    assert _rows(measured[0], by_thread) == [(_CALLS, n_threads), (2 * _CALLS, 1)]
    assert _rows(
        measured[0],
        f"""SELECT DISTINCT t.name FROM vm_thread AS t JOIN (
            SELECT java_thread_id FROM (SELECT * {of_plain})
            GROUP BY ALL HAVING COUNT(*) = {2 * _CALLS}) USING (java_thread_id)""",
    ) == [("main",)]


def test_times_of_samples_are_those_of_the_watch(measured: tuple[Path, list[str]]) -> None:
    """Both clocks give each invocation the interval in which it was counted."""
    outside = """
        SELECT * FROM probe_sample WHERE start_ns + duration_ns
            NOT BETWEEN (SELECT MIN(start_ns) FROM probe_time) - 1000000
            AND (SELECT MAX(end_ns) FROM probe_time) + 1000000
    """

    assert _rows(measured[0], outside) == []
    assert _rows(
        measured[0],
        "SELECT MAX(start_ns - entry_ns) - MIN(start_ns - entry_ns) < 1e7 FROM probe_sample",
    ) == [(True,)]


def test_known_times_are_measured_within_two_percent(shared_program: Program) -> None:
    """By method and by argument, of failures, of waiting, and of a recursion once.

    A thread may be interrupted between its reading of the clock and that of the probe, so a tenth
    of the calls may be off; the totals are those of the calls.
    """
    run = shared_program.directory / "busy.watch"
    shared_program.act("busy")  # the class has to be there
    watcher = shared_program.watch(run, "--samples", *_probes(*_BUSY.values()))
    shared_program.act("busy")
    status, said = _ended(watcher)
    assert status == 0, said

    lines = (shared_program.directory / "busy.txt").read_text(encoding="ascii").splitlines()
    spent = {kind: [int(time) for time in times] for kind, *times in map(str.split, lines)}
    query = """
        SELECT p.text, n_calls, total_ns, durations FROM (
            SELECT probe_method_id, LIST(duration_ns ORDER BY start_ns) AS durations
            FROM probe_sample GROUP BY ALL
        ) JOIN (
            SELECT probe_method_id, SUM(n_calls)::BIGINT AS n_calls,
                SUM(total_ns)::BIGINT AS total_ns
            FROM probe_time GROUP BY ALL
        ) USING (probe_method_id)
        JOIN probe_method USING (probe_method_id) JOIN probe AS p USING (probe_id)
    """
    found = {text: told for text, *told in _rows(run, query)}
    assert spent.keys() == _BUSY.keys()
    for kind, text in _BUSY.items():
        n_calls, total, durations = found[text]
        assert (n_calls, total) == (len(durations), sum(durations))
        assert len(durations) == len(spent[kind]) == _N_BUSY
        pairs = [*zip(spent[kind], durations, strict=True)]
        assert all(own <= seen for own, seen in pairs)
        n_near = sum(seen <= 1.02 * own for own, seen in pairs)
        assert n_near >= 0.9 * _N_BUSY, (kind, pairs)


def test_probes_that_come_and_go_have_their_samples(shared_program: Program) -> None:
    vm = find_vm(shared_program.process.pid)
    assert vm is not None
    with SampledProbes(vm, agent_jar()) as probes:
        for text in ("Measured.plain", "Measured.failing(int i) when i % 8 == 0"):
            assert probes.insert([parse_probe(text)]) == 1
            shared_program.act("calls")
            found = probes.remove()
            n_calls = _CALLS if text == "Measured.plain" else _CALLS // 8
            assert (len(found), probes.n_calls, probes.n_lost) == (n_calls, n_calls, 0)
            assert {sample.is_exceptional for sample in found} == {"failing" in text}
            times = [time for sample in found for time in (sample.entry_ns, sample.exit_ns)]
            assert times == sorted(times)
        shared_program.act("calls")
        assert probes.samples() == []
    assert _OURS not in shared_program.seen()


def test_samples_without_room_are_counted(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """Nobody reads them while they come: the VM keeps what it has room for."""
    with program(jdk, classes, tmp_path, *_SMALL) as running:
        vm = find_vm(running.pid)
        assert vm is not None
        with SampledProbes(vm, agent_jar()) as probes:
            probes.insert([parse_probe("Measured.plain")])
            running.act("many")
            found = probes.remove()

    assert probes.n_calls == _MANY
    assert probes.n_lost > 0
    assert len(found) + probes.n_lost == _MANY


def test_the_class_is_as_before(measured: tuple[Path, list[str]]) -> None:
    before, between, after = measured[1]

    assert _OURS in between
    assert _OURS not in before
    assert after == before


def test_callers_are_told_apart(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    run = tmp_path / "a.watch"
    with program(jdk, classes, tmp_path) as running:
        watcher = running.watch(run, "--callers", *_probes("Measured.shared", "Measured.plain"))
        running.act("calls", "load")
        assert _ended(watcher)[0] == 0
    query = """
        SELECT m.name, c.class_name, c.name, SUM(n_calls)
        FROM probe_time JOIN probe_method AS m USING (probe_method_id)
        JOIN probe_caller AS c USING (probe_caller_id) GROUP BY ALL ORDER BY ALL
    """

    assert _rows(run, query) == [
        ("plain", "Measured", "calls", _CALLS),
        ("plain", "Measured$Later", "act", _CALLS),
        ("shared", "Measured", "first", _CALLS),
        ("shared", "Measured", "second", _CALLS // 10),
    ]


def _agent_files(pid: int) -> list[Path]:
    """Returns the files that the VM has open for the agent, as they were called."""
    targets = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            targets.append(str(file.readlink()).removesuffix(" (deleted)"))
    found = [Path(target) for target in targets if "/.jvmscope-" in target]
    assert found
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_watcher_that_is_killed_leaves_no_probe(
    jdk: Jdk, classes: Path, tmp_path: Path, number: int
) -> None:
    with program(jdk, classes, tmp_path) as running:
        before = running.seen()
        watcher = running.watch(tmp_path / "a.watch", *_probes("Measured.plain"))
        assert _OURS in running.seen()
        _ended(watcher, number)
        _until(lambda: running.seen() == before)
        assert not [file for file in _agent_files(running.pid) if file.exists()]
        again = running.watch(tmp_path / "b.watch", *_probes("Measured.plain"))
        running.act("calls")
        assert _ended(again)[0] == 0

    assert _calls(tmp_path / "b.watch", "Measured.plain") == {("plain", False): _CALLS}


def test_a_program_that_ends_has_told_all(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    run = tmp_path / "a.watch"
    with program(jdk, classes, tmp_path) as running:
        watcher = running.watch(run, *_probes("Measured.plain"))
        running.act("calls")
        running.process.communicate(timeout=_LONG_S)
        watcher.communicate(timeout=_LONG_S)

    assert _calls(run, "Measured.plain") == {("plain", False): _CALLS}


def test_a_program_that_ends_while_its_watcher_stands_still_has_told_all(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    """As on a machine that has more to do than it can."""
    run = tmp_path / "a.watch"
    with program(jdk, classes, tmp_path) as running:
        watcher = running.watch(run, *_probes("Measured.plain"))
        watcher.send_signal(signal.SIGSTOP)
        running.act("calls")
        running.process.communicate(timeout=_LONG_S)
        watcher.send_signal(signal.SIGCONT)
        watcher.communicate(timeout=_LONG_S)

    assert watcher.returncode == 0
    assert _calls(run, "Measured.plain") == {("plain", False): _CALLS}


def test_a_watcher_that_stood_still_says_that_the_probes_went_out(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    run = tmp_path / "a.watch"
    with program(jdk, classes, tmp_path) as running:
        before = running.seen()
        watcher = running.watch(run, *_probes("Measured.plain"))
        running.act("calls")
        watcher.send_signal(signal.SIGSTOP)
        _until(lambda: running.seen() == before)
        running.act("calls")
        watcher.send_signal(signal.SIGCONT)
        status, said = _ended(watcher)

    reason = "the agent in the VM failed: it heard nothing of the watcher for 8 s, and took its"
    assert status == 0
    assert reason in said
    assert read_manifest(run).status == "truncated"
    assert _calls(run, "Measured.plain") == {("plain", False): _CALLS}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (
            "Measured.text when $1 > 3",
            20,
            "'>' compares numbers, and this is a value of type java.",
        ),
        ("Measured.plain when x == 1", 21, "plain(I)I has no parameter 'x'; it has $1 i"),
        ("Measured.plain when this.size == 1", 21, "there is no 'this' in the static method"),
        (
            "Measured.field when this.width == 1",
            26,
            "neither Measured nor a superclass of it declares",
        ),
        ("Measured$Derived.step when this.hidden == 1", 33, "'hidden' of Measured$Base is private"),
        ("Measured$Kept.keep when this.elementData == null", 30, "is for its package alone, and M"),
        ("Measured$Kept.keep when this.size == 1", 30, "'size' of java.util.ArrayList is private"),
        ("Measured.plain when thread.priority == 1", 28, "a thread has no 'priority', only 'name'"),
        ("Measured.plain when thread.id", 28, "a condition needs true or false, and this is an i"),
        ("Measured.text when key.trim() == null", 24, "conditions call length, isEmpty,"),
        ("Measured.plain when i", 21, "a condition needs true or false, and this is an integer"),
        ("Measured.plain when i == null", 21, "cannot compare an integer with null"),
        ("Measured.<init>(int n) when this.size == 1", 29, "are not set yet where a constructor"),
    ],
)
def test_a_condition_that_does_not_fit_has_its_place(
    link: AgentLink, text: str, column: int, message: str
) -> None:
    link.send(parse_probe(text).fields(0, has_callers=False))
    link.send(["check"])
    kind, _, found, _, said = link.answer("checked", "wrong")

    assert (kind, int(found)) == ("wrong", column)
    assert message in said


def test_a_condition_that_does_not_fit_changes_nothing(shared_program: Program) -> None:
    run = shared_program.directory / "wrong.watch"
    watcher = shared_program.watch(run, *_probes("Measured.text when $1 > 3"))
    _, said = watcher.communicate(timeout=_LONG_S)

    assert watcher.returncode == 2, said
    assert "--probe:1:20: error: '>' compares numbers" in said
    assert "Traceback" not in said
    assert not run.exists()
    assert _OURS not in shared_program.seen()


@contextmanager
def _linked(running: Program) -> Iterator[AgentLink]:
    """The agent in the program, as the watcher speaks with it."""
    vm = find_vm(running.pid)
    assert vm is not None
    link = AgentLink(vm, agent_jar())
    try:
        yield link
    finally:
        link.close()


@pytest.fixture
def link(shared_program: Program) -> Iterator[AgentLink]:
    with _linked(shared_program) as link:
        yield link


@pytest.fixture(scope="module")
def shared_program(
    jdk: Jdk, classes: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Program]:
    with program(jdk, classes, tmp_path_factory.mktemp("shared")) as running:
        running.act("calls")  # loads the classes of all methods that the tests name
        yield running


def test_what_gets_no_probe_is_said(shared_program: Program) -> None:
    run = shared_program.directory / "unseen.watch"
    asked = (
        "Measured.plain",
        "java.lang.Runtime.gc",
        "java.util.List.size",
        "java.lang.Thread.run",
    )
    watcher = shared_program.watch(run, *_probes(*asked))
    status, said = _ended(watcher)

    assert status == 0, said
    query = "SELECT * FROM unseen WHERE subject LIKE 'probe in %' ORDER BY ALL"
    assert _rows(run, query) == [
        ("probe in java.lang.Runtime.gc()V", "it is native, so there is no code"),
        ("probe in java.lang.Thread", "measuring needs it itself"),
        ("probe in java.util.List.size()I", "it is abstract, so there is no code"),
    ]
    warnings = [line for line in said.splitlines() if line.startswith("warning: ")]
    reason = "no method of a class that was loaded could get it; the table unseen may say why"
    assert warnings == [f"warning: --probe {text}: {reason}" for text in asked[1:]]


def test_one_watcher_at_a_time_has_probes(shared_program: Program) -> None:
    first = shared_program.watch(
        shared_program.directory / "first.watch", *_probes("Measured.plain")
    )
    second = shared_program.watch(
        shared_program.directory / "second.watch", *_probes("Measured.plain")
    )
    _, said = second.communicate(timeout=_LONG_S)

    assert "another jvmscope has probes in this VM" in said
    assert _ended(first)[0] == 0


def test_a_vm_without_dynamic_agents_takes_no_probes(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    with program(jdk, classes, tmp_path, "-XX:-EnableDynamicAgentLoading") as running:
        watcher = running.watch(tmp_path / "a.watch", *_probes("Measured.plain"))
        _, said = watcher.communicate(timeout=_LONG_S)

    assert "was started with -XX:-EnableDynamicAgentLoading" in said
    assert watcher.returncode != 0


# Processes, network and shared memory of its own, and a /tmp that is another directory.
_CONTAINER = ("unshare", "--fork", "--pid", "--mount-proc", "--net", "--ipc", "--kill-child=KILL")
_OWN_TMP = ("sh", "-c", 'mount --bind "$0" /tmp && exec "$@"')


def test_a_vm_in_a_container_takes_probes(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    if subprocess.run([*_CONTAINER, "true"], capture_output=True, check=False).returncode:
        pytest.skip("namespaces cannot be made here")
    own = tmp_path / "tmp"
    shutil.copytree(classes, own / "classes")
    within = (*_CONTAINER, *_OWN_TMP, str(own))
    inside = Path("/tmp")  # noqa: S108 - the container's
    options = (f"-Djava.io.tmpdir={inside}",)
    with program(jdk, inside / "classes", tmp_path, *options, within=within) as running:
        watcher = running.watch(tmp_path / "a.watch", *_probes("Measured.plain"))
        running.act("calls")
        status, said = _ended(watcher)
        assert status == 0, said
    assert _calls(tmp_path / "a.watch", "Measured.plain") == {("plain", False): _CALLS}


class _Probing:
    """Probes by their numbers, and what the agent tells of them while it puts them in and out."""

    def __init__(self, link: AgentLink, texts: Sequence[str], *, has_callers: bool) -> None:
        self.calls = dict.fromkeys(range(len(texts)), 0)
        self.failures: list[str] = []
        self._link = link
        self._probes: dict[str, int] = {}
        for number, text in enumerate(texts):
            link.send(parse_probe(text).fields(number, has_callers=has_callers))
        link.send(["insert"])

    def read_until(self, kind: str) -> None:
        while (message := self._link.answer(*_MESSAGES))[0] != kind:
            if message[0] == "method":
                self._probes[message[1]] = int(message[2])
            elif message[0] == "time":
                self.calls[self._probes[message[3]]] += sum(map(int, message[11::2]))
            elif message[0] == "failure":
                self.failures.append(" ".join(message))

    def remove(self) -> None:
        self._link.send(["remove"])
        self.read_until("removed")


def _asked(running: Program, command: str) -> str:
    words = [running.jdk.tool("jcmd"), str(running.pid), *command.split()]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def _instances(running: Program) -> dict[str, int]:
    """How many objects of the agent's classes are alive, by the name of the class."""
    text = _asked(running, "GC.class_histogram")
    found = re.findall(r"^ *\d+: +(\d+) +\d+ +io\.jvmscope\.watch\.(\S+)", text, re.MULTILINE)
    return {name: int(n) for n, name in found}


def _memory(running: Program) -> tuple[int, int]:
    """Bytes of all objects that are alive, and of the metaspace less what the VM has free there."""
    objects = re.search(r"^Total +\d+ +(\d+)", _asked(running, "GC.class_histogram"), re.MULTILINE)
    space = _asked(running, "VM.metaspace scale=1")
    classes = re.search(
        r"^ +Both: .* (\d+) bytes \([^)]*\) used,.* blocks with (\d+) bytes$", space, re.MULTILINE
    )
    assert objects is not None
    assert classes is not None, space
    return int(objects[1]), int(classes[1]) - int(classes[2])


def test_probes_come_and_go(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """Random probes again and again, also while threads call the methods and classes are unloaded.

    No call is lost or counted twice, and in the end, the VM has nothing of them: no object, the
    code of before, and about as much memory.
    """
    chance = random.Random(7)  # noqa: S311
    expected = {
        **_CONDITIONS,
        "Measured$Unloaded.step": _LOADERS * _CALLS,
        "Measured.failing": _CALLS,
    }
    n_left = _N_INSERTIONS
    room = _ROOMY if IS_LONG else _SMALL
    with program(jdk, classes, tmp_path, *room) as running, _linked(running) as link:
        before, begin = running.seen(), None
        while n_left > 0:
            texts = chance.sample([*expected], chance.randint(1, 5))
            n_left -= len(texts)
            probing = _Probing(link, texts, has_callers=chance.random() < 0.3)
            if chance.random() < 0.5:
                probing.read_until("inserted")
                running.act("calls", "unload")
                probing.remove()
                assert [*probing.calls.values()] == [expected[text] for text in texts]
            else:  # they come and go in the middle of calls
                acts = threading.Thread(target=running.act, args=("threads", "calls", "unload"))
                acts.start()
                probing.remove()
                acts.join()
            assert probing.failures == []
            if begin is None:
                begin = _memory(running)
        link.close()

        assert running.seen() == before
        assert _OF_PROBES & _instances(running).keys() == set()
        assert begin is not None
        for now, was, (each, some) in zip(_memory(running), begin, _MOST_MORE, strict=True):
            assert now - was <= each * _N_INSERTIONS + some
