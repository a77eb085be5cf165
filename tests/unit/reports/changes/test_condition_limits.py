"""A condition that contradicts itself is refused; one that a value can meet is not."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_limits import contradiction
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.matched_values import match
from jvmscope.reports.changes.names_of_keys import KeyColumn
from jvmscope.reports.changes.vocabulary import check_reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARTS = (
    "delta > 5", "delta < 3", "3 > delta", "delta >= 3", "delta <= 3", "delta = 4", "4 < delta",
    "delta BETWEEN 3 AND 4", "NOT delta > 5", "NOT (delta > 5 OR delta < 3)", "delta IS NULL",
    "delta IS NOT NULL", "(delta < 3 OR delta = 4)", "delta <> 4", "delta BETWEEN 4 AND 3.5",
    "a > -1.5", "NOT (a <= 1e1 AND delta > 5)",
)  # fmt: skip
_PLAIN = (
    "a IS NULL", "b IS NULL", "delta IS NULL", "delta > 0", "delta = 0", "delta < -1", "a = 0",
    "0 = b", "a > 4", "b BETWEEN 1 AND 3", "delta < 30", "delta_pct > 3", "delta_pct <= 0",
    "NOT delta_pct >= 0", "delta_pct IS NOT NULL", "reason IS NOT NULL", "reason <> 'gone'",
    "reason LIKE '%o%'",
    "reason_code_a IS NOT NULL", "upper(reason_code_b) LIKE '%R%'",
)  # fmt: skip
"""Parts about the columns of values that are looked at, each with an example among the rows."""
_FREE = (
    "round(delta) <> 1", "abs(delta) IN (1, 2, 4)", "COALESCE(a, 0) < 1", "b > COALESCE(a, 0)",
    "concat(reason, 'x') = 'x'", "a IS DISTINCT FROM b", "(reason = 'gone') = false",
    "(a IS NULL OR delta > 0)", "greatest(a, b) > 4", "NOT (reason LIKE 'A%' OR delta > 0)",
    "CAST(b AS INTEGER) > 2", "nullif(delta, 1) > 0", "reason NOT IN ('gone')",
    "reason = 'gone'", "reason IN ('gone', 'no delta_pct: a is 0')", "reason = 'A: no such row'",
    "reason_code_a = 'no-such-row'", "reason_code_b NOT LIKE '%such%'",
    "CASE WHEN a IS NULL THEN b > 2 ELSE delta > 1 END",
)  # fmt: skip
"""Parts that may say more than is looked at, and must not be read as less than they say."""
_TEXTS = (
    "class = 'app/C3'", "class <> 'app/C3'", "'app/C7' = class", "NOT class = 'app/C3'",
    "class IN ('app/C3', 'app/C7')", "class NOT IN ('app/C3', 'app/C7')", "NOT class <> 'app/C7'",
    "NOT class IN ('app/C7', 'app/C8')", "NOT class NOT IN ('app/C3')", "class IS NOT NULL",
    "(class = 'app/C3' OR class = 'app/C8')", "class IN ('app/C7')", "(class <> 'app/C3')",
)  # fmt: skip
"""Comparisons of a column with texts, in each of their forms, plain and under NOT."""

_NUMBERS = (None, -20.0, -3.0, 0.0, 0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 9.0, 20.0)
_REASONS = ("gone", "the table is not there")


def _side(name: str, values: Iterable[tuple[int, float | None]], reason: str) -> pa.Table:
    """Returns the values of a run, each about a class of its own."""
    rows = [
        {
            "metric": name,
            "measure": "n_calls",
            "class": f"app/C{number}",
            "value": value,
            "unit": "call",
            "reason": reason if value is None else None,
            "reason_code": "not-recorded" if value is None else None,
            "position": number,
        }
        for number, value in values
    ]
    types = {"value": pa.float64(), "position": pa.int64()}
    fields = [(name, types.get(name, pa.string())) for name in rows[0]]
    return pa.Table.from_pylist(rows, schema=pa.schema(fields))


def _changes() -> pa.Table:
    """Returns what becomes of numbers on both sides of every limit, on it, null and missing."""
    query = next(query for query in catalogue().values() if query.keys)
    pairs = list(enumerate(itertools.product((*_NUMBERS, "missing"), repeat=2)))
    found = []
    for reasons in (_REASONS, (_REASONS[0], _REASONS[0])):
        sides = [
            _side(query.id, [(n, pair[at]) for n, pair in pairs if pair[at] != "missing"], reason)
            for at, reason in enumerate(reasons)
        ]
        found.append(match(*sides, [KeyColumn("class", "VARCHAR")], [query], None))
    return pa.concat_tables(found)


_ROWS = _changes()


def _of_one_column() -> list[str]:
    pairs = [" AND ".join(pair) for pair in itertools.combinations(_PARTS, 2)]
    return [*_PARTS, *pairs, *(f"({pair}) OR {_PARTS[0]} AND {_PARTS[1]}" for pair in pairs[::7])]


def _joined(parts: Sequence[str], n: int) -> list[str]:
    return [" AND ".join(some) for some in itertools.combinations(parts, n)]


def _is_refused(condition: str) -> bool:
    return contradiction(parsed_condition(condition)) is not None


@pytest.mark.parametrize(
    ("conditions", "n_least"),
    [
        (_of_one_column(), 30),
        (_joined((*_PLAIN, *_FREE), 2), 60),
        (_joined((*_PLAIN, *_FREE), 3)[::11], 200),
    ],
)
def test_what_is_a_contradiction_holds_for_no_value(conditions: list[str], n_least: int) -> None:
    """DuckDB says of every row what it is; whatever holds for one row is no contradiction."""
    refused = list(filter(_is_refused, conditions))
    for condition in refused:
        assert not evaluate(condition, _ROWS).rows.num_rows, condition
    assert len(refused) >= n_least


@pytest.mark.parametrize("n", [2, 3])
def test_texts_that_a_column_must_be_and_must_not_are_a_contradiction(n: int) -> None:
    conditions = _joined(_TEXTS, n)
    for condition in conditions:
        assert _is_refused(condition) != bool(evaluate(condition, _ROWS).rows.num_rows), condition
    assert any(map(_is_refused, conditions))


def test_what_holds_for_no_value_is_a_contradiction() -> None:
    """Of two parts that are looked at, and of which each holds for some row."""
    for part in (*_PLAIN, *_FREE):
        assert evaluate(part, _ROWS).rows.num_rows, part
    for condition in _joined(_PLAIN, 2):
        assert _is_refused(condition) or evaluate(condition, _ROWS).rows.num_rows, condition


@pytest.mark.parametrize(
    ("condition", "why"),
    [("delta > 5 AND delta < 3", "what it asks of delta is a contradiction"),
     ("a IS NULL AND a > 1", "what it asks of a is a contradiction"),
     ("delta_pct > 5 AND NOT delta_pct > 2", "what it asks of delta_pct is a contradiction"),
     ("b BETWEEN 3 AND 2", "what it asks of b is a contradiction"),
     ("class = 'x' AND class <> 'x'", "what it asks of class is a contradiction"),
     ("delta >= 3 AND delta < 3", "what it asks of delta is a contradiction"),
     ("(a > 5 AND a < 3) OR (b > 1 AND b < 0)", "what it asks of a is a contradiction"),
     ("reason = 'x' AND delta > 0", "rows have a reason only if delta_pct is null"),
     ("a IS NULL AND delta > 0", "delta is null if a or b is null"),
     ("a = 0 AND delta_pct > 3", "delta_pct is null if delta is null or a is 0"),
     ("delta_pct > 3 AND delta < 0", "delta has the sign of delta_pct"),
     ("a > 9 AND b < 2 AND delta > 0", "delta is b - a"),
     ("reason_code_a = 'no-such-row' AND a > 5", "reason_code_a is null unless a is null")],
)  # fmt: skip
def test_a_contradiction_is_refused(condition: str, why: str) -> None:
    with pytest.raises(QueryError) as caught:
        check_reach(condition, ["execution.totals"])

    assert caught.value.message == f"no value can meet this condition: {why}"


def test_all_metrics_that_a_condition_could_be_about_are_named() -> None:
    with pytest.raises(QueryError) as caught:
        check_reach("unit = 'frame' AND delta > 1", ["execution.totals"])
    assert "-m contexts.shape -m stack.populations" in str(caught.value)
