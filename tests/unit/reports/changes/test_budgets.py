"""Budgets: what they sum up, what exceeds them, and what is wrong with their files."""

from __future__ import annotations

import itertools
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.samples import write_shapes

import jvmscope
from jvmscope.actions.budget_file import read_budgets
from jvmscope.errors import SuiteError
from jvmscope.reports.changes.budgets import EXECUTED, Budget, _matches, check_budgets

if TYPE_CHECKING:
    from pathlib import Path


def _outcomes(a: Path, b: Path, *budgets: Budget) -> list[dict[str, Any]]:
    metrics = {EXECUTED, *(budget.source[0] for budget in budgets)}
    changes = jvmscope.compare(a, b, *metrics).arrow()
    return check_budgets(budgets, changes, [None]).arrow().to_pylist()


def _outcome(a: Path, b: Path, **values: Any) -> tuple[Any, ...]:
    (row,) = _outcomes(a, b, Budget("x", 1, **values))
    return row["status"], row["a"], row["b"], row["limit"]


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run `shapes` with 9 circles instead of 6: 60 bytecodes instead of 54."""
    return write_shapes(tmp_path_factory.mktemp("more") / "b.run", n_circles=9)


@pytest.mark.parametrize(
    ("budget", "outcome"),
    [
        ({"most_growth_pct": 12}, ("kept", 54, 60, None)),
        ({"most_growth_pct": 11}, ("exceeded", 54, 60, "growth of at most 11 %")),
        ({"most_growth": 6}, ("kept", 54, 60, None)),
        ({"most_growth": 5.5}, ("exceeded", 54, 60, "growth of at most 5.5")),
        ({"most": 60}, ("kept", 54, 60, None)),
        ({"most": 59}, ("exceeded", 54, 60, "at most 59")),
        ({"method": "app/*", "most_growth": 6}, ("kept", 39, 45, None)),
        ({"method": "app/Circle.area", "most": 17}, ("exceeded", 12, 18, "at most 17")),
        ({"method": "*.area()D", "most": 22}, ("kept", 16, 22, None)),
        ({"method": "java/*", "most_growth": 0}, ("kept", 15, 15, None)),
    ],
)
def test_bytecodes(
    shapes: Path, more: Path, budget: dict[str, Any], outcome: tuple[Any, ...]
) -> None:
    assert _outcome(shapes, more, quantity="bytecodes", **budget) == outcome


def test_less_is_within_any_budget(shapes: Path, more: Path) -> None:
    found = _outcome(more, shapes, quantity="calls", most_growth=0, most_growth_pct=0)

    assert found == ("kept", 25, 22, None)


def test_a_method_that_only_b_has_has_grown_from_nothing(more: Path, tmp_path: Path) -> None:
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    builder.thread("main").call(main)
    before = builder.write(tmp_path / "before.run")

    values = {"quantity": "calls", "method": "app/Circle.*", "most_growth_pct": 1000}

    assert _outcome(before, more, **values) == ("exceeded", 0, 9, "growth of at most 1,000 %")


def _write_boxing(run: Path, n_boxed: int) -> Path:
    builder = RunBuilder()
    value_of = builder.method(
        "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", loader="boot", is_static=True,
        blocks=[["areturn"]],
    )  # fmt: skip
    call = "invokestatic java/lang/Integer.valueOf:(I)Ljava/lang/Integer;"
    main = builder.method("app/Main", "main", blocks=[[call], ["return"]])
    node = builder.thread("main").call(main, blocks=[n_boxed, 1])
    if n_boxed:
        node.call(value_of, site=0, calls=n_boxed)
    return builder.write(run)


def test_boxed_values_count_for_the_methods_that_box(tmp_path: Path) -> None:
    none = _write_boxing(tmp_path / "none.run", 0)
    some = _write_boxing(tmp_path / "some.run", 7)

    limit = {"quantity": "boxed", "most_growth": 0}

    assert _outcome(none, some, **limit) == ("exceeded", 0, 7, "growth of at most 0")
    assert _outcome(none, some, method="app/*", **limit)[0] == "exceeded"
    assert _outcome(some, some, **limit) == ("kept", 7, 7, None)
    assert _outcome(none, none, **limit) == ("kept", 0, 0, None)


def _write_allocating(run: Path, n_arrays: int, **options: Any) -> Path:
    builder = RunBuilder()
    fill = builder.method("app/Main", "fill", blocks=[["newarray 10", "return"]])
    other = builder.method("app/Main", "other", blocks=[["return"]])
    thread = builder.thread("main")
    thread.allocates("java/lang/Thread", 1, size=1000)
    node = thread.call(fill)
    node.call(other)
    if n_arrays:
        node.allocates("[I", n_arrays, size=24, instruction=0)
    return builder.write(run, **{"probes": ["allocation"], **options})


def test_methods_that_allocate_nothing_have_none_if_a_recorded_none(tmp_path: Path) -> None:
    plain = _write_allocating(tmp_path / "plain.run", 0, probes=[])
    some = _write_allocating(tmp_path / "some.run", 5)

    for quantity in ("allocated_bytes", "allocated_objects"):
        other = {"quantity": quantity, "method": "*.other"}
        assert _outcome(plain, some, most=0, **other) == ("kept", None, 0, None)
        assert _outcome(plain, some, most=1, **other) == ("kept", None, 0, None)
        assert _outcome(plain, some, most_growth=9, **other)[0] == "unchecked"
        assert _outcome(some, plain, most=0, **other)[0] == "unchecked"
        fill = {"quantity": quantity, "method": "*.fill", "most": 4}
        assert _outcome(plain, some, **fill)[0] == "exceeded"


def test_allocations_count_for_the_methods_that_allocate(tmp_path: Path) -> None:
    few = _write_allocating(tmp_path / "few.run", 2)
    many = _write_allocating(tmp_path / "many.run", 5)
    bytes_, objects = ({"quantity": f"allocated_{each}"} for each in ("bytes", "objects"))

    assert _outcome(few, many, most_growth=72, **bytes_) == ("kept", 1048, 1120, None)
    assert _outcome(few, many, most_growth=71, **bytes_)[0] == "exceeded"
    assert _outcome(few, many, most=6, **objects) == ("kept", 3, 6, None)
    # What the VM allocates for a thread is of no method.
    fill = {"method": "app/*.fill", "most_growth_pct": 100}
    assert _outcome(few, many, **bytes_, **fill)[:3] == ("exceeded", 48, 120)
    assert _outcome(few, many, **objects, **fill)[:3] == ("exceeded", 2, 5)
    assert _outcome(few, many, method="*.other", most=0, **bytes_) == ("kept", 0, 0, None)
    # What only one of the runs allocates has grown from nothing.
    none = _write_allocating(tmp_path / "none.run", 0)
    assert _outcome(none, few, **bytes_, **fill)[:3] == ("exceeded", 0, 48)
    assert _outcome(few, none, **bytes_, **fill)[:3] == ("kept", 48, 0)


@pytest.mark.parametrize("method", [None, "app/*.fill", "*.other"])
@pytest.mark.parametrize("quantity", ["allocated_bytes", "allocated_objects"])
def test_allocations_that_were_not_recorded_are_unchecked(
    tmp_path: Path, quantity: str, method: str | None
) -> None:
    told = _write_allocating(tmp_path / "told.run", 2)
    untold = _write_allocating(tmp_path / "untold.run", 2, probes=[])
    budget = Budget("x", 1, quantity=quantity, method=method, most_growth=1e9)

    for a, b in ((told, untold), (untold, told), (untold, untold)):
        (row,) = _outcomes(a, b, budget)
        assert (row["status"], row["a"], row["b"]) == ("unchecked", None, None)
        assert "record again with --probes allocations" in row["reason"]


@pytest.mark.parametrize("growth", [None, 10.0])
@pytest.mark.parametrize("where", ["quantity", "metric"])
def test_a_limit_of_b_alone_needs_no_value_of_a(
    tmp_path: Path, where: str, growth: float | None
) -> None:
    """GIVEN a first run without the probe, so that growth is not known, and the rest is."""
    told = _write_allocating(tmp_path / "told.run", 2)
    untold = _write_allocating(tmp_path / "untold.run", 2, probes=[])
    about = {
        "quantity": {"quantity": "allocated_bytes"},
        "metric": {"metric": "allocations.run", "measure": "n_bytes"},
    }[where]
    budget = partial(Budget, "x", 1, **about, most_growth=growth)

    outcomes = {most: _outcomes(untold, told, budget(most=most))[0] for most in (10.0, 1e9)}
    assert outcomes[10.0]["status"] == "exceeded"
    assert outcomes[10.0]["limit"] == "at most 10"
    assert outcomes[1e9]["status"] == ("kept" if growth is None else "unchecked")


def test_growth_of_a_negative_value_is_in_percent_of_its_size() -> None:
    budget = Budget("x", 1, metric="m", measure="v", most_growth_pct=2.0)
    assert budget.exceeded(-10.0, -10.0) is None
    assert budget.exceeded(-10.0, -9.0) == "growth of at most 2 %"


def test_what_has_no_value_is_unchecked_with_the_reason(shapes: Path, more: Path) -> None:
    rows = _outcomes(
        shapes,
        more,
        Budget("nowhere", 1, quantity="calls", method="nowhere/*", most=5),
        Budget("none boxed", 2, quantity="boxed", method="nowhere/*", most_growth=0),
        Budget("misses", 3, metric="polymorphism.cache_misses", measure="n_calls", most=0),
        Budget(
            "some", 4, metric="polymorphism.cache_misses", measure="n_calls", where="a > 1", most=0
        ),
        Budget("typo", 5, quantity="calls", benchmark="nosuch*", most=0),
    )

    assert [(row["status"], row["a"], row["b"]) for row in rows] == [("unchecked", None, None)] * 5
    assert rows[0]["reason"] == "no method that matches nowhere/* was executed"
    assert rows[1]["reason"] == rows[0]["reason"]
    assert 'the table "call_order" was not recorded' in rows[2]["reason"]
    assert rows[3]["reason"] == rows[2]["reason"]
    assert rows[4]["reason"] == "no benchmark matches nosuch*"


def test_what_may_not_be_called_need_not_be_called(shapes: Path, more: Path) -> None:
    assert _outcome(shapes, more, quantity="calls", method="no/*", most=0) == ("kept", 0, 0, None)


def test_each_row_of_a_metric_keeps_the_budget_by_itself(shapes: Path, more: Path) -> None:
    sites = {"metric": "polymorphism.sites", "measure": "n_calls"}

    (exceeded,) = _outcomes(shapes, more, Budget("x", 1, most_growth=2, **sites))
    (kept,) = _outcomes(shapes, more, Budget("x", 1, most_growth=3, **sites))
    (of_one,) = _outcomes(shapes, more, Budget("x", 1, most_growth=2, where="a < 10", **sites))

    assert exceeded["row"] == (
        "method=app/Main.main([Ljava/lang/String;)V, call_site=app/Shape.area()D #1"
    )
    assert (exceeded["status"], exceeded["a"], exceeded["b"]) == ("exceeded", 10, 13)
    assert (kept["status"], kept["row"]) == ("kept", "3 rows")
    assert (of_one["status"], of_one["row"]) == ("kept", "2 rows")


_GOOD = """\
schema = 1

[[budget]]
quantity = "boxed"
method = "app/*"
max_growth = 0

[[budget]]
name = "sites"
metric = "polymorphism.targets"
measure = "n_call_sites"
where = "n_targets > 2"
max = 3
max_growth_pct = 1.5
benchmark = "nbody*"
"""


def test_a_file_has_budgets(tmp_path: Path) -> None:
    file = tmp_path / "budget.toml"
    file.write_text(_GOOD)

    assert read_budgets(file) == [
        Budget("boxed of app/*", 3, quantity="boxed", method="app/*", most_growth=0),
        Budget(
            "sites", 8, metric="polymorphism.targets", measure="n_call_sites",
            where="n_targets > 2", benchmark="nbody*", most=3, most_growth_pct=1.5,
        ),
    ]  # fmt: skip


def test_budgets_without_a_name_are_told_apart_by_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "budget.toml"
    budget = '[[budget]]\nquantity = "{}"\nmax = 1\n'
    file.write_text(f"schema = 1\n{''.join(map(budget.format, ('calls', 'boxed', 'calls')))}")

    names = [each.name for each in read_budgets(file)]

    assert names == ["calls (line 2)", "boxed", "calls (line 8)"]


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("schema = 1", "schema = 2", "1:10", "expected schema = 1"),
        ("schema = 1\n", "", "1:1", "expected schema = 1"),
        ("max_growth = 0", "max_growth = '0'", "6:14", "expected max_growth to be a number"),
        ("max_growth = 0", "max_growth = nan", "6:14", "expected max_growth to be a number"),
        ("max_growth = 0", "growth = 0", "6:1", "there is no key 'growth'"),
        ("max_growth = 0\n", "", "3:3", "expected a limit: max, max_growth, max_growth_pct"),
        ('"boxed"', '"boxes"', "4:12", "there is no quantity 'boxes'"),
        ('"boxed"', '"allocated_byte"', "4:12", "no quantity 'allocated_byte'"),
        ('"boxed"', "3", "4:12", "expected quantity to be a string"),
        ('quantity = "boxed"', "", "3:3", "expected either a quantity or a metric"),
        ("polymorphism.targets", "polymorphism.target", "10:10", "there is no metric"),
        ("n_call_sites", "n_sites", "11:11", "there is no measure 'n_sites'"),
        ('measure = "n_call_sites"', "", "10:1", "expected its measure, too"),
        ("n_targets > 2", "n_targets >", "12:9", "the condition is not complete"),
        ("n_targets > 2", "n_target > 2", "12:9", 'there is no column "n_target"'),
        ('benchmark = "nbody*"', 'method = "x"', "15:1", "are not about methods"),
        ("[[budget]]\nname", "[budget]\nname", "8:", "no TOML"),
        ("max = 3", "max = ", "13:", "no TOML"),
        (
            "[[budget]]\nquantity",
            "[[budget]]\nname = 'sites'\nquantity",
            "10:8",
            "the budget in line 3 has this name, too",
        ),
        (_GOOD, "schema = 1\n", "1:1", "expected at least one table [[budget]]"),
        (_GOOD, "schema = 1\nbudget = []\n", "2:", "expected at least one table [[budget]]"),
    ],
)
def test_a_mistake_in_a_file_has_its_place(
    tmp_path: Path, old: str, new: str, where: str, message: str
) -> None:
    file = tmp_path / "budget.toml"
    assert old in _GOOD
    file.write_text(_GOOD.replace(old, new, 1))

    with pytest.raises(SuiteError) as caught:
        read_budgets(file)

    told = str(caught.value).splitlines()
    assert [line for line in told if line.startswith(f"{file}:{where}") and message in line], told


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "budget.toml"
    file.write_text("[[budget]]\nquantity = 'bytecode'\nmx = 3\n")

    with pytest.raises(SuiteError) as caught:
        read_budgets(file)

    assert 'did you mean "bytecodes"?' in str(caught.value)
    assert 'did you mean "max"?' in str(caught.value)
    assert str(caught.value).count(": error: ") == 4


def test_stars_stand_for_any_text() -> None:
    """As regular expressions say, for all short patterns and names."""
    names = ["".join(name) for n in range(5) for name in itertools.product("ab", repeat=n)]
    for n in range(5):
        for pattern in map("".join, itertools.product("ab*", repeat=n)):
            expected = re.compile(pattern.replace("*", ".*"))
            for name in names:
                assert _matches(name, pattern) == bool(expected.fullmatch(name)), (name, pattern)
