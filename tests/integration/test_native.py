"""Native methods and calls by JNI: worked out by hand, for `native/Transitions.java`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library

import jvmscope
from jvmscope import cli
from jvmscope.collector.native_build import build
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError, QueryError
from jvmscope.metrics.catalogue import implementations
from jvmscope.queries import Engine, Question, compare_runs, parse_scope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "native"
_CHECKOUT = Path(__file__).parents[2]

# Calls, those that ended with an exception, calls by JNI.
_METHODS = {
    "attached": (1, 0, 0),
    "catching": (2, 0, 2),
    "down": (10, 0, 10),
    "every": (1, 0, 93),
    "fall": (20, 15, 20),
    "leaf": (30_000 + 1 + 2, 0, 0),  # by bytecode, reflection, a method handle
    "locked": (5, 0, 0),
    "many": (2, 0, 0),
    "overriding": (3, 0, 0),
    "passing": (1, 1, 1),
    "registered": (2, 0, 0),
    "throwing": (1 + 1 + 2, 4, 0),  # by Java, in passing, in catching
}
_OWN = """
    SELECT m.name, SUM(n.n_calls)::INT, SUM(n.n_exceptions)::INT, SUM(n.n_jni_calls)::INT
    FROM native_method AS n JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name = 'Transitions' GROUP BY m.name ORDER BY m.name
"""
_TREE = """
    WITH tree AS (
        SELECT thread_id, method_id, SUM(n_calls) AS n_tree FROM thread_method GROUP BY ALL
    ),
    library AS (
        SELECT thread_id, method_id, SUM(n_calls) AS n_library FROM native_method GROUP BY ALL
    )
    SELECT c.name || '.' || m.name, n_tree::INT, n_library::INT
    FROM library LEFT JOIN tree USING (thread_id, method_id)
    JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE n_tree IS DISTINCT FROM n_library ORDER BY 1
"""
# What the tree does not count, and the library does: natives that the VM or a method without
# counting code calls, and those that override a method.
_MORE = {
    "java/io/UnixFileSystem.getLength",
    "java/lang/Class.desiredAssertionStatus0",
    "java/lang/Class.registerNatives",
    "java/lang/System.registerNatives",
    "java/lang/Thread.registerNatives",
}
_TIMES = {"native_time", "thread_time", "native_clock", "context_native_time"}
_COUNTS = {"native_method", "native_transition", "context_native", "unfollowed_native"}
# Sums over the contexts of each thread, and what the tables of threads have.
_SUMS = """
    WITH contexts AS (
        SELECT thread_id, n.method_id, library, SUM(n.{column})::BIGINT AS n
        FROM {of_contexts} AS n JOIN context USING (context_id) GROUP BY ALL
    ),
    threads AS (SELECT thread_id, method_id, library, {column} AS n FROM {of_threads})
    (FROM contexts EXCEPT FROM threads) UNION ALL (FROM threads EXCEPT FROM contexts)
"""
# Natives with contexts of their own, where the tree says another number.
_CONTEXTS = """
    SELECT c.context_id, m.name, c.n_calls::INT, n.n_calls::INT
    FROM context AS c JOIN method AS m USING (method_id)
    JOIN context_native AS n ON (n.context_id, n.method_id) = (c.context_id, c.method_id)
    WHERE c.n_calls <> n.n_calls AND n.method_id NOT IN (
        SELECT first.method_id FROM context_native AS first JOIN context AS root USING (context_id)
        WHERE root.method_id IS NULL AND first.method_id IS NOT NULL
    )
"""
# The natives that the tree counts and the library does not.
_UNFOLLOWED = """
    SELECT c.name || '.' || m.name, reason::VARCHAR, SUM(n_calls)::INT
    FROM thread_method JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    LEFT JOIN unfollowed_native USING (method_id)
    WHERE m.is_native AND method_id NOT IN (
        SELECT method_id FROM native_method WHERE method_id IS NOT NULL
    )
    GROUP BY ALL
"""
_CHAIN = """
    SELECT n.context_id, n.n_calls::INT, n.n_jni_calls::INT, up.parent_id, m.name
    FROM context_native AS n JOIN method AS own ON own.method_id = n.method_id
    JOIN context AS c ON c.context_id = n.context_id
    JOIN context AS up ON up.context_id = c.parent_id JOIN method AS m ON m.method_id = up.method_id
    WHERE own.name = 'down' ORDER BY c.depth
"""


def _library(jdk: Jdk) -> Path:
    try:
        native_library()
        return agent_library(jdk, "transitions", BUILD, folder=_SOURCES)
    except (MissingTool, AgentError) as error:
        pytest.skip(str(error))


def _rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    with jvmscope.open(run) as opened:
        return list(opened.query(query, language="sql").rows())


def _measures(run: Path, *metrics: str) -> dict[tuple[str, str], tuple[Any, str | None]]:
    with jvmscope.open(run) as opened:
        rows = opened.measure(*metrics).arrow().to_pylist()
    return {(row["metric"], row["measure"]): (row["value"], row["reason"]) for row in rows}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns the program recorded with times, with counts only, and without native code."""
    jdk = request.param
    library = str(_library(jdk))
    source = (_SOURCES / "Transitions.java").read_text(encoding="utf-8")
    recorder = Recorder.of(jdk, tmp_path_factory.mktemp("native"), Transitions=source)
    java = ("java", "-cp", "classes", "Transitions", library)
    bare = subprocess.run(
        [jdk.java, *java[1:]], cwd=recorder.directory, capture_output=True, text=True, check=True
    )
    found = []
    for options in (("--probes", "native"), ("--probes", "native", "--native-clock", "none"), ()):
        outcome = recorder.record(*java, options=options)
        assert (outcome.status, outcome.stdout) == (0, bare.stdout)
        found.append(recorder.directory / outcome.run)
    return found


def test_transitions_are_counted_as_they_were_made(runs: list[Path]) -> None:
    for run in runs[:2]:
        assert {name: tuple(counts) for name, *counts in _rows(run, _OWN)} == _METHODS
        libraries = _rows(
            run,
            "SELECT DISTINCT library FROM native_method JOIN method USING (method_id) "
            "JOIN class AS c USING (class_id) WHERE c.name = 'Transitions'",
        )
        assert [name.startswith("transitions-") for (name,) in libraries] == [True]


def test_every_function_of_jni_is_counted_by_its_kind(runs: list[Path]) -> None:
    query = """
        SELECT n.kind::VARCHAR, n_transitions::INT FROM native_transition AS n
        JOIN thread AS t USING (thread_id) WHERE t.name = 'main' AND n.kind <> 'native_method'
    """
    calls = dict(_rows(runs[0], query))
    assert calls["call"] == calls["call_nonvirtual"] == 3 * 10
    assert calls["new_object"] == 3
    by_methods = "SELECT SUM(n_jni_calls)::INT FROM native_method WHERE thread_id = 0"
    # Beside those of native methods, the launcher calls main and what looks for it.
    assert calls["call_static"] + 63 - _rows(runs[0], by_methods)[0][0] in range(1, 8)


def test_threads_that_c_attaches_have_their_calls(runs: list[Path]) -> None:
    query = """
        SELECT t.name, n_transitions::INT FROM native_transition AS n
        JOIN thread AS t USING (thread_id) WHERE t.name LIKE 'Thread-%' AND n.kind = 'call_static'
        ORDER BY 1
    """
    assert _rows(runs[0], query) == [("Thread-0", 2), ("Thread-1", 2), ("Thread-2", 2)]


def test_the_tree_counts_the_same_calls(runs: list[Path]) -> None:
    """GIVEN two counters that share no code, THEN they differ only in what the tree leaves out."""
    differing = _rows(runs[0], _TREE)

    assert {name for name, *_ in differing} <= _MORE, differing


def test_each_native_that_is_not_followed_has_its_reason(runs: list[Path]) -> None:
    """GIVEN all natives that the tree counts, THEN each is followed, or the run says why not."""
    reasons = {name: reason for name, reason, _ in _rows(runs[0], _UNFOLLOWED)}

    assert len(reasons) > 10
    assert set(reasons.values()) <= {"replaced", "recorder", "continuation", "startup"}
    assert reasons["java/lang/System.arraycopy"] == reasons["java/lang/Object.hashCode"]
    assert reasons["java/lang/Object.hashCode"] == "replaced"
    query = """
        SELECT DISTINCT reason::VARCHAR FROM unfollowed_native JOIN method USING (method_id)
        JOIN class AS c USING (class_id) WHERE {} ORDER BY ALL
    """
    unsafe = _rows(runs[0], query.format("c.name = 'jdk/internal/misc/Unsafe'"))
    assert unsafe == [("recorder",), ("replaced",)]
    assert _rows(runs[0], query.format("c.loader <> 'boot'")) == []


def test_contexts_add_up_to_threads(runs: list[Path]) -> None:
    for column in ("n_calls", "n_exceptions", "n_jni_calls"):
        for run in runs[:2]:
            query = _SUMS.format(
                column=column, of_contexts="context_native", of_threads="native_method"
            )
            assert _rows(run, query) == []
    query = _SUMS.format(
        column="self_ns", of_contexts="context_native_time", of_threads="native_time"
    )
    assert _rows(runs[0], query) == []


def test_contexts_of_natives_have_their_calls(runs: list[Path]) -> None:
    """GIVEN natives never called in the VM's first moments, THEN tree and library say the same."""
    assert _rows(runs[0], _CONTEXTS) == []
    ((n, n_at_roots),) = _rows(
        runs[0],
        "SELECT COUNT(*)::INT, COUNT(*) FILTER (WHERE c.method_id IS NULL)::INT "
        "FROM context_native JOIN context AS c USING (context_id)",
    )
    assert n - n_at_roots > 150
    at_roots = "SELECT DISTINCT c.depth FROM context_native JOIN context AS c USING (context_id)"
    assert _rows(runs[0], f"{at_roots} WHERE c.method_id IS NULL") == [(0,)]


def test_a_native_that_overrides_is_in_its_callers_context(runs: list[Path]) -> None:
    query = """
        SELECT DISTINCT c.name || '.' || m.name FROM context_native AS n
        JOIN method AS own ON own.method_id = n.method_id
        JOIN context ON context.context_id = n.context_id
        JOIN method AS m ON m.method_id = context.method_id
        JOIN class AS c ON c.class_id = m.class_id WHERE own.name = 'getLength'
    """
    natives = """
        SELECT c.name FROM method AS m JOIN class AS c USING (class_id)
        WHERE m.is_native AND m.name = 'getLength' AND c.name = 'java/io/UnixFileSystem'
    """  # none in new JDKs
    assert _rows(runs[0], query) == [("java/io/File.length",)] * len(_rows(runs[0], natives))


def test_java_that_is_called_back_is_below_the_native_method(runs: list[Path]) -> None:
    """GIVEN down and up that call each other to depth 10, THEN each chain is in the one before."""
    chain = _rows(runs[0], _CHAIN)

    assert [(calls, jni, caller) for _, calls, jni, _, caller in chain] == [(1, 1, "up")] * 10
    contexts = [context for context, *_ in chain]
    assert [above for *_, above, _ in chain][1:] == contexts[:-1]


def test_recording_native_code_changes_nothing_else(runs: list[Path]) -> None:
    """GIVEN times and counts only, THEN all counts are equal; without the probe, those are less."""
    timed, counted, plain = (Engine(run) for run in runs)
    with timed, counted, plain:
        assert set(timed.manifest.tables) - set(plain.manifest.tables) == _TIMES | _COUNTS
        assert set(counted.manifest.tables) - set(plain.manifest.tables) == _COUNTS
        assert compare_runs(timed, counted).is_identical
        found = compare_runs(timed, plain).differences.arrow().to_pylist()
        assert [row["where"] for row in found] == [f"table {name}" for name in sorted(_COUNTS)]


def test_each_method_and_thread_has_its_time(runs: list[Path]) -> None:
    of_methods = "SELECT thread_id, method_id, library FROM {} ORDER BY ALL"
    assert _rows(runs[0], of_methods.format("native_time")) == _rows(
        runs[0], of_methods.format("native_method")
    )
    ((n_threads, n_timed),) = _rows(
        runs[0],
        "SELECT (SELECT COUNT(DISTINCT thread_id)::INT FROM native_transition), "
        "(SELECT COUNT(*)::INT FROM thread_time WHERE native_ns + bytecode_ns > 0)",
    )
    assert n_timed >= n_threads > 1
    ((clock,),) = _rows(runs[0], "SELECT clock FROM native_clock")
    assert clock == "timestamp"


def test_metrics_have_values_or_a_reason(runs: list[Path]) -> None:
    names = ("native.share", "native.calls", "native.jni_calls")
    measured = [_measures(run, *names, "native.contexts", "native.context_times") for run in runs]
    share, _ = measured[0]["native.share", "native_share"]
    assert 0 < share < 1
    assert measured[0]["native.calls", "n_exceptions"][0] >= 5
    assert measured[0]["native.jni_calls", "n_new_objects"] == (3, None)
    assert measured[0]["native.calls", "n_calls"] == measured[1]["native.calls", "n_calls"]
    for run, metric in (
        *((1, "native.share"), (2, "native.share"), (2, "native.calls")),
        *((2, "native.contexts"), (1, "native.context_times"), (2, "native.context_times")),
    ):
        values = [found for (name, _), found in measured[run].items() if name == metric]
        remedy = "a --native-clock other than none" if run == 1 else "--probes native"
        assert values
        assert all(value is None and remedy in reason for value, reason in values)


def test_metrics_in_both_languages_agree(runs: list[Path]) -> None:
    native = [found for id_, found in implementations().items() if id_.startswith("native.")]
    n_compared = 0
    with Engine(runs[0]) as engine:
        for xquery, sql in (found for found in native if len(found) > 1):
            for name in ("run", "thread:main", "application", "subtree:Transitions.up"):
                scope = parse_scope(name)
                try:
                    expected = engine.query(Question(sql, scope=scope)).arrow().to_pylist()
                except QueryError:  # not defined in the scope
                    with pytest.raises(QueryError):
                        engine.query(Question(xquery, scope=scope)).arrow()
                    continue
                n_compared += 1
                found = engine.query(Question(xquery, scope=scope)).arrow().to_pylist()
                assert found == expected, (sql.id, name)
    assert n_compared >= 7 + 7 + 4 + 3


@pytest.mark.parametrize("jdk", jdks()[-1:], ids=lambda jdk: f"jdk{jdk.version}")
def test_virtual_threads_and_a_halted_vm(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN virtual threads on one carrier, THEN each has its calls, though the VM just stops."""
    library = _library(jdk)
    if jdk.version < 21:
        pytest.skip("no virtual threads")
    sources = {
        name: (_SOURCES / f"{name}.java").read_text(encoding="utf-8")
        for name in ("Transitions", "Carried")
    }
    recorder = Recorder.of(jdk, tmp_path, **sources)
    outcome = recorder.record(
        "java", "-cp", "classes", "Carried", str(library), options=("--probes", "native")
    )

    assert outcome.status == 3
    query = """
        SELECT t.name, m.name, n.n_calls::INT, n.n_jni_calls::INT FROM native_method AS n
        JOIN thread AS t USING (thread_id) JOIN method AS m USING (method_id)
        JOIN class AS c USING (class_id) WHERE c.name = 'Transitions' ORDER BY ALL
    """
    expected = [("main", "leaf", 1, 0)]
    for k in range(1, 4):
        expected = [
            *expected,
            (f"carried-{k}", "down", 2 * k, 2 * k),
            (f"carried-{k}", "leaf", k, 0),
        ]
    assert _rows(recorder.directory / outcome.run, query) == sorted(expected)


@pytest.mark.parametrize("options", [(), ("--no-tree",)], ids=["tree", "no tree"])
@pytest.mark.parametrize("jdk", jdks()[-1:], ids=lambda jdk: f"jdk{jdk.version}")
def test_virtual_threads_on_several_carriers(
    tmp_path: Path, jdk: Jdk, options: tuple[str, ...]
) -> None:
    """GIVEN a carrier whose last thread is in a native method elsewhere, it counts its own."""
    library = _library(jdk)
    if jdk.version < 21:
        pytest.skip("no virtual threads")
    sources = {
        name: (_SOURCES / f"{name}.java").read_text(encoding="utf-8")
        for name in ("Transitions", "Spread")
    }
    recorder = Recorder.of(jdk, tmp_path, **sources)
    carriers = "-Djdk.virtualThreadScheduler.parallelism=4"
    words = ("java", carriers, "-cp", "classes", "Spread", str(library))
    outcome = recorder.record(*words, options=("--probes", "native", *options))

    assert outcome.status == 0
    query = """
        SELECT t.name, m.name, n.n_calls::INT, n.n_jni_calls::INT
        FROM native_method AS n JOIN thread AS t USING (thread_id)
        JOIN method AS m USING (method_id)
        WHERE t.name LIKE 'spread-%' AND m.name IN ('leaf', 'down')
    """
    expected = []
    for k in range(24):
        times = 40_000 + k
        expected.append((f"spread-{k}", "down", 3 * times, 3 * times))
        expected.append((f"spread-{k}", "leaf", times, 0))
    assert sorted(_rows(recorder.directory / outcome.run, query)) == sorted(expected)


def _use_library_built_with(options: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has `record` use a library that lacks something."""
    compiler = folder / "cc-with-options"
    compiler.write_text(f'#!/bin/sh\nexec cc {options} "$@"\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    made = folder / "made.so"
    build(_CHECKOUT / "collector" / "native", made)
    monkeypatch.setattr("jvmscope.collector.record.native_library", lambda: made)


@pytest.mark.parametrize("jdk", jdks()[:1], ids=lambda jdk: f"jdk{jdk.version}")
def test_natives_without_memory_to_follow_them_are_listed(
    tmp_path: Path, jdk: Jdk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a system that lets no memory be executed, THEN the run says which natives it lacks."""
    library = _library(jdk)
    refusing = tmp_path / "refusing.c"
    refusing.write_text("int __wrap_mprotect(void);int __wrap_mprotect(void) { return -1; }\n")
    _use_library_built_with(f"-Wl,--wrap=mprotect {refusing}", tmp_path, monkeypatch)
    source = (_SOURCES / "Transitions.java").read_text(encoding="utf-8")
    recorder = Recorder.of(jdk, tmp_path, Transitions=source)

    run = tmp_path / "refused.run"
    words = ["-cp", str(recorder.directory / "classes"), "Transitions", str(library)]
    recording = jvmscope.record([str(jdk.java), *words], run, no_tree=True, probes=["native"])

    assert recording.status == 0
    assert "no room for counts of native code" in capsys.readouterr().err
    query = """
        SELECT DISTINCT m.name FROM unfollowed_native JOIN method AS m USING (method_id)
        JOIN class AS c USING (class_id) WHERE c.name = 'Transitions' AND reason = 'no_room'
    """
    assert {name for (name,) in _rows(run, query)} == set(_METHODS)
    assert _rows(run, _OWN) == []


@pytest.mark.parametrize("jdk", jdks()[:1], ids=lambda jdk: f"jdk{jdk.version}")
def test_lost_counts_are_told(
    tmp_path: Path, jdk: Jdk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN room for few counts only, THEN record, measure and list say that some are lost."""
    _library(jdk)
    _use_library_built_with("-DMOST_BYTES=20000", tmp_path, monkeypatch)
    source = "class Main { public static void main(String[] a) { System.out.println(1); } }"
    recorder = Recorder.of(jdk, tmp_path, Main=source)

    run = tmp_path / "lost.run"
    command = [str(jdk.java), "-cp", str(recorder.directory / "classes"), "Main"]
    recording = jvmscope.record(command, run, probes=["native"])

    assert recording.status == 0
    assert "no room for counts of native code" in capsys.readouterr().err
    assert cli.run(["measure", str(run), "-m", "native.calls"]) == cli.DONE
    assert "no room for counts of native code" in capsys.readouterr().err
    assert cli.run(["list", "runs", str(tmp_path)]) == cli.DONE
    assert "truncated" in capsys.readouterr().out
