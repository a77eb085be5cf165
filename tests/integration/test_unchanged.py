"""Probes change nothing but their own tables: trees with and without them are equal."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

# The agent's own work makes the VM give out hash codes, more with one probe than with another.
_UNLOCK = "-XX:+UnlockExperimentalVMOptions"
_SAME_HASHES = (_UNLOCK, "-XX:hashCode=2")
_OF_RECORDINGS = (_UNLOCK, "-XX:hashCode=3")
_PROBES = ("lifetimes", OBJECT_PROBES, "handlers,receivers,order")
_TREE = """
    SELECT depth, c.name, m.name, m.descriptor, n_calls, n_bytecodes
    FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    ORDER BY context_id
"""
_BLOCKS = """
    SELECT c.name, m.name, m.descriptor, b.first_offset, SUM(n_executions)::BIGINT
    FROM context_block JOIN basic_block AS b USING (basic_block_id)
    JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    GROUP BY ALL ORDER BY ALL
"""
# What the VM made is counted in the caller of its constructor, or where that was followed first.
_OBJECTS = """
    SELECT IF(instruction_id IS NULL, NULL, c.name || '.' || m.name || m.descriptor || depth),
           i."offset", type, SUM(n_objects)::BIGINT
    FROM {} JOIN context USING (context_id) JOIN method AS m USING (method_id)
    JOIN class AS c ON c.class_id = m.class_id LEFT JOIN instruction AS i USING (instruction_id)
    GROUP BY ALL
"""


def _source(version: int) -> dict[str, str]:
    files = ["unchanged/Linking.java"] + (["jdk21/SealedSwitch.java"] if version >= 21 else [])
    paths = [PROGRAMS / file for file in files]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"unchanged-{jdk.version}")
    compile_java(jdk, directory / "classes", **_source(jdk.version))
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, program: str, probes: str) -> Path:
    options = ("--probes", probes) if probes else ()
    words = ("java", *_SAME_HASHES, "-cp", "classes", program)
    outcome = recorder.record(*words, options=options)
    assert outcome.status == 0, outcome.stderr
    return recorder.directory / outcome.run


@pytest.fixture(scope="module")
def plain(recorder: Recorder) -> dict[str, Path]:
    """Recordings without probes, by program."""
    return {name: _record(recorder, name, "") for name in _source(recorder.jdk.version)}


def _below_main(run: Path, program: str, text: str) -> list[tuple[object, ...]]:
    with jvmscope.open(run) as opened:
        return list(opened.query(text, scope=f"subtree:{program}.main").rows())


@pytest.mark.parametrize("probes", _PROBES)
def test_probes_change_no_context(recorder: Recorder, plain: dict[str, Path], probes: str) -> None:
    # GIVEN programs with all that the VM links by Java code, recorded without probes
    for program, before in plain.items():
        # WHEN they are recorded with some
        run = _record(recorder, program, probes)
        # THEN each context below main has the same calls and bytecodes, and each block is the same
        for text in (_TREE, _BLOCKS):
            found = _below_main(run, program, text)
            expected = _below_main(before, program, text)
            assert len(found) > 1000
            assert (set(found) - set(expected), set(expected) - set(found)) == (set(), set())
            assert found == expected


def test_each_allocated_object_has_a_lifetime(recorder: Recorder) -> None:
    # GIVEN a program in which contexts of equal hidden classes become one
    # WHEN it is recorded with both probes
    run = _record(recorder, "Linking", "allocations")
    lived = _record(recorder, "Linking", "lifetimes")
    # THEN they have the same objects, by type, instruction, and method and depth of the context
    allocated = set(_below_main(run, "Linking", _OBJECTS.format("allocation")))
    assert len(allocated) > 1000
    assert set(_below_main(lived, "Linking", _OBJECTS.format("object_lifetime"))) == allocated


def test_the_program_sees_hash_codes_in_the_same_order(recorder: Recorder) -> None:
    # GIVEN a program that prints what its hash codes are from one object to the next
    words = ("java", "-cp", "classes", "Linking")
    bare = subprocess.run(
        [recorder.jdk.java, *_OF_RECORDINGS, *words[1:]],
        cwd=recorder.directory,
        check=True,
        capture_output=True,
        text=True,
    )
    # WHEN it is recorded with a probe that writes numbers of its own into the headers of objects
    outcome = recorder.record(*words, options=("--probes", "lifetimes"))
    # THEN it prints the same
    assert outcome.status == 0
    assert outcome.stdout == bare.stdout
