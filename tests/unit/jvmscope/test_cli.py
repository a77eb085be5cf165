"""The command line: exit statuses, streams, formats, messages."""

from __future__ import annotations

import csv
import io
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pyarrow.parquet as pq
import pytest
from support.samples import write_empty, write_shapes

from jvmscope import cli, commands
from jvmscope.actions import installation
from jvmscope.cli.verbs import SUMMARIES
from jvmscope.commands import query as query_verb
from jvmscope.confinement import Barriers
from jvmscope.errors import AgentError
from jvmscope.metrics import catalogue

Captured = pytest.CaptureFixture[str]

_SQL = "SELECT name, thread_id, thread_id / 4 AS x FROM thread ORDER BY thread_id"


def test_only_verbs_that_exist_are_listed(capsys: Captured) -> None:
    assert cli.run(["--help"]) == cli.DONE

    shown = capsys.readouterr().out
    for verb in ("check", "export", "import", "list", "measure", "query", "record", "show"):
        assert f"\n  {verb} " in shown
    assert "serve" not in shown


def test_every_verb_is_listed_with_the_first_sentence_of_its_help() -> None:
    modules = (module.name.rstrip("_") for module in pkgutil.iter_modules(commands.__path__))
    context = click.Context(cli.program)
    verbs = {name: cli.program.get_command(context, name) for name in sorted(modules)}
    first = {name: verb.get_short_help_str(1000) for name, verb in verbs.items() if verb}

    assert list(SUMMARIES.items()) == list(first.items())


def test_every_verb_explains_itself(capsys: Captured) -> None:
    context = click.Context(cli.program)
    for verb in cli.program.list_commands(context):
        assert cli.run([verb, "--help"]) == cli.DONE
    shown = capsys.readouterr().out
    assert "Usage: jvmscope check" in shown
    assert not any(word in shown for word in ("INTEGER", "FLOAT", "RANGE"))  # say what they are


def test_a_wrong_verb_gets_the_nearest_one(capsys: Captured) -> None:
    assert cli.run(["mesure"]) == cli.WRONG

    assert "No such command 'mesure'. Did you mean 'measure'?" in capsys.readouterr().err


def test_a_wrong_option_gets_the_nearest_one(capsys: Captured, shapes: Path) -> None:
    assert cli.run(["query", str(shapes), "--sqll", "SELECT 1"]) == cli.WRONG

    assert "No such option '--sqll'. Did you mean '--sql'?" in capsys.readouterr().err


def test_a_missing_run_is_one_line_without_traceback(capsys: Captured) -> None:
    assert cli.run(["query", "absent.run", "SELECT 1"]) == cli.WRONG

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: absent.run: there is no such run")
    assert captured.err.count("\n") == 1


def test_a_query_error_is_told_at_its_place(capsys: Captured, shapes: Path) -> None:
    assert cli.run(["query", str(shapes), "SELECT nme FROM thread"]) == cli.WRONG

    assert capsys.readouterr().err.startswith("query:1:8: error: ")


def test_a_bug_has_a_status_of_its_own(
    capsys: Captured, shapes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(query_verb, "_query", fail)

    assert cli.run(["query", str(shapes), "SELECT 'a b'"]) == cli.BUG

    shown = capsys.readouterr().err
    assert "ZeroDivisionError: oops" in shown
    assert "This is a bug in jvmscope" in shown
    assert f"""jvmscope query {shapes} 'SELECT '"'"'a b'"'"''""" in shown


def test_an_interruption_has_a_status_of_its_own(
    shapes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(query_verb, "_query", interrupt)

    assert cli.run(["query", str(shapes), "SELECT 1"]) == cli.INTERRUPTED


def test_a_recording_that_cannot_begin_is_125(capsys: Captured) -> None:
    assert cli.run(["record"]) == cli.RECORDING_FAILED
    assert cli.run(["record", "--no-such-option"]) == cli.RECORDING_FAILED

    assert "no command to record" in capsys.readouterr().err


class TestFormats:
    def test_csv_is_the_default_of_a_pipe(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["query", str(shapes), _SQL]) == cli.DONE

        rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
        assert rows == [["name", "thread_id", "x"], ["main", "0", "0"], ["worker", "1", "0.25"]]

    def test_json_has_names_units_and_a_version(self, capsys: Captured, shapes: Path) -> None:
        cli.run(["query", str(shapes), _SQL, "--format", "json"])

        document = json.loads(capsys.readouterr().out)
        assert document["schema"] == 1
        assert document["columns"][0] == {"name": "name", "type": "VARCHAR", "unit": None}
        assert document["rows"][1] == {"name": "worker", "thread_id": 1, "x": 0.25}
        assert document["truncated"] is False

    def test_jsonl_is_one_object_a_line(self, capsys: Captured, shapes: Path) -> None:
        cli.run(["query", str(shapes), _SQL, "--format", "jsonl", "--limit", "1"])

        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert lines[0]["schema"] == 1
        assert lines[1:] == [{"name": "main", "thread_id": 0, "x": 0}, {"truncated": True}]

    def test_a_table_is_aligned(self, capsys: Captured, shapes: Path) -> None:
        cli.run(["query", str(shapes), _SQL, "--format", "table"])

        assert capsys.readouterr().out.splitlines() == [
            "name    thread_id     x",
            "──────  ─────────  ────",
            "main            0     0",
            "worker          1  0.25",
        ]

    def test_markdown_is_a_table(self, capsys: Captured, shapes: Path) -> None:
        cli.run(["query", str(shapes), "SELECT 'a|b' AS t, 1 AS n", "--format", "markdown"])

        assert capsys.readouterr().out == "| t | n |\n| --- | ---: |\n| a\\|b | 1 |\n"

    def test_parquet_keeps_the_types(self, shapes: Path, tmp_path: Path) -> None:
        file = tmp_path / "threads.parquet"

        cli.run(["query", str(shapes), _SQL, "-o", str(file)])

        assert pq.read_table(file).to_pylist()[0] == {"name": "main", "thread_id": 0, "x": 0.0}

    def test_null_and_truth_have_one_form(self, capsys: Captured, shapes: Path) -> None:
        sql = "SELECT NULL AS a, TRUE AS b, 'NaN'::DOUBLE AS c, [1, 2] AS d, 3::HUGEINT AS e"

        cli.run(["query", str(shapes), sql, "--format", "csv"])
        cli.run(["query", str(shapes), sql, "--format", "jsonl"])

        lines = capsys.readouterr().out.splitlines()
        assert lines[1] == ',true,nan,"[1, 2]",3'
        assert json.loads(lines[3]) == {"a": None, "b": True, "c": "nan", "d": [1, 2], "e": 3}

    def test_a_long_cell_loses_its_middle_in_a_table_only(
        self, capsys: Captured, shapes: Path
    ) -> None:
        for format_ in ("table", "csv"):
            cli.run(["query", str(shapes), "SELECT repeat('x', 500)", "--format", format_])

        lines = capsys.readouterr().out.splitlines()
        assert (len(lines[2]), "…" in lines[2], len(lines[4])) == (96, True, 500)

    def test_an_empty_result_still_has_its_columns(self, capsys: Captured, shapes: Path) -> None:
        for format_ in ("csv", "table", "markdown"):
            cli.run(["query", str(shapes), "FROM field", "--format", format_])
            assert "field_id" in capsys.readouterr().out.splitlines()[0]


class TestLimits:
    @pytest.mark.parametrize("format_", ["table", "csv", "json", "jsonl", "markdown"])
    def test_a_truncated_result_says_so(self, capsys: Captured, shapes: Path, format_: str) -> None:
        args = ["query", str(shapes), "FROM range(3)", "--limit", "2", "--format", format_]

        assert cli.run(args) == cli.LIMITED

        captured = capsys.readouterr()
        assert "truncated" in captured.err
        assert "truncated" in captured.out or format_ == "csv"

    def test_a_truncated_file_says_so(self, shapes: Path, tmp_path: Path) -> None:
        file = tmp_path / "x.parquet"

        cli.run(["query", str(shapes), "FROM range(3)", "--limit", "2", "-o", str(file)])

        assert pq.read_metadata(file).metadata[b"jvmscope.truncated"] == b"true"

    def test_a_timeout_has_a_status_of_its_own(self, capsys: Captured, shapes: Path) -> None:
        endless = "SELECT SUM(a.range * b.range) FROM range(100000000) a, range(1000000) b"

        assert cli.run(["query", str(shapes), endless, "--timeout", "200ms"]) == cli.LIMITED
        assert "stopped after 0.2 s" in capsys.readouterr().err

    @pytest.mark.parametrize("text", ["0s", "soon", "-1s", "1d"])
    def test_a_timeout_that_is_none_is_refused(self, shapes: Path, text: str) -> None:
        assert cli.run(["query", str(shapes), "SELECT 1", f"--timeout={text}"]) == cli.WRONG


class TestFiles:
    def test_an_existing_file_needs_force(
        self, capsys: Captured, shapes: Path, tmp_path: Path
    ) -> None:
        file = tmp_path / "out.csv"
        file.write_text("mine")
        args = ["query", str(shapes), "SELECT 1 AS a", "-o", str(file)]

        assert cli.run(args) == cli.WRONG
        assert file.read_text() == "mine"
        assert cli.run([*args, "--force"]) == cli.DONE
        assert file.read_text() == "a\n1\n"
        assert f"Wrote {file}" in capsys.readouterr().err

    def test_a_query_that_fails_leaves_no_file(self, shapes: Path, tmp_path: Path) -> None:
        file = tmp_path / "out.csv"
        sql = "SELECT CAST(name AS INTEGER) FROM thread"

        assert cli.run(["query", str(shapes), sql, "-o", str(file)]) == cli.WRONG
        assert list(tmp_path.iterdir()) == []

    def test_a_query_comes_from_a_file_or_stdin(
        self, capsys: Captured, shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "q.sql"
        file.write_text("/** @param n integer 1 number */ SELECT $n AS n")
        monkeypatch.setattr("sys.stdin", io.StringIO("SELECT 5 AS n"))

        cli.run(["query", str(shapes), "-f", str(file), "--param", "n=4"])
        cli.run(["query", str(shapes), "-"])

        assert capsys.readouterr().out == "n\n4\nn\n5\n"

    def test_a_query_is_given_once(self, shapes: Path) -> None:
        assert cli.run(["query", str(shapes)]) == cli.WRONG
        assert cli.run(["query", str(shapes), "SELECT 1", "--sql", "SELECT 1"]) == cli.WRONG

    def test_the_language_is_that_of_the_text(self, capsys: Captured, shapes: Path) -> None:
        for text in ("SELECT COUNT(*) AS value FROM thread", "count($threads)"):
            assert cli.run(["query", str(shapes), text]) == cli.DONE
        as_sql, as_xquery = capsys.readouterr().out.split("value\n")[1:]

        assert as_sql == as_xquery != ""

    def test_maps_are_rows(self, capsys: Captured, shapes: Path) -> None:
        text = "for $t in $threads order by $t/@name return map { 'name': $t/@name, 'n': 1 }"

        assert cli.run(["query", str(shapes), text]) == cli.DONE

        header, *rows = capsys.readouterr().out.splitlines()
        assert header == "name,n"
        assert rows == sorted(rows)
        assert all(row.endswith(",1") for row in rows)

    def test_a_parameter_is_a_variable(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["query", str(shapes), "$n + 1", "--param", "n=4"]) == cli.DONE
        assert capsys.readouterr().out == "value\n5\n"

    def test_xpath_has_no_flwor(self, capsys: Captured, shapes: Path) -> None:
        text = "for $t in $threads where $t/@name return $t"

        assert cli.run(["query", str(shapes), "--xpath", text]) == cli.WRONG
        assert "[XPST0003]" in capsys.readouterr().err

    def test_an_error_shows_its_place(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["query", str(shapes), "count(\n$thread)"]) == cli.WRONG

        assert capsys.readouterr().err.splitlines() == [
            "query:2:1: error: the variable $thread is not declared [XPST0008]",
            "    2 | $thread)",
            "      | ^~~~~~~",
            'did you mean "$threads"?',
        ]

    def test_explain_shows_sql_and_what_is_left(self, capsys: Captured, shapes: Path) -> None:
        text = "<n>{count($methods)}</n>"

        assert cli.run(["query", str(shapes), "--explain", text]) == cli.DONE

        shown = capsys.readouterr().out
        assert 'FROM "method"' in shown
        assert "-- on trees\n--   line 1, column 1: DirectElement has no form in SQL" in shown

    def test_explain_is_for_xquery(self, shapes: Path) -> None:
        assert cli.run(["query", str(shapes), "--explain", "SELECT 1"]) == cli.WRONG

    def test_a_missing_query_file_is_named(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["query", str(shapes), "-f", "absent.sql"]) == cli.WRONG
        assert capsys.readouterr().err.startswith("absent.sql: error: cannot be read")


class TestMeasure:
    def test_the_api_and_the_command_give_the_same(self, capsys: Captured, shapes: Path) -> None:
        import jvmscope

        cli.run(["measure", str(shapes), "-m", "hotness.methods", "--no-cache", "--format", "json"])

        with jvmscope.open(shapes) as run:
            expected = run.measure("hotness.methods").arrow().to_pylist()
        assert json.loads(capsys.readouterr().out)["rows"] == expected

    def test_a_metric_that_fails_on_one_run_is_named(
        self, capsys: Captured, shapes: Path, tmp_path: Path
    ) -> None:
        other = write_shapes(tmp_path / "other.run")
        (other / "tables" / "thread_block.parquet").write_bytes(b"PAR1PAR1")
        args = ["measure", str(shapes), str(other), "-m", "instructions.mix", "--format", "csv"]

        assert cli.run([*args, "--no-cache"]) == cli.WRONG
        out, err = capsys.readouterr()
        assert re.search("^error: other: ", err, re.MULTILINE)
        assert "not a readable Parquet file" in err
        assert "shapes,instructions.mix,ifeq,n_executions,10,execution," in out
        assert "other,instructions.mix,,n_executions,,execution,failed: " in out

    def test_people_read_the_rows_with_the_largest_values(
        self, capsys: Captured, shapes: Path, tmp_path: Path
    ) -> None:
        args = ["measure", str(shapes), "-m", "instructions.mix", "--format", "markdown"]

        for more in ([], ["--top", "3"], ["--top", "0"]):
            cli.run([*args, *more])
        first, three, every = capsys.readouterr().out.split("## ")[1:]
        cli.run([*args, "-o", str(tmp_path / "mix.md")])

        rows = [line for line in every.splitlines() if line.startswith("| ")][2:]
        counts = [int(row.split("|")[2].replace(",", "")) for row in rows]
        assert len(rows) == 202
        assert counts == sorted(counts, reverse=True)
        assert [line for line in three.splitlines() if line.startswith("| ")][2:] == rows[:3]
        assert "*… and 199 more rows: --top 0 shows all*" in three
        assert [line for line in first.splitlines() if line.startswith("| ")][2:] == rows[:20]
        assert len((tmp_path / "mix.md").read_text().splitlines()) == len(every.splitlines())

    def test_people_read_a_column_for_each_measure(
        self, capsys: Captured, shapes: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "100")
        args = ["measure", str(shapes), "-m", "polymorphism.targets", "--format"]

        cli.run([*args, "table"])
        cli.run([*args, "markdown"])

        table, markdown = capsys.readouterr().out.split("## ")
        assert [line.split() for line in table.splitlines()] == [
            ["polymorphism.targets:", "Target", "polymorphism", "of", "call", "sites"],
            [],
            ["n_call_sites", "n_calls"],
            ["n_targets", "[call_site]", "call_sites_share", "[call]", "calls_share"],
            [table.splitlines()[4]],
            ["1", "2", "0.6667", "6", "0.375"],
            ["2", "1", "0.3333", "10", "0.625"],
        ]
        assert "| 2 | 1 | 0.3333 | 10 | 0.625 |" in markdown

    def test_without_a_metric_people_read_what_matters_first(
        self, capsys: Captured, shapes: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "100")

        assert cli.run(["measure", str(shapes), "--format", "table"]) == cli.DONE

        out, err = capsys.readouterr()
        assert re.search(r"^bytecodes executed +[\d,]+ +execution.totals *$", out, re.MULTILINE)
        assert "app.Main.main(String[])" in out
        assert len(out.splitlines()) <= 60
        assert "More: -m METRIC, for any of: jvmscope list metrics" in err

    def test_people_read_why_there_is_no_value(self, capsys: Captured, tmp_path: Path) -> None:
        run = write_empty(tmp_path / "empty.run")

        cli.run(["measure", str(run), "-m", "hotness.methods", "--format", "table"])

        shown = " ".join(capsys.readouterr().out.split())
        assert "undefined: nothing to divide by in the scope run" in shown

    def test_a_run_that_is_not_whole_is_told(self, capsys: Captured, tmp_path: Path) -> None:
        run = write_shapes(tmp_path / "cut.run", status="truncated")

        assert cli.run(["measure", str(run), "-m", "hotness.methods"]) == cli.DONE
        assert f"warning: {run}: the recording is truncated" in capsys.readouterr().err

    def test_a_wrong_metric_gets_the_nearest_one(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["measure", str(shapes), "-m", "hotnes.methods"]) == cli.WRONG
        assert 'did you mean "hotness.methods"?' in capsys.readouterr().err


class TestCheck:
    def test_the_installation(self, capsys: Captured) -> None:
        status = cli.run(["check", "--format", "jsonl"])

        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
        *needed, native, untrusted = rows
        assert [row["what"] for row in needed] == ["jvmscope", "libraries", "java", "agent"]
        assert status == (cli.DONE if all(row["is_ready"] for row in needed) else cli.NO)
        assert untrusted["what"] == "untrusted queries"
        assert native["what"] == "native code"
        assert "libjvmscope-native.so" in native["found"] or "this is" in native["found"]

    def test_all_but_native_code_is_ready_without_its_library(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing() -> Path:
            raise AgentError("--probes native: the library was not built")

        monkeypatch.setattr("jvmscope.actions.installation.native_library", missing)
        status = cli.run(["check", "--format", "jsonl"])

        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
        found = {row["what"]: (row["is_ready"], row["found"]) for row in rows}
        assert found["native code"] == (False, "--probes native: the library was not built")
        assert status == (cli.DONE if found["java"][0] and found["agent"][0] else cli.NO)

    @pytest.mark.parametrize(
        ("barriers", "is_ready", "found"),
        [
            (Barriers(7, seccomp=True), True, "Landlock (version 7) and seccomp"),
            (Barriers(2), False, "too old to prevent writing"),
            (Barriers(), False, "only the rules for queries protect the run"),
        ],
    )
    def test_what_confines_untrusted_queries(
        self,
        capsys: Captured,
        monkeypatch: pytest.MonkeyPatch,
        barriers: Barriers,
        is_ready: bool,
        found: str,
    ) -> None:
        monkeypatch.setattr(installation, "available_barriers", lambda: barriers)
        status = cli.run(["check", "--format", "jsonl"])

        *needed, untrusted = map(json.loads, capsys.readouterr().out.splitlines()[1:])
        assert untrusted["is_ready"] is is_ready
        assert found in untrusted["found"]
        assert status == (cli.DONE if all(row["is_ready"] for row in needed) else cli.NO)

    def test_a_machine_without_java_is_told(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(installation, "default_jdk", lambda _environ: None)

        assert cli.run(["check"]) == cli.NO
        assert "no java in JAVA_HOME or PATH: install a JDK" in capsys.readouterr().out

    def test_a_whole_run(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["check", str(shapes)]) == cli.DONE
        assert "its files are those of its manifest" in capsys.readouterr().err

    def test_a_run_that_is_not_whole(self, capsys: Captured, tmp_path: Path) -> None:
        """THEN each limit that it reached is told, as text for people only."""
        limits = ["the disk was full: later calls are missing", "the JVM was killed by SIGTERM"]
        run = write_shapes(tmp_path / "cut.run", status="truncated", limits=limits)

        assert cli.run(["check", str(run)]) == cli.DONE
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.splitlines()[-3:] == [
            f"{run}: truncated; its files are those of its manifest, and agree",
            *(f"{run}: {limit}" for limit in limits),
        ]

    def test_a_damaged_run(self, capsys: Captured, shapes: Path, tmp_path: Path) -> None:
        run = tmp_path / "damaged.run"
        shutil.copytree(shapes, run)
        (run / "tables" / "class.parquet").unlink()

        assert cli.run(["check", str(run)]) == cli.NO
        assert "class.parquet: the file is missing" in capsys.readouterr().out

    def test_two_runs(self, capsys: Captured, shapes: Path, tmp_path: Path) -> None:
        other = write_shapes(tmp_path / "other.run", n_circles=7)

        assert cli.run(["check", str(shapes), str(shapes)]) == cli.DONE
        assert cli.run(["check", str(shapes), str(other), "--format", "csv"]) == cli.NO

        captured = capsys.readouterr()
        assert "identical: 8 nodes" in captured.err
        assert "different: 1 topmost differences in 8 nodes" in captured.err
        assert captured.out.splitlines()[1].startswith("calls,false,thread main > app/Main.main")

    @pytest.mark.parametrize("width", [40, 80, 200])
    def test_a_terminal_shows_where_two_runs_differ(
        self,
        capsys: Captured,
        shapes: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        width: int,
    ) -> None:
        """GIVEN a terminal of any width, THEN paths and values are whole."""
        other = write_shapes(tmp_path / "other.run", n_circles=7)
        assert cli.run(["check", str(shapes), str(other), "--format", "csv"]) == cli.NO
        (row,) = csv.DictReader(capsys.readouterr().out.splitlines())
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(width))

        assert cli.run(["check", str(shapes), str(other)]) == cli.NO

        shown = capsys.readouterr().out
        words = " ".join(shown.split())
        assert words.startswith(f"calls: {row['where']} {row['counts']} nodes: ")
        longest = max(map(len, f"{row['where']} {row['counts']}".split()))
        assert all(len(line) <= max(width, 4 + longest) for line in shown.splitlines())

    def test_two_runs_of_which_one_is_truncated(
        self, capsys: Captured, shapes: Path, tmp_path: Path
    ) -> None:
        cut = write_shapes(tmp_path / "cut.run", status="truncated")

        for runs in ((shapes, cut), (cut, shapes)):
            cli.run(["check", *map(str, runs)])
            assert f"warning: {cut}: the recording is truncated" in capsys.readouterr().err

    @pytest.mark.parametrize("form", ["installation", "whole", "damaged", "identical", "different"])
    def test_every_form_uses_its_options_or_refuses_them(
        self, capsys: Captured, shapes: Path, tmp_path: Path, form: str
    ) -> None:
        damaged, other = tmp_path / "damaged.run", tmp_path / "other.run"
        shutil.copytree(shapes, damaged)
        (damaged / "tables" / "class.parquet").unlink()
        write_shapes(other, n_circles=7)
        runs = {
            "installation": [],
            "whole": [shapes],
            "damaged": [damaged],
            "identical": [shapes, shapes],
            "different": [shapes, other],
        }[form]
        words = ["check", *map(str, runs)]
        header = {0: "what", 1: "problem", 2: "kind"}[len(runs)]
        status = cli.run(words)
        capsys.readouterr()

        for option in (["--limit", "1"], ["--below", "main"]):
            refused = len(runs) != 2
            assert (cli.run([*words, *option]) == cli.WRONG) == refused
            told = capsys.readouterr().err
            assert (f"{option[0]} compares two runs" in told) == refused

        file = tmp_path / "found.csv"
        assert cli.run([*words, "-o", str(file)]) == status
        assert file.read_text().startswith(header)
        assert cli.run([*words, "-o", str(file)]) != cli.DONE
        assert "the file exists; --force overwrites it" in capsys.readouterr().err
        assert cli.run([*words, "-o", str(file), "--force"]) == status
        capsys.readouterr()
        assert cli.run([*words, "--format", "csv"]) == status
        assert capsys.readouterr().out == file.read_text()

    def test_three_runs_are_too_many(self, shapes: Path) -> None:
        assert cli.run(["check", *[str(shapes)] * 3]) == cli.WRONG
        assert cli.run(["check", str(shapes), "--below", "main"]) == cli.WRONG


class TestReport:
    def test_a_page(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["report", str(shapes), "summary", "--scope", "application"]) == cli.DONE

        page = capsys.readouterr().out
        assert "- Calling contexts: 6" in page
        assert "- Deepest context: 2" in page
        assert "| app.Main.main(java.lang.String[]) | 1 | 22 | 0.5641 |" in page
        assert "| app.Main.main(java.lang.String[]) | area | 2 | 10 |" in page

    def test_a_page_in_a_file(self, shapes: Path, tmp_path: Path) -> None:
        file = tmp_path / "page.md"

        assert cli.run(["report", str(shapes), "-o", str(file)]) == cli.DONE
        again = ["report", str(shapes), "-o", str(file), "-m", "execution.totals"]
        assert cli.run(again) == cli.WRONG
        assert file.read_text().startswith("# shapes\n")

    @pytest.mark.parametrize("words", [["report"], ["measure"], ["query", "--sql", "SELECT 1"]])
    @pytest.mark.parametrize(
        ("name", "message"),
        [("there", "the file exists; --force"), ("none/page", "No such file or directory")],
    )
    def test_a_file_is_refused_before_anything_is_read(
        self, capsys: Captured, tmp_path: Path, words: list[str], name: str, message: str
    ) -> None:
        (tmp_path / "there").touch()
        verb, *options = words
        file = str(tmp_path / name)

        assert cli.run([verb, str(tmp_path / "no.run"), *options, "-o", file]) == cli.WRONG
        assert message in capsys.readouterr().err

    def test_an_empty_run_has_a_page(self, capsys: Captured, tmp_path: Path) -> None:
        assert cli.run(["report", str(write_empty(tmp_path / "empty.run"))]) == cli.DONE
        assert "None." in capsys.readouterr().out


class TestListAndShow:
    def test_runs(self, capsys: Captured, shapes: Path) -> None:
        assert cli.run(["list", "runs", str(shapes.parent)]) == cli.DONE

        (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert (row["run"], row["status"], row["n_contexts"]) == (str(shapes), "complete", "8")
        assert row["clock"] == "real"

    def test_metrics_and_tables(self, capsys: Captured, shapes: Path) -> None:
        cli.run(["list", "metrics"])
        cli.run(["list", "tables"])
        cli.run(["list", "tables", str(shapes)])

        shown = capsys.readouterr().out
        assert "hotness.methods,metric,run," in shown
        assert "receiver,--probes receivers," in shown
        assert "\nthread,always,2," in shown

    def test_metrics_by_pattern(self, capsys: Captured) -> None:
        assert cli.run(["list", "metrics", "hotness.*", "tag:recursion"]) == cli.DONE

        ids = {row["id"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
        known = catalogue()
        tagged = {id_ for id_, query in known.items() if "recursion" in query.tags}
        assert tagged
        assert ids == tagged | {id_ for id_ in known if id_.startswith("hotness.")}

    def test_a_pattern_of_no_metric_says_where_it_stands(self, capsys: Captured) -> None:
        assert cli.run(["list", "metrics", "hotnes.*"]) == cli.WRONG

        assert capsys.readouterr().err.startswith("list: error: 'hotnes.*' selects no metric")

    def test_a_table(self, capsys: Captured) -> None:
        assert cli.run(["show", "context"]) == cli.DONE

        shown = capsys.readouterr().out
        assert "n_calls       BIGINT   call      calls of the method in this context" in shown
        assert "parent_id     INTEGER            calling node; null: root of a thread" in shown

    def test_a_metric(self, capsys: Captured) -> None:
        assert cli.run(["show", "hotness.methods"]) == cli.DONE
        assert "$cutoff           number   = 0.2" in capsys.readouterr().out

    def test_the_source(self, capsys: Captured) -> None:
        cli.run(["show", "thread", "--source"])
        cli.run(["show", "instructions.mix", "--source"])

        shown = capsys.readouterr().out
        assert "CREATE TABLE thread (" in shown
        assert "LEFT JOIN executed" in shown

    def test_a_wrong_name_gets_the_nearest_one(self, capsys: Captured) -> None:
        assert cli.run(["show", "contexts"]) == cli.WRONG
        assert 'did you mean "context"?' in capsys.readouterr().err


def test_quiet_says_nothing_but_data(capsys: Captured, shapes: Path) -> None:
    cli.run(["check", str(shapes), "-q"])

    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_verbose_says_how_long_it_took(capsys: Captured, shapes: Path) -> None:
    cli.run(["query", str(shapes), "SELECT 1", "-v"])

    assert re.match(r"took \d+\.", capsys.readouterr().err)


def test_a_reader_that_leaves_early_is_no_error(shapes: Path) -> None:
    command = [sys.executable, "-m", "jvmscope", "query", str(shapes), "FROM range(1000000)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == cli.DONE


def test_pandas_is_not_imported_where_it_is_installed(shapes: Path, tmp_path: Path) -> None:
    """Arrow asks it what a list is; it takes longer than most answers."""
    (tmp_path / "pandas.py").write_text("raise SystemExit('pandas was imported')\n")
    measured = ["measure", str(shapes), "-m", "hotness.methods", "-q"]
    command = [sys.executable, "-m", "jvmscope", *measured]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (cli.DONE, "")
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run([sys.executable, "-c", "import pandas"], env=environment, check=True)


def test_a_full_disk_behind_stdout_is_one_error(shapes: Path) -> None:
    command = [sys.executable, "-m", "jvmscope", "query", str(shapes), "SELECT 1"]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    expected = b"error: stdout: cannot be written: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (cli.WRONG, expected)
