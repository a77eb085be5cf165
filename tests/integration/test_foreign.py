"""Calls by java.lang.foreign and back: worked out by hand in `native/Foreign.java`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "native"
_FIRST_VERSION = 22
_NEW = [jdk for jdk in jdks() if jdk.version >= _FIRST_VERSION]
_INCUBATING = [jdk for jdk in jdks() if jdk.version < 19]
_LOADS = """
class Loads {
  public static void main(String[] names) throws Exception {
    Class.forName("jdk.internal.foreign.abi.ProgrammableInvoker", false, null);
  }
}
"""
# Calls of `up` by the number of upcalls that they are in.
_CHAIN = """
    WITH RECURSIVE above AS (
        SELECT c.context_id, c.parent_id, 0 AS n
        FROM context AS c JOIN method AS m USING (method_id)
        JOIN class USING (class_id) WHERE class.name = 'Foreign' AND m.name = 'up'
        UNION ALL
        SELECT above.context_id, c.parent_id, n + (class.name LIKE '%/UpcallStub/%')::INT
        FROM above JOIN context AS c ON c.context_id = above.parent_id
        JOIN method USING (method_id) JOIN class USING (class_id)
    )
    SELECT n_above::INT, SUM(n_calls)::INT
    FROM (SELECT context_id, MAX(n) AS n_above FROM above GROUP BY ALL)
    JOIN context USING (context_id) GROUP BY ALL ORDER BY 1
"""
_LINKERS = "-Djdk.internal.foreign"
_REASONS = """
    SELECT m.name FROM unfollowed_native JOIN method AS m USING (method_id)
    WHERE reason = 'foreign'
"""


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with jvmscope.open(run) as opened:
        return list(opened.query(query, language="sql").rows())


def _calls(run: Path, scope: str = "run") -> list[tuple[Any, str | None]]:
    with jvmscope.open(run) as opened:
        rows = opened.measure("native.foreign_calls", scope=scope).arrow().to_pylist()
    return [(row["value"], row["reason"]) for row in rows]


def _prepared(jdk: Jdk, directory: Path, *options: str) -> tuple[Recorder, list[str]]:
    """The program with its library, and the command that runs it."""
    try:
        library = agent_library(jdk, "foreign", BUILD, folder=_SOURCES)
    except MissingTool as error:
        pytest.skip(str(error))
    source = (_SOURCES / "Foreign.java").read_text(encoding="utf-8")
    recorder = Recorder.of(jdk, directory, Foreign=source)
    allowed = "--enable-native-access=ALL-UNNAMED"
    return recorder, ["java", *options, allowed, "-cp", "classes", "Foreign", str(library)]


@pytest.mark.parametrize("jdk", _NEW, ids=lambda jdk: f"jdk{jdk.version}")
def test_calls_of_functions_and_back_are_counted(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN all kinds of downcalls and upcalls, THEN the tree has them; a run without says so."""
    recorder, java = _prepared(jdk, tmp_path)
    outcome = recorder.record(*java, options=("--probes", "native"))

    run = tmp_path / outcome.run
    assert outcome.status == 0
    assert _calls(run) == [(20_028, None), (17, None)]
    assert _calls(run, "thread:virtual") == [(4, None), (0, None)]
    assert _calls(run, "thread:Thread-1") == [(0, None), (1, None)]
    assert _rows(run, _CHAIN) == [(k, 1) for k in range(11)]
    assert _rows(run, _REASONS) == [("linkToNative",)]

    alone = recorder.record(*java, options=("--no-tree", "--probes", "native"))
    assert alone.stdout == outcome.stdout
    assert _rows(tmp_path / alone.run, _REASONS) == [("linkToNative",)]
    values = _calls(tmp_path / alone.run)
    assert all(value is None and reason and "--no-tree" in reason for value, reason in values)


@pytest.mark.parametrize("jdk", _NEW, ids=lambda jdk: f"jdk{jdk.version}")
@pytest.mark.parametrize("linker", ["Downcall", "Upcall"])
def test_calls_without_classes_of_their_own_are_counted(
    tmp_path: Path, jdk: Jdk, linker: str
) -> None:
    """GIVEN a JDK told not to make classes for types of functions, THEN the counts are the same."""
    recorder, java = _prepared(jdk, tmp_path, f"{_LINKERS}.{linker}Linker.USE_SPEC=false")
    outcome = recorder.record(*java)

    assert _calls(tmp_path / outcome.run) == [(20_028, None), (17, None)]


@pytest.mark.parametrize("jdk", _INCUBATING, ids=lambda jdk: f"jdk{jdk.version}")
def test_the_incubator_is_not_followed(tmp_path: Path, jdk: Jdk) -> None:
    recorder = Recorder.of(jdk, tmp_path, Loads=_LOADS)
    java = ("java", "--add-modules", "jdk.incubator.foreign", "-cp", "classes", "Loads")
    outcome = recorder.record(*java)

    (down, up) = _calls(tmp_path / outcome.run)
    assert down == up == (None, "jdk.incubator.foreign is not followed: use JDK 22 or later")
