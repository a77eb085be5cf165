"""A probe of one's own: the examples of docs/probes.md, every point, and no other number."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow.parquet as pq
import pytest
from integration.probe_product import PROGRAM, SHAPES, SNIPPETS, TABLE, expected
from integration.recording import Outcome, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.forked import run_jvmscope
from support.small_jdk import brief_jdk

import jvmscope
from jvmscope.actions.failure_notice import tell_failures
from jvmscope.metrics.evaluation import Evaluation
from jvmscope.output.console import Console
from jvmscope.prompt.loop import completions
from jvmscope.queries import (
    Engine,
    broken_invariants,
    compare_runs,
    parse_query_file,
    parse_scope,
)
from jvmscope.reports.exports.database import write_database
from jvmscope.schema import read_manifest, verify_run
from jvmscope.schema.xml import export_xml, import_xml

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_ROOT = Path(__file__).parents[2]
_EXAMPLES = _ROOT / "docs" / "examples" / "probes"
_PROGRAMS = _ROOT / "tests" / "programs" / "own_probe"
# What the program hashes by identity falls into the same places in all recordings.
_SAME_HASHES = ("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2")
_OF_CONTEXT = """
    FROM {table} JOIN context USING (context_id) JOIN method AS m USING (method_id)
    JOIN class AS c ON c.class_id = m.class_id WHERE c.name = '{name}'
"""
_EVENTS = {
    ("before body", "Points 5 abc"), ("before body", "Points 7 de"),
    ("after body", "8"), ("after body", "9"),
    ("after throwing", "fail no"),
    ("before block", None),
    ("before call", "abc java/lang/String.length()I"),
    ("before call", "de java/lang/String.length()I"),
    ("after call", "5 abc 8"), ("after call", "7 de 9"),
    ("before field write", "Points.field 5"), ("before field write", "Points.field 7"),
    ("before field write", "Points.total 5"), ("before field write", "Points.total 12"),
    ("after field read", "getfield 5"), ("after field read", "getfield 7"),
    ("before array write", "3 1 5"), ("before array write", "3 1 7"),
    ("after array read", "1 5"), ("after array read", "1 7"),
    ("after allocation", "3 3"),
    ("before allocation", "java/lang/IllegalStateException"),
    ("before monitor", "Points"), ("after monitor", "Points"),
    ("before handler", "java.lang.IllegalStateException"),
    ("depth", "1"), ("depth", "2"), ("depth", "3"), ("depth", "4"),
    ("at the end", "1 of 4"), ("at the end", "2 of 4"),
    ("at the end", "3 of 4"), ("at the end", "4 of 4"),
    ("at the end of a thread", "4"),
}  # fmt: skip
_TWICE = {
    "after throwing", "before block", "before monitor", "after monitor", "before handler",
}  # fmt: skip


_BROKEN = "Could not initialize class jdk.internal.perf.own$Attack$Broken"
_ILLEGAL = "java.lang.IllegalArgumentException"
_NULL = 'Cannot read field "thread" because "context" is null'


def _add_javac(recorder: Recorder, jdk: Jdk) -> None:
    """Puts the JDK's javac in front of PATH; beside its file is a java with the compiler."""
    tools = recorder.directory / "tools"
    tools.mkdir()
    (tools / "javac").symlink_to(jdk.tool("javac"))
    recorder.environment["PATH"] = f"{tools}:{recorder.environment['PATH']}"


class _Recorded:
    """The program, recorded with the probe, without it, and killed."""

    def __init__(self, jdk: Jdk, directory: Path) -> None:
        sources = {"Points": _PROGRAMS, "Victim": _PROGRAMS, "Shop": _EXAMPLES}
        texts = {n: (folder / f"{n}.java").read_text("utf-8") for n, folder in sources.items()}
        compile_java(jdk, directory / "classes", **texts, Product=PROGRAM)
        probe = directory / "probe"
        shutil.copytree(_EXAMPLES / "probe", probe)
        for name in ("point_event", "PointEvents", "attack", "Attack", "key_shape", "KeyShapes"):
            shutil.copy(_PROGRAMS / f"{name}{'.sql' if name.islower() else '.java'}", probe)
        (probe / "product_event.sql").write_text(TABLE, encoding="utf-8")
        (probe / "ProductEvents.java").write_text(SNIPPETS, encoding="utf-8")
        recorder = Recorder(directory, brief_jdk(jdk, BUILD))
        _add_javac(recorder, jdk)
        self.version = jdk.version
        self.run = self._record(recorder, options=("--probe", "probe"))
        self.killed = self._record(recorder, "killed", options=("--probe", "probe"), status=137)
        self.plain = self._record(recorder)
        shutil.rmtree(probe)  # a run is read without it

    @staticmethod
    def _record(
        recorder: Recorder, *words: str, options: tuple[str, ...] = (), status: int = 0
    ) -> Path:
        outcome: Outcome = recorder.record(
            "java", *_SAME_HASHES, "-cp", "classes", "Points", *words, options=options
        )
        assert outcome.status == status, outcome.stderr
        return outcome.directory / outcome.run


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Recorded:
    jdk: Jdk = request.param
    return _Recorded(jdk, tmp_path_factory.mktemp(f"own-{jdk.version}"))


def _rows(run: Path, text: str, scope: str = "run") -> list[tuple[object, ...]]:
    with jvmscope.open(run) as opened:
        return list(opened.query(text, scope=scope).rows())


@pytest.mark.parametrize("how", ["run", "killed"])
def test_snippets_are_told_what_happens_at_every_point(recorded: _Recorded, how: str) -> None:
    text = "SELECT point, detail, SUM(n_events)::BIGINT FROM point_event GROUP BY ALL"
    found = {(row[0], row[1]): row[2] for row in _rows(getattr(recorded, how), text)}

    assert set(found) == _EVENTS
    assert found == {event: 2 if _is_twice(event) else 1 for event in _EVENTS}


def _is_twice(event: tuple[str, str | None]) -> bool:
    return event[0] in _TWICE or event[1] == "java/lang/IllegalStateException"


@pytest.mark.parametrize("how", ["run", "killed"])
def test_each_moment_at_each_point_in_each_shape(recorded: _Recorded, how: str) -> None:
    text = (
        "SELECT moment, owner, thrown, SUM(n_events)::BIGINT FROM product_event "
        "WHERE {condition} GROUP BY ALL"
    )
    run = getattr(recorded, how)
    condition = "point <> 'HANDLER' AND (point <> 'BLOCK' OR moment = 'throwing')"
    found = {row[:3]: row[3] for row in _rows(run, text.format(condition=condition))}
    assert found == expected()


def test_each_basic_block_ends_or_throws(recorded: _Recorded) -> None:
    text = """
        WITH event AS (
            SELECT owner,
                SUM(n_events) FILTER (moment = 'before')::BIGINT AS n_begun,
                SUM(n_events) FILTER (moment <> 'before')::BIGINT AS n_ended
            FROM product_event WHERE point = 'BLOCK' GROUP BY ALL
        ), block AS (
            SELECT c.name AS owner, SUM(n_executions)::BIGINT AS n_executions
            FROM context_block JOIN basic_block USING (basic_block_id)
            JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
            WHERE c.name LIKE 'BLOCK%' AND (m.name = 'run' OR c.name SIMILAR TO '.*(made|early)')
            GROUP BY ALL
        )
        SELECT owner, n_begun, n_ended, n_executions FROM event FULL JOIN block USING (owner)
    """
    rows = _rows(recorded.run, text)
    assert len(rows) == len([shape for shape in SHAPES if shape != "early"])
    assert [row for row in rows if len(set(row[1:])) > 1] == []


def test_exceptions_of_snippets_are_counted(recorded: _Recorded) -> None:
    text = "FROM probe_failure WHERE snippet LIKE 'PointEvents%'"
    assert _rows(recorded.run, text) == [
        ("PointEvents.endOfThread", "java.lang.IllegalStateException: nothing more", 1),
        ("PointEvents.leave", "java.lang.UnsupportedOperationException: out", 1),
    ]


def test_failures_of_snippets_are_told(
    tmp_path: Path, recorded: _Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    console = Console()
    tell_failures(recorded.run, console)
    n = _rows(recorded.run, "SELECT SUM(n_failures)::BIGINT FROM probe_failure")[0][0]
    said = capsys.readouterr().err
    assert f"warning: {recorded.run}: snippets failed {n:,} times, and what they did not" in said

    shutil.copytree(recorded.run, tmp_path / "good.run")
    table = tmp_path / "good.run" / "tables" / "probe_failure.parquet"
    pq.write_table(pq.read_table(table).slice(0, 0), table)
    tell_failures(tmp_path / "good.run", console)
    assert capsys.readouterr().err == ""


def test_snippets_that_fail_count_what_they_did_before(recorded: _Recorded) -> None:
    text = "SELECT what, SUM(n_events)::BIGINT FROM attack GROUP BY ALL"
    assert dict(_rows(recorded.run, text)) == {
        "recursion": 2, "locked": 2, "large": 2**63 - 1, "called back": 1,
    }  # fmt: skip
    text = (
        "SELECT split_part(snippet, '.', 2), exception, n_failures FROM probe_failure "
        "WHERE snippet LIKE 'Attack%' AND snippet NOT LIKE '%.deep'"
    )
    assert {row[:2]: row[2] for row in _rows(recorded.run, text)} == {
        ("recursion", "java.lang.StackOverflowError"): 2,
        ("memory", "java.lang.OutOfMemoryError: Requested array size exceeds VM limit"): 2,
        ("broken", 'java.lang.NumberFormatException: For input string: "x"'): 1,
        ("broken", f"java.lang.NoClassDefFoundError: {_BROKEN}"): 1,
        ("keep", "java.lang.IllegalStateException: the context is that of another thread"): 1,
        ("thrown", "java.lang.Throwable: any"): 2,
        ("type", f"{_ILLEGAL}: key 1: expected a String, found java.lang.Integer"): 2,
        ("none", f"{_ILLEGAL}: expected 1 keys, found 0"): 2,
        ("nothing", f"java.lang.NullPointerException: {_NULL}"): 2,
        ("negative", f"{_ILLEGAL}: a counter can only grow, by -1 it would not"): 2,
        ("large", f"java.lang.ArithmeticException: the count would be larger than {2**63 - 1}"): 1,
        ("end", "java.lang.IllegalStateException: at the end"): 1,
    }


@pytest.mark.parametrize("how", ["run", "killed"])
def test_keys_are_the_same_however_a_call_has_them(recorded: _Recorded, how: str) -> None:
    """GIVEN keys that need no array, and those that do, THEN equal ones are one row."""
    text = """
        SELECT number, c.name, SUM(n_events)::BIGINT FROM key_shape
        LEFT JOIN class AS c ON c.class_id = key_shape.class_id
        JOIN context USING (context_id) JOIN method AS m USING (method_id)
        WHERE m.name = 'main' GROUP BY ALL
    """
    found = {row[:2]: row[2] for row in _rows(getattr(recorded, how), text)}
    many = {(k, "java/lang/String"): 3 for k in range(100, 5100)}
    assert {key: n for key, n in found.items() if key not in many} == {
        (7, "java/lang/String"): 3 * 3, (-1, "java/lang/String"): 3,
        (65, "java/lang/Object"): 3, (1, "java/lang/Object"): 2, (2, "java/lang/Object"): 1,
        **{(number, "java/lang/Object"): 1 for number in (5, 6, 7)},
        (-(2**31), "java/lang/Thread"): 3, (3, "java/lang/Thread"): 3,
        (8, None): 3 * 2, (None, None): 3,
        (9, None): 3 * 2,  # at the end, in each main
    }  # fmt: skip
    assert many.items() <= found.items()


def test_wrong_keys_are_told_however_a_call_has_them(recorded: _Recorded) -> None:
    text = (
        "SELECT snippet, exception, n_failures FROM probe_failure WHERE snippet LIKE 'KeyShapes%'"
    )
    of_kind = "expected a Class of neither an array nor a primitive type, found java.lang.Integer"
    assert _rows(recorded.run, text) == [
        ("KeyShapes.three", f"{_ILLEGAL}: expected 2 keys, found 3", 1),
        ("KeyShapes.wrong", f"{_ILLEGAL}: key 2: {of_kind}", 1),
    ]


def test_a_full_stack_ends_nothing_but_what_needs_it(recorded: _Recorded) -> None:
    text = (
        "SELECT c.name, SUM(n_calls)::BIGINT FROM context JOIN method AS c USING (method_id) "
        "JOIN thread USING (thread_id) WHERE thread.name = 'small' AND c.name <> 'deep' "
        "AND c.name IN ('overflow', 'caught') GROUP BY ALL ORDER BY ALL"
    )
    assert _rows(recorded.run, text) == [("caught", 1), ("overflow", 1)]
    with jvmscope.open(recorded.run) as run:
        assert run.manifest.status == "complete"


def test_arguments_by_value_range(recorded: _Recorded) -> None:
    text = f"SELECT m.name, parameter, magnitude, n_passes {_OF_CONTEXT} ORDER BY ALL"
    sold = [(0, 1, 1), (0, 2, 2), (0, 3, 4), (0, 4, 1), (1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 3, 2)]
    assert _rows(recorded.run, text.format(table="argument_range", name="Shop")) == [
        (method, *row) for method in ("price", "sell") for row in sold
    ]


def test_string_lengths_by_call_site(recorded: _Recorded) -> None:
    text = (
        "SELECT s.name, s.line, parameter, n_strings, n_chars FROM string_length "
        "JOIN call_site AS s USING (call_site_id) JOIN method AS m ON m.method_id = s.caller_id "
        "JOIN class AS c USING (class_id) WHERE c.name = 'Shop' ORDER BY ALL"
    )
    assert _rows(recorded.run, text) == [
        ("<init>", 7, 0, 2, 12),
        ("isKnown", 30, 0, 1, 3),
        ("isKnown", 31, 0, 1, 6),
        ("startsWith", 13, 0, 2, 2),
    ]


def test_exceptions_by_class_and_context(recorded: _Recorded) -> None:
    text = (
        "SELECT m.name, t.name, SUM(n_exceptions)::BIGINT "
        "FROM thrown JOIN context USING (context_id) "
        "JOIN method AS m USING (method_id) JOIN class AS c ON c.class_id = m.class_id "
        "JOIN class AS t ON t.class_id = thrown.class_id WHERE c.name IN ('Shop', 'Points') "
        "GROUP BY ALL ORDER BY ALL"
    )
    assert _rows(recorded.run, text) == [
        ("fail", "java/lang/IllegalStateException", 2),
        ("price", "java/lang/IllegalArgumentException", 2),
    ]


@pytest.mark.parametrize("scope", ["application", "subtree:Shop.main", "thread:main"])
def test_scopes_restrict_its_tables(recorded: _Recorded, scope: str) -> None:
    text = "SELECT COUNT(*), SUM(n_passes)::BIGINT FROM argument_range"
    part = (
        "SELECT COUNT(*), SUM(n_passes)::BIGINT FROM run.argument_range "
        "SEMI JOIN context USING (context_id)"
    )
    assert str(parse_scope(scope)) == scope
    assert _rows(recorded.run, text, scope) == _rows(recorded.run, part, scope)
    assert _rows(recorded.run, text, scope) != _rows(recorded.run, text)


@pytest.mark.parametrize(
    "top", ["Points.work", "Shop.main", "Product.main", "Victim.fail", "Victim.link"]
)
def test_no_other_number_changes(recorded: _Recorded, top: str) -> None:
    text = (
        "SELECT c.name, m.name, m.descriptor, depth, SUM(n_calls), SUM(n_bytecodes) "
        "FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id) "
        "GROUP BY ALL ORDER BY ALL"
    )
    found = _rows(recorded.run, text, f"subtree:{top}")
    assert len(found) > 5
    plain = _rows(recorded.plain, text, f"subtree:{top}")
    if top == "Victim.link" and recorded.version > 17:  # the hash code of one String is not known
        found, plain = (
            [row for row in rows if row[1] in ("linkCallSite", "linkMethodHandleConstant")]
            for rows in (found, plain)
        )
    assert set(found) ^ set(plain) == set()


_METRIC = """/**
 * @id           own.passes
 * @name         Passes
 * @description  Whole numbers that calls passed.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_passes  integer  call  calls
 * @requires     argument_range
 */
SELECT SUM(n_passes)::BIGINT AS n_passes FROM argument_range
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "tables", "RUN"), "argument_range,--probe DIR,"),
        (("show", "argument_range", "RUN"), "bits of its absolute value"),
        (("show", "argument_range", "RUN", "--source"), "CREATE TABLE argument_range ("),
        (("show", "argument_rang", "RUN"), 'did you mean "argument_range"?'),
        (("query", "RUN", "--sql", "FROM argument_rang"), 'did you mean "argument_range"?'),
        (("query", "RUN", "--locked", "--sql", "SELECT SUM(n_passes) FROM argument_range"), "SUM"),
        (("query", "RUN", "-f", "metric.sql"), "SUM"),
        (("check", "RUN"), "agree"),
        (("check", "RUN", "RUN"), "identical"),
        (("measure", "RUN", "-m", "arguments.integer"), "arguments.integer"),
        (("compare", "RUN", "RUN"), ""),
        (("export", "RUN", "collapsed"), "Points.main"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_faces_that_name_tables_name_its_own(
    recorded: _Recorded, words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "metric.sql").write_text(_METRIC, encoding="utf-8")
    if said == "SUM":
        said = str(_rows(recorded.run, "SELECT SUM(n_passes)::BIGINT FROM argument_range")[0][0])
    done = run_jvmscope(
        [str(recorded.run) if word == "RUN" else word for word in words],
        directory=tmp_path,
        environment=dict(os.environ),
        stdin=b"",
        timeout_s=240,
    )
    assert said in (done.stdout + done.stderr).decode()


def test_a_database_has_its_tables(recorded: _Recorded, tmp_path: Path) -> None:
    path = tmp_path / "run.duckdb"
    with Engine(recorded.run) as engine:
        write_database(engine, path)
    with duckdb.connect(path, read_only=True) as database:
        rows = database.execute("SELECT SUM(n_passes)::BIGINT FROM argument_range").fetchall()
    assert rows == _rows(recorded.run, "SELECT SUM(n_passes)::BIGINT FROM argument_range")


def test_a_metric_of_its_tables_is_measured(recorded: _Recorded) -> None:
    metric = parse_query_file(_METRIC, None)
    scope = parse_scope("application")
    for run, is_told in ((recorded.run, True), (recorded.plain, False)):
        with Engine(run) as engine:
            row = Evaluation(scope).values(engine, metric, {}).to_pylist()[0]
        assert (row["value"] is not None) == is_told
        assert (row["reason"] is None) == is_told


def test_the_prompt_completes_its_names(recorded: _Recorded) -> None:
    with Engine(recorded.run) as engine:
        assert {"argument_range", "magnitude", "n_passes"} <= set(completions(engine))
    with jvmscope.open(recorded.run) as run:
        assert "argument_range" in run.tables


def test_its_run_is_whole_and_survives_xml(recorded: _Recorded, tmp_path: Path) -> None:
    export_xml(recorded.run, tmp_path / "cct.xml", tmp_path / "classes.xml")
    import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "again.run")
    assert verify_run(recorded.run) == []
    with Engine(recorded.run) as a, Engine(tmp_path / "again.run") as b:
        assert broken_invariants(a) == []
        assert compare_runs(a, b).is_identical


@pytest.mark.parametrize("file", sorted(path.name for path in (_EXAMPLES / "probe").iterdir()))
def test_the_page_shows_each_file(file: str) -> None:
    page = (_ROOT / "docs" / "probes.md").read_text(encoding="utf-8")
    text = (_EXAMPLES / "probe" / file).read_text(encoding="utf-8")
    shown = re.findall(r"```(?:java|sql)\n(.*?)```", page, re.DOTALL)
    assert text in shown
    assert text.count("\n") < 60


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples' program, recorded with two built-in probes, and with snippets for the same."""
    jdk = jdks()[0]
    directory = tmp_path_factory.mktemp("rebuilt")
    shutil.copytree(_PROGRAMS / "rebuilt", directory / "probe")
    text = (_EXAMPLES / "Shop.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", Shop=text)
    recorder = Recorder(directory, brief_jdk(jdk, BUILD))
    _add_javac(recorder, jdk)
    options = ("--probes", "handlers,receivers", "--probe", "probe")
    outcome = recorder.record("java", "-cp", "classes", "Shop", options=options)
    assert outcome.status == 0, outcome.stderr
    return outcome.directory / outcome.run


def test_snippets_count_what_the_built_in_probe_handlers_does(rebuilt: Path) -> None:
    columns = "SELECT context_id, basic_block_id, class_id, n_executions::BIGINT FROM"
    found = _rows(rebuilt, f"{columns} handled ORDER BY ALL", "subtree:Shop.main")
    assert found
    assert found == _rows(rebuilt, f"{columns} context_handler ORDER BY ALL", "subtree:Shop.main")


def test_snippets_count_what_the_built_in_probe_receivers_does(rebuilt: Path) -> None:
    own = "SELECT context_id, call_site_id, class_id, n_calls::BIGINT FROM received ORDER BY ALL"
    built_in = (
        "SELECT parent_id, call_site_id, class_id, SUM(receiver.n_calls)::BIGINT FROM receiver "
        "JOIN context USING (context_id) GROUP BY ALL ORDER BY ALL"
    )
    found = set(_rows(rebuilt, built_in, "subtree:Shop.main"))
    assert len(found) > 1
    # Snippets also see calls of native methods.
    assert found <= set(_rows(rebuilt, own, "subtree:Shop.main"))


_GUARDED = """
    import io.jvmscope.snippet.*;

    class Guarded {
      static final Counter N = Counter.of("guarded.n_calls");

      @Before(value = Point.BODY, scope = "{scope}", guard = "isMeant")
      static void before(Context context) {
        N.add(context, 1);
      }

      static boolean isMeant(Site site) {
        if (!site.method().equals("main")) {
          throw new IllegalStateException("no answer");
        }
        return true;
      }
    }
"""
_GUARDED_TABLE = """\
/**
 * @table        guarded
 * @description  How often methods with a snippet were called.
 * @order        context_id
 * @within       context
 */
CREATE TABLE guarded (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- context
    n_calls     BIGINT NOT NULL                                    -- calls [call]
);
"""


_ENDED = """
    import io.jvmscope.snippet.*;

    class Ended {
      static final Counter N = Counter.of("ended.n_calls");
      static final ContextState CALLS = new ContextState();
      static final ThreadState THREADS = new ThreadState();

      @Before(value = Point.BODY, guard = "isMeant")
      static void before(Context context) {
        CALLS.set(context, CALLS.get(context) + 1);
      }

      static boolean isMeant(Site site) {
        return !site.isJdk();
      }

      @AtEnd
      static void end(Context context) {
        N.add(context, CALLS.get(context));
      }
    }
"""


@pytest.mark.parametrize("jdk", jdks(), ids=str)
def test_what_a_class_with_a_guard_counts_at_the_end_is_counted(tmp_path: Path, jdk: Jdk) -> None:
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe" / "Ended.java").write_text(_ENDED)
    table = _GUARDED_TABLE.replace("guarded", "ended")
    (tmp_path / "probe" / "ended.sql").write_text(table)
    compile_java(jdk, tmp_path / "classes", Shop=(_EXAMPLES / "Shop.java").read_text("utf-8"))
    recorder = Recorder(tmp_path, brief_jdk(jdk, BUILD))
    _add_javac(recorder, jdk)
    outcome = recorder.record("java", "-cp", "classes", "Shop", options=("--probe", "probe"))
    run = tmp_path / outcome.run

    assert _rows(run, "FROM probe_failure") == []
    called = _rows(run, "SELECT context_id, n_calls FROM ended ORDER BY ALL")
    assert called == _rows(
        run,
        "SELECT context_id, n_calls FROM context JOIN method USING (method_id) "
        "JOIN class USING (class_id) WHERE loader NOT IN ('boot', 'platform') ORDER BY ALL",
    )
    assert called


_SIDES = """
    import io.jvmscope.snippet.*;

    class Sides {
      static final Counter OF_JDK = Counter.of("side.n_of_jdk");
      static final Counter OF_PROGRAM = Counter.of("side.n_of_program");

      @Before(value = Point.BODY, guard = "isOfJdk")
      static void beforeOfJdk(Context context) {
        OF_JDK.add(context, 1);
      }

      @Before(value = Point.BODY, guard = "isOfProgram")
      static void beforeOfProgram(Context context) {
        OF_PROGRAM.add(context, 1);
      }

      static boolean isOfJdk(Site site) {
        return site.isJdk();
      }

      static boolean isOfProgram(Site site) {
        return !site.isJdk();
      }
    }
"""
_SIDES_TABLE = """\
/**
 * @table        side
 * @description  How often methods were called, as methods of the JDK or of the program.
 * @order        context_id
 * @within       context
 */
CREATE TABLE side (
    context_id    INTEGER NOT NULL REFERENCES context (context_id),  -- context
    n_of_jdk      BIGINT NOT NULL,                                   -- as one of the JDK [call]
    n_of_program  BIGINT NOT NULL                                    -- as one of the program [call]
);
"""
# Each makes the JDK define classes: lambdas of its own and of the program, forms and species of
# method handles, concatenations, proxies, accessors of reflection.
_DEFINING = """
    import java.lang.invoke.*;
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;

    public class Defining {
      record Named(String name, long number) {}

      public static void main(String[] args) throws Throwable {
        Comparator<Named> order = Comparator.comparing(Named::name).thenComparing(Named::number);
        List<Named> all = new ArrayList<>(List.of(new Named("b", 1), new Named("a", 2)));
        all.sort(order.reversed());
        System.out.println(all + " " + all.size() + 'c' + 1.5);
        System.out.println(all.stream().collect(Collectors.groupingBy(Named::name)).size());
        MethodType type = MethodType.methodType(long.class, long.class, long.class);
        MethodHandle sum = MethodHandles.lookup().findStatic(Long.class, "sum", type);
        MethodHandle bound = MethodHandles.insertArguments(sum, 0, 40L);
        System.out.println((long) MethodHandles.filterReturnValue(
            bound, MethodHandles.insertArguments(sum, 1, 1L)).invokeExact(1L));
        Supplier<?> proxy = (Supplier<?>) java.lang.reflect.Proxy.newProxyInstance(
            Defining.class.getClassLoader(), new Class<?>[] {Supplier.class}, (p, m, a) -> "made");
        System.out.println(proxy.get());
        for (int i = 0; i < 20; i++) {
          Named.class.getDeclaredMethod("name").invoke(all.get(0));
        }
      }
    }
"""


@pytest.mark.parametrize("jdk", jdks(), ids=str)
def test_guards_take_what_the_jdk_defines_at_run_time_as_its_own(tmp_path: Path, jdk: Jdk) -> None:
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe" / "Sides.java").write_text(_SIDES)
    (tmp_path / "probe" / "side.sql").write_text(_SIDES_TABLE)
    compile_java(jdk, tmp_path / "classes", Defining=_DEFINING)
    recorder = Recorder(tmp_path, brief_jdk(jdk, BUILD))
    _add_javac(recorder, jdk)
    outcome = recorder.record("java", "-cp", "classes", "Defining", options=("--probe", "probe"))
    assert outcome.status == 0, outcome.stderr

    sides = _rows(
        tmp_path / outcome.run,
        "SELECT DISTINCT c.name, loader IN ('boot', 'platform'), is_hidden, n_of_jdk > 0, "
        "n_of_program > 0 FROM side JOIN context USING (context_id) JOIN method AS m "
        "USING (method_id) JOIN class AS c ON c.class_id = m.class_id ORDER BY ALL",
    )
    assert [side for side in sides if side[1:2] != side[3:4] or side[3] == side[4]] == []
    assert len({side[1:3] for side in sides}) == 4, "hidden or not, of the JDK or of the program"


def test_a_scope_without_methods_is_told(tmp_path: Path) -> None:
    """GIVEN a scope in the form of source code, THEN nobody takes an empty table for an answer."""
    (tmp_path / "probe").mkdir()
    source = _GUARDED.replace("{scope}", "Shop.mian").replace(', guard = "isMeant"', "")
    (tmp_path / "probe" / "Guarded.java").write_text(source)
    (tmp_path / "probe" / "guarded.sql").write_text(_GUARDED_TABLE)
    compile_java(jdks()[0], tmp_path / "classes", Shop=(_EXAMPLES / "Shop.java").read_text("utf-8"))
    recorder = Recorder(tmp_path, brief_jdk(jdks()[0], BUILD))
    _add_javac(recorder, jdks()[0])

    outcome = recorder.record("java", "-cp", "classes", "Shop", options=("--probe", "probe"))

    assert outcome.status == 0
    assert (
        "--probe: the scope Shop.mian: no class that was loaded has such a method" in outcome.stderr
    )


@pytest.mark.parametrize("scope", ["Shop.*", "java/lang/Integer.*"])
def test_a_guard_that_fails_is_told_in_a_line(tmp_path: Path, scope: str) -> None:
    """GIVEN one that throws for methods of the program, or of the JDK, which is prepared before."""
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe" / "Guarded.java").write_text(_GUARDED.replace("{scope}", scope))
    (tmp_path / "probe" / "guarded.sql").write_text(_GUARDED_TABLE)
    compile_java(jdks()[0], tmp_path / "classes", Shop=(_EXAMPLES / "Shop.java").read_text("utf-8"))
    recorder = Recorder(tmp_path, brief_jdk(jdks()[0], BUILD))
    _add_javac(recorder, jdks()[0])
    outcome = recorder.record("java", "-cp", "classes", "Shop", options=("--probe", "probe"))

    assert "guard Guarded.isMeant failed" in outcome.stderr.replace("own$", "")
    assert scope == "Shop.*" or re.search(r"Guarded\.java:\d+: guard", outcome.stderr)
    assert "java.lang.IllegalStateException: no answer" in outcome.stderr
    assert "\tat " not in outcome.stderr
    if scope == "Shop.*":
        assert outcome.status == 0
        assert "its snippet does not run" in read_manifest(tmp_path / outcome.run).limits[0]
    else:
        assert outcome.status == 125
