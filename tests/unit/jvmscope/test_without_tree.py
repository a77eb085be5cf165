"""A run of native code alone: each verb tells what it has, and says in one line what it lacks."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import click
import pytest
from support.native_runs import ROWS, write_native_run
from support.samples import write_shapes

from jvmscope import cli
from jvmscope.cli import program
from jvmscope.commands.record import say_what_next
from jvmscope.metrics import catalogue
from jvmscope.output.console import Console
from jvmscope.reports.comparability import probe_differences
from jvmscope.schema import Manifest, tables, watch_tables
from jvmscope.schema.native_alone import SHARED, native_tables

_ANSWERED = {
    "check native.run": "",
    "check native.run other.run": "",
    "compare native.run other.run -m native.calls": "native.calls,n_calls",
    "export native.run duckdb -o native.duckdb": "",
    "list runs .": "native.run,complete",
    "list tables native.run": "native_method",
    "measure native.run -m native.calls": "n_calls,7,call",
    "query native.run --sql 'SELECT SUM(n_calls) FROM native_method'": "\n7\n",
    "show thread native.run": "position in the order in which threads began",
}
_REFUSED = (
    "check native.run other.run --below main",
    "check native.run shapes.run",
    "check shapes.run native.run",
    "compare native.run other.run --tree",
    "explain immutable native.run",
    "export native.run collapsed",
    "export native.run pprof -o x.pb.gz",
    "export native.run speedscope",
    "export native.run xml -o view",
    "measure native.run -m native.share --scope thread:main",
    "measure native.run --scope application",
    "query native.run 'count(//context)'",
    "query native.run --sql 'FROM thread' --scope application",
    "query native.run --sql 'FROM thread' --locked",
    "report native.run html",
    "report native.run shapes.run html",
)
_NO_VERB_OF_RUNS = {
    "calibrate",
    "completion",
    "import",
    "record",
    "recover",
    "study",
    "suite",
    "test",
    "watch",
}
"""They take no run, or one that was not read yet."""

_THREAD = {**ROWS["thread"][0], "thread_id": 1, "start_order": 1}
_MORE = {
    "thread": [
        *ROWS["thread"],
        _THREAD,
        {
            **_THREAD,
            "thread_id": 2,
            "start_order": 2,
            "name": "Reference Handler",
            "is_vm_internal": True,
        },
    ],
    "native_method": [
        {**ROWS["native_method"][0], "library": "libother.so"},
        {**ROWS["native_method"][1], "n_calls": 5, "n_jni_calls": 3},
        {**ROWS["native_method"][0], "thread_id": 2, "n_calls": 2},
    ],
    "native_transition": [
        {"thread_id": 0, "kind": "call_static", "n_transitions": 4},
        {"thread_id": 0, "kind": "new_object", "n_transitions": 1},
        {"thread_id": 0, "kind": "native_method", "n_transitions": 8},
        {"thread_id": 2, "kind": "native_method", "n_transitions": 2},
    ],
}


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current directory, with two runs of native code alone and one with calls."""
    write_native_run(tmp_path / "native.run")
    write_native_run(tmp_path / "other.run")
    write_shapes(tmp_path / "shapes.run")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", _ANSWERED)
def test_what_a_run_of_native_code_alone_has_is_told(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(shlex.split(words)) == 0
    assert _ANSWERED[words] in capsys.readouterr().out


@pytest.mark.parametrize("form", ["table", "markdown"])
@pytest.mark.parametrize(
    "words",
    [
        "check native.run more.run",
        "compare native.run more.run -m 'native.*'",
        "compare native.run more.run",
        "compare native.run shapes.run",
        "compare shapes.run native.run",
        "list tables native.run",
        "measure native.run -m 'native.*'",
        "measure native.run other.run -m 'native.*'",
        "measure native.run",
        "query native.run --sql 'FROM native_method'",
    ],
)
def test_pages_for_people_tell_it_as_formats_for_programs_do(
    words: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a terminal, where tables are the default, THEN nothing asks for calls."""
    write_native_run(Path("more.run"), **_MORE)

    status = cli.run([*shlex.split(words), "--format", form])
    captured = capsys.readouterr()

    assert status == (1 if words.startswith("check") else 0), captured.err
    assert "error" not in captured.err
    assert captured.out.strip()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("compare native.run shapes.run", "only B has a calling context tree: A was recorded"),
        ("compare shapes.run native.run", "only A has a calling context tree: B was recorded"),
    ],
)
def test_a_tree_that_one_of_two_runs_lacks_is_told(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*shlex.split(words), "-m", "execution.totals", "--format", "csv"]) == 0
    shown = capsys.readouterr()
    assert f"{told} with --no-tree\n" in shown.err
    assert "not-recorded" in shown.out


@pytest.mark.parametrize(
    ("condition", "status"),
    [("delta_pct > 1", 0), ("b > 5", 1)],
)
def test_a_gate_judges_native_code_without_a_scope(
    condition: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN runs without parts, THEN a gate is about the whole runs, unless a scope is given."""
    condition = f"metric = 'native.calls' AND measure = 'n_calls' AND {condition}"
    words = ["compare", "native.run", "other.run", "-m", "native.calls", "--fail-if", condition]

    assert cli.run(words) == status, capsys.readouterr().err


_SHIFTED = {
    "class": [
        {"class_id": 0, "name": "a/First"},
        {"class_id": 1, "name": "java/io/Console"},
        {"class_id": 2, "name": "p/Main"},
    ],
    "method": [
        {"method_id": 0, "class_id": 0, "name": "begin", "descriptor": "()V"},
        {"method_id": 1, "class_id": 1, "name": "echo", "descriptor": "(Z)Z"},
        {"method_id": 2, "class_id": 2, "name": "down", "descriptor": "(I)I"},
    ],
    "native_method": [
        {**ROWS["native_method"][0], "method_id": 0, "n_calls": 1},
        {**ROWS["native_method"][0], "method_id": 1},
        {**ROWS["native_method"][1], "method_id": 2, "n_calls": 5},
    ],
    "native_time": [
        {**row, "method_id": row["method_id"] and row["method_id"] + 1}
        for row in ROWS["native_time"]
    ],
    "unfollowed_native": [
        {**row, "method_id": row["method_id"] + 1} for row in ROWS["unfollowed_native"]
    ],
}
"""A run whose first native method shifts the keys of all others."""


def test_native_methods_of_two_runs_are_matched_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """GIVEN a run with one more method, which renumbers the others, THEN each meets itself."""
    write_native_run(Path("shifted.run"), **_SHIFTED)
    words = ["compare", "native.run", "shifted.run", "-m", "native.methods", "--format", "csv"]

    assert cli.run(words) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    calls = {row["method"]: (row["a"], row["b"]) for row in rows if row["measure"] == "n_calls"}
    assert calls == {
        "java/io/Console.echo(Z)Z": ("3", "3"),
        "p/Main.down(I)I": ("4", "5"),
        "a/First.begin()V": ("", "1"),
    }


@pytest.mark.parametrize(
    ("method", "status", "told"),
    [
        ("p/Main.down(I)I", 1, "holds for 1 of"),
        ("java/io/Console.echo(Z)Z", 0, "passes"),
        ("p/Main.dwn(I)I", 2, 'did you mean "p/Main.down(I)I"?'),
    ],
)
def test_a_gate_may_name_a_native_method(
    method: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a name that no run has, THEN that is an error, as with a calling context tree."""
    write_native_run(Path("shifted.run"), **_SHIFTED)
    condition = f"metric = 'native.methods' AND method = '{method}' AND measure = 'n_calls'"
    words = ["compare", "native.run", "shifted.run", "-m", "native.methods", "--scope", "run"]

    assert cli.run([*words, "--fail-if", f"{condition} AND delta > 0"]) == status
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("words", _REFUSED)
def test_what_needs_calls_is_refused_in_one_line(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(shlex.split(words)) != 0
    captured = capsys.readouterr()
    (line,) = [line for line in captured.err.splitlines() if "error" in line]
    assert "recorded with --no-tree, so it has no calling context tree" in line
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_every_verb_is_tried() -> None:
    tried = {words.split()[0] for words in (*_ANSWERED, *_REFUSED)}
    assert tried == set(program.list_commands(click.Context(program))) - _NO_VERB_OF_RUNS


def test_each_metric_has_values_or_says_that_calls_were_not_recorded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """GIVEN all metrics, THEN those of native code have values, and the others are null."""
    assert cli.run(["measure", "native.run", "--format", "csv", "--quiet"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    measured = {row["metric"] for row in rows if row["value"]}
    assert measured == {
        name
        for name, query in catalogue().items()
        if name.startswith("native.") and query.kind == "metric" and "context" not in query.requires
    }
    reasons = {row["reason"] for row in rows if not row["value"]}
    assert reasons == {
        "calls were not recorded: record again without --no-tree",
        "principal components need two runs or more, and 0 has values",
    }


def test_no_comparison_advises_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    """GIVEN metrics about contexts, THEN the advice is not --tree, which is refused."""
    words = ["compare", "native.run", "other.run", "-m", "native.*", "--format", "csv"]
    assert cli.run(words) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    reasons = {row["reason"] for row in rows if not row["a"]}
    assert reasons == {"calls were not recorded: record again without --no-tree"}
    assert "native.contexts" in {row["metric"] for row in rows}


@pytest.mark.parametrize(("run", "metrics"), [("native", " -m 'native.*'"), ("shapes", "")])
def test_a_recording_names_metrics_that_have_values(
    run: str, metrics: str, capsys: pytest.CaptureFixture[str]
) -> None:
    say_what_next([Path(f"{run}.run")], Console())
    said = capsys.readouterr().err
    assert f"Next: jvmscope measure {run}.run{metrics}\n" in said


@pytest.mark.parametrize("table", sorted(tables().keys() - native_tables().keys()))
def test_sql_says_how_to_record_what_is_missing(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["query", "native.run", "--sql", f"FROM {table}"]) != 0
    error = capsys.readouterr().err
    assert f'the table "{table}" was not recorded in this run' in error
    assert "record the program again without --no-tree" in error


@pytest.mark.parametrize(
    "table", [name for name in native_tables() if native_tables()[name].needs is not None]
)
def test_what_no_clock_measured_is_told_as_such(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN --native-clock none, THEN --probes native, which was given, is not what is missing."""
    manifest = json.loads(Path("native.run/run.json").read_text(encoding="utf-8"))
    for name in [name for name in manifest["tables"] if native_tables()[name].needs is not None]:
        del manifest["tables"][name]
    Path("native.run/run.json").write_text(json.dumps(manifest), encoding="utf-8")

    assert cli.run(["query", "native.run", "--sql", f"FROM {table}"]) != 0
    error = capsys.readouterr().err
    assert f'the table "{table}" was not recorded in this run' in error
    assert error.endswith("recording it needs a --native-clock other than none\n")


@pytest.mark.parametrize("table", sorted({*tables(), *watch_tables(), *native_tables()}))
@pytest.mark.parametrize("kind", ["native", "shapes"])
def test_show_knows_the_tables_of_runs_of_a_kind(
    kind: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a run, THEN a table that no run of its kind has is not told to be in it."""
    status = cli.run(["show", table, f"{kind}.run"])
    captured = capsys.readouterr()

    if table in (native_tables() if kind == "native" else tables()):
        assert (status, captured.err) == (0, "")
    else:
        assert status == 2
        assert f"a run such as {kind}.run has no table '{table}'" in captured.err


def test_tables_of_native_code_are_those_beside_a_tree() -> None:
    assert all(native_tables()[name] is tables()[name] for name in SHARED)
    of_native = {name for name in tables() if tables()[name].recorded == "--probes native"}
    assert of_native - {*SHARED} == {"context_native", "context_native_time"}


def test_two_runs_that_differ_in_times_only_are_identical(
    capsys: pytest.CaptureFixture[str],
) -> None:
    slower = [{**row, "native_ns": 9, "bytecode_ns": 8} for row in ROWS["thread_time"]]
    write_native_run(Path("slow.run"), thread_time=slower)

    assert cli.run(["check", "native.run", "slow.run"]) == 0
    captured = capsys.readouterr()
    assert "identical: 2 native methods of threads" in captured.err
    assert captured.out == ""


def test_two_runs_that_differ_in_counts_are_different(capsys: pytest.CaptureFixture[str]) -> None:
    """GIVEN a call more, a library, a kind and threads of one run, THEN each is told once."""
    write_native_run(Path("more.run"), **_MORE)

    assert cli.run(["check", "native.run", "more.run", "--format", "csv"]) == 1
    captured = capsys.readouterr()
    rows = [
        (row["kind"], row["where"], row["counts"], row["a"], row["b"])
        for row in csv.DictReader(io.StringIO(captured.out))
    ]
    main = "thread main"
    assert rows == [
        ("calls", f"{main} > calls of Java by JNI, call_static", "calls: 3 and 4", "3", "4"),
        ("only_b", f"{main} > calls of Java by JNI, new_object", "", "", "1"),
        ("only_a", f"{main} > java/io/Console.echo(Z)Z in libjava.so", "", "3", ""),
        ("only_b", f"{main} > java/io/Console.echo(Z)Z in libother.so", "", "", "3"),
        ("calls", f"{main} > p/Main.down(I)I", "calls: 4 and 5; calls by JNI: 2 and 3", "4", "5"),
        ("only_b", "thread main #2", "", "", "0"),
        ("only_b", "thread Reference Handler", "", "", "2"),
    ]
    assert "different: 6 topmost differences in 3 native methods of threads" in captured.err
    assert "1 in threads of the VM" in captured.err


def test_threads_of_the_vm_do_not_make_runs_different() -> None:
    threads = [*ROWS["thread"], {**_THREAD, "name": "Signal Dispatcher", "is_vm_internal": True}]
    write_native_run(Path("vm.run"), thread=threads)
    assert cli.run(["check", "native.run", "vm.run"]) == 0


@pytest.mark.parametrize(
    ("table", "column", "value", "complaint"),
    [
        ("native_method", "n_calls", 8, "the calls of native methods in a thread are its trans"),
        ("native_method", "method_id", 5, "native_method.method_id has no row in method"),
        ("native_time", "thread_id", 1, "native_time.thread_id has no row in thread"),
        ("method", "name", "zz", "row 1 of the table method is out of order"),
    ],
)
def test_check_finds_rows_that_disagree(
    capsys: pytest.CaptureFixture[str], table: str, column: str, value: int | str, complaint: str
) -> None:
    first = {**ROWS[table][0], column: value, **({"class_id": 1} if table == "method" else {})}
    write_native_run(Path("wrong.run"), **{table: [first, *ROWS[table][1:]]})
    assert cli.run(["check", "wrong.run"]) == 1
    assert complaint in capsys.readouterr().out


def test_no_hash_codes_are_blamed_where_the_program_ran_as_it_is() -> None:
    a, b = (
        Manifest("complete", {}, kind="native", options={"probes": [probe]})
        for probe in ("native", "native-spa")
    )

    (note,) = probe_differences(a, b)
    assert note.startswith("--probes is native in A, native-spa in B, ")
    assert "hash codes" not in note
