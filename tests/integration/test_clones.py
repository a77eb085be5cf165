"""What a method clone returns: each object is allocated, watched, locked and hashed as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump
from support.watched_objects import unwatched_objects

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

# Each original is cloned ten times, `Plain` five. Objects that were made; that were used, and how
# often altogether: the original twice, what a clone returned once for each time.
_OBJECTS = {
    "BelowConstructed": (11, 11, 12),
    "BelowRaw": (11, 11, 12),
    "ByReflection": (11, 11, 12),
    "Constructed": (11, 11, 12),
    "Covariant": (11, 11, 12),
    "Inherits": (11, 11, 12),
    "Kept": (3, 2, 12),  # all clones are the same
    "Nothing": (11, 11, 12),  # ten of them are clones of Other
    "Other": (1, 1, 2),
    "Plain": (6, 6, 7),
    "Raw": (11, 11, 12),
    "Same": (1, 1, 12),
    "Template": (12, 11, 12),
    "Twice": (21, 11, 12),
}
_ALLOCATED = """
    SELECT type, SUM(n_objects) FROM allocation
    WHERE type LIKE 'Clones$%' AND type NOT LIKE '%Lambda%' GROUP BY 1
"""
_WATCHED = """
    SELECT name, w.n_objects, COALESCE(i.n_mutable, 0)
    FROM watched_class AS w JOIN class USING (class_id) LEFT JOIN object_immutability AS i
        USING (class_id)
    WHERE name LIKE 'Clones$%' AND name NOT LIKE '%Lambda%'
"""
_LOCKED = """
    SELECT type, n_objects, n_block_entries, n_shared_objects, max_depth
    FROM object_lock WHERE type LIKE 'Clones$%'
"""
_HASHED = "SELECT type, n_objects, n_calls FROM object_hash WHERE type LIKE 'Clones$%'"
# Probes alone have other words of their own than together.
_SETS = ["allocations", "immutability", "locking", "hashcodes", OBJECT_PROBES]


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"clones-{jdk.version}")
    source = (PROGRAMS / "objects" / "Clones.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", Clones=source)
    return Recorder(directory, jdk, warm_dump(jdk))


def _rows(run: Path, query: str) -> dict[str, tuple[int, ...]]:
    with jvmscope.open(run) as opened:
        return {
            str(name).removeprefix("Clones$"): tuple(map(int, counts))
            for name, *counts in opened.query(query).rows()
            if not str(name).endswith("$Kind")
        }


@pytest.mark.parametrize("probes", _SETS)
def test_each_object_counts_once_however_clone_made_it(recorder: Recorder, probes: str) -> None:
    outcome = recorder.record("java", "-cp", "classes", "Clones", options=("--probes", probes))
    assert (outcome.status, outcome.stdout) == (0, "0\n"), outcome.stderr
    run = recorder.directory / outcome.run
    if "allocations" in probes:
        assert _rows(run, _ALLOCATED) == {name: (n,) for name, (n, _, _) in _OBJECTS.items()}
    if "immutability" in probes:
        assert _rows(run, _WATCHED) == {name: (n, 0) for name, (n, _, _) in _OBJECTS.items()}
    if "locking" in probes:
        assert _rows(run, _LOCKED) == {
            name: (used, times, 0, 1) for name, (_, used, times) in _OBJECTS.items()
        }
    if "hashcodes" in probes:
        assert _rows(run, _HASHED) == {
            name: (used, times) for name, (_, used, times) in _OBJECTS.items()
        }
    if probes == OBJECT_PROBES:
        assert unwatched_objects(run) == []
