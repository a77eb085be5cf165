"""``jvmscope compare``: exit statuses, formats, and what people are shown."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.runs import RunBuilder
from support.samples import write_shapes

import jvmscope
from jvmscope import cli
from jvmscope.suite import Row, Suite, write_suite

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two runs: `shapes`, and the same with 9 circles instead of 6."""
    directory = tmp_path_factory.mktemp("compared")
    before = write_shapes(directory / "before.run")
    return str(before), str(write_shapes(directory / "after.run", n_circles=9))


def _compare(runs: tuple[str, str], *options: str) -> int:
    return cli.run(["compare", *runs, "-m", "execution.totals", "--scope", "run", *options])


@pytest.mark.parametrize(
    ("condition", "status"),
    [("delta_pct > 11.2", cli.NO), ("delta_pct > 14", cli.DONE), ("delat > 1", cli.WRONG)],
)
def test_the_exit_status_says_whether_a_condition_holds(
    runs: tuple[str, str], capsys: Captured, condition: str, status: int
) -> None:
    assert _compare(runs, "--fail-if", condition, "--format", "csv") == status

    said = capsys.readouterr().err
    if status == cli.NO:
        assert f"holds for 1 of 4 values: {condition}" in said
    elif status == cli.DONE:
        assert "passes: 0 of 1 conditions hold, 3 of 4 values differ" in said
    else:
        assert said.startswith("--fail-if:1:1: error:")


@pytest.fixture(scope="module")
def one_sided(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two runs of a program: the second has another thread, which calls another method."""
    directory = tmp_path_factory.mktemp("one sided")
    for name in ("less", "more"):
        builder = RunBuilder()
        builder.thread("main").call(builder.method("app/Main", "main", blocks=[["return"]]))
        if name == "more":
            work = builder.method("app/Main", "work", blocks=[["return"]])
            builder.thread("worker").call(work)
        builder.write(directory / f"{name}.run")
    return str(directory / "less.run"), str(directory / "more.run")


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("scope", ["thread:worker", "subtree:app/Main.work"])
@pytest.mark.parametrize(
    "options",
    [
        ("-m", "execution.totals"),
        ("--tree",),
        ("-m", "execution.totals", "--fail-if", "metric = 'execution.totals' AND delta > 0"),
    ],
    ids=["values", "tree", "gate"],
)
def test_an_error_says_which_run_has_nothing_in_the_scope(
    one_sided: tuple[str, str],
    capsys: Captured,
    options: tuple[str, ...],
    scope: str,
    is_reversed: bool,
) -> None:
    """GIVEN a scope that one of two runs has, THEN the error says that the other one lacks it."""
    both = one_sided[::-1] if is_reversed else one_sided
    chosen = ("--format", "csv", "--scope", scope)

    assert cli.run(["compare", *both, *chosen, *options]) == cli.WRONG
    lacking = "B" if is_reversed else "A"
    assert f"--scope: error: {lacking}: no " in capsys.readouterr().err


@pytest.mark.parametrize("how", [(), ("-q",), ("--format", "markdown")], ids=str)
def test_a_benchmark_without_the_scope_is_told_once(
    one_sided: tuple[str, str], tmp_path: Path, capsys: Captured, how: tuple[str, ...]
) -> None:
    """GIVEN suites of which one benchmark lacks a scope that the other has, THEN a gate says so."""
    suites = []
    for name in ("a", "b"):
        suite = tmp_path / name
        rows = []
        for run in map(Path, one_sided):
            shutil.copytree(run, suite / run.name)
            recorded = suite / run.name
            rows.append(Row(run.stem, run.stem, status="recorded", run=recorded))
        write_suite(Suite(name, suite, tuple(rows)))
        suites.append(str(suite))
    chosen = ("--scope", "thread:worker", "-m", "execution.totals", "--fail-if", "delta > 0")
    words = ["compare", *suites, *chosen, *(how or ("--format", "csv"))]

    assert cli.run(words) == cli.NO
    told = capsys.readouterr().err
    for side in "AB":
        lines = [line for line in told.splitlines() if f"less.run: --scope: error: {side}:" in line]
        assert len(lines) == 1, told


def test_any_of_several_conditions_fails(runs: tuple[str, str]) -> None:
    options = ("--fail-if", "a > 1e9", "--fail-if", "b > 0", "--format", "csv")

    assert _compare(runs, *options) == cli.NO


def test_a_metric_that_a_condition_names_is_measured(
    runs: tuple[str, str], capsys: Captured
) -> None:
    condition = "metric = 'execution.methods' AND method LIKE 'app/Circle.%' AND b > 17"

    assert _compare(runs, "--fail-if", condition, "--format", "csv") == cli.NO
    assert "execution.methods,n_bytecodes,app/Circle.area()D,12,18,6,50" in capsys.readouterr().out


def test_the_formats_have_the_rows_of_the_api(runs: tuple[str, str], capsys: Captured) -> None:
    expected = jvmscope.compare(*runs, "execution.totals").arrow().to_pylist()

    assert _compare(runs, "--format", "csv") == cli.DONE
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert _compare(runs, "--format", "json") == cli.DONE
    document = json.loads(capsys.readouterr().out)

    assert [float(row["delta"]) for row in table] == [row["delta"] for row in expected]
    assert list(table[0]) == list(expected[0])
    assert [row["delta_pct"] for row in document["rows"]] == pytest.approx(
        [row["delta_pct"] for row in expected]
    )


def test_a_limit_says_that_rows_are_left_out(runs: tuple[str, str], capsys: Captured) -> None:
    assert _compare(runs, "--limit", "1", "--format", "csv") == cli.LIMITED

    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert "truncated" in captured.err


def test_a_budget_fails(runs: tuple[str, str], tmp_path: Path, capsys: Captured) -> None:
    budget = tmp_path / "budget.toml"
    budget.write_text(
        'schema = 1\n[[budget]]\nname = "all"\nquantity = "bytecodes"\nmax_growth = 5\n'
        '[[budget]]\nname = "misses"\nmetric = "polymorphism.cache_misses"\n'
        'measure = "n_calls"\nmax = 1\n'
    )

    assert _compare(runs, "--budget", str(budget), "--format", "csv") == cli.NO
    said = capsys.readouterr().err
    assert "budget exceeded: all: 54 → 60, growth of at most 5" in said
    assert "does not pass: budget not checked: misses: " in said

    budget.write_text('schema = 1\n[[budget]]\nquantity = "bytecodes"\n')
    assert _compare(runs, "--budget", str(budget), "--format", "csv") == cli.WRONG
    assert capsys.readouterr().err.splitlines()[-3].startswith(f"{budget}:2:3: error: expected a")


def test_markdown_begins_with_the_verdict_and_folds_the_rest(
    runs: tuple[str, str], capsys: Captured
) -> None:
    condition = "measure = 'n_bytecodes' AND delta > 0"

    assert _compare(runs, "--fail-if", condition, "--format", "markdown") == cli.NO

    page = capsys.readouterr().out
    assert page.startswith("### ❌ before → after\n\n**fails: 1 of 1 conditions hold, 3 of 4 ")
    failed, details = page.split("<details>", 1)
    assert "| execution.totals | n_bytecodes | 54 | 60 | +6 | +11.1 % |" in failed
    assert "+6    +50 %  12  18  *     app.Circle.area" in details
    assert page.count("<details>") == page.count("</details>")


def test_the_terminal_shows_changes_in_colour(runs: tuple[str, str], capsys: Captured) -> None:
    options = ("-m", "cycles.run", "--format", "table", "--weight", "none")
    assert _compare(runs, *options, "--color", "always") == cli.DONE
    coloured = capsys.readouterr().out
    assert _compare(runs, *options) == cli.DONE
    plain = capsys.readouterr().out

    assert "\x1b[31m" in coloured  # more cycles are worse
    assert "\x1b[33m" in coloured  # more bytecodes are neither
    assert "\x1b[" not in plain
    assert "before → after  (scope: run)" in plain


def test_what_several_metrics_share_is_shown_once(runs: tuple[str, str], capsys: Captured) -> None:
    options = ("-m", "arrays.accesses", "-m", "control.branches", "--weight", "none")

    assert _compare(runs, *options, "--format", "markdown") == cli.DONE
    shown = [line for line in capsys.readouterr().out.splitlines() if "n_bytecodes" in line]
    assert _compare(runs, *options, "--format", "csv") == cli.DONE

    assert shown == ["| execution.totals and 2 more | n_bytecodes | 54 | 60 | +6 | +11.1 % |"]
    assert capsys.readouterr().out.count("n_bytecodes") == 3


def test_all_shows_what_is_equal_too(runs: tuple[str, str], capsys: Captured) -> None:
    options = ("--format", "table", "--weight", "none")
    assert _compare((runs[0], runs[0]), *options) == cli.DONE
    assert "n_bytecodes" not in capsys.readouterr().out

    assert _compare((runs[0], runs[0]), *options, "--all") == cli.DONE
    assert "n_bytecodes" in capsys.readouterr().out


def test_the_tree_as_rows(runs: tuple[str, str], capsys: Captured) -> None:
    status = cli.run(["compare", *runs, "--tree", "--weight", "calls", "--format", "csv"])

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert status == cli.DONE
    assert [(row["difference"], row["a"], row["b"]) for row in rows] == [
        ("below", "12", "15"),
        ("below", "12", "15"),
        ("own", "6", "9"),
        ("folded", "5", "5"),
        ("folded", "10", "10"),
    ]


def test_a_tree_is_under_the_timeout(runs: tuple[str, str], capsys: Captured) -> None:
    assert cli.run(["compare", *runs, "--tree", "--timeout", "1ms"]) == cli.LIMITED
    assert "stopped after 0.001 s; raise --timeout" in capsys.readouterr().err


def test_a_file_is_written(runs: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "comment.md"

    assert _compare(runs, "--weight", "none", "-o", str(file)) == cli.DONE
    assert file.read_text().startswith("### before → after\n")
    assert _compare(runs, "--weight", "none", "-o", str(file)) == cli.WRONG


def test_what_is_not_whole_is_warned_of(
    runs: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    other = write_shapes(tmp_path / "other.run", status="truncated", jvm={"version": "25"})

    assert _compare((runs[0], str(other)), "--format", "csv") == cli.LIMITED
    said = capsys.readouterr().err
    assert "warning: " in said
    assert "other.run: the recording is truncated" in said
    assert "the JVM is unknown in A, 25 in B" in said


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        ({"probes": ["receivers", "order"]}, True),
        ({"probes": []}, False),
        ({"timeout_s": 9}, False),
        ({}, False),
    ],
)
def test_other_probes_are_told(
    tmp_path: Path, capsys: Captured, options: dict[str, Any], is_told: bool
) -> None:
    a = write_shapes(tmp_path / "a.run", options={"probes": []})
    b = write_shapes(tmp_path / "b.run", options=options)

    _compare((str(a), str(b)), "--format", "csv")
    said = capsys.readouterr().err
    assert ("--probes is none in A, order, receivers in B, so maps" in said) == is_told
    assert ("--probes" in said) == is_told


def test_a_gate_is_not_passed_by_a_part_of_a_run(runs: tuple[str, str], tmp_path: Path) -> None:
    part = str(write_shapes(tmp_path / "part.run", status="truncated", n_circles=1))

    assert _compare((runs[0], part), "--fail-if", "delta > 0", "--format", "csv") == cli.LIMITED
    assert _compare((runs[0], part), "--fail-if", "delta < 0", "--format", "csv") == cli.NO


def test_recordings_with_other_options_are_told(
    runs: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    options = {"recursion": "keep", "exclude": ["a", "b"], "probes": ["receiver"]}
    other = write_shapes(tmp_path / "other.run", options=options)
    another = write_shapes(tmp_path / "another.run", options={**options, "recursion": "fold"})

    assert _compare((str(other), str(another)), "--format", "csv") == cli.DONE
    said = capsys.readouterr().err
    assert "warning: recorded differently: --recursion is keep in A, fold in B\n" in said
    assert said.count("recorded differently") == 1


@pytest.mark.parametrize(
    ("of_a", "of_b", "said"),
    [
        ({"vm_threads": False}, {"vm_threads": True}, "--vm-threads is False in A, True in B"),
        ({}, {"vm_threads": True}, "--vm-threads is False in A, True in B"),
        (
            {"method_cache": {"blocks": 16, "block_bytes": 256}},
            {"method_cache": {"blocks": 32, "block_bytes": 256}},
            "--method-cache is 16 blocks of 256 bytes in A, 32 blocks of 256 bytes in B",
        ),
        ({"method_cache": None}, {"method_cache": {"blocks": 16, "block_bytes": 256}}, None),
        ({}, {"method_cache": {"blocks": 16, "block_bytes": 256}}, None),
    ],
)
def test_recordings_that_counted_other_things_are_told(
    tmp_path: Path, capsys: Captured, of_a: dict[str, Any], of_b: dict[str, Any], said: str | None
) -> None:
    a = write_shapes(tmp_path / "a.run", options={"probes": [], **of_a})
    b = write_shapes(tmp_path / "b.run", options={"probes": [], **of_b})

    _compare((str(a), str(b)), "--format", "csv")
    warned = capsys.readouterr().err
    assert ("recorded differently" in warned) == (said is not None)
    assert said is None or f"recorded differently: {said}" in warned
