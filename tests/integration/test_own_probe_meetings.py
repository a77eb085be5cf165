"""A probe of one's own beside every other way to record: the same counts, worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope import cli
from jvmscope.suite import open_suite

if TYPE_CHECKING:
    from pathlib import Path

_PROBE = PROGRAMS / "own_probe" / "meetings"
_DEPTH = 12  # 40,000 contexts, of which 1 MiB has room for a quarter
_THREADS = 4
_OF_THREAD = 5  # trees of depth 3
_HALTED = 3
_SUITE = """
schema = 1
name = "met"
[defaults]
java = "{java}"
[[benchmark]]
name = "met"
command = ["-cp", "{{suite}}/classes", "Meetings", "{depth}", "{threads}", "return"]
record = {{ probe = "{probe}" }}
"""


@dataclass(frozen=True)
class _Machine:
    """What a JDK records the program with."""

    recorder: Recorder
    threads: str

    def record(self, *options: str, end: str = "return") -> Path:
        words = ("java", "-cp", "classes", "Meetings", str(_DEPTH), self.threads, end)
        outcome = self.recorder.record(*words, options=("--probe", str(_PROBE), *options))
        assert outcome.status == (_HALTED if end == "halt" else 0), outcome.stderr
        assert outcome.stdout == f"{3 << _DEPTH - 1}\n"  # as many leaves of 1 as of 2
        return outcome.directory / outcome.run


def _calls_of_tree(depth: int) -> dict[tuple[str, int], int]:
    """Calls of both methods by their argument: a full binary tree, whose root is a left one."""
    calls = {("left", depth): 1}
    for n in range(depth):
        calls |= dict.fromkeys((("left", n), ("right", n)), 1 << depth - n - 1)
    return calls


def _expected() -> dict[tuple[str, object], int]:
    counts: dict[tuple[str, object], int] = {}
    for depth, times in ((_DEPTH, 1), (3, _THREADS * _OF_THREAD)):
        for (method, n), calls in _calls_of_tree(depth).items():
            counts[method, n] = counts.get((method, n), 0) + times * calls
            counts[method, -1] = counts.get((method, -1), 0) + times * calls
            if n == 0:
                counts[method, "Box"] = counts.get((method, "Box"), 0) + times * calls
    return counts


_COUNTS = """
    SELECT m.name, n, SUM(met_call.n_calls)::BIGINT FROM met_call
    JOIN context USING (context_id) JOIN method AS m USING (method_id) GROUP BY ALL
"""
_BOXES = """
    SELECT m.name, 'Box', SUM(n_boxes)::BIGINT FROM met_box
    JOIN context USING (context_id) JOIN method AS m USING (method_id)
    WHERE type = 'Meetings$Box' GROUP BY ALL
"""
_OF_THREADS = """
    SELECT met_call.n_calls FROM met_call JOIN context USING (context_id)
    WHERE n = -2 AND method_id IS NULL ORDER BY ALL
"""


_N_BOXES = (1 << _DEPTH) + _THREADS * _OF_THREAD * (1 << 3)
_OF_BOX = "JOIN class USING (class_id) WHERE class.name = 'Meetings$Box'"
_OF_BOXES: dict[str, tuple[object, ...]] = {
    f"SELECT SUM(n_objects)::BIGINT FROM allocation {_OF_BOX}": (_N_BOXES,),
    f"SELECT n_objects, n_immutable FROM object_immutability {_OF_BOX}": (_N_BOXES, _N_BOXES),
    f"SELECT n_fully_write_shared FROM object_sharing {_OF_BOX}": (0,),
    f"SELECT n_objects, n_method_entries FROM object_lock {_OF_BOX}": (_N_BOXES, _N_BOXES),
    f"SELECT n_objects, n_calls FROM object_hash {_OF_BOX}": (_N_BOXES, _N_BOXES),
    f"SELECT n_written_first FROM field_zeroing JOIN field USING (field_id) {_OF_BOX}": (_N_BOXES,),
}


def _assert_counted(run: Path) -> None:
    with jvmscope.open(run) as opened:
        found = {(m, n): count for q in (_COUNTS, _BOXES) for m, n, count in opened.query(q).rows()}
        assert found == _expected()
        of_threads = [n for (n,) in opened.query(_OF_THREADS).rows()]
        assert of_threads == _THREADS * [_OF_THREAD * (2 * 8 - 1)] + [2 * (1 << _DEPTH) - 1]
        assert list(opened.query("SELECT * FROM probe_failure").rows()) == []


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Machine:
    jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"meetings-{jdk.version}")
    source = (_PROBE.with_name("Meetings.java")).read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", Meetings=source)
    recorder = Recorder(directory, jdk, warm_dump(jdk))
    return _Machine(recorder, "virtual" if jdk.version >= 21 else "platform")


class TestMeetings:
    """GIVEN a probe with two classes and two tables, WHEN recorded, THEN it counts all."""

    @pytest.mark.parametrize("options", [("--inject", "env"), ("--clock", "steps")], ids=str)
    def test_beside_options(self, machine: _Machine, options: tuple[str, ...]) -> None:
        _assert_counted(machine.record(*options))

    @pytest.mark.parametrize("end", ["return", "halt"])
    def test_beside_probes_of_objects_without_room(self, machine: _Machine, end: str) -> None:
        """AND what the probes of objects count is right where calls fold, halted or not."""
        probes = OBJECT_PROBES
        run = machine.record("--probes", probes, "--max-memory", "1MiB", end=end)
        _assert_counted(run)
        with jvmscope.open(run) as opened:
            ((folded,),) = opened.query("SELECT COUNT(*) FROM back_edge").rows()
            assert folded > 0
            for query, expected in _OF_BOXES.items():
                assert list(opened.query(query).rows()) == [expected], query

    def test_in_a_suite(self, machine: _Machine, tmp_path: Path) -> None:
        (tmp_path / "classes").symlink_to(machine.recorder.directory / "classes")
        text = _SUITE.format(
            java=machine.recorder.jdk.java, depth=_DEPTH, threads=machine.threads, probe=_PROBE
        )
        (tmp_path / "suite.toml").write_text(text, encoding="utf-8")
        out = tmp_path / "out"
        assert cli.run(["suite", "run", str(tmp_path / "suite.toml"), "-o", str(out)]) == cli.DONE
        (row,) = open_suite(out).rows
        assert row.run is not None
        _assert_counted(row.run)
