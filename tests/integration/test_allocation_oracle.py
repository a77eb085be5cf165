"""Allocations against an agent in C that the VM tells of every object (JVMTI's sampling)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.oracles import FLAGS, run_bare
from oracle.toolchain import MissingTool, agent_library, class_path
from support.long import IS_LONG
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_PROGRAMS = ["Recursion", "Sealed", "Megamorphic", *["EntryLoops", "InitOrder"] * IS_LONG]
# The serial collector has interpreted code allocate without the VM, which then tells of nothing.
_FLAGS = [*(flag for flag in FLAGS if "Serial" not in flag), "-XX:+UseG1GC", "-XX:-UseTLAB"]
_NO_BACKTRACES = "-XX:-StackTraceInThrowable"
_BELOW_MAIN = """
    WITH main AS (
        SELECT context_id, context_id + size AS behind
        FROM context JOIN method USING (method_id) JOIN class USING (class_id)
        WHERE method.name = 'main' AND class.name = $name
    )
    SELECT type, size_bytes, CAST(SUM(n_objects) AS BIGINT)
    FROM allocation AS a JOIN main
        ON a.context_id >= main.context_id AND a.context_id < main.behind
    GROUP BY ALL
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp(f"allocation-oracle-{jdk.version}")
    return Recorder(directory, jdk, warm_dump(jdk))


def _told(jdk: Jdk, classes: Path, name: str, directory: Path) -> Counter[tuple[str, int]]:
    try:
        library = agent_library(jdk, "allocation_oracle", BUILD)
    except MissingTool as error:
        pytest.skip(str(error))
    agent = f"-agentpath:{library}=out=told.tsv,main={name}"
    command = [jdk.java, *_FLAGS, _NO_BACKTRACES, agent, "-cp", str(classes), name]
    assert run_bare(command, directory).status == 0
    first, *lines, last = (directory / "told.tsv").read_text(encoding="utf-8").splitlines()
    assert (first, last) == ("type\tsize\tcount", "end")
    rows = [line.split("\t") for line in lines]
    return Counter({(kind, int(size)): int(count) for kind, size, count in rows})


@pytest.mark.parametrize("name", _PROGRAMS)
def test_objects_are_those_that_the_vm_tells_of(recorder: Recorder, name: str) -> None:
    """GIVEN all objects by class and size, THEN the program's are equal, and none is too many.

    What the VM makes for itself (classes, literals, what linking keeps) is not recorded.
    """
    classes = class_path(recorder.jdk, BUILD)
    told = _told(recorder.jdk, classes, name, recorder.directory)
    command = ["java", _NO_BACKTRACES, "-Xint", "-cp", str(classes), name]
    options = ("--force", "--probes", "allocations")
    outcome = recorder.record(*command, options=options)
    with jvmscope.open(recorder.directory / outcome.run) as run:
        query = _BELOW_MAIN.replace("$name", f"'{name}'")
        counted = Counter({(row[0], row[1]): row[2] for row in run.query(query).rows()})
    assert counted.total() > 80
    assert not counted - told
    own = {kind for kind in told | counted if name in kind[0]}
    assert {kind: counted[kind] for kind in own} == {kind: told[kind] for kind in own}
