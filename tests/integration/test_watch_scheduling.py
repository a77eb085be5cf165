"""The case of Newhall and Miller (1998): the report leads to the two changes of the simulator.

The VM of the paper had an interpreter alone, so this one has. Costs are those of one machine, which
do not decide what stands first.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from integration.recording import Recorder, jdks
from oracle.toolchain import PROGRAMS

from jvmscope.metrics import measure
from jvmscope.queries import Engine, first_row
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched.costs import cost_blocks
from jvmscope.schema import read_manifest
from jvmscope.schema.calibration import read_calibration
from jvmscope.schema.manifest import MANIFEST_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.calibration import Calibration

_LONG_S = 120.0
_POLL_S = 0.05
_LOOK_S = 1.0
_ENDLESS = "1000000"
_MOST = ("--for", "100s")
# However long that takes on a busy machine: a method needs ten of them on stacks to be estimated.
_N_SAMPLES = 250
_VERSIONS = ("original", "changed")
_SOURCES = PROGRAMS / "watch" / "scheduling"
_ACCESSORS = {
    "Device.isBusy", "Device.hasJobs", "Device.nextInterrupt", "Sim.now", "Job.number",
}  # fmt: skip
_STRINGS = {"Device.start", "Device.stop"}
_OF_JDK = ("java.", "jdk.")
_SCANS = {"Sim.run", "Sim.firstInterrupt"}


class _Version(NamedTuple):
    said: str
    watch: Path
    run: Path
    calibration: Calibration


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, _Version]:
    """Each version, recorded once and watched for some seconds."""
    return {name: _version(name, tmp_path_factory.mktemp(name)) for name in _VERSIONS}


def _version(name: str, directory: Path) -> _Version:
    source = (_SOURCES / name / "Sim.java").read_text(encoding="utf-8")
    recorder = Recorder.of(jdks()[-1], directory, Sim=source)
    words = ("java", "-cp", "classes", "Sim", "1")
    outcome = recorder.record(*words, options=("--probes", "allocations"), stdin="\n")
    watch = directory / "a.watch"
    _watch(recorder, watch)
    known = read_calibration(_SOURCES / "costs.calibration")
    found = read_manifest(watch)
    calibration = replace(
        known,
        jdk={**known.jdk, "version": found.jvm["version"]},
        machine={**known.machine, "processor": found.host["processor"]},
    )
    return _Version(outcome.stdout, watch, directory / outcome.run, calibration)


def _watch(recorder: Recorder, run: Path) -> None:
    java = str(recorder.jdk.home / "bin" / "java")
    command = [java, "-Xint", "-cp", str(recorder.directory / "classes"), "Sim", _ENDLESS]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        words = ["watch", "-q", *_MOST, "-o", str(run), str(program.pid)]
        with subprocess.Popen([sys.executable, "-m", "jvmscope", *words]) as watcher:
            ends = time.monotonic() + _LONG_S
            while not (run / MANIFEST_NAME).exists():
                assert time.monotonic() < ends
                assert watcher.poll() is None
                time.sleep(_POLL_S)
            assert program.stdin is not None
            program.stdin.write("\n")
            program.stdin.flush()
            while _n_samples(run) < _N_SAMPLES and watcher.poll() is None:
                time.sleep(_LOOK_S)
            watcher.send_signal(signal.SIGINT)
            assert watcher.wait(_LONG_S) == 0
        program.kill()


def _n_samples(run: Path) -> int:
    with Engine(run) as engine:
        row = first_row(engine.connect(), "SELECT COUNT(*) FROM execution_sample")
    assert row is not None
    return int(row[0])


def _grids(version: _Version) -> list[Grid]:
    with Engine(version.watch, beside=version.run, calibration=version.calibration) as engine:
        return [block for block in cost_blocks(engine) if isinstance(block, Grid)]


def _sums(version: _Version) -> dict[str, float]:
    """Returns the sums over all methods of the program, by measure."""
    rows = measure(
        [version.watch],
        metrics=["time.estimated_costs"],
        beside=version.run,
        calibration=version.calibration,
    )
    sums: dict[str, float] = {}
    for row in rows.arrow().to_pylist():
        sums[row["measure"]] = sums.get(row["measure"], 0) + (row["value"] or 0)
    return sums


def test_the_report_leads_to_the_accessors_and_the_strings(
    versions: dict[str, _Version],
) -> None:
    by_method, by_called, by_type = _grids(versions["original"])
    called = [str(row[0]) for row in by_called.rows]

    assert {row[0] for row in by_method.rows[:4]} == _SCANS | _STRINGS
    assert called[0] == "Device.isBusy"
    assert {name for name in called if not name.startswith(_OF_JDK)} <= _ACCESSORS
    assert by_type.rows[0][0] in {"[B", "java.lang.StringBuffer"}


def test_after_the_two_changes_the_costs_fall(versions: dict[str, _Version]) -> None:
    before, after = (_sums(versions[name]) for name in _VERSIONS)
    top = _grids(versions["changed"])[1]

    assert versions["changed"].said == versions["original"].said
    assert after["n_calls"] < 0.5 * before["n_calls"]
    assert after["n_objects"] < 0.5 * before["n_objects"]
    assert after["estimated_high_ns"] < 0.5 * before["estimated_low_ns"]
    assert _ACCESSORS.isdisjoint(row[0] for row in top.rows)
