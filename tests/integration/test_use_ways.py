"""Every way to lock an object, and to ask for its hash code: counted, or said not to be.

The numbers are beside the classes of `UseWays.java`; docs/agent.md lists what is not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "objects"
_PERMITTED = "--enable-native-access=ALL-UNNAMED"

# Entries by blocks and by methods, waits, notifications, depth.
_LOCKS = {
    "ByReflection": (0, 20, 0, 0, 1),
    "ByHandle": (0, 3, 0, 0, 1),
    "ByReference": (0, 2, 0, 0, 1),
    "BySuper": (0, 2, 0, 0, 2),
    "ByBridge": (0, 1, 0, 0, 1),
    "InConstructor": (1, 1, 0, 0, 2),
    "InClosure": (1, 0, 0, 0, 1),
    "InInitialiser": (1, 0, 0, 1, 1),
    "Deserialised": (1, 0, 0, 0, 1),
    "Unmade": (1, 0, 0, 0, 1),
    "Recorded": (1, 0, 0, 0, 1),
    "Constant": (1, 0, 0, 0, 1),
    "Failure": (0, 2, 0, 0, 1),
    "Runner": (1, 0, 0, 0, 1),
    "NotifiedByReference": (1, 0, 0, 1, 1),
    "NotifiedByHandle": (1, 0, 0, 0, 1),
    "NotifiedByReflection": (1, 0, 0, 0, 1),
    "Interrupted": (1, 0, 1, 0, 1),
    "Shut": (0, 3, 0, 0, 1),
}
# By kind: objects, and calls.
_HASHES = {
    "OwnByReflection": {"overridden": (1, 20)},
    "OwnByHandle": {"overridden": (1, 3)},
    "OwnByReference": {"overridden": (1, 2)},
    "PlainByReference": {"default": (1, 2)},
    "IdentityByReference": {"identity": (1, 2)},
    "ByInterface": {"default": (1, 1)},
    "OwnByInterface": {"overridden": (1, 1)},
    "ByDeclaring": {"default": (1, 1)},
    "OwnByDeclaring": {"overridden": (1, 1)},
    "OfAbstract": {"overridden": (1, 1)},
    "ByToString": {"default": (1, 3)},
    "InSet": {"default": (1, 2)},
    "InConcurrentMap": {"default": (1, 2)},
    "InWeakMap": {"overridden": (1, 2)},
    "InImmutableSet": {"overridden": (1, 2)},
    "InArray": {"overridden": (1, 3)},
    "InList": {"overridden": (1, 2)},
    "Of": {"overridden": (1, 1)},
    "OwnInRecord": {"overridden": (1, 1)},
    "Throwing": {"overridden": (1, 2)},
    "SuperThrows": {"overridden": (1, 2)},
    "AfterThrown": {"overridden": (1, 1), "default": (1, 1)},
    "BySuperReference": {"overridden": (1, 1), "default": (1, 1)},
    "AsksAnother": {"overridden": (1, 1)},
    "Asked": {"overridden": (1, 1)},
    "AskedPlain": {"default": (1, 1)},
    "OwnByNative": {"overridden": (1, 1)},
    "InConstructor": {"default": (1, 1)},
    "Deserialised": {"identity": (1, 1)},
}
# The first 16 of 40 calls by one Method are of native code, those of two objects in turns.
_HASHES_BEFORE_18 = {"PlainByReflection": {"default": (1, 20 - 8)}}
_LOCKED = """
    SELECT type, n_objects, n_block_entries, n_method_entries, n_waits, n_notifications, max_depth
    FROM object_lock WHERE type LIKE 'UseWays$%' AND type NOT LIKE '%Lambda%'
"""
_ASKED = """
    SELECT type, kind, n_objects, n_calls
    FROM object_hash WHERE type LIKE 'UseWays$%' AND type NOT LIKE '%Lambda%'
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"ways-{jdk.version}")
    try:
        library = str(agent_library(jdk, "use_ways", BUILD, folder=_SOURCES))
    except MissingTool as error:
        pytest.skip(str(error))
    source = (_SOURCES / "UseWays.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", UseWays=source)
    outcome = Recorder(directory, jdk, warm_dump(jdk)).record(
        *("java", _PERMITTED, "-cp", "classes", "UseWays", library),
        options=("--probes", OBJECT_PROBES),
    )
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == "7got\n9\n"
    return directory / outcome.run


def _rows(run: Path, query: str) -> list[tuple[object, ...]]:
    with jvmscope.open(run) as opened:
        rows = [tuple(row) for row in opened.query(query, language="sql").rows()]
    return [(str(row[0]).removeprefix("UseWays$"), *row[1:]) for row in rows]


def test_each_way_of_locking(run: Path) -> None:
    found = {name: counts for name, n_objects, *counts in _rows(run, _LOCKED) if n_objects == 1}
    assert {name: tuple(counts) for name, counts in found.items()} == _LOCKS


def test_each_way_of_asking_for_a_hash_code(run: Path) -> None:
    found: dict[str, dict[object, object]] = {}
    for name, kind, n_objects, n_calls in _rows(run, _ASKED):
        found.setdefault(str(name), {})[kind] = (n_objects, n_calls)
    with jvmscope.open(run) as opened:
        feature = int(str(opened.manifest.jvm["version"]).partition(".")[0])
    assert found == _HASHES | (_HASHES_BEFORE_18 if feature < 18 else {})
