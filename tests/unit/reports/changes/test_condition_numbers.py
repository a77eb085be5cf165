"""Comparisons of values and their differences that cannot hold together, against brute force."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jvmscope
from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_limits import contradiction
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.matched_values import match
from jvmscope.reports.changes.names_of_keys import KeyColumn, key_columns
from jvmscope.reports.changes.vocabulary import check_reach

if TYPE_CHECKING:
    from collections.abc import Sequence

_CALLS = "metric = 'time.methods' AND measure = 'n_calls'"
_POSITIVE = (0.1, 0.3, 0.5, 1.0, 1 / 3, 0.137, 1.5, 2.0, 3.0, 4.5, 5.0, 6.0, 7.5, 10.0, 12.0)
_POSITIVE += (15.0, 95.0, 100.0, 105.0, 150.0, 1e4, 123456.789, 2.0**53 + 2, 2.0**53 + 8)
_NEVER_NEGATIVE = (None, 0.0, *_POSITIVE)
_ALL = (*_NEVER_NEGATIVE, *(-number for number in _POSITIVE))
_CONSTANTS = ("-150", "-100", "-5", "-0.5", "0", "0.1", "1", "5", "1e1", "50", "100")
_TERMS = (
    "a",
    "b",
    "delta",
    "delta_pct",
    "b - a",
    "a - b",
    "a + b",
    "2 * a",
    "b / 4",
    "-a",
    "a * 1.5 + 5",
    "delta + 1",
    "1 + delta - 0.5",
    "b - a - 1",
    "round(a)",
)
_OPERATORS = (">", ">=", "<", "<=", "=", "<>")
_TRUTHS = (
    "(({}) = true)", "(({}) = false)", "(true <> ({}))", "(false <> ({}))", "(({}) IS TRUE)",
    "(({}) IS FALSE)", "(({}) IS NOT TRUE)", "(({}) IS NOT FALSE)", "(({}) IS NOT NULL)",
)  # fmt: skip
"""What SQL says about the truth of a condition."""


def _changes(numbers: tuple[float | None, ...]) -> pa.Table:
    """Returns the changes from each number to each."""
    query = catalogue()["execution.methods"]
    pairs = list(itertools.product(numbers, repeat=2))
    sides = []
    for at in (0, 1):
        rows = [
            {
                "metric": query.id,
                "measure": "n_executions",
                "class": f"app/C{number}",
                "value": pair[at],
                "unit": "execution",
                "reason": None if pair[at] is not None else "gone",
                "reason_code": None if pair[at] is not None else "not-recorded",
                "position": number,
            }
            for number, pair in enumerate(pairs)
        ]
        types = {"value": pa.float64(), "position": pa.int64()}
        schema = pa.schema([(name, types.get(name, pa.string())) for name in rows[0]])
        sides.append(pa.Table.from_pylist(rows, schema=schema))
    return match(sides[0], sides[1], [KeyColumn("class", "VARCHAR")], [query], None)


_ROWS = {True: _changes(_ALL), False: _changes(_NEVER_NEGATIVE)}
"""Rows of values that may be negative, and of those that may not."""

_comparisons = st.one_of(
    st.tuples(
        st.sampled_from(_TERMS), st.sampled_from(_OPERATORS), st.sampled_from(_CONSTANTS + _TERMS)
    ).map(" ".join),
    st.tuples(
        st.sampled_from(_TERMS), st.sampled_from(_CONSTANTS), st.sampled_from(_CONSTANTS)
    ).map(lambda parts: "{} BETWEEN {} AND {}".format(*parts)),
    st.sampled_from(("a IS NULL", "b IS NOT NULL", "reason IS NULL", "abs(delta) > 5")),
)
_conditions = st.recursive(
    _comparisons,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda some: f"({' AND '.join(some)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: f"({' OR '.join(some)})"),
        inner.map(lambda one: f"NOT ({one})"),
        st.tuples(st.sampled_from(_TRUTHS), inner).map(lambda both: both[0].format(both[1])),
    ),
    max_leaves=6,
)


def _is_refused(condition: str, *, may_be_negative: bool) -> bool:
    found = contradiction(parsed_condition(condition), may_be_negative=may_be_negative)
    return found is not None


def _are_held(conditions: Sequence[str], rows: pa.Table) -> Sequence[bool]:
    """Tells for each condition whether it holds for some row."""
    held = ", ".join(f"COALESCE(BOOL_OR({condition}), FALSE)" for condition in conditions)
    (holds,) = duckdb.from_arrow(rows).aggregate(held).fetchall()
    return holds


@pytest.mark.parametrize("may_be_negative", [True, False])
@settings(max_examples=40, deadline=None)
@given(conditions=st.lists(_conditions, min_size=40, max_size=40))
def test_what_is_refused_holds_for_no_row(may_be_negative: bool, conditions: list[str]) -> None:
    """Whatever DuckDB says holds for a row, with all its rounding, is no contradiction."""
    refused = [
        condition
        for condition in conditions
        if _is_refused(condition, may_be_negative=may_be_negative)
    ]
    if refused:
        any_of_them = " OR ".join(f"({condition})" for condition in refused)
        assert not evaluate(any_of_them, _ROWS[may_be_negative]).rows.num_rows


_PLAIN = [
    f"{term} {operator} {constant}"
    for term in ("a", "b", "delta", "delta_pct")
    for operator, constants in ((">", (-100, 0, 5)), ("<", (-100, 0, 5)), ("=", (0,)), ("<>", (0,)))
    for constant in constants
    if term == "delta_pct" or constant != -100
]
_PLAIN += [f"a {operator} b" for operator in (">", ">=", "<", "<=", "=", "<>")]
_PLAIN += [f"-{term} {operator} 0" for term in ("a", "delta", "delta_pct") for operator in "<>"]


@pytest.mark.parametrize("may_be_negative", [True, False])
def test_what_holds_for_no_row_is_refused(may_be_negative: bool) -> None:
    """Of two comparisons, both of which are looked at."""
    accepted = [
        condition
        for condition in (*_PLAIN, *map(" AND ".join, itertools.combinations(_PLAIN, 2)))
        if not _is_refused(condition, may_be_negative=may_be_negative)
        and "delta_pct > -100" not in condition  # rounding may meet it, however much was lost
    ]
    holds = _are_held(accepted, _ROWS[may_be_negative])
    assert [
        condition for condition, is_met in zip(accepted, holds, strict=True) if not is_met
    ] == []


def test_signs_of_columns_and_of_their_difference_are_kept() -> None:
    """Whatever two comparisons of signed columns ask: what is refused holds for no row."""
    terms = ("a", "b", "-a", "-b", "delta", "-delta", "a - b", "-(a - b)", "-delta_pct")
    comparisons = [
        f"{left} {operator} {right}"
        for left, operator, right in itertools.product(terms, "><", (*terms, "0", "-5"))
        if left != right
    ]
    refused = [
        condition
        for condition in [*map(" AND ".join, itertools.combinations(comparisons, 2))][::4]
        if _is_refused(condition, may_be_negative=True)
    ]
    assert len(refused) > 300
    for first in range(0, len(refused), 500):
        some = refused[first : first + 500]
        holds = _are_held(some, _ROWS[True])
        assert [condition for condition, is_met in zip(some, holds, strict=True) if is_met] == []


@pytest.mark.parametrize("truth", _TRUTHS)
@pytest.mark.parametrize("form", ["{}", "NOT {}", "NOT NOT {}", "({} OR a < -200)"])
def test_what_is_said_of_its_truth_is_looked_at(truth: str, form: str) -> None:
    """Of each comparison and what it is said to be, each together with another.

    It is not looked at whether a comparison is null, as it may be if it IS NOT TRUE.
    """
    is_looked_at = "IS" not in truth or ("IS NOT" in truth) == (form == "NOT {}")
    conditions = [
        f"{form.format(truth.format(part))} AND {other} AND a >= 0 AND b IS NOT NULL"
        for part, other in itertools.product(("delta > 5", "a = b", "b <= 3"), _PLAIN)
    ]
    for condition, is_held in zip(conditions, _are_held(conditions, _ROWS[False]), strict=True):
        is_refused = _is_refused(condition, may_be_negative=False)
        is_odd = "NULL" in truth or "delta_pct > -100" in condition
        assert is_refused != is_held or not (is_refused or is_looked_at) or is_odd, condition


_SELVES = ("{}", "{} + 1", "{} - 1", "0.5 + {}", "{} + 1 + 1", "{} + -1", "{} - -1", "1 - {}")
_COMPARED = (
    "{} > {}", "{} < {}", "{} <> {}", "{} IS DISTINCT FROM {}", "NOT {} = {}", "NOT {} <= {}",
    "NOT {} >= {}", "{} NOT IN (-7.25, {})", "NOT {} BETWEEN {} AND {}",
)  # fmt: skip


@pytest.mark.parametrize("term", ["a", "delta", "b - a", "round(b)", "2 * a + b"])
def test_what_an_expression_never_is_to_itself_is_refused(term: str) -> None:
    """What holds for no row is refused, whatever is rounded, and nothing that holds for one."""
    terms = [each.format(f"({term})") for each in _SELVES]
    conditions = [
        compared.format(*sides, sides[1])
        for compared, sides in itertools.product(_COMPARED, itertools.product(terms, repeat=2))
    ]
    may_hold = [not _is_refused(condition, may_be_negative=True) for condition in conditions]

    holds = _are_held(conditions, _ROWS[True])
    assert [*zip(conditions, may_hold, strict=True)] == [*zip(conditions, holds, strict=True)]


@pytest.mark.parametrize(
    "condition",
    ["measure <> measure", "upper(class) > upper(class)", "NOT metric IN ('x', metric)"],
)
def test_a_text_that_must_differ_from_itself_is_refused(condition: str) -> None:
    with pytest.raises(QueryError, match="is a contradiction"):
        check_reach(condition, ["time.methods"])


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("delta <> delta", "what it asks of delta is a contradiction"),
        ("delta > delta + 1", "what it asks of delta is a contradiction"),
        ("delta = 3 AND delta <> 3", "what it asks of delta is a contradiction"),
        ("delta <> 0 AND a = b", "delta is b - a"),
        ("delta_pct < -100", "a and b are never negative"),
        ("a < 0", "a and b are never negative"),
        ("a + b < 0", "a and b are never negative"),
        ("b BETWEEN -5 AND -1", "a and b are never negative"),
        ("delta > 0 AND b < a", "delta is b - a"),
        ("delta_pct > 3 AND NOT b > a", "delta is b - a"),
        ("b > 2 * a AND a > 1 AND delta_pct < 50", "what it asks of a and b and delta_pct"),
        ("b - a > 9 AND delta < 3", "what it asks of delta is a contradiction"),
        ("delta > 9 AND b < 5", "a and b are never negative"),
        ("delta < 0 AND (b > a OR a < 0)", "delta is b - a"),
        ("b > b", "what it asks of b is a contradiction"),
        ("delta_pct < delta_pct", "what it asks of delta_pct is a contradiction"),
        ("delta > b - a", "what it asks of a and b and delta is a contradiction"),
    ],
)
def test_what_no_count_can_be_is_refused(condition: str, why: str) -> None:
    with pytest.raises(QueryError) as caught:
        check_reach(f"{_CALLS} AND {condition}", ["time.methods"])

    assert caught.value.message.startswith(f"no value can meet this condition: {why}")


@pytest.mark.parametrize(
    "condition",
    [
        "metric = 'time.estimated_calls' AND measure = 'estimated_low_ns' AND a < 0",
        "metric IN ('time.estimated_calls', 'time.methods') AND delta_pct < -100",
        f"{_CALLS} AND delta_pct <= -100",
        f"{_CALLS} AND delta < 0 AND b > COALESCE(a, 0) - 5",
        f"{_CALLS} AND b >= 1.5 * a AND delta_pct >= 50",
        f"{_CALLS} AND round(a) < 0",
        f"{_CALLS} AND b >= b",
        f"{_CALLS} AND a IS NULL AND b > 9",
    ],
)
def test_what_may_hold_is_not_refused(condition: str) -> None:
    check_reach(condition, ["time.estimated_calls", "time.methods"])


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (f"{_CALLS} AND a < 0", "no value can meet this part: a and b are never negative"),
        ("metric = 'time.methods' AND measure = 'n_targets'", "no value can meet this part"),
        ("metric = 'time.methods' AND n_targets > 1", "time.methods has no column n_targets"),
        ("delta > 5 AND delta < 3", "no value can meet this part: what it asks of delta"),
    ],
)
@pytest.mark.parametrize("form", ["{} OR b > 5", "b > 5 OR (delta > 9 OR ({}))"])
def test_each_part_that_or_joins_must_be_able_to_hold(form: str, part: str, message: str) -> None:
    condition = form.format(part)
    with pytest.raises(QueryError, match=message) as caught:
        check_reach(condition, ["time.methods"])

    assert condition[(caught.value.column or 0) - 1 :].lstrip("(").startswith(part[:5])


_COUNTS = sorted({key.name for key in key_columns(catalogue().values()) if key.type == "BIGINT"})


@pytest.mark.parametrize("form", ["{} < 0", "{} = -1", "{} = 1.5", "{} > 2 AND {} < 3"])
@pytest.mark.parametrize("column", _COUNTS)
def test_what_no_key_that_counts_can_be_is_refused(column: str, form: str) -> None:
    with pytest.raises(QueryError, match=f"{column} is a whole number, and never negative"):
        check_reach(form.replace("{}", f'"{column}"'), catalogue())


@pytest.mark.parametrize(
    "form", ["{} >= 0", "{} = 1", "{} > 2 AND {} <= 3", "{} < 1", "{} IS NULL"]
)
@pytest.mark.parametrize("column", _COUNTS)
def test_what_a_key_that_counts_may_be_is_not_refused(column: str, form: str) -> None:
    assert not _is_refused(form.replace("{}", f'"{column}"'), may_be_negative=True)


_QUOTED = (
    "{} > '5'", "'NaN' < {}", "{} IN (1, '2')", "{} BETWEEN '1e400' AND 3", "{} + '3' > 1",
    "-{} = '7'", "NOT {} = 'inf'", "{} > 'NaN'::DOUBLE", "{} IS DISTINCT FROM '3'",
)  # fmt: skip


@pytest.mark.parametrize("form", _QUOTED)
@pytest.mark.parametrize("column", ["a", "b", "delta", "delta_pct", "percentile", *_COUNTS])
def test_numbers_in_quotes_are_refused(column: str, form: str) -> None:
    condition = form.format(f'"{column}"')
    with pytest.raises(QueryError, match=f"{column} is a number, and .* is a text") as caught:
        check_reach(condition, catalogue())

    assert condition[(caught.value.column or 0) - 1] in "':"


def test_texts_may_be_in_quotes_beside_numbers() -> None:
    condition = "concat(delta, 'x') = '5x' AND method = '5' AND length(method) > 3 AND b > 2"
    check_reach(condition, ["execution.methods"])


def test_what_falls_to_0_has_lost_100_percent_exactly() -> None:
    rows = _ROWS[True].to_pylist()

    fallen = [row["delta_pct"] for row in rows if row["b"] == 0 and row["a"] and row["a"] > 0]
    assert fallen == [-100] * len(_POSITIVE)
    assert {row["delta_pct"] for row in rows if row["a"] == 0} == {None}


def test_no_measured_value_is_negative(shapes: str) -> None:
    """Of all metrics that a recorded run can be asked for."""
    values = jvmscope.compare(shapes, shapes).arrow().to_pylist()

    assert len(values) > 100
    assert not [row for row in values if (row["a"] or 0) < 0]
    keys = [row.get(name) for row in values for name in _COUNTS]
    assert not [key for key in keys if key is not None and key < 0]
