"""Libraries that look deep into objects do with followed objects what they do on a bare VM.

They serialise graphs by Unsafe, find padded fields by their offsets, write classes as they run, and
share objects and direct memory between threads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.battery import run_both
from support.forked import run_jvmscope
from support.libraries import libraries
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.watched_objects import unwatched_objects

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk
    from support.battery import Outcomes


@dataclass(frozen=True)
class Program:
    """A program of ``tests/programs/libraries``, what it uses, and a line that it prints.

    ``unwatched`` are classes of which some objects have no constructor that was reached.
    """

    name: str
    coordinates: tuple[str, ...]
    printed: str
    options: tuple[str, ...] = ()
    unwatched: tuple[tuple[object, ...], ...] = ()


_SHORT = (
    Program(
        "KryoGraphs",
        ("com.esotericsoftware:kryo:5.6.2",),
        "copied: 200 nodes, 50e42f82 true",
        (
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
        ),
    ),
    Program("QueuesMpmc", ("org.jctools:jctools-core:4.0.5",), "maps: 3000 2400 64 3000"),
)
_TEMPORARY = "org/hibernate/query/sqm/mutation/internal/temptable"
_OTHERS = (
    Program(
        "JacksonTrips",
        ("com.fasterxml.jackson.core:jackson-databind:2.18.2",),
        "cycle: 5866 1900dd57 5866 c9517d75",
    ),
    Program(
        "NettyEcho",
        ("io.netty:netty-handler:4.1.118.Final", "io.netty:netty-codec:4.1.118.Final"),
        "60 dac7c322 error:asked to fail",
    ),
    Program(
        "HibernateSessions",
        ("org.hibernate.orm:hibernate-core:6.6.5.Final", "com.h2database:h2:2.3.232"),
        "conflict 22",
        # H2Dialect makes five in front of createEntityTable, their operand, which throws twice.
        unwatched=((f"{_TEMPORARY}/GlobalTemporaryTableInsertStrategy", 5, 3, 0),),
    ),
)
# Whole JDKs are prepared for few sets of probes.
_PROBES = (OBJECT_PROBES, f"{OBJECT_PROBES},lifetimes", "lifetimes,allocations")
_ALONE = OBJECT_PROBES.split(",")
_CASES = [
    *((program, OBJECT_PROBES) for program in _SHORT),
    *((program, probe) for program in _SHORT for probe in (*_PROBES[1:], *_ALONE) if IS_LONG),
    *((program, probe) for program in _OTHERS for probe in _PROBES if IS_LONG),
]
# Objects of the program and its libraries, none of which is from before the recording.
_UNACCOUNTED = """
    WITH allocated AS (
        SELECT class_id, SUM(n_objects) AS n FROM allocation
        WHERE type NOT LIKE '[%' GROUP BY class_id
    ), lived AS (
        SELECT class_id, SUM(n_objects) AS n FROM object_lifetime
        WHERE type NOT LIKE '[%' GROUP BY class_id
    ), unfollowed AS (
        SELECT class_id, SUM(n_unconstructed) AS n FROM unfollowed_object
        WHERE type NOT LIKE '[%' GROUP BY class_id
    )
    SELECT name, COALESCE(a.n, 0), COALESCE(l.n, 0), COALESCE(u.n, 0)
    FROM allocated AS a FULL JOIN lived AS l USING (class_id)
    LEFT JOIN unfollowed AS u USING (class_id) JOIN class USING (class_id)
    WHERE loader NOT IN ('boot', 'platform')
      AND COALESCE(a.n, 0) <> COALESCE(l.n, 0) + COALESCE(u.n, 0)
    ORDER BY name
"""
_TIMEOUT_S = 240


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def jdk(request: pytest.FixtureRequest) -> Jdk:
    """A JDK: of few modules, where only the short programs are run."""
    return brief_jdk(request.param, BUILD)


@pytest.mark.parametrize(
    ("program", "probes"), _CASES, ids=lambda value: getattr(value, "name", value)
)
def test_a_library_does_what_it_does_on_a_bare_vm(
    tmp_path: Path, jdk: Jdk, program: Program, probes: str
) -> None:
    """GIVEN its objects are followed, THEN output and status are equal, and none is missing."""
    outcomes = _run(tmp_path, jdk, program, probes)
    assert outcomes.recorded == outcomes.bare
    assert outcomes.bare[0] == 0
    assert program.printed in outcomes.bare[1].splitlines()
    run = tmp_path / "library.run"
    checked = run_jvmscope(
        ["check", str(run)], directory=tmp_path, environment=os.environ, timeout_s=_TIMEOUT_S
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    if OBJECT_PROBES in probes:
        assert unwatched_objects(run) == [*program.unwatched]
    if "lifetimes" in probes and "allocations" in probes:
        with jvmscope.open(run) as opened:
            assert [tuple(row) for row in opened.query(_UNACCOUNTED).rows()] == []


def _run(directory: Path, jdk: Jdk, program: Program, probes: str) -> Outcomes:
    path = ":".join(map(str, libraries(*program.coordinates)))
    source = (PROGRAMS / "libraries" / f"{program.name}.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", ("-cp", path), **{program.name: source})
    options = ["-cp", f"classes:{path}", "-Xmx512m", *program.options]
    recording = ("-o", str(directory / "library.run"), "--probes", probes)
    return run_both(jdk, directory, program.name, options=options, recording=recording)
