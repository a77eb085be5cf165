"""Every metric of a folded and an unfolded recording: equal, or null with the reason.

One program is recorded three times: with every path kept, with recursion folded on request, and
with so little memory that calls fold.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc
import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

from jvmscope.metrics import catalogue
from jvmscope.metrics.evaluation import Evaluation
from jvmscope.metrics.parameters import bind_all
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa
    from oracle.toolchain import Jdk

    from jvmscope.queries import QueryFile

_PROGRAM = Path(__file__).parents[1] / "metrics/programs/Folds.java"
_PROBES = ("--probes", "receivers,order,native,objects", "--method-cache", "--exact-exceptions")
# In what order the verifier loads classes depends on addresses, which would change `branch_order`.
_VM = (
    "java",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    "-cp",
    "classes",
)
_KINDS = {"recursion": ("--recursion", "fold"), "memory": ("--max-memory", "1MiB")}
_CAUSES = {"recursion": "--recursion fold", "memory": "the memory limit was reached"}
_REMEDIES = {"recursion": "--recursion keep", "memory": "--max-memory"}
_CASES = [
    ("recursion", "run"),
    ("memory", "run"),
    ("recursion", "thread:flat"),
    ("recursion", "subtree:Folds.step"),
    ("memory", "subtree:Folds.*"),
    ("memory", "application+"),
]
_SCOPES = (
    "run",
    "application",
    "application+",
    "thread:main",
    "thread:flat",
    "thread:other",
    "subtree:Folds.*",
    "subtree:Folds.left",
    "subtree:Folds.main",
    "subtree:Folds.plain",
    "subtree:Folds.spread",
    "subtree:Folds.step",
    "subtree:Folds.visit",
    "subtree:Folds$Pair.size",
    "subtree:*.size",
    "subtree:java/lang/Thread.run",
    "subtree:*",
)
_TIMES = {"native_time", "context_native_time", "thread_time"}  # tables that no two runs share
_NUMBERED = "context_id"  # contexts are fewer where calls were folded, so their numbers differ

# Each thread has a context of its own for each method, and edges: more than a small limit has.
_THREADS = """
public class Threads {
  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      Thread thread = new Thread(() -> String.format("%s %d %x", "x", 1, 2), "t" + i);
      thread.start();
      thread.join();
    }
  }
}
"""


@pytest.fixture(scope="module", params=jdks()[:1], ids=lambda jdk: jdk.version)
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp("folding")
    sources = {"Folds": _PROGRAM.read_text(encoding="utf-8"), "Threads": _THREADS}
    made = Recorder.of(jdk, directory, **sources)
    made.dump = warm_dump(jdk)
    return made


@pytest.fixture(scope="module")
def engines(recorder: Recorder) -> Iterator[Mapping[str, Engine]]:
    """The recordings, by what was folded in them."""
    opened = {}
    for kind, options in {"nothing": (), **_KINDS}.items():
        outcome = recorder.record(*_VM, "Folds", options=(*_PROBES, *options, "--name", "folds"))
        assert outcome.stdout == "407918\n"
        said = [line for line in outcome.stderr.splitlines() if "folded" in line]
        assert len(said) == (kind != "nothing"), outcome.stderr
        # All under one name, since the class library sees the paths of what records it.
        run = recorder.directory / outcome.run
        opened[kind] = Engine(run.rename(run.with_name(f"{kind}.run")))
    yield opened
    for engine in opened.values():
        engine.close()


def _asked() -> list[tuple[QueryFile, dict[str, Any]]]:
    """Returns each metric of a run, those with a cost model also with the recorded cache."""
    asked = []
    for query in catalogue().values():
        if not query.step and _TIMES.isdisjoint(query.requires):
            has_cache = any(param.name == "cache" for param in query.params)
            given = [{}, {"cache": "recorded"}] if has_cache else [{}]
            asked += [(query, dict(bind_all([query], each)[query.id])) for each in given]
    return asked


def _values(engine: Engine, query: QueryFile, params: dict[str, Any], scope: str) -> pa.Table:
    values = Evaluation(parse_scope(scope)).values(engine, query, params)
    names = values.column_names
    return values.drop_columns([_NUMBERED]) if _NUMBERED in names else values


def _is_absent(values: pa.Table, query: QueryFile) -> bool:
    """Returns whether a metric has no value at all: a null for each measure."""
    return (
        values.num_rows == len(query.measures)
        and values["value"].null_count == values.num_rows
        and len(pc.unique(values["reason"])) == 1
    )


@cache
def _unfolded(engine: Engine, id_: str, params: str, scope: str) -> pa.Table:
    """Returns the values in the unfolded recording, which are asked for again and again."""
    for query, given in _asked():
        if query.id == id_ and str(given) == params:
            return _values(engine, query, given, scope)
    raise AssertionError(id_)


@pytest.mark.parametrize(
    ("kind", "scope"),
    [(kind, scope) for kind in _KINDS for scope in _SCOPES] if IS_LONG else _CASES,
)
def test_a_folded_run_has_the_values_of_the_unfolded_one_or_says_why_not(
    kind: str, scope: str, engines: Mapping[str, Engine]
) -> None:
    wrong = []
    for query, params in _asked():
        values = _values(engines[kind], query, params, scope)
        reason = values["reason"][0].as_py() if _is_absent(values, query) else None
        if reason is not None and _CAUSES[kind] in reason:
            if _REMEDIES[kind] not in reason or "was not recorded" in reason:
                wrong.append(f"{query.id}: {reason}")
        elif not values.equals(_unfolded(engines["nothing"], query.id, str(params), scope)):
            wrong.append(f"{query.id} {params}: {values.slice(0, 3).to_pylist()}")

    assert wrong == []


@pytest.mark.parametrize("kind", _KINDS)
def test_what_only_counts_has_values_in_a_folded_run(
    kind: str, engines: Mapping[str, Engine]
) -> None:
    """Nulls everywhere would pass, too: what counts calls or blocks has to have values."""
    known = {"execution.totals", "instructions.mix", "polymorphism.targets", "cycles.run"}
    for query, params in _asked():
        if query.id in known and params.get("cache") != "recorded":
            assert not _is_absent(_values(engines[kind], query, params, "run"), query)


@pytest.mark.skipif(not IS_LONG, reason="make test-long")
def test_no_call_is_lost_however_small_the_memory(recorder: Recorder) -> None:
    counts = []
    for name, size in {"whole": "4GiB", "small": "1MiB"}.items():
        options = ("--max-memory", size, "--name", name)
        outcome = recorder.record("java", "-cp", "classes", "Threads", options=options)
        assert outcome.manifest.status == "complete"
        with Engine(recorder.directory / outcome.run) as engine:
            asked = (
                "SELECT t.name, SUM(n_calls)::BIGINT "
                "FROM thread_method JOIN thread AS t USING (thread_id) "
                "WHERE t.name GLOB 't[0-9]*' GROUP BY t.name ORDER BY t.name"
            )
            counts.append(list(engine.query(asked).rows()))

    assert counts[0] == counts[1]
