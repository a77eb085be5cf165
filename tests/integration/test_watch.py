"""Watching a VM: exact against the VM's own logs, and however either side ends."""

from __future__ import annotations

import csv
import fcntl
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import compile_java
from oracle.toolchain import PROGRAMS, Jdk
from support.forked import run_jvmscope

from jvmscope.queries import Engine
from jvmscope.schema.manifest import MANIFEST_NAME, ExitFacts, Manifest, read_manifest
from jvmscope.watch import find_vm

if TYPE_CHECKING:
    from collections.abc import Iterator

_JVMSCOPE = [sys.executable, "-m", "jvmscope"]
_LONG_S = 120.0
_COLLECTIONS = 5
_POLL_S = 0.05
_LONG_GONE_S = 2.0
_HOT_REPLACED = re.compile(r" [123] +Watched::hot .*made not entrant")
# Calls: of a loop without any, JDK 17 drops nearly all samples.
_BUSY = """
    class Busy {
      static long n;
      static long step(long x) {
        for (int i = 0; i < 1000; i++) x = x * 31 + i;
        return x;
      }
      public static void main(String[] arguments) {
        while (true) n = step(n);
      }
    }
"""


@pytest.fixture(scope="module")
def classes(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = (PROGRAMS / "watch" / "Watched.java").read_text(encoding="utf-8")
    return compile_java(jdk, tmp_path_factory.mktemp("classes"), Watched=source)


@dataclass
class Program:
    """The program, which acts when it is told to."""

    process: subprocess.Popen[str]
    jdk: Jdk
    directory: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def act(self, word: str = "act") -> None:
        """Has the program do what it does, and waits until that is done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def heat(self, log: Path) -> None:
        """Has the program call a method until, by the VM's log, better code has replaced its code.

        On a busy machine compiled code comes late.
        """

        def is_replaced() -> bool:
            self.act("heat")
            return _HOT_REPLACED.search(log.read_text()) is not None

        _until(is_replaced)

    def end(self) -> str:
        """Ends the program; returns what it had to say beside its answers."""
        said, _ = self.process.communicate(timeout=_LONG_S)
        return said

    def recordings(self) -> str:
        """What the VM says of its recordings."""
        command = [self.jdk.tool("jcmd"), str(self.pid), "JFR.check"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def watch(self, run: Path) -> subprocess.Popen[str]:
        """Starts to watch the program; returns when the events flow."""
        watcher = _started([*_JVMSCOPE, "watch", "-o", str(run), str(self.pid)])
        _until(lambda: (run / MANIFEST_NAME).exists() or watcher.poll() is not None)
        return watcher


@contextmanager
def program(
    jdk: Jdk, classes: Path, directory: Path, *options: str, main: str = "Watched"
) -> Iterator[Program]:
    # A VM that is killed leaves the chunks of its event stream behind.
    own = f"-Djava.io.tmpdir={directory}"
    command = [str(jdk.home / "bin" / "java"), own, *options, "-cp", str(classes), main]
    process = subprocess.Popen(
        command, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield Program(process, jdk, directory)
    finally:
        process.kill()
        process.communicate()


def _jvmscope(*words: str, directory: Path | None = None) -> tuple[int, str, str]:
    """Runs a command line to its end; returns status, output and messages."""
    ended = run_jvmscope(
        words, directory=directory or Path.cwd(), environment=os.environ, timeout_s=_LONG_S
    )
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def _started(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def _ended(watcher: subprocess.Popen[str], number: int | None = None) -> tuple[int, str]:
    """Waits for a watcher, sent a signal before if there is one; returns status and messages."""
    if number is not None:
        watcher.send_signal(number)
    _, said = watcher.communicate(timeout=_LONG_S)
    return watcher.returncode, said


def _until(holds: Any) -> None:
    ends = time.monotonic() + _LONG_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(_POLL_S)


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with Engine(run) as engine:
        return list(engine.query(query).rows())


@pytest.fixture(scope="module")
def watched(
    jdk: Jdk, classes: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Program]]:
    """A watch that Ctrl-C ended, and the program, which still runs."""
    directory = tmp_path_factory.mktemp("watched")
    logs = ("gc", "class+load", "safepoint")
    options = [f"-Xlog:{tags}:file={directory}/{tags}.log:uptime" for tags in logs]
    options.append(f"-Xlog:jit+compilation=debug:file={directory}/jit.log")
    with program(jdk, classes, directory, *options) as running:
        run = directory / "app.watch"
        watcher = running.watch(run)
        running.act()
        running.heat(directory / "jit.log")
        status, said = _ended(watcher, signal.SIGINT)
        assert (status, "it was interrupted" in said) == (0, True), said
        yield run, running


def test_it_is_a_whole_run(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    manifest: Manifest = read_manifest(run)

    assert (manifest.kind, manifest.status, manifest.limits) == ("watch", "complete", [])
    assert manifest.options["ended_by"] == "interrupted"
    assert _jvmscope("check", str(run))[0] == 0
    assert _rows(run, "FROM lapse") == _rows(run, "FROM data_loss") == []


def test_the_vm_is_left_as_it_was(watched: tuple[Path, Program]) -> None:
    _, running = watched

    assert "No available recordings" in running.recordings()


def test_collections_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    run, running = watched
    log = (running.directory / "gc.log").read_text()
    logged = [
        int(number) for number in re.findall(r"GC\((\d+)\) Pause Full \(System.gc\(\)\)", log)
    ]
    forced = "SELECT collection_id FROM collection WHERE cause = 'System.gc()' ORDER BY start_ns"

    assert len(logged) == _COLLECTIONS
    assert [row[0] for row in _rows(run, forced)] == logged


def test_pauses_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    """Within 2 %; the VM may lose the processor between the readings for the event and the log."""
    run, running = watched
    log = (running.directory / "gc.log").read_text()
    logged = re.findall(r"GC\((\d+)\) Pause Full \(System.gc\(\)\).* ([\d.]+)ms", log)
    pauses = dict(_rows(run, "SELECT collection_id, pauses_ns FROM collection"))

    pairs = [(pauses[int(number)] / 1e6, float(milliseconds)) for number, milliseconds in logged]
    near = [seen == pytest.approx(told, rel=0.02, abs=0.2) for seen, told in pairs]
    assert len(pairs) == _COLLECTIONS
    assert sum(near) >= _COLLECTIONS - 1, pairs


def test_classes_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    """From the first class that the program loads to the last: all, and in the same order."""
    run, running = watched
    log = (running.directory / "class+load.log").read_text()
    logged = [name.replace(".", "/") for name in re.findall(r"\] (\S+) source: ", log)]
    logged = logged[logged.index("Watched$First") : logged.index("Watched$Last") + 1]
    asked = "SELECT class_name FROM class_define ORDER BY at_ns"
    defined = [row[0] for row in _rows(run, asked)]
    defined = defined[defined.index("Watched$First") : defined.index("Watched$Last") + 1]
    loaded = _rows(run, "SELECT class_name FROM class_load WHERE class_name LIKE 'Watched$%'")

    assert defined == logged
    assert {*logged} <= {row[0] for row in loaded}


def test_compilations_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    """Every number between the first and the last but those of native methods' wrappers."""
    run, running = watched
    log = (running.directory / "jit.log").read_text()
    task = re.compile(r"\]\s+(\d+) ([ %][ s][ !][ b][ n])\s+(\d)\s+(\S+::\S+)(.*)")
    logged = {
        int(found[1]): (int(found[3]), "%" in found[2])
        for found in map(task.search, log.splitlines())
        if found and "n" not in found[2] and "made not entrant" not in found[5]
    }
    rows = _rows(run, "SELECT compile_id, tier, is_osr FROM compilation")
    failed = {row[0] for row in _rows(run, "SELECT compile_id FROM compilation_failure")}
    found = {number: (tier, is_osr) for number, tier, is_osr in rows}

    assert len(found) == len(rows)
    assert {number: logged[number] for number in found if number not in failed} == {
        number: value for number, value in found.items() if number not in failed
    }
    assert any(True for row in _rows(run, "FROM vm_method WHERE name = 'hot'"))


def test_versions_of_code_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    """Those of before the watch, too; no two have one place. Hidden classes have several names."""
    run, running = watched
    log = (running.directory / "jit.log").read_text()
    task = re.compile(r"\]\s+(\d+) [ %][ s][ !][ b][ n]\s+(\d)\s+(\S+)::(\S+)")
    logged = {
        (int(found[1]), int(found[2]), found[3].replace(".", "/"), found[4])
        for found in map(task.search, log.splitlines())
        if found
    }
    versions = """
        SELECT compile_id, tier, class_name, name FROM compiled_version
        WHERE begin_address IS NOT NULL AND tier > 0 AND NOT contains(class_name, '0x')
    """
    overlapping = """
        SELECT * FROM compiled_version AS a JOIN compiled_version AS b
            ON a.compile_id < b.compile_id AND a.begin_address < b.end_address
            AND b.begin_address < a.end_address
        WHERE a.gone_ns IS NULL AND b.gone_ns IS NULL
    """
    before = "FROM compiled_version WHERE made_ns IS NULL AND begin_address IS NOT NULL"

    assert {*_rows(run, versions)} <= logged
    assert _rows(run, before) != []
    assert _rows(run, overlapping) == []


def test_versions_end_where_the_log_says_so(watched: tuple[Path, Program]) -> None:
    """None ends that is in use, and none stays that the next version has replaced.

    The log does not tell of code that a collection throws away, which no version replaces.
    """
    run, running = watched
    log = (running.directory / "jit.log").read_text()
    gone = {int(found) for found in re.findall(r"\]\s+(\d+) .*made not entrant", log)}
    versions = """
        SELECT compile_id, end_reason, NOT is_osr AND LEAD(compile_id) OVER (
            PARTITION BY class_name, name, descriptor, is_osr ORDER BY compile_id) IS NOT NULL
        FROM compiled_version WHERE tier > 0
    """
    rows = _rows(run, versions)

    assert {number for number, reason, _ in rows if reason not in {None, "not known"}} <= gone
    replaced = {number for number, _, has_next in rows if has_next}
    assert replaced & gone <= {number for number, reason, _ in rows if reason is not None}
    assert replaced != set()


def test_code_that_a_collection_throws_away_is_not_replaced(jdk: Jdk, tmp_path: Path) -> None:
    """A method that knew a class which was unloaded is compiled anew, for the same tier."""
    source = (PROGRAMS / "watch" / "Unloading.java").read_text(encoding="utf-8")
    classes = compile_java(jdk, tmp_path / "classes", Unloading=source)
    log = tmp_path / "jit.log"
    options = ["-Xbatch", f"-Xlog:jit+compilation=debug:file={log}:uptime"]
    with program(jdk, classes, tmp_path, *options, main="Unloading") as running:
        run = tmp_path / "app.watch"
        watcher = running.watch(run)
        for _ in range(3):
            running.act()
        status, said = _ended(watcher, signal.SIGINT)
        assert status == 0, said
    reasons = """
        SELECT end_reason FROM compiled_version
        WHERE class_name = 'Unloading' AND name = 'hot' AND NOT is_osr AND tier = 4
        ORDER BY compile_id
    """

    assert len(re.findall(r" 4 +Unloading::hot \(\d+ bytes\)$", log.read_text(), re.MULTILINE)) == 3
    assert _rows(run, reasons)[:2] == [("not known",), ("not known",)]


def test_samples_of_compiled_code_have_a_version(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    of_hot = """
        SELECT tier, n_versions FROM sample_version JOIN vm_method USING (vm_method_id)
        WHERE name = 'hot' AND form = 'JIT compiled'
    """
    wrong = "FROM sample_version WHERE (compile_id IS NULL) <> (n_versions = 0)"

    assert _rows(run, wrong) == []
    assert all(tier in (1, 2, 3, 4) for tier, _ in _rows(run, of_hot))
    assert _rows(run, "SELECT COUNT(*) FROM sample_version") == _rows(
        run, "SELECT COUNT(*) FROM execution_sample WHERE stack_id IS NOT NULL"
    )


def test_safepoints_are_those_of_the_log(watched: tuple[Path, Program]) -> None:
    run, running = watched
    log = (running.directory / "safepoint.log").read_text()
    n_logged = len(re.findall(r'Safepoint "G1CollectFull"', log))
    asked = "SELECT COUNT(*) FROM vm_operation WHERE operation = 'G1CollectFull'"

    assert _rows(run, asked) == [(n_logged,)]


def test_waits_have_their_places(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    stack = """
        SELECT t.name, o.name, w.class_name, m.class_name || '.' || m.name, f.line > 0
        FROM monitor_enter AS w
        JOIN vm_thread AS t ON t.vm_thread_id = w.thread_id
        JOIN vm_thread AS o ON o.vm_thread_id = w.owner_id
        JOIN stack_frame AS f ON f.stack_id = w.stack_id AND f.position = 0
        JOIN vm_method AS m USING (vm_method_id)
        WHERE t.name = 'waiting'
    """
    at_least = "SELECT COUNT(*) FROM {} AS w JOIN vm_thread ON vm_thread_id = thread_id WHERE {}"
    main = "name = 'main' AND duration_ns >= 20000000"

    assert _rows(run, stack) == [("waiting", "main", "java/lang/Object", "Watched.enter", True)]
    assert _rows(run, at_least.format("park", main)) == [(1,)]
    assert _rows(run, at_least.format("sleep", main)) == [(1,)]
    assert _rows(run, at_least.format("monitor_wait", f"is_timed_out AND {main}")) == [(1,)]


def test_what_is_not_seen_is_said(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    unseen = dict(_rows(run, "FROM unseen"))

    assert "initialisation of a class" in unseen
    assert set(unseen) & set(read_manifest(run).tables) == set()  # both JDKs have all events


def test_a_killed_watcher_leaves_nothing_behind(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """Within ten seconds of its death; and what it had written can be read."""
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        watcher = running.watch(run)
        _until(lambda: _rows(run, "FROM cpu_load"))
        watcher.kill()
        killed = time.monotonic()
        watcher.communicate()
        assert "jvmscope-" in running.recordings()
        while "No available recordings" not in running.recordings():
            assert time.monotonic() < killed + 10
            time.sleep(_POLL_S)

        assert running.process.poll() is None
        assert read_manifest(run).limit_codes == ["unfinished"]
        assert _jvmscope("check", str(run))[0] == 0


def test_a_killed_vm_leaves_what_was_before(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        watcher = running.watch(run)
        running.act()
        _until(lambda: len(_rows(run, "FROM collection WHERE cause = 'System.gc()'")) == 5)
        running.process.kill()
        status, said = _ended(watcher)

        assert (status, "the VM ended" in said) == (0, True), said
        assert read_manifest(run).limit_codes == ["killed"]
        assert _jvmscope("check", str(run))[0] == 0


def test_a_terminated_watcher_completes_the_run(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """It gives back the terminal, on which it showed what it saw, and leaves the last view."""
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        terminal = _Terminal([*_JVMSCOPE, "watch", "-o", str(run), str(running.pid)])
        _until(lambda: "forms:" in terminal.written())
        running.act()
        terminal.resize(9, 40)
        _until(lambda: "watching Watched (process" in terminal.frames()[-1])
        _until(lambda: max(map(len, terminal.frames()[-1].splitlines())) <= 40)
        terminal.process.send_signal(signal.SIGTERM)
        _until(lambda: terminal.written() and terminal.process.poll() is not None)
        status = terminal.process.returncode
        during, _, after = terminal.written().partition(_LEAVES)

        assert (status, "ended by SIGTERM" in after) == (143, True), after
        assert during.count(_ENTERS) == 1
        assert "in all" in after
        for frame in terminal.frames()[1:]:
            lines = frame.splitlines()
            assert (len(lines) <= 24, max(map(len, lines), default=0) <= 80) == (True, True)
        assert read_manifest(run).options["ended_by"] == "interrupted"
        assert _jvmscope("check", str(run))[0] == 0
        assert "No available recordings" in running.recordings()


def test_a_terminal_that_is_closed_leaves_a_whole_run(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        terminal = _Terminal([*_JVMSCOPE, "watch", "-o", str(run), str(running.pid)])
        _until(lambda: "forms:" in terminal.written())
        running.act()
        terminal.close()
        terminal.process.send_signal(signal.SIGHUP)
        terminal.process.wait(timeout=_LONG_S)

        assert read_manifest(run).status == "complete"
        assert _rows(run, "SELECT COUNT(*) FROM collection WHERE cause = 'System.gc()'") == [(5,)]
        assert "No available recordings" in running.recordings()


def test_a_watcher_that_stood_still_says_what_it_may_lack(
    jdk: Jdk, classes: Path, tmp_path: Path
) -> None:
    """GIVEN chunks that came and went meanwhile, and then no recording."""
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        watcher = running.watch(run)
        _until(lambda: _rows(run, "FROM cpu_load"))
        watcher.send_signal(signal.SIGSTOP)
        stopped_ns = time.time_ns()
        _until(lambda: "No available recordings" in running.recordings())
        time.sleep(_LONG_GONE_S)
        running.act()
        gone_on_ns = time.time_ns()
        watcher.send_signal(signal.SIGCONT)
        _until(lambda: _rows(run, f"FROM cpu_load WHERE at_ns > {gone_on_ns}"))
        status, said = _ended(watcher, signal.SIGINT)

    assert status == 0, said
    ((start, end),) = _rows(run, "SELECT MIN(start_ns), MAX(end_ns) FROM lapse")
    assert start < gone_on_ns < end
    assert start < stopped_ns + 9_000_000_000  # a recording takes 8 s
    assert (read_manifest(run).limit_codes, "events may be missing" in said) == (["lapse"], True)
    found = _rows(run, "SELECT COUNT(*) FROM collection WHERE cause = 'System.gc()'")
    assert found == [(0,)]


_NOT_BEGUN = {"no VM": 2, "refused": 2, "condition": 2, "command": 127, "no VM of one": 125}


@pytest.mark.parametrize("what", _NOT_BEGUN)
def test_a_watch_that_does_not_begin_replaces_nothing(
    watched: tuple[Path, Program], jdk: Jdk, classes: Path, tmp_path: Path, what: str
) -> None:
    shutil.copytree(watched[0], run := tmp_path / "kept.watch")
    before = read_manifest(run)
    with program(jdk, classes, tmp_path, "-XX:+DisableAttachMechanism") as refusing:
        words = {
            "no VM": [str(os.getpid())],
            "refused": [str(refusing.pid)],
            "condition": ["--probe", "Watched.main when $1 > 0", str(watched[1].pid)],
            "command": ["--", "/no/such/command"],
            "no VM of one": ["--", "true"],
        }
        status, _, said = _jvmscope("watch", "--force", "-o", str(run), *words[what])

    assert status == _NOT_BEGUN[what], said
    assert "Next:" not in said  # of what is there from before
    assert read_manifest(run) == before
    assert _jvmscope("check", str(run))[0] == 0


@pytest.mark.parametrize("n_bytes", [20_000, 40_000])
def test_a_full_disk_is_one_error_and_leaves_what_was_written(
    jdk: Jdk, classes: Path, tmp_path: Path, n_bytes: int
) -> None:
    """GIVEN that no file may be larger, which is said as a full disk is.

    The one has no room for the first manifest, the other for that of many files.
    """
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        full = subprocess.Popen(
            [*_JVMSCOPE, "watch", "-o", str(run), str(running.pid)],
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes)),  # noqa: PLW1509
        )
        while full.poll() is None:
            running.act()
        _, said = full.communicate()

        assert (full.returncode, "Traceback" in said) == (2, False)
        assert f"error: {run}: cannot be written: File too large" in said
        assert run.exists() == (n_bytes > 30_000)
        if run.exists():
            assert read_manifest(run).limit_codes == ["unfinished"]
            assert _jvmscope("check", str(run))[0] == 0
        assert "No available recordings" in running.recordings()


def test_a_place_that_cannot_be_written_is_said_before_the_vm_is_touched(
    watched: tuple[Path, Program], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    status, _, said = _jvmscope("watch", "-o", str(tmp_path / "file/a.watch"), str(watched[1].pid))

    assert status == 2
    assert f"a.watch: cannot be written: {tmp_path / 'file'} is not a directory" in said


_ENTERS, _LEAVES = "\x1b[?1049h", "\x1b[?1049l"
_HOME = "\x1b[H"


class _Terminal:
    """A command on a terminal of 24 lines with 80 characters, and what it writes."""

    def __init__(self, command: list[str]) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(24, 80)
        fixed = ("COLUMNS", "LINES")  # they would hold whatever the terminal's size is
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name not in fixed},
        )
        os.close(theirs)
        self._bytes = bytearray()

    def close(self) -> None:
        """Closes the terminal, as its window is closed."""
        os.close(self._ours)

    def resize(self, height: int, width: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def written(self) -> str:
        """Returns all that was written so far."""
        while select.select([self._ours], [], [], 0)[0]:
            try:
                self._bytes += os.read(self._ours, 65_536)
            except OSError:  # the command has ended
                break
        return self._bytes.decode(errors="replace")

    def frames(self) -> list[str]:
        """Returns what was written from the upper left corner on, time after time."""
        during, _, _ = self.written().partition(_LEAVES)
        return [re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", each) for each in during.split(_HOME)]


def test_a_vm_that_ends_is_watched_to_its_end(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    with program(jdk, classes, tmp_path) as running:
        run = tmp_path / "app.watch"
        watcher = running.watch(run)
        running.act()
        assert running.end() == ""  # JFR says nothing to the program's output
        status, said = _ended(watcher)

        assert (status, "the VM ended" in said) == (0, True), said
        assert _rows(run, "SELECT COUNT(*) FROM collection WHERE cause = 'System.gc()'") == [(5,)]


@pytest.mark.parametrize("option", ["-XX:+UsePerfData", "-XX:-UsePerfData"])
def test_a_command_is_watched(jdk: Jdk, classes: Path, tmp_path: Path, option: str) -> None:
    """It keeps its input, output and status; its VM is known with its counters and without."""
    run = tmp_path / "app.watch"
    java = str(jdk.home / "bin" / "java")
    command = ["sh", "-c", f'"{java}" {option} -cp "{classes}" Watched; exit 3']
    watcher = subprocess.Popen(
        [*_JVMSCOPE, "watch", "-o", str(run), "--", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _until(lambda: (run / MANIFEST_NAME).exists() or watcher.poll() is not None)
    said, messages = watcher.communicate("act\n", timeout=_LONG_S)

    assert (said, watcher.returncode) == ("ready\ndone\n", 3), messages
    assert read_manifest(run).exit == ExitFacts("exited", 3)
    assert f", Java {read_manifest(run).jvm['version']}" in messages
    assert str(read_manifest(run).jvm["version"]).startswith(str(jdk.version))
    assert _rows(run, "SELECT COUNT(*) FROM collection WHERE cause = 'System.gc()'") == [(5,)]


def test_samples_come_as_often_as_is_asked(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN a program that only computes, THEN there are some 50 samples a second, or five."""
    compile_java(jdk, tmp_path, Busy=_BUSY)
    found = []
    for span in ("20ms", "200ms"):
        run = tmp_path / f"{span}.watch"
        java = subprocess.Popen([str(jdk.home / "bin" / "java"), "-cp", str(tmp_path), "Busy"])
        try:
            _until(lambda pid=java.pid: str(pid) in _jvmscope("watch", "--list")[1])
            options = ("--for", "4s", "--sample-every", span, "-o", str(run), str(java.pid))
            status, _, said = _jvmscope("watch", *options)
        finally:
            java.kill()
            java.wait()
        assert status == 0, said
        found += _rows(run, "SELECT COUNT(*) FROM execution_sample WHERE NOT is_native")[0]

    usual, seldom = found
    assert seldom > 0
    assert usual > 3 * seldom


def test_what_a_search_finds_fits_the_terminal(jdk: Jdk, tmp_path: Path) -> None:
    compile_java(jdk, tmp_path, Busy=_BUSY)
    java = subprocess.Popen([str(jdk.home / "bin" / "java"), "-cp", str(tmp_path), "Busy"])
    try:
        _until(lambda: str(java.pid) in _jvmscope("watch", "--list")[1])
        options = ("--progress", "plain", "--for", "3s", "--refine", "--refine-threshold", "0.01")
        run = str(tmp_path / "a.watch")
        terminal = _Terminal([*_JVMSCOPE, "watch", *options, "-o", run, str(java.pid)])
        _until(lambda: terminal.written() and terminal.process.poll() is not None)
    finally:
        java.kill()
        java.wait()
    said = terminal.written()
    terminal.close()

    _, _, found = said.partition("Refined foci")
    assert "Children with at least 1 % are shown" in found
    assert max(map(len, found.partition("Next:")[0].splitlines())) <= 80


def test_a_vm_that_refuses_is_left_alone(jdk: Jdk, classes: Path, tmp_path: Path) -> None:
    """It would print its threads if it were asked."""
    with program(jdk, classes, tmp_path, "-XX:+DisableAttachMechanism") as running:
        run = tmp_path / "app.watch"
        status, _, said = _jvmscope("watch", "-o", str(run), str(running.pid))
        _, listed, _ = _jvmscope("watch", "--list")

        assert status == 2
        assert said == (
            f"error: process {running.pid} cannot be watched: it was started with "
            "-XX:+DisableAttachMechanism: start it without that option\n"
        )
        assert not run.exists()
        (line,) = (each for each in listed.splitlines() if each.startswith(f"{running.pid},"))
        assert line.startswith(f"{running.pid},{jdk.version}")
        assert "DisableAttachMechanism" in line
        assert running.end() == ""


def test_a_vm_of_another_user_is_refused(
    watched: tuple[Path, Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, running = watched
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    vm = find_vm(running.pid)

    assert vm is not None
    assert vm.refusal == f"it belongs to another user (uid {uid}): run jvmscope as that user"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("999999999",), "process 999999999: there is no Java VM with that number"),
        (("1",), "process 1: there is no Java VM with that number"),
        (("--refine", "lock_wait", "1"), None),
        (("--refine-budget", "3", "1"), "--refine-budget needs --refine, whose search it is"),
        (("--refine-probes", "3", "1"), "--refine-probes needs --refine, and no --probe beside"),
        (
            ("--refine", "collections", "--refine-probes", "3", "1"),
            "--refine-probes cannot follow collections: expected samples, allocated_bytes,",
        ),
        (
            ("--refine", "samples{/APThreads/main}", "--refine-probes", "3", "1"),
            "--refine-probes follows samples wherever it is: leave out its constraints",
        ),
        (
            ("--refine", "file_wait_time", "--refine-probes", "3", "1"),
            "file_wait_time needs --io, which has reads and writes recorded",
        ),
        (
            ("--sample-every", "5ms", "1"),
            "Invalid value for '--sample-every': '5ms' is too short: expected 10ms or more",
        ),
        (
            ("--sample-every", "11s", "1"),
            "Invalid value for '--sample-every': '11s' is too long: expected 10s or less",
        ),
        ((), "nothing to watch: give the PID of a VM, or -- COMMAND"),
        (
            ("4711", "--for", "5s"),
            "--for: stands behind the PID 4711; expected one PID, and options",
        ),
        (("4711", "4712"), "4712: stands behind the PID 4711; expected one PID, and options"),
        (("--list", "1"), "--list only shows which VMs run: leave out PID, COMMAND"),
    ],
)
def test_bad_requests_have_one_error(
    words: tuple[str, ...], message: str | None, tmp_path: Path
) -> None:
    status, _, said = _jvmscope("watch", *words, directory=tmp_path)

    assert status == 2
    expected = f"error: {message}" if message else "--refine:1:1: error: there is no metric"
    assert said.startswith(expected), said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "expected", "message"),
    [("/no/such/command", 127, "No such file or directory"), ("/", 126, "Permission denied")],
)
def test_a_command_that_cannot_be_started_is_told_as_by_a_shell(
    tmp_path: Path, command: str, expected: int, message: str
) -> None:
    status, _, said = _jvmscope("watch", "--", command, directory=tmp_path)

    assert (status, said) == (expected, f"error: {command}: cannot be started: {message}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_goes_on_is_waited_for(jdk: Jdk, tmp_path: Path) -> None:
    source = "class Late { public static void main(String[] a) throws Exception { "
    compile_java(jdk, tmp_path, Late=source + "Thread.sleep(6000); System.exit(7); } }")
    words = ("--for", "1s", "-q", "-o", "late.watch", "--", jdk.java, "-cp", ".", "Late")
    status, _, said = _jvmscope("watch", *words, directory=tmp_path)

    assert (status, said.count("still runs: waiting for its exit status")) == (7, 1), said
    assert read_manifest(tmp_path / "late.watch").exit == ExitFacts("exited", 7)


def test_why_the_vm_of_a_command_is_not_watched_is_said(jdk: Jdk, tmp_path: Path) -> None:
    source = "class Late { public static void main(String[] a) throws Exception { "
    compile_java(jdk, tmp_path, Late=source + "Thread.sleep(6000); } }")
    command = (jdk.java, "-XX:+DisableAttachMechanism", "-cp", ".", "Late")
    status, _, said = _jvmscope("watch", "--", *command, directory=tmp_path)

    assert (status, said.count("warning: ")) == (125, 1), said
    assert "cannot be watched: it was started with -XX:+DisableAttachMechanism" in said
    assert said.endswith("ended before a Java VM of it could be watched\n")


def test_a_search_that_fails_leaves_the_status_of_the_command(jdk: Jdk, tmp_path: Path) -> None:
    source = "class Late { public static void main(String[] a) throws Exception { "
    compile_java(jdk, tmp_path, Late=source + "Thread.sleep(3000); System.exit(7); } }")
    refine = ("--refine", "samples{/APCode/nope}", "-o", "late.watch")
    words = ("watch", *refine, "--", jdk.java, "-cp", ".", "Late")
    status, _, said = _jvmscope(*words, directory=tmp_path)

    assert status == 7
    assert "error: the watch run has no resource /APCode/nope" in said
    assert "Next: jvmscope list tables late.watch" in said


def test_a_command_without_a_vm_cannot_be_watched(tmp_path: Path) -> None:
    run = tmp_path / "app.watch"
    status, _, said = _jvmscope("watch", "-o", str(run), "--", "true")

    assert status == 125
    assert "ended before a Java VM of it could be watched" in said
    assert not run.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("measure", "RUN", "-m", "hotness.methods"),
        ("export", "RUN", "collapsed"),
        ("compare", "RUN", "RUN", "--tree"),
        ("check", "RUN", "RUN"),
        ("query", "RUN", "SELECT 1", "--scope", "application"),
        ("query", "RUN", "count($methods)", "--xquery"),
    ],
    ids=lambda words: "-".join(word.strip("-") for word in words if word.isalpha()),
)
def test_what_counts_calls_refuses_a_watch_run(
    watched: tuple[Path, Program], words: tuple[str, ...]
) -> None:
    run, _ = watched
    status, _, said = _jvmscope(*[str(run) if word == "RUN" else word for word in words])

    assert status == 2
    assert f"{run}: a watch run, which has no counted calls" in said


def test_untrusted_queries_of_a_watch_run_are_refused(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    expected = "a watch run cannot answer untrusted queries; expected a recorded run"

    for query in ("SELECT 1", "count($methods)"):
        status, _, said = _jvmscope("query", str(run), query, "--locked")

        assert status == 2
        assert expected in said
        assert str(run.parent) not in said


def test_pairs_are_reported(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    totals = {
        "collections": 5,
        "collections{/Code/gc}": 5,
        "lock_waits{/APCode/Watched/enter, /APThreads/waiting, /APSyncObj/java/lang/Object}": 1,
        "lock_waits{/APCode/Watched/enter, /APThreads/main}": 0,
        "class_definitions{/APCode/Watched/hot}": 0,
    }
    words = [word for pair in totals for word in ("-m", pair)]
    status, made, said = _jvmscope("report", str(run), *words, "--format", "csv")
    rows = list(csv.DictReader(made.splitlines()))
    found = {
        pair: sum(float(r["value"] or 0) for r in rows if r["pair"] == pair) for pair in totals
    }
    assert all(bool(row["value"]) != bool(row["reason"]) for row in rows)

    assert (status, said) == (0, "")
    assert found == totals


def test_the_page_shows_a_curve_a_pair(watched: tuple[Path, Program]) -> None:
    run, _ = watched
    status, page, said = _jvmscope("report", str(run))
    wrong, _, error = _jvmscope("report", str(run), "-m", "samples{/APCode/Watched/hut}")

    assert (status, said) == (0, "")
    assert "# Watch of Watched, Java" in page
    assert "| collections |" in page
    assert (wrong, 'did you mean "Watched/hot"?' in error) == (2, True)
    assert _jvmscope("report", str(run), "summary")[0] == 2
    assert _jvmscope("report", str(run), "--scope", "application")[0] == 2
    assert _jvmscope("report", str(run), "--format", "json")[0] == 2
    assert _jvmscope("report", str(run), "html", "--format", "csv")[0] == 2


def test_tables_are_listed_and_exported(watched: tuple[Path, Program], tmp_path: Path) -> None:
    run, _ = watched
    _, listed, _ = _jvmscope("list", "tables", str(run))
    status, _, said = _jvmscope("export", str(run), "duckdb", "-o", str(tmp_path / "app.duckdb"))

    assert "\ncollection,jvmscope watch,5," in listed
    assert status == 0, said
