"""Entries of monitors that wait for other threads: as many as `Contention.java` makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import OBJECT_PROBES, Outcome, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

# By the method that enters and the class of the monitor, null for arrays; a block has a place.
_ENTRIES = {
    ("block", "Block", True): 3,
    ("blocks", "Second", True): 2,
    ("block", None, True): 2,
    ("enter", "Method", False): 4,
    ("enter", "java/lang/Class", False): 5,
    ("enter", "Inner", False): 1,
    ("waitFor", "Waited", True): 1,
}
_VIRTUAL = {("block", "Virtual", True): 6}
_QUERY = """
    SELECT m.name, replace(c.name, 'Contention$', '') AS class, i.opcode IS NOT NULL AS is_block,
           SUM(n_entries)::INT
    FROM contended_entry AS e
    JOIN context AS x USING (context_id)
    JOIN method AS m ON m.method_id = x.method_id
    JOIN class AS owner ON owner.class_id = m.class_id AND owner.name LIKE 'Contention%'
    LEFT JOIN class AS c ON c.class_id = e.class_id
    LEFT JOIN instruction AS i USING (instruction_id)
    GROUP BY ALL
"""


class Contention:
    """The program, compiled for a JDK, which may be recorded in several ways."""

    def __init__(self, jdk: Jdk, directory: Path) -> None:
        source = (PROGRAMS / "objects" / "Contention.java").read_text(encoding="utf-8")
        compile_java(jdk, directory / "classes", Contention=source)
        self.threads = "virtual" if jdk.version >= 21 else "platform"
        self.recorder = Recorder(directory, jdk, warm_dump(jdk))

    @property
    def entries(self) -> dict[tuple[str, str | None, bool], int]:
        """What the program does."""
        return _ENTRIES | (_VIRTUAL if self.threads == "virtual" else {})

    def record(self, *options: str, probes: str = OBJECT_PROBES, end: str = "return") -> Outcome:
        """Returns what a recording of the program comes to."""
        words = ("java", "-cp", "classes", "Contention", self.threads, end)
        outcome = self.recorder.record(*words, options=("--probes", probes, *options))
        assert (outcome.status, outcome.stdout) == (int(end == "halt"), "met\n"), outcome.stderr
        return outcome


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Contention:
    try:
        native_library()
    except AgentError as error:
        pytest.skip(str(error))
    return Contention(brief_jdk(request.param, BUILD), tmp_path_factory.mktemp("contention"))


def _entries(outcome: Outcome) -> dict[tuple[Any, ...], int]:
    with jvmscope.open(outcome.directory / outcome.run) as run:
        return {tuple(key): n for *key, n in run.query(_QUERY, language="sql").rows()}


def test_every_entry_that_waits_counts_where_it_is(program: Contention) -> None:
    """GIVEN monitors kept until another thread waits, THEN entries are counted; others are not."""
    outcome = program.record()
    assert _entries(outcome) == program.entries
    with jvmscope.open(outcome.directory / outcome.run) as run:
        rows = run.measure("locking.contended_sites", scope="application").arrow().to_pylist()
    values = {row["measure"]: row["value"] for row in rows}
    assert values["n_sites"] == 6  # three blocks, and three methods
    assert values["n_contended"] == sum(program.entries.values())


def test_a_vm_that_was_halted_leaves_them(program: Contention) -> None:
    assert _entries(program.record(end="halt")) == program.entries


def test_variables_reach_the_library_too(program: Contention) -> None:
    """GIVEN options in the environment, THEN the VM tells of entries as with the shim."""
    assert _entries(program.record("--inject", "env")) == program.entries


def test_native_code_is_recorded_beside_it(program: Contention) -> None:
    """GIVEN both uses of the library, THEN what one does is no call by JNI for the other."""
    outcome = program.record(probes=f"{OBJECT_PROBES},native")
    assert _entries(outcome) == program.entries
    calls = """
        SELECT COUNT(*)::INT FROM native_transition JOIN thread USING (thread_id)
        WHERE thread.name LIKE 'Thread-%'
          AND native_transition.kind IN ('call_static', 'call_nonvirtual')
    """
    with jvmscope.open(outcome.directory / outcome.run) as run:
        assert list(run.query(calls, language="sql").rows()) == [(0,)]
