"""Conditions that no row can meet are refused, with the nearest name and its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmscope
from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.queries import Engine
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.measuring import why_not_comparable
from jvmscope.reports.changes.names_of_keys import names_in
from jvmscope.reports.changes.vocabulary import (
    DEFINED,
    check_names,
    check_reach,
    concerned,
    named_columns,
)

if TYPE_CHECKING:
    from pathlib import Path

_EVERY = tuple(catalogue())
_RIGHT = {
    "metric": "execution.totals",
    "measure": "n_bytecodes",
    "unit": "bytecode",
    "better": "lower",
}
_FORMS = (
    "{column} = '{name}' AND delta > 0",
    "'{name}' = {column} AND delta > 0",
    "{column} IN ('{right}', '{name}') AND delta > 0",
    "delta > 0 OR {column} = '{name}'",
    "delta > 0 AND NOT ({column} = '{name}')",
    "{column} <> '{name}' AND b > 1",
    "(b > 1 AND ({column} IS NOT DISTINCT FROM '{name}'))",
    "CASE WHEN {column} = '{name}' THEN b > 1 ELSE b > 2 END",
)
_PATTERNS = (
    "{column} LIKE '{name}%' AND delta > 0",
    "b > 1 OR starts_with({column}, '{name}')",
    "{column} GLOB '{name}*' AND b > 1",
    "regexp_matches({column}, '^{name}$') AND b > 1",
    "upper({column}) = '{name}' AND b > 1",
)


def _check(condition: str, metrics: tuple[str, ...] = _EVERY) -> None:
    parse_condition(condition)
    check_reach(condition, metrics)


def _misspelt(name: str) -> str:
    """Returns a name with its last letter doubled, which no definition has."""
    return f"{name}{name[-1]}"


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("column", DEFINED)
def test_a_misspelt_name_is_refused_with_the_nearest(column: str, form: str) -> None:
    right = _RIGHT[column]
    wrong = form.format(column=column, name=_misspelt(right), right=right)

    _check(form.format(column=column, name=right, right=right))
    with pytest.raises(QueryError, match=f"there is no {column} '{_misspelt(right)}'") as caught:
        _check(wrong)

    assert caught.value.hint == f'did you mean "{right}"?'
    assert wrong[(caught.value.column or 0) - 1 :].startswith(f"'{_misspelt(right)}'")


_METHODS = tuple(
    f"{package}{name}.{method}"
    for package in ("", "shop/", "shop/text/")
    for name in ("Words", "Words$Count")
    for method in ("<clinit>()V", "<init>()V", "main([Ljava/lang/String;)V", "add(I)V", "add2(J)V")
)


@pytest.mark.parametrize("method", _METHODS)
def test_a_method_that_is_written_otherwise_is_the_one_that_is_meant(method: str) -> None:
    names = {"method": _METHODS}
    for wrong in {method.replace("/", "."), method.partition("(")[0]}:
        for written in {wrong, wrong.partition("(")[0], wrong.replace("/", ".")} - {method}:
            with pytest.raises(QueryError) as caught:
                check_names(f"method = '{written}' AND delta > 0", names)
            assert caught.value.hint == f'did you mean "{method}"?'


@pytest.mark.parametrize(
    ("form", "column"), list(zip(_PATTERNS, (*DEFINED, "metric"), strict=True))
)
def test_a_pattern_that_matches_no_definition_is_refused(form: str, column: str) -> None:
    said = "there is no such metric" if column == "metric" else f"no metric has such a {column}"
    with pytest.raises(QueryError, match=said):
        _check(form.format(column=column, name=_misspelt(_RIGHT[column])))


@pytest.mark.parametrize(
    "form",
    [
        "{column} = '{code}'",
        "'{code}' = {column} AND metric = 'execution.totals'",
        "{column} IN ('no-such-row', '{code}')",
        "delta > 0 OR {column} = '{code}'",
        "{column} <> '{code}'",
        "NOT ({column} = '{code}')",
    ],
)
@pytest.mark.parametrize("column", ["reason_code_a", "reason_code_b"])
def test_a_code_of_reasons_that_does_not_exist_is_refused(column: str, form: str) -> None:
    wrong = form.format(column=column, code="no-runn")
    for code in ReasonCode:
        _check(form.format(column=column, code=code))

    with pytest.raises(QueryError, match=f"there is no {column} 'no-runn'") as caught:
        _check(wrong)

    assert caught.value.hint == 'did you mean "no-run"?'
    assert wrong[(caught.value.column or 0) - 1 :].startswith("'no-runn'")


@pytest.mark.parametrize("form", _PATTERNS)
@pytest.mark.parametrize("column", ["reason_code_a", "reason_code_b"])
def test_a_pattern_that_matches_no_code_of_reasons_is_refused(column: str, form: str) -> None:
    form = form.removesuffix(" AND delta > 0").removesuffix(" AND b > 1")
    with pytest.raises(QueryError, match=f"there is no such {column}") as caught:
        _check(form.format(column=column, name="no-runn"))
    assert "known: not-recorded, " in (caught.value.hint or "")


@pytest.mark.parametrize("id_", _EVERY)
def test_each_measure_of_each_metric_can_be_named(id_: str) -> None:
    query = catalogue()[id_]
    measures = ", ".join(f"'{measure.name}'" for measure in query.measures)
    condition = f"metric = '{id_}' AND measure IN ({measures}) AND b > 1"
    refused = why_not_comparable(query)

    if refused is None:
        _check(condition, (id_,))
    else:
        with pytest.raises(QueryError) as caught:
            _check(condition, (id_,))
        assert caught.value.hint == f"{id_} is not compared: {refused}"


@pytest.mark.parametrize("id_", _EVERY[::6])
def test_no_other_measure_of_a_metric_can_be_named(id_: str) -> None:
    own = {measure.name for measure in catalogue()[id_].measures}
    foreign = next(name for name in ("n_bytecodes", "n_targets", "n_calls") if name not in own)

    with pytest.raises(QueryError, match="no value can meet this condition") as caught:
        _check(f"metric = '{id_}' AND measure = '{foreign}'", (id_,))
    assert f"{id_} has the measures" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "condition",
    [
        "metric = 'execution.totals' AND metric = 'boxing.methods'",
        "unit = 'bytecode' AND measure = 'n_call_sites'",
        "better = 'lower' AND metric = 'execution.totals' AND b > 1",
        "NOT (measure = 'n_bytecodes' OR measure <> 'n_bytecodes') AND b > 1",
    ],
)
def test_names_that_exist_but_not_together_are_refused(condition: str) -> None:
    with pytest.raises(QueryError, match="no value can meet this condition"):
        _check(condition)


@pytest.mark.parametrize("condition", ["FALSE", "NULL", "1 > 2"])
def test_a_condition_without_a_column_is_refused(condition: str) -> None:
    with pytest.raises(QueryError, match="a condition is about columns, and this names none"):
        _check(condition)


def test_a_measure_that_is_not_compared_is_refused() -> None:
    with pytest.raises(QueryError, match="no value can meet") as caught:
        _check("measure = 'n_targets' AND b > 2", ("execution.totals",))

    assert str(caught.value.hint).startswith("metrics that it could be about are not compared: -m ")


@pytest.mark.parametrize(
    "condition",
    [
        "delta_pct > 3",
        "b > COALESCE(a, 0)",
        "a IS NULL AND b IS NOT NULL",
        "metric LIKE 'boxing.%' AND b > 1",
        "measure NOT IN ('n_bytecodes') AND delta > 0",
        "CASE WHEN a = 0 THEN b > 5 ELSE delta_pct > 3 END",
        "metric = 'polymorphism.sites' AND measure = 'n_targets' AND b > 2 AND COALESCE(a, 1) <= 2",
        "benchmark IS NOT NULL AND b IS NULL AND a IS NOT NULL",
        "method LIKE 'shop/%' AND (unit = 'call' OR delta > 1)",
        "reason LIKE '%not recorded%'",
    ],
)
def test_what_a_row_may_meet_is_accepted(condition: str) -> None:
    _check(condition)


@pytest.fixture(scope="module")
def names(shapes: Path) -> dict[str, list[str]]:
    """What the run `shapes` has."""
    with Engine(shapes) as engine:
        found = {column: names_in(engine, column) for column in ("class", "method", "call_site")}
        found["thread"] = names_in(engine, "thread")
    others = {"population": ["all", "recursive"], "opcode": ["invokestatic", "invokevirtual"]}
    return {**found, **others, "benchmark": ["nbody small"]}


_NAMED = {
    "class": "app/Circle",
    "method": "app/Circle.area()D",
    "call_site": "app/Shape.area()D #1",
    "thread": "worker #1",
    "benchmark": "nbody small",
    "population": "recursive",
    "opcode": "invokevirtual",
}


@pytest.mark.parametrize("column", _NAMED)
@pytest.mark.parametrize(
    ("form", "is_literal"),
    [
        ("{column} = '{name}' AND b > 1", True),
        ("b > 1 OR {column} IN ('{right}', '{name}')", True),
        ("{column} LIKE '{name}%' AND b > 1", False),
        ("starts_with({column}, '{name}') AND b > 1", False),
        ("{column} GLOB '{name}*' AND b > 1", False),
    ],
)
def test_a_name_that_neither_side_has_is_refused(
    names: dict[str, list[str]], column: str, form: str, is_literal: bool
) -> None:
    right = _NAMED[column]
    wrong = _misspelt(right)

    check_names(form.format(column=column, name=right, right=right), names)
    with pytest.raises(QueryError, match=r"neither side has (such )?an? ") as caught:
        check_names(form.format(column=column, name=wrong, right=right), names)

    article = "an" if column == "opcode" else "a"
    such = "" if is_literal else "such "
    assert f"neither side has {such}{article} {column.replace('_', ' ')}" in str(caught.value)
    assert caught.value.hint == f'did you mean "{right}"?'


@pytest.mark.parametrize("column", _NAMED)
@pytest.mark.parametrize(
    ("form", "is_met"),
    [
        ("{column} = '{name}' AND {column} <> '{name}' AND b > 1", False),
        ("{column} = '{name}' AND {column} LIKE '{end}%' AND b > 1", True),
        ("{column} LIKE '{end}%' AND {column} NOT LIKE '{end}%' AND b > 1", False),
        ("{column} IN ('{name}') AND {column} NOT IN ('{name}', 'other') AND b > 1", False),
        ("({column} <> '{name}' AND b > 1) AND {column} = '{name}'", False),
        ("({column} <> '{name}' OR b > 1) AND {column} = '{name}'", True),
        ("starts_with({column}, '{end}') AND NOT {column} GLOB '{end}*' AND b > 1", False),
        ("{column} >= '{name}' AND {column} < '{name}' AND b > 1", False),
        ("{column} >= '{name}' AND {column} <= '{name}' AND b > 1", True),
        ("b > 9 OR ({column} = '{name}' AND {column} IS DISTINCT FROM '{name}')", False),
        ("NOT ({column} NOT LIKE '{end}%' OR NOT {column} = 'other' OR b > 1)", False),
    ],
)
def test_parts_that_no_name_meets_together_are_refused(
    names: dict[str, list[str]], column: str, form: str, is_met: bool
) -> None:
    name = _NAMED[column]
    condition = form.format(column=column, name=name, end=name[:3])
    several = {**names, "benchmark": ["nbody small", "towers"]}

    if is_met:
        check_names(condition, several)
        return
    with pytest.raises(QueryError, match=r"neither side has (such )?an? ") as caught:
        check_names(condition, several)
    assert caught.value.column is not None


def test_parts_that_no_name_meets_together_are_told_so(names: dict[str, list[str]]) -> None:
    with pytest.raises(QueryError) as caught:
        check_names("b > 9 OR method LIKE 'app/C%' AND method NOT LIKE 'app/%'", names)

    assert "neither side has a method that meets all of this" in str(caught.value)
    assert caught.value.column == len("b > 9 OR ") + 1


@pytest.mark.parametrize(
    "condition",
    [
        "benchmark = 'nbody small' AND b > 1",
        "b > 1 OR benchmark IN ('nbody small')",
        "benchmark <> 'nbody small' AND b > 1",
        "benchmark LIKE 'nbody%' AND b > 1",
        "benchmark IS NOT NULL AND b IS NULL AND a IS NOT NULL",
    ],
)
def test_two_runs_have_no_benchmark(names: dict[str, list[str]], condition: str) -> None:
    check_names(condition, {**names, "benchmark": ["nbody small", "towers"]})
    check_names("benchmark IS NULL AND b > 1", {**names, "benchmark": []})
    with pytest.raises(QueryError, match=r"neither side has (such )?a benchmark") as caught:
        check_names(condition, {**names, "benchmark": []})

    assert caught.value.hint == "only suites have benchmarks, and two runs are compared"


@pytest.mark.parametrize(
    "condition",
    [
        "method NOT LIKE 'nowhere/%' AND b > 1",
        "NOT (method = 'nowhere/A.f()V') AND b > 1",
        "method IS NULL AND b > 1",
        "method LIKE 'app/%' AND b > 1",
        "method || class = 'x' OR b > 1",
    ],
)
def test_what_is_left_out_need_not_exist(names: dict[str, list[str]], condition: str) -> None:
    check_names(condition, names)


def test_the_columns_that_a_condition_names_by_themselves() -> None:
    condition = "method LIKE 'x%' AND (b > 1 OR NOT \"Thread\" = 'main #1') AND a + b > 2"

    assert named_columns(condition) == {"method", "b", "thread"}


def test_the_rows_that_a_condition_is_about(shapes: Path) -> None:
    changes = jvmscope.compare(shapes, shapes, "execution.*").arrow()
    condition = "metric = 'execution.methods' AND (method LIKE 'app/C%' AND delta > 5)"

    is_meant = concerned(condition, changes)
    rows = [row for row, meant in zip(changes.to_pylist(), is_meant, strict=True) if meant]
    assert {row["method"] for row in rows} == {"app/Circle.area()D"}
    assert len(rows) == len(catalogue()["execution.methods"].measures)
