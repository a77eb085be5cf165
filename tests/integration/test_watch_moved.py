"""Offsets of bytecodes in a watch run are those of the class file, wherever probes are."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, jdks

from jvmscope.queries import Engine
from jvmscope.schema.manifest import MANIFEST_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_LONG_S = 120.0
_POLL_S = 0.05
_PROBES = ("Moved.top", "Moved.main", "Moved.heavy(int kind, int n) when kind == 1", "Moved$Late.*")
# The first of three calls does nearly all; each is at a place of its own, on one line.
_PROGRAM = """
    class Moved {
      static volatile long sink;

      static final class Late {
        final long n;
        Late(int n) { this.n = Moved.heavy(4, n); }
        long call() {
          Moved.heavy(3, 10); return n == 0 ? Moved.heavy(3, 10) : Moved.heavy(5, 1000000);
        }
      }

      static long heavy(int kind, int n) {
        long s = kind;
        for (int i = 0; i < n; i++) s = s * 31 + i;
        return s;
      }

      static void top(int n) {
        sink = heavy(1, n); sink += heavy(2, 10); sink += heavy(2, 10);
      }

      static void rounds(int n) {
        long late = 0;
        for (int r = 0; r < n; r++) {
          top(1000000);
          if (r >= n / 3) late += new Late(10).call();
        }
        System.out.println(late != 1);
      }

      public static void main(String[] arguments) throws Exception {
        int n = Integer.parseInt(arguments[0]);
        System.out.println("ready"); System.in.read(); rounds(n); rounds(1);
      }
    }
"""
_SITES = """
    SELECT m.name, s.offset, s.name FROM call_site AS s
    JOIN method AS m ON m.method_id = s.caller_id JOIN class AS c USING (class_id)
    WHERE c.name LIKE 'Moved%'
"""
_CALLS = """
    SELECT m.name, f.bytecode_index, above.name, COUNT(*)
    FROM execution_sample JOIN stack_frame AS f USING (stack_id)
    JOIN vm_method AS m USING (vm_method_id)
    JOIN stack_frame AS g ON g.stack_id = f.stack_id AND g.position = f.position - 1
    JOIN vm_method AS above ON above.vm_method_id = g.vm_method_id
    WHERE m.class_name LIKE 'Moved%' AND above.class_name LIKE 'Moved%' GROUP BY ALL
"""
# main calls rounds twice; a sample may fall into the second, which is short, too.
_PLACED = """
    SELECT DISTINCT measured.name, m.name, s.offset FROM measured_context AS measured
    JOIN recorded.context USING (context_id) JOIN recorded.call_site AS s USING (call_site_id)
    JOIN recorded.method AS m ON m.method_id = s.caller_id
    WHERE measured.name = 'heavy' AND m.name = 'top' AND n_samples > 0
"""


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_calls_are_at_their_sites(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN probes in callers, one of which runs already, and in a class that comes later."""
    recorder = Recorder.of(jdk, tmp_path, Moved=_PROGRAM)
    recorded = tmp_path / recorder.record("java", "-cp", "classes", "Moved", "3", stdin="\n").run

    run = _watch(jdk, tmp_path)

    sites = _rows(recorded, _SITES)
    calls = _rows(run, _CALLS)
    assert {call[:3] for call in calls} <= set(sites)
    assert {call[0] for call in calls} >= {"top", "rounds", "call"}
    (first, *_) = sorted(offset for name, offset, callee in sites if name == "top")
    found = {call[1]: call[3] for call in calls if call[0] == "top"}
    assert found[first] > 0.9 * sum(found.values()), calls
    with Engine(run, beside=recorded) as engine:
        assert engine.connect().execute(_PLACED).fetchall() == [("heavy", "top", first)]


def _watch(jdk: Jdk, directory: Path) -> Path:
    """Has probes put into the program, then lets it go on until it ends."""
    run = directory / "a.watch"
    program = subprocess.Popen(
        [str(jdk.home / "bin" / "java"), "-cp", "classes", "Moved", "800"],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        probes = [word for probe in _PROBES for word in ("--probe", probe)]
        words = ["watch", "-o", str(run), *probes, str(program.pid)]
        watcher = subprocess.Popen(
            [sys.executable, "-m", "jvmscope", *words], stderr=subprocess.PIPE, text=True
        )
        until = time.monotonic() + _LONG_S
        while not (run / MANIFEST_NAME).exists() or len(_rows(run, "FROM probe_method")) < 3:
            assert time.monotonic() < until
            time.sleep(_POLL_S)
        program.communicate("\n", timeout=_LONG_S)
        _, said = watcher.communicate(timeout=_LONG_S)
        assert watcher.returncode == 0, said
    return run


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with Engine(run) as engine:
        return engine.connect().execute(query).fetchall()
