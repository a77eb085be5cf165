"""A gate passes what ran and kept it: never what failed, did not run, or cannot be judged."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.long import IS_LONG
from support.runs import RunBuilder
from support.samples import write_shapes

from jvmscope import cli
from jvmscope.commands.compare import command
from jvmscope.reports.changes.objection_kinds import KINDS
from jvmscope.schema import ExitFacts, MainFacts
from jvmscope.suite import Row, Suite, open_suite, write_suite

if TYPE_CHECKING:
    from collections.abc import Callable

Captured = pytest.CaptureFixture[str]

_BUDGET = """
schema = 1
[[budget]]
quantity = "bytecodes"
max_growth_pct = 50
[[budget]]
name = "sites"
metric = "polymorphism.sites"
measure = "n_targets"
where = "b > 1"
max = 2
"""
_GATES = {
    "condition": ("--fail-if", "measure = 'n_bytecodes' AND delta_pct > 50"),
    "budget": ("--budget", "budget.toml"),
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the run `before`, and a budget that it keeps."""
    directory = tmp_path_factory.mktemp("gates")
    (directory / "budget.toml").write_text(_BUDGET)
    write_shapes(directory / "before.run")
    write_shapes(directory / "after.run", n_circles=5)
    return directory


@pytest.fixture
def gate(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Compares two runs by a gate, quietly."""
    monkeypatch.chdir(directory)

    def judged(a: str, b: str, kind: str, *options: str) -> int:
        chosen = ("-m", "execution.totals", "--format", "csv", *_GATES[kind], *options)
        return cli.run(["compare", a, b, *chosen])

    return judged


_ENDED = ExitFacts("ended")


def _write_uncaught(
    run: Path,
    exit: ExitFacts | None = _ENDED,  # noqa: A002 - the manifest's word
    thread: str = "main",
    **options: Any,
) -> Path:
    """Writes a run below a script in which the VM dispatched an exception of a thread."""
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["athrow"]])
    dispatch = builder.method(
        "java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V",
        loader="boot", blocks=[["return"]],
    )  # fmt: skip
    for name in ("main", "worker"):
        root = builder.thread(name)
        root.call(main)
        if name == thread:
            root.call(dispatch)
    return builder.write(run, exit=exit, main=MainFacts("app/Main", 1), **options)


def _write_library_alone(run: Path) -> Path:
    """Writes a run in which nothing of the application was executed."""
    builder = RunBuilder()
    start = builder.method("java/lang/Launcher", "start", loader="boot", blocks=[["return"]])
    builder.method("app/Main", "main", blocks=[["return"]])
    builder.thread("main").call(start, calls=3)
    return builder.write(run)


_BOTH_SIDES = ("status", "library")
_ALLOWABLE = ("status", "uncaught", "library", "main", "options")
_GATES_BY_TURNS = ("condition", "budget", "condition", "budget", "condition")


def _exit(*facts: Any) -> Callable[[Path], Path]:
    return lambda run: write_shapes(run, exit=ExitFacts(*facts))


def _command_exit(own: ExitFacts | None, *facts: Any) -> Callable[[Path], Path]:
    return lambda run: write_shapes(run, exit=own, command_exit=ExitFacts(*facts))


@dataclass(frozen=True)
class _Case:
    write: Callable[[Path], Path]
    kind: str
    said: str


_CASES = {
    "status": _Case(
        _exit("ended", 1), "failed-program", "the program ended with exit status 1"
    ),
    "exit": _Case(_exit("exited", 3), "failed-program", "the program ended with exit status 3"),
    "sigterm": _Case(_exit("exited", 143), "failed-program", "with exit status 143 (SIGTERM)"),
    "signal": _Case(_exit("killed", None, 9), "failed-program", "was killed by SIGKILL"),
    "killed": _Case(_exit("killed"), "failed-program", "the program was killed, crashed or"),
    "uncaught": _Case(
        _write_uncaught, "failed-program", "the program ended after an uncaught exception in main"
    ),
    "uncaught in a thread": _Case(
        lambda run: _write_uncaught(run, ExitFacts("ended", 0), thread="worker"),
        "failed-program",
        "uncaught exceptions ended 0 threads of A and 1 of B: worker (--allow",
    ),
    "not known": _Case(
        lambda run: write_shapes(run, exit=None),
        "failed-program",
        "how the program ended is not known",
    ),
    "uncaught, not known": _Case(
        lambda run: _write_uncaught(run, exit=None),
        "failed-program",
        "the program ended after an uncaught exception in main",
    ),
    "command": _Case(
        _command_exit(ExitFacts("ended", 0), "exited", 1),
        "failed-program",
        "ended with exit status 0, and COMMAND, which started it, with exit status 1",
    ),
    "command by a signal": _Case(
        _command_exit(ExitFacts("exited", 0), "killed", None, 9),
        "failed-program",
        "ended with exit status 0, and COMMAND, which started it, with exit status 137 (SIGKILL)",
    ),
    "command, program not known": _Case(
        _command_exit(None, "exited", 2),
        "failed-program",
        "ended in a way that is not known, and COMMAND, which started it, with exit status 2",
    ),
    "both": _Case(
        _command_exit(ExitFacts("exited", 3), "exited", 1),
        "failed-program",
        "the program ended with exit status 3 (--allow",
    ),
    "library": _Case(
        _write_library_alone, "empty-scope", "no bytecode was executed in the scope application+"
    ),
    "main": _Case(
        lambda run: write_shapes(run, main=MainFacts("app/Other", None)),
        "other-program",
        "is a run of app/",
    ),
    "options": _Case(
        lambda run: write_shapes(run, options={"exclude": ["app/Square"]}),
        "other-options",
        "recorded differently: --exclude is",
    ),
}  # fmt: skip


_BY_TURNS = [(name, tuple(_GATES)[number % 2]) for number, name in enumerate(_CASES)]
_EACH = [(name, kind) for name in _CASES for kind in _GATES]


@pytest.mark.parametrize(("name", "kind"), _EACH if IS_LONG else _BY_TURNS)
def test_what_proves_nothing_passes_no_gate(
    directory: Path, gate: Callable[..., int], capsys: Captured, name: str, kind: str
) -> None:
    case = _CASES[name]
    run = directory / f"{name}.run"
    if not run.exists():
        case.write(run)

    pairs = [("before.run", run.name), (run.name, "before.run")]
    for pair in pairs if IS_LONG or name in _BOTH_SIDES else pairs[:1]:
        assert gate(*pair, kind) == cli.NO, pair
        said = capsys.readouterr().err
        assert "does not pass: " in said
        assert case.said in said
        assert f"(--allow {case.kind})" in said
        assert "passes: " not in said


@pytest.mark.parametrize(("name", "kind"), list(zip(_ALLOWABLE, _GATES_BY_TURNS, strict=True)))
def test_the_user_may_allow_it(
    directory: Path, gate: Callable[..., int], capsys: Captured, name: str, kind: str
) -> None:
    case = _CASES[name]
    run = directory / f"{name}.run"
    if not run.exists():
        case.write(run)
    others = [each for each in KINDS if each not in (case.kind, "unchecked", "empty-scope")]

    # Fewer bytecodes than before, so nothing else is wrong with it.
    allowed = ("--allow", case.kind, "--allow", "unchecked", "--allow", "empty-scope")
    assert gate("before.run", run.name, kind, *allowed) == cli.DONE
    assert "passes: " in capsys.readouterr().err
    if case.kind != "empty-scope":
        refused = [word for each in others for word in ("--allow", each)]
        assert gate("before.run", run.name, kind, *refused) == cli.NO


@pytest.mark.parametrize("kind", _GATES)
def test_a_thread_that_always_ends_by_an_exception_passes(
    directory: Path, gate: Callable[..., int], capsys: Captured, kind: str
) -> None:
    """GIVEN two runs in which as many threads end so, THEN neither did less than the other."""
    for name in ("ends.run", "ends again.run"):
        if not (directory / name).exists():
            _write_uncaught(directory / name, ExitFacts("ended", 0), thread="worker")

    assert gate("ends.run", "ends again.run", kind) == cli.DONE
    assert "uncaught" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", _GATES)
def test_what_ran_and_kept_it_passes(gate: Callable[..., int], capsys: Captured, kind: str) -> None:
    assert gate("before.run", "after.run", kind) == cli.DONE
    said = capsys.readouterr().err
    assert "passes: " in said
    assert "bytecodes 39 → 37 (-5.13 %)" in said


@pytest.mark.parametrize("kind", _GATES)
def test_a_run_is_not_judged_by_itself(
    gate: Callable[..., int], capsys: Captured, kind: str
) -> None:
    assert gate("before.run", "before.run", kind) == cli.NO
    assert "A and B are the same run, before.run (--allow same-run)" in capsys.readouterr().err
    assert gate("before.run", "before.run", kind, "--allow", "same-run") == cli.DONE


@pytest.mark.parametrize("kind", _GATES)
def test_a_part_of_a_run_is_never_allowed(
    directory: Path, gate: Callable[..., int], capsys: Captured, kind: str
) -> None:
    allowed = [word for each in KINDS for word in ("--allow", each)]
    run = directory / "part.run"
    if not run.exists():
        limits = ["the time limit was reached and the program was ended"]
        write_shapes(run, status="truncated", limits=limits)

    assert gate("before.run", "part.run", kind, *allowed) == cli.LIMITED
    said = capsys.readouterr().err
    expected = "does not pass: B: part.run: the recording is truncated: the time limit was reached"
    assert expected in said
    assert "passes: " not in said


def test_a_metric_that_fails_passes_no_gate(gate: Callable[..., int], capsys: Captured) -> None:
    options = ("-m", "hotness.*", "--no-cache", "--timeout", "1ms")

    assert gate("before.run", "after.run", "condition", *options) != cli.DONE
    said = capsys.readouterr().err
    assert "passes: " not in said
    assert "stopped after 0.001 s" in said


def test_without_a_gate_nothing_is_judged(
    directory: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(directory)
    if not (directory / "status.run").exists():
        _CASES["status"].write(directory / "status.run")
    options = ("-m", "execution.totals", "--format", "csv")

    assert cli.run(["compare", "before.run", "status.run", *options]) == cli.DONE
    captured = capsys.readouterr()
    assert "warning: B: status.run: the program ended with exit status 1" in captured.err
    assert "n_bytecodes,54,54" in captured.out  # of the whole run


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the runs `a` and `b`: b has a method more, and multiplies."""
    directory = tmp_path_factory.mktemp("grown")
    for name, opcode in (("a", "nop"), ("b", "dmul")):
        builder = RunBuilder()
        main = builder.method("app/Main", "main", blocks=[[opcode, "return"]])
        node = builder.thread("main").call(main, calls=3)
        for method in ("old", "young")[: 1 if name == "a" else 2]:
            node.call(builder.method("app/Main", method, blocks=[["return"]]), calls=4)
        builder.write(directory / f"{name}.run")
    return directory


_TOTALS = ("-m", "execution.totals", "--format", "csv")
_METHODS = "metric = 'execution.methods' AND measure = 'n_executions'"
_OPERATIONS = "metric = 'floating.operations' AND measure = 'n_operations'"
_NOT_RECORDED = 'the table "receiver" was not recorded'
_ONLY_B = r"only B has such a row; COALESCE\(a, 0\)"
_NO_PERCENTAGE = "a is 0 and b is not, so there is no percentage"
_RECEIVERS = "metric = 'polymorphism.receivers'"
_PARTLY_NULL = {
    # Of two or more rows that it is about, at least one is decided.
    "a row of B alone": (f"{_METHODS} AND delta > 99", 1, _ONLY_B),
    "in percent": (f"{_METHODS} AND delta_pct > 99", 1, _ONLY_B),
    "from 0": (f"({_METHODS} AND b > 99) OR ({_OPERATIONS} AND delta_pct > 3)", 1, _NO_PERCENTAGE),
    "negated": (f"{_METHODS} AND NOT (delta <= 99)", 1, _ONLY_B),
    "between": (f"{_METHODS} AND delta NOT BETWEEN -99 AND 99", 1, _ONLY_B),
    "a list": (f"{_METHODS} AND delta IN (98, 99)", 1, _ONLY_B),
    "a function": (f"{_METHODS} AND abs(delta) > 99", 1, _ONLY_B),
    "arithmetic": (f"{_METHODS} AND b / a > 99", 1, _ONLY_B),
    "a case": (f"{_METHODS} AND CASE WHEN b > 9 THEN true ELSE a > 99 END", 1, _ONLY_B),
    "a quotient": (f"{_METHODS} AND 1 / (a - 4) > 1", 2, "divides by 0"),
    "a null": (f"{_METHODS} AND NULLIF(b, 4) > 99", 2, "it compares with null"),
    "not recorded": (f"({_RECEIVERS} AND b > 99) OR ({_METHODS} AND b > 99)", 4, _NOT_RECORDED),
    "all": ("delta > 99 AND metric IN ('execution.totals', 'execution.methods')", None, _ONLY_B),
}
"""Conditions, for how many of their values they are null, and why."""


@pytest.mark.parametrize("case", _PARTLY_NULL)
def test_a_condition_that_is_null_for_some_of_its_values_is_told(
    grown: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    condition, n_null, why = _PARTLY_NULL[case]
    monkeypatch.chdir(grown)
    compare = ["compare", "a.run", "b.run", *_TOTALS, "--fail-if", condition]

    assert cli.run(compare) == cli.NO
    said = capsys.readouterr().err
    (objection,) = [line for line in said.splitlines() if line.startswith("does not pass: null")]
    assert re.search(why, objection), objection
    found = re.search(r"null for (\d+) of (\d+) values", objection)
    assert found is not None, objection
    assert int(found[1]) < int(found[2])
    assert n_null in (int(found[1]), None)
    assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE
    assert "warning: null for " in capsys.readouterr().err


@pytest.mark.parametrize(
    "condition",
    [
        f"{_METHODS} AND b - COALESCE(a, 0) > 99",
        f"{_METHODS} AND method NOT LIKE '%young%' AND delta > 99",
        f"{_METHODS} AND a IS NOT NULL AND delta > 99",
        f"{_METHODS} AND a IS NULL AND b > 99",
        f"{_METHODS} AND a IS DISTINCT FROM b AND b > 99",
    ],
)
def test_a_condition_that_is_decided_for_all_its_values_passes(
    grown: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    monkeypatch.chdir(grown)

    assert cli.run(["compare", "a.run", "b.run", *_TOTALS, "--fail-if", condition]) == cli.DONE
    assert cli.run(["compare", "b.run", "a.run", *_TOTALS, "--fail-if", condition]) == cli.DONE
    assert "null for" not in capsys.readouterr().err


def test_what_only_a_has_is_gone_and_asks_nothing(
    grown: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(grown)
    gate = ("--fail-if", f"{_METHODS} AND delta > 99")

    assert cli.run(["compare", "b.run", "a.run", *_TOTALS, *gate]) == cli.DONE


@pytest.mark.parametrize(
    "budget",
    [
        ("a > 0", "max = 99", cli.DONE),  # null for the new row, which keeps it in any case
        ("a > 0", "max_growth = 3", cli.NO),
        ("delta_pct > 0", "max_growth_pct = 3", cli.NO),
        ("COALESCE(a, 1) > 0", "max_growth = 4", cli.DONE),
        ("a IS NOT NULL", "max_growth = 3", cli.DONE),
    ],
)
def test_a_budget_whose_condition_is_null_is_not_checked(
    grown: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    budget: tuple[str, str, int],
) -> None:
    where, limit, status = budget
    monkeypatch.chdir(grown)
    (grown / "null.toml").write_text(
        'schema = 1\n[[budget]]\nname = "calls"\nmetric = "execution.methods"\n'
        f'measure = "n_executions"\nwhere = "{where}"\n{limit}\n'
    )
    compare = ["compare", "a.run", "b.run", *_TOTALS, "--budget", "null.toml"]

    assert cli.run(compare) == status
    if status == cli.NO:
        said = capsys.readouterr().err
        assert (
            f"budget not checked: calls, method=app/Main.young()V: where is null: {where}" in said
        )
        assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        (
            "metric = 'polymorphism.receivers' AND b > 1",
            'null for all 4 values: .*the table "receiver" was not recorded',
        ),
        (
            "metric = 'execution.methods' AND method LIKE '%perimeter%' AND delta > 1000",
            "only B has such a row; COALESCE",
        ),
        (
            "metric = 'floating.operations' AND measure = 'n_operations' AND delta_pct > 3",
            "a is 0 and b is not, so there is no percentage; compare delta",
        ),
        (
            "metric = 'size.loaded' AND delta > 0",
            "classes are loaded for the run, not for a part of its tree",
        ),
    ],
)
def test_a_condition_that_is_null_for_all_it_is_about_is_told(
    directory: Path, gate: Callable[..., int], capsys: Captured, condition: str, why: str
) -> None:
    for name, opcode in (("plain", "nop"), ("floats", "dmul")):
        if not (directory / f"{name}.run").exists():
            builder = RunBuilder()
            main = builder.method("app/Main", "main", blocks=[[opcode, "return"]])
            node = builder.thread("main").call(main, calls=4)
            if name == "floats":
                method = builder.method("app/Main", "perimeter", blocks=[["return"]])
                node.call(method, calls=4)
            builder.write(directory / f"{name}.run")

    chosen = ("-m", "execution.totals", "--format", "csv", "--fail-if", condition)
    assert cli.run(["compare", "plain.run", "floats.run", *chosen]) == cli.NO
    said = capsys.readouterr().err
    assert "does not pass: null for " in said
    assert "(--allow unchecked)" in said
    assert re.search(why, said), said


@pytest.fixture
def idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a and b of a program that has a method `idle`, and never calls it."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        builder = RunBuilder()
        main = builder.method("app/Main", "main", blocks=[["nop", "return"]])
        builder.method("app/Main", "idle", blocks=[["return"]])
        builder.thread("main").call(main)
        builder.write(tmp_path / f"{name}.run")


_IDLE = f"{_METHODS} AND method LIKE '%.idle%'"


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (f"{_IDLE} AND delta > 0", cli.NO),
        (f"{_IDLE} AND b > COALESCE(a, 0)", cli.NO),
        (f"{_METHODS} AND method = 'app/Main.idle()V' AND delta_pct > 3", cli.NO),
        (f"({_IDLE} AND delta > 0) OR (metric = 'execution.totals' AND delta > 9)", cli.DONE),
        (f"{_IDLE} AND b > 0", cli.DONE),  # it may well have to stay so
        (f"{_METHODS} AND method LIKE '%.main%' AND delta > 0", cli.DONE),
        (f"{_METHODS} AND method NOT LIKE '%.main%' AND delta > 0", cli.NO),
        ("metric = 'boxing.methods' AND method LIKE '%.main%' AND delta > 0", cli.DONE),
        ("metric = 'boxing.methods' AND method LIKE '%.idle%' AND delta > 0", cli.NO),
    ],
)
@pytest.mark.usefixtures("idle")
def test_a_condition_on_methods_that_never_ran_compares_nothing(
    capsys: Captured, condition: str, status: int
) -> None:
    compare = ["compare", "a.run", "b.run", *_TOTALS, "--fail-if", condition]

    assert cli.run(compare) == status
    said = capsys.readouterr().err
    if status == cli.NO:
        assert f"nothing to compare: {condition}: no method that it names was executed" in said
        assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE


_OF_IDLE = {
    'method = "*.idle"\nmax_growth = 0': cli.NO,
    'method = "*.idle"\nmax = 5': cli.NO,
    'method = "*.idle"\nmax = 0': cli.DONE,  # it is never to run
    'method = "*.main"\nmax_growth = 0': cli.DONE,
}
_WHERE_IDLE = {
    "where = \"method = 'app/Main.idle()V'\"\nmax_growth = 0": cli.NO,
    "where = \"method LIKE '%.main%'\"\nmax_growth = 0": cli.DONE,
}
_OF_METRICS = (
    'metric = "execution.methods"\nmeasure = "n_executions"',
    'metric = "boxing.methods"\nmeasure = "n_calls"',
)
_IDLE_BUDGETS = [
    *(('quantity = "calls"', subject) for subject in _OF_IDLE),
    *((metric, subject) for metric in _OF_METRICS for subject in _OF_IDLE | _WHERE_IDLE),
]


@pytest.mark.parametrize(("source", "subject"), _IDLE_BUDGETS)
@pytest.mark.usefixtures("idle")
def test_a_budget_of_methods_that_never_ran_is_not_checked(
    capsys: Captured, source: str, subject: str
) -> None:
    status = (_OF_IDLE | _WHERE_IDLE)[subject]
    Path("idle.toml").write_text(f'schema = 1\n[[budget]]\nname = "i"\n{source}\n{subject}\n')
    compare = ["compare", "a.run", "b.run", *_TOTALS, "--budget", "idle.toml"]

    assert cli.run(compare) == status
    assert ("was executed" in capsys.readouterr().err) == (status == cli.NO)
    if status == cli.NO:
        assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE


def test_growth_from_nothing_is_no_change_where_nothing_grew(
    gate: Callable[..., int], capsys: Captured
) -> None:
    condition = "metric = 'boxing.requested' AND measure = 'n_calls' AND delta_pct > 3"
    chosen = ("-m", "execution.totals", "--format", "csv", "--fail-if", condition)

    assert cli.run(["compare", "before.run", "after.run", *chosen]) == cli.DONE


def test_the_words_of_allow_are_those_that_there_are() -> None:
    (option,) = (param for param in command.params if param.name == "allowed")

    assert list(option.type.choices) == list(KINDS)  # type: ignore[attr-defined]


_ROWS = {
    "whole": ({"status": "recorded"}, None),
    "failed": ({"status": "failed", "reason": "exit status 1"}, "x: B: failed: exit status 1"),
    "timeout": ({"status": "timeout"}, "x: B: timeout"),
    "truncated": ({"status": "truncated"}, "x: B: truncated"),
    "gone": (None, "x: B: not in the suite gone"),
    "expected": ({"status": "recorded", "exit": 3}, None),
}
"""What became of the benchmark x in a suite, and what keeps it from passing."""


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of suites with the benchmarks x and y, by what became of x."""
    directory = tmp_path_factory.mktemp("suites")
    (directory / "budget.toml").write_text(_BUDGET)
    for name, (values, _) in (("before", ({"status": "recorded"}, None)), *_ROWS.items()):
        suite = directory / name
        suite.mkdir()
        rows = [Row(name="y", benchmark="y", status="recorded", run=suite / "y.run")]
        write_shapes(suite / "y.run")
        if values is not None:
            is_there = values["status"] == "recorded"
            facts = {"exit": ExitFacts("exited", values.get("exit", 0))}
            run = write_shapes(suite / "x.run", **facts) if is_there else None
            rows.insert(0, Row(name="x", benchmark="x", run=run, **values))
        write_suite(Suite(name, suite, tuple(rows)))
    return directory


@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "condition") for name in _ROWS), ("failed", "budget")]
)
def test_each_benchmark_of_a_suite_must_be_there(
    suites: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    monkeypatch.chdir(suites)
    gate = ("-m", "execution.totals", "--format", "csv", *_GATES[kind])
    why = _ROWS[name][1]

    assert cli.run(["compare", "before", name, *gate]) == (cli.NO if why else cli.DONE)
    said = capsys.readouterr().err
    if why is not None:
        assert f"does not pass: {why} (--allow missing-benchmark)\n" in said
        allowed = ("--allow", "missing-benchmark")
        assert cli.run(["compare", "before", name, *gate, *allowed]) == cli.DONE


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("kind", _GATES)
def test_a_benchmark_with_jvms_that_were_not_recorded_passes_no_gate(
    suites: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, kind: str, side: str
) -> None:
    monkeypatch.chdir(suites)
    suite = open_suite("before")
    rows = tuple(replace(row, unreached=("java Other", "java -jar x.jar")) for row in suite.rows)
    Path("apart").mkdir(exist_ok=True)
    for row in rows:
        run = Path("apart", f"{row.name}.run")
        if not run.exists():
            shutil.copytree(row.run or "", run)
    moved = (
        replace(row, run=(run := suites / "apart" / f"{row.name}.run"), runs=(run,)) for row in rows
    )
    write_suite(Suite("apart", suites / "apart", tuple(moved)))
    sides = ("apart", "before") if side == "A" else ("before", "apart")
    gate = ("-m", "execution.totals", "--format", "csv", *_GATES[kind])

    assert cli.run(["compare", *sides, *gate]) == cli.NO
    text = f"x: {side}: it started JVMs that were not recorded: java Other, java -jar x.jar"
    assert f"does not pass: {text} (--allow unchecked)\n" in capsys.readouterr().err
    assert cli.run(["suite", "list", "apart", "--format", "csv"]) == cli.DONE
    assert '"java Other, java -jar x.jar"' in capsys.readouterr().out


_FAIL_IF = "benchmark = '{}' AND measure = 'n_bytecodes' AND delta_pct > 50"
_OF_X = {
    "condition": ("--fail-if", _FAIL_IF.format("x")),
    "conditions": ("--fail-if", _FAIL_IF.format("y"), "--fail-if", _FAIL_IF.format("x")),
    "budget": ("--budget", "x.toml"),
    "budgets": ("--budget", "both.toml"),
}


@pytest.mark.parametrize(
    "sides",
    [
        sides
        for name in sorted(_ROWS.keys() - {"whole", "expected"})
        for sides in ((name, "before"), ("before", name))
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("kind", _OF_X)
def test_what_judges_missing_benchmarks_alone_judges_nothing(
    suites: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    sides: tuple[str, str],
    kind: str,
) -> None:
    monkeypatch.chdir(suites)
    budget = '[[budget]]\nquantity = "bytecodes"\nbenchmark = "{}"\nmax_growth = 1\n'
    Path("x.toml").write_text(f"schema = 1\n{budget.format('x')}")
    Path("both.toml").write_text(f"schema = 1\n{budget.format('y')}{budget.format('x')}")
    compare = ["compare", *sides, "-m", "execution.totals", "--format", "csv", *_OF_X[kind]]
    compare += ["--allow", "missing-benchmark"]

    assert cli.run(compare) == cli.NO
    assert "no benchmark that it is about was recorded" in capsys.readouterr().err
    assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE


@pytest.mark.parametrize("kind", ["condition", "budget"])
def test_suites_of_which_neither_has_any_run_pass_no_gate(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("budget.toml").write_text(_BUDGET)
    for name in ("a", "b"):
        Path(name).mkdir()
        write_suite(Suite(name, tmp_path / name, (Row(name="x", benchmark="x", status="failed"),)))
    compare = ["compare", "a", "b", "-m", "execution.totals", "--format", "csv", *_GATES[kind]]

    assert cli.run([*compare, "--allow", "missing-benchmark"]) == cli.NO
    assert "no benchmark that it is about was recorded" in capsys.readouterr().err


@pytest.mark.parametrize(("limit", "status"), [(10_000, cli.DONE), (1, cli.NO)])
@pytest.mark.parametrize("kind", ["condition", "budget"])
def test_what_asks_for_b_alone_judges_a_benchmark_that_a_lacks(
    suites: Path, monkeypatch: pytest.MonkeyPatch, limit: int, status: int, kind: str
) -> None:
    monkeypatch.chdir(suites)
    Path("most.toml").write_text(
        f'schema = 1\n[[budget]]\nquantity = "bytecodes"\nbenchmark = "x"\nmax = {limit}\n'
    )
    gates = {
        "condition": ("--fail-if", f"benchmark = 'x' AND measure = 'n_bytecodes' AND b > {limit}"),
        "budget": ("--budget", "most.toml"),
    }
    compare = ["compare", "gone", "before", "-m", "execution.totals", "--format", "csv"]

    assert cli.run([*compare, *gates[kind], "--allow", "missing-benchmark"]) == status


def test_a_benchmark_that_neither_suite_has_is_refused(
    suites: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suites)
    budget = suites / "typo.toml"
    budget.write_text(
        'schema = 1\n[[budget]]\nquantity = "calls"\nbenchmark = "xx"\nmax_growth = 1\n'
    )
    gates = (("--budget", "typo.toml"), ("--fail-if", "benchmark = 'xx' AND delta > 1"))

    for gate in gates:
        assert cli.run(["compare", "before", "whole", "--format", "csv", *gate]) == cli.WRONG
        said = capsys.readouterr().err
        assert "benchmark" in said
        assert 'did you mean "x"?' in said or "written like y" in said


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ('quantity = "calls"\nmethod = "app/Circle.areaa"', "a method that matches"),
        ('quantity = "boxed"\nmethod = "apps/*"', "a method that matches 'apps/*'"),
        (
            'metric = "polymorphism.sites"\nmeasure = "n_targets"\nwhere = "method = \'a.A\'"',
            "neither side has a method",
        ),
        (
            'metric = "stack.height"\nmeasure = "n_calls"\nwhere = "population = \'alll\'"',
            "neither side has a population",
        ),
        (
            'metric = "hotness.cutoffs"\nmeasure = "n_hot"\nwhere = "percent = 15"',
            "hotness.cutoffs has no such percent",
        ),
        (
            'metric = "execution.methods"\nmeasure = "n_bytecodes"\nwhere = "unit = \'call\'"',
            "no value can meet this condition",
        ),
    ],
)
def test_a_budget_for_what_neither_run_has_is_refused_at_its_place(
    directory: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    budget: str,
    message: str,
) -> None:
    monkeypatch.chdir(directory)
    (directory / "typo.toml").write_text(f"schema = 1\n[[budget]]\n{budget}\nmax_growth = 1\n")
    chosen = ("-m", "execution.totals", "--format", "csv", "--budget", "typo.toml")

    assert cli.run(["compare", "before.run", "after.run", *chosen]) == cli.WRONG
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("typo.toml:")]
    assert len(told) == 1
    assert message in told[0]


_UNKNOWN = """schema = 1
[[budget]]
name = "misspelt method"
quantity = "calls"
method = "app/Circle.areaa"
max = 1

[[budget]]
quantity = "calls"
max = 1000

[[budget]]
quantity = "boxed"
benchmark = "nbody*"
method = "apps/*"
max = 1

[[budget]]
metric = "polymorphism.sites"
measure = "n_targets"
where = "method = 'a.A'"
max = 1
"""
"""Budgets for two runs: a method that neither has, what exists, two names, and a condition."""


def test_all_names_that_budgets_misspell_are_told_at_once(
    directory: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(directory)
    (directory / "unknown.toml").write_text(_UNKNOWN)
    chosen = ("-m", "execution.totals", "--format", "csv", "--budget", "unknown.toml")

    assert cli.run(["compare", "before.run", "after.run", *chosen]) == cli.WRONG
    said = capsys.readouterr().err.splitlines()
    told = [line.partition(": error: ") for line in said if ": error: " in line]
    assert [(place, message) for place, _, message in told] == [
        ("unknown.toml:5:10", "neither side has a method that matches 'app/Circle.areaa'"),
        ("unknown.toml:14:13", "neither side has a benchmark that matches 'nbody*'"),
        ("unknown.toml:15:10", "neither side has a method that matches 'apps/*'"),
        ("unknown.toml:21:9", "neither side has a method 'a.A'"),
    ]
    assert 'did you mean "app/Circle.area"?' in said


def _shown_conditions() -> list[str]:
    """Returns the conditions on two runs, without further options, that a reader may copy."""
    root = Path(__file__).parents[3]
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages).replace("\\\n", "")
    command = r'jvmscope compare before\.run after\.run +--fail-if "([^"]+)"'
    return sorted(set(re.findall(command, text)))


def test_conditions_that_the_pages_show_pass_without_any_probe(
    directory: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN plain recordings, THEN what a reader copies decides, whatever else is measured."""
    monkeypatch.chdir(directory)
    conditions = _shown_conditions()

    assert len(conditions) >= 1
    for condition in conditions:
        assert cli.run(["compare", "before.run", "after.run", "--fail-if", condition]) == cli.DONE
        assert "passes: 0 of 1 conditions hold" in capsys.readouterr().err


def test_an_objection_says_how_to_name_what_was_recorded(
    gate: Callable[..., int], capsys: Captured
) -> None:
    """GIVEN a measure of many metrics, THEN one that has it is named, to be copied."""
    condition = "measure = 'n_bytecodes' AND delta_pct > 50"
    every = ("-m", "allocations.run", "--fail-if", condition)
    assert gate("before.run", "after.run", "budget", *every) == cli.NO
    said = capsys.readouterr().err
    assert "if you mean one metric, name it: metric = 'execution.totals' AND …" in said

    named = f"metric = 'execution.totals' AND {condition}"
    assert gate("before.run", "after.run", "budget", *every[:2], "--fail-if", named) == cli.DONE
    alone = "metric = 'allocations.run' AND measure = 'n_bytes' AND delta > 0"
    assert gate("before.run", "after.run", "budget", "--fail-if", alone) == cli.NO
    assert "if you mean one metric" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "condition",
    [
        "metric = 'polymorphism.receivers' AND COALESCE(b, 0) > COALESCE(a, 0)",
        "metric = 'polymorphism.receivers' AND a IS DISTINCT FROM b",
        "metric = 'polymorphism.receivers' AND greatest(a, b, 0) > 5",
        "metric = 'polymorphism.receivers' AND delta > 5",
    ],
)
def test_what_was_not_recorded_passes_no_condition(
    gate: Callable[..., int], capsys: Captured, condition: str
) -> None:
    """GIVEN a condition that is false for nulls, THEN it is not kept where nobody knows."""
    assert gate("before.run", "after.run", "condition", "--fail-if", condition) == cli.NO
    assert 'the table "receiver" was not recorded' in capsys.readouterr().err


@pytest.mark.parametrize(
    "condition",
    [
        "metric = 'polymorphism.receivers' AND b IS NULL AND a IS NOT NULL",
        "reason_code_b = 'no-run'",
        "reason LIKE '%was eaten%'",
        "metric = 'boxing.methods' AND b > COALESCE(a, 0)",
    ],
)
def test_a_condition_that_asks_for_nulls_is_kept(gate: Callable[..., int], condition: str) -> None:
    assert gate("before.run", "after.run", "condition", "--fail-if", condition) == cli.DONE


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (
            "metric = 'execution.totals' AND method = 'app/Circle.area()D' AND delta_pct > 3",
            "execution.totals has no column method",
        ),
        (
            "metric = 'execution.totals' AND n_targets IS NOT NULL AND delta > 0",
            "execution.totals has no column n_targets",
        ),
        (
            "metric IN ('execution.totals', 'stack.height') AND NOT (method LIKE 'a%' OR a < 0)",
            "no such metric has a column method",
        ),
    ],
)
def test_a_condition_about_a_column_that_its_metric_lacks_is_refused(
    directory: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    condition: str,
    message: str,
) -> None:
    """Also where the column is that of another metric, which is compared, too."""
    monkeypatch.chdir(directory)
    asked = ("-m", "execution.*", "-m", "polymorphism.targets", "--fail-if", condition)

    assert cli.run(["compare", "before.run", "after.run", "--format", "csv", *asked]) == cli.WRONG
    assert f"no value can meet this condition: {message}" in capsys.readouterr().err


def test_a_benchmark_of_several_jvms_is_not_judged_by_the_first(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old", "new"):
        suite = tmp_path / name
        suite.mkdir()
        runs = tuple(write_shapes(suite / f"y-{k}.run") for k in (1, 2))
        row = Row(name="y", benchmark="y", status="recorded", run=runs[0], runs=runs, exit=0)
        write_suite(Suite(name, suite, (row,)))
    monkeypatch.chdir(tmp_path)
    asked = ("-m", "execution.totals", "--format", "csv", *_GATES["condition"])

    assert cli.run(["compare", "old", "new", *asked]) == cli.NO
    assert "y: B: only the first of 2 JVMs is compared (--allow unchecked)" in (
        capsys.readouterr().err
    )
    assert cli.run(["compare", "old", "new", *asked, "--allow", "unchecked"]) == cli.DONE


def test_suites_on_other_jvms_or_with_other_programs_are_said(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = MainFacts("app/Main")
    for name, facts in (
        ("old", {"jvm": {"version": "17"}, "tool": {"version": "0.1"}, "main": main}),
        ("new", {"jvm": {"version": "25"}, "tool": {"version": "0.2"}, "main": main}),
        ("other", {"jvm": {"version": "17"}, "main": MainFacts("app/Other")}),
    ):
        suite = tmp_path / name
        suite.mkdir()
        rows = []
        for benchmark in ("x", "y"):
            run = write_shapes(suite / f"{benchmark}.run", **facts)
            rows.append(Row(benchmark, benchmark=benchmark, status="recorded", run=run, exit=0))
        write_suite(Suite(name, suite, tuple(rows)))
    monkeypatch.chdir(tmp_path)
    asked = ("-m", "execution.totals", "--format", "csv", *_GATES["condition"])

    assert cli.run(["compare", "old", "new", *asked]) == cli.DONE
    said = capsys.readouterr().err
    assert "the JVM is 17 in A, 25 in B (x and 1 more)" in said
    assert "the version of jvmscope is 0.1 in A, 0.2 in B (x and 1 more)" in said
    assert cli.run(["compare", "old", "other", *asked]) == cli.NO
    assert "x: A is a run of app/Main, and B of app/Other" in capsys.readouterr().err


def test_a_condition_that_reads_b_alone_needs_no_value_of_a(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_shapes(tmp_path / "a.run", probes=[])
    write_shapes(tmp_path / "b.run", probes=["receiver"])
    monkeypatch.chdir(tmp_path)
    compare = ["compare", "a.run", "b.run", "--format", "csv", "--allow", "other-options"]
    met = f"{_RECEIVERS} AND measure = 'n_calls' AND b > 1000"

    assert cli.run([*compare, "-m", "polymorphism.*", "--fail-if", met]) == cli.DONE
    capsys.readouterr()
    asked = met.replace("b > 1000", "COALESCE(delta, 0) > 1000")
    assert cli.run([*compare, "-m", "polymorphism.*", "--fail-if", asked]) == cli.NO
    assert _NOT_RECORDED in capsys.readouterr().err


def test_suites_without_benchmarks_are_no_comparison(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        write_suite(Suite(name, tmp_path / name, ()))
    monkeypatch.chdir(tmp_path)
    asked = ("--format", "csv", *_GATES["condition"])

    assert cli.run(["compare", "old", "new", *asked]) == cli.WRONG
    assert "old and new have no benchmark to compare" in capsys.readouterr().err


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the runs `plain` and `probed`, which knows receivers: two at most."""
    directory = tmp_path_factory.mktemp("probed")
    write_shapes(directory / "plain.run")
    write_shapes(directory / "probed.run", probes=["receiver"])
    return directory


@pytest.mark.parametrize(
    "asked",
    [
        "n_receivers > 2 AND b > 0",
        "n_receivers > 2 AND b > COALESCE(a, 0)",
        "n_receivers > 2 AND COALESCE(b, 0) > 0",
        "n_receivers > 2 AND delta > 0",
        "(n_receivers = 7 OR n_receivers = 8) AND b > 0",
    ],
)
def test_a_row_that_b_may_have_passes_no_gate(
    probed: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """GIVEN keys that no row of A has, THEN they are not kept where nobody looked for them in B."""
    monkeypatch.chdir(probed)
    gate = ("--fail-if", f"{_RECEIVERS} AND measure = 'n_calls' AND {asked}")

    assert cli.run(["compare", "probed.run", "plain.run", *_TOTALS, *gate]) == cli.NO
    assert f"null for the only value that it is about: {gate[1]}: B: {_NOT_RECORDED}" in (
        capsys.readouterr().err
    )
    assert cli.run(["compare", "plain.run", "probed.run", *_TOTALS, *gate]) == cli.DONE
    capsys.readouterr()


@pytest.mark.parametrize("asked", ["n_receivers IS NOT NULL", "COALESCE(n_receivers, 0) > 1"])
def test_a_condition_on_keys_that_is_false_for_null_is_not_kept(
    probed: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """GIVEN a metric of which neither run has rows, THEN what asks for keys is not known."""
    monkeypatch.chdir(probed)
    asks = f"{_RECEIVERS} AND measure = 'n_calls' AND {asked} AND b > 99"
    write_shapes(probed / f"{len(asked)}.run")

    assert cli.run(["compare", "plain.run", f"{len(asked)}.run", *_TOTALS, "--fail-if", asks]) == (
        cli.NO
    )
    assert _NOT_RECORDED in capsys.readouterr().err
    assert cli.run(["compare", "plain.run", "probed.run", *_TOTALS, "--fail-if", asks]) == cli.DONE


@pytest.mark.parametrize(
    "budget",
    [
        ("n_receivers > 2", "max = 0", cli.DONE),  # b has no such row
        ("n_receivers > 2", "max_growth = 0", cli.DONE),
        ("n_receivers > 1", "max = 0", cli.NO),
        ("n_receivers > 1", "max = 9", cli.DONE),
        ("n_receivers > 1", "max_growth = 9", cli.NO),  # from what is not known
        ("a IS NOT NULL", "max_growth = 0", cli.NO),
        ("delta > 0", "max_growth = 0", cli.NO),
    ],
)
def test_a_budget_is_about_the_rows_of_its_condition_also_where_a_lacks_them(
    probed: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    budget: tuple[str, str, int],
) -> None:
    where, limit, status = budget
    monkeypatch.chdir(probed)
    Path("where.toml").write_text(
        'schema = 1\n[[budget]]\nname = "sites"\nmetric = "polymorphism.receivers"\n'
        f'measure = "n_call_sites"\nwhere = "{where}"\n{limit}\n'
    )
    compare = ["compare", "plain.run", "probed.run", *_TOTALS, "--budget", "where.toml"]

    assert cli.run(compare) == status
    assert ("n_receivers=1" in capsys.readouterr().err) == ("n_receivers" not in where)


_UNCOUNTED = {"large": "sites", "larger": "calls", "refused": "none", "whole": "none"}
"""Coverage by run; of the last one the whole class could not be instrumented."""


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a method that is counted in `counted`, and has become too large in the others."""
    monkeypatch.chdir(tmp_path)
    for name, coverage in {"counted": "full", **_UNCOUNTED}.items():
        builder = RunBuilder()
        main = builder.method("app/Main", "main", blocks=[["nop", "return"]])
        blocks = [["nop", "nop", "return"]] if coverage == "full" else []
        work = builder.method("app/Work", "work", blocks=blocks, coverage=coverage)
        thread = builder.thread("main").call(main)
        if coverage != "none":
            thread.call(work, calls=99)
        method = {} if name == "whole" else {"method_name": "work", "descriptor": "()V"}
        reason = {"class_name": "app/Work", "method_name": None, "descriptor": None, **method}
        rows = [{**reason, "reason": "too large"}] if coverage != "full" else []
        builder.derive("exclusion", lambda _rows, rows=rows: rows)
        builder.write(tmp_path / f"{name}.run")


@pytest.mark.parametrize("b", _UNCOUNTED)
@pytest.mark.parametrize("kind", _GATES)
@pytest.mark.usefixtures("large")
def test_a_method_that_has_become_too_large_to_count_passes_no_gate(
    capsys: Captured, kind: str, b: str
) -> None:
    Path("budget.toml").write_text(
        'schema = 1\n[[budget]]\nquantity = "bytecodes"\nmax_growth_pct = 50\n'
    )
    compare = ["compare", "counted.run", f"{b}.run", *_TOTALS, *_GATES[kind]]

    assert cli.run(compare) == cli.NO
    said = "B: no bytecodes were counted of app/Work.work()V (too large) (--allow unchecked)"
    assert said in capsys.readouterr().err
    assert cli.run([*compare, "--allow", "unchecked"]) == cli.DONE
    both = ["compare", "large.run", "larger.run", *_TOTALS, *_GATES[kind]]
    assert cli.run(both) == cli.DONE


def _write_counting(run: Path, package: str, n_calls: int = 9) -> Path:
    """Writes a run in which main calls a library of a package, unless it does so 0 times."""
    builder = RunBuilder()
    main = builder.method(
        "app/Main", "main", blocks=[[f"invokestatic {package}/Words.count:()V", "return"]]
    )
    count = builder.method(f"{package}/Words", "count", blocks=[["return"]])
    thread = builder.thread("main").call(main)
    if n_calls:
        thread.call(count, site=0, calls=n_calls)
    return builder.write(run)


_ABOUT = {
    "method": "metric = 'execution.methods' AND method LIKE 'lib/%' AND delta_pct > 3",
    "or": "metric = 'execution.totals' AND delta_pct > 500 "
    "OR metric = 'execution.methods' AND method LIKE 'lib/%' AND delta > 0",
}
_NO_NAMES = {
    "what b has": "metric = 'execution.methods' AND method LIKE 'app/%' AND delta_pct > 900",
    "left out": "metric = 'execution.methods' AND method NOT LIKE 'lib/%' AND method "
    "NOT LIKE 'other/%' AND delta_pct > 900",
    "nulls": "metric = 'execution.methods' AND method LIKE 'lib/%' AND b IS NULL AND a > 99",
}
_OF_BUDGETS = {
    "budget of methods": 'quantity = "calls"\nmethod = "lib/*"\nmax_growth = 0',
    "budget where": 'metric = "execution.methods"\nmeasure = "n_executions"\n'
    "where = \"method LIKE 'lib/%'\"\nmax_growth = 0",
}


@pytest.mark.parametrize("about", [*_ABOUT, *_NO_NAMES, *_OF_BUDGETS])
def test_names_that_only_a_has_are_told(
    about: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """What is gone has not grown, but what is called otherwise in B was not compared."""
    monkeypatch.chdir(tmp_path)
    for run, package in (("a.run", "lib"), ("b.run", "other"), ("c.run", "lib")):
        _write_counting(tmp_path / run, package)
    (tmp_path / "budget.toml").write_text(f"schema = 1\n[[budget]]\n{_OF_BUDGETS.get(about, '')}\n")
    condition = {**_ABOUT, **_NO_NAMES}.get(about)
    gate = ("--fail-if", condition) if condition else ("--budget", "budget.toml")
    chosen = ("--scope", "run", "--format", "csv", "-q", "-m", "execution.totals")

    for b, is_gone in (("b.run", about not in _NO_NAMES), ("c.run", False)):
        status = cli.run(["compare", "a.run", b, *chosen, *gate])
        told = capsys.readouterr().err
        assert (
            "warning: only A has what is named; it may have another name in B: " in told
        ) == is_gone
        assert status == cli.DONE, told


@pytest.mark.parametrize("about", [*_ABOUT, *_NO_NAMES])
def test_methods_that_only_a_executed_are_told(
    about: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """GIVEN a program that ended earlier, well, THEN what it did not come to has not grown."""
    monkeypatch.chdir(tmp_path)
    for run, n_calls in (("a.run", 9), ("b.run", 0), ("c.run", 8)):
        _write_counting(tmp_path / run, "lib", n_calls)
    gate = ("--fail-if", {**_ABOUT, **_NO_NAMES}[about])
    chosen = ("--scope", "run", "--format", "csv", "-q", "-m", "execution.totals")

    for b, is_unexecuted in (("b.run", about not in _NO_NAMES), ("c.run", False)):
        status = cli.run(["compare", "a.run", b, *chosen, *gate])
        told = capsys.readouterr().err
        assert ("warning: only A executed the methods that are named: " in told) == is_unexecuted
        assert "only A has" not in told
        assert status == cli.DONE, told
