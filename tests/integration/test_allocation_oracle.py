"""Allocations against an agent in C that the VM tells of every object (JVMTI's sampling)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import jdks
from oracle.allocation_programs import ALGORITHMS, QUICK, AllocationLab
from oracle.laboratory import BUILD
from oracle.toolchain import MissingTool
from support.long import IS_LONG
from support.small_jdk import brief_jdk

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_LINKING = ["EntryLoops", "InitOrder"]  # call sites; their libraries are in another state at start
_PROGRAMS = ["Recursion", "Sealed", "Megamorphic", *_LINKING * IS_LONG]
# All classes of a real program, in other layouts.
_LAYOUTS = [
    ("javascript json", "-XX:-UseCompressedOops"),
    ("javascript json", "-XX:ObjectAlignmentInBytes=16"),
    ("javascript json", "-XX:+UseCompactObjectHeaders"),
]
_CASES = [(program,) for program in (ALGORITHMS if IS_LONG else QUICK)] + _LAYOUTS * IS_LONG
_OF_JDK = ("java/", "javax/", "jdk/", "sun/")
# Identity hash codes of classes and of Object tell how its hash maps grow while it starts.
_BY_HASH_CODES = ("clojure",)


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AllocationLab:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp(f"allocation-oracle-{jdk.version}")
    try:
        return AllocationLab(brief_jdk(jdk, BUILD), directory)
    except MissingTool as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", _PROGRAMS)
def test_objects_are_those_that_the_vm_tells_of(lab: AllocationLab, name: str) -> None:
    """GIVEN all objects by class and size, THEN they are equal but for what the VM makes itself."""
    compared = lab.compare_main(name)
    assert compared.n_recorded > 80
    assert all(_is_of_jdk(kind) and name in _LINKING for kind, _ in compared.differences)
    assert {"classes", "literals"} <= compared.unseen.keys()


@pytest.mark.parametrize("case", _CASES, ids=" ".join)
def test_objects_of_an_algorithm(lab: AllocationLab, case: tuple[str, ...]) -> None:
    """GIVEN a program without what its language does at its start, THEN all objects are equal.

    So are the bytes, with those that `ThreadMXBean` counts. While the language starts, only objects
    of the JDK differ: a recorded VM has used parts of the library before `main`.
    """
    program, *layout = case
    if "-XX:+UseCompactObjectHeaders" in layout and lab.jdk.version < 25:
        pytest.skip("this JDK has no compact object headers")
    found = lab.compare_algorithm(program, *layout)
    assert found.part.n_recorded > 30
    assert found.part.differences == {}
    assert found.part.unseen == {}
    assert found.n_bytes == found.n_bytes_bare
    if not program.startswith(_BY_HASH_CODES):
        assert all(_is_of_jdk(kind) for kind, _ in found.whole.differences)


def _is_of_jdk(kind: str) -> bool:
    element = kind.lstrip("[").removeprefix("L" if kind.startswith("[") else "")
    return element.startswith(_OF_JDK) or len(element) == 1
