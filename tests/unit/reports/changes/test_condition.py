"""Conditions on changes: what holds, what is refused, and where the mistake is."""

from __future__ import annotations

import pyarrow as pa
import pytest

from jvmscope.errors import QueryError
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.condition_results import evaluate

_CHANGES = pa.table(
    {
        "metric": ["execution.totals", "execution.totals", "boxing.requested"],
        "measure": ["n_bytecodes", "n_calls", "n_calls"],
        "class_name": [None, None, "java/lang/Integer"],
        "a": [100.0, 0.0, None],
        "b": [104.0, 5.0, 7.0],
        "delta": [4.0, 5.0, None],
        "delta_pct": [4.0, None, None],
    }
)


@pytest.mark.parametrize(
    ("condition", "held", "n_null"),
    [
        ("delta_pct > 3", [0], 2),
        ("delta > 4", [1], 1),
        ("b > COALESCE(a, 0)", [0, 1, 2], 0),
        ("a IS NULL AND b > 6", [2], 0),
        ("measure IN ('n_calls') AND metric GLOB 'boxing.*'", [2], 0),
        ("b BETWEEN 4 AND 6 OR abs(delta) = 4 -- either", [0, 1], 1),
        ("CASE WHEN a = 0 THEN TRUE ELSE class_name LIKE '%Integer' END", [1, 2], 1),
        ("NULL", [], 3),
        ("b / (a - a) > 1", [], 3),
        ("(b - a) / a > 0.03", [0], 2),
        ("a = 0 OR delta / a > 0.03", [0, 1], 1),
        ("sqrt(a - 50) > 0 AND ln(a) > 0 AND pow(a, -1) > 0", [0], 2),
        ("a % 0 IS NULL AND a IS NOT NULL", [0, 1], 0),
        ("FALSE", [], 0),
    ],
)
def test_a_condition_holds_for_rows(condition: str, held: list[int], n_null: int) -> None:
    parse_condition(condition)

    found = evaluate(condition, _CHANGES)

    assert found.rows.to_pylist() == [_CHANGES.to_pylist()[number] for number in held]
    assert (found.n_rows, found.n_null) == (3, n_null)


def test_the_metrics_that_a_condition_names_are_known() -> None:
    condition = "metric = 'boxing.methods' OR 'execution.totals' = metric OR measure = 'x'"

    assert parse_condition(condition) == ["boxing.methods", "execution.totals"]


@pytest.mark.parametrize(
    ("condition", "line", "column", "message"),
    [
        ("", 1, 1, "expected one expression"),
        ("delta >", 1, 8, "the condition is not complete"),
        ("a > 1\n  AND (b > 2", 2, 13, "the condition is not complete"),
        ("a > 1 ORDER BY 1", 1, 7, "syntax error"),
        ("TRUE); DROP TABLE change; SELECT (1", 1, 1, "expected one expression"),
        ("TRUE) AS x, (FALSE", 1, 1, "expected one expression"),
        ("TRUE) AS holds FROM read_csv('x') WHERE (TRUE", 1, 46, "is not complete"),
        ("a > 1\n OR (SELECT TRUE)", 2, 5, "has no query in it"),
        ("EXISTS (FROM change)", 1, 1, "has no query in it"),
        ("SUM(a) OVER () > 1", 1, 1, "sums up no others"),
        ("COLUMNS(*) > 1", 1, 9, "names its columns one by one"),
        ("COLUMNS('a|b') IS NULL", 1, 1, "names its columns one by one"),
        ("a > 1 AND #1 = 1", 1, 11, "names its columns one by one"),
        ("SUM(a) > 1", 1, 1, r"may not call sum\(\)"),
        ("a > getenv('HOME')", 1, 5, r"may not call getenv\(\)"),
        ("read_text('x') IS NULL", 1, 1, r"may not call read_text\(\)"),
        ("length(repeat('x', 1000)) > 1", 1, 8, r"may not call repeat\(\)"),
        ("range(9) IS NULL", 1, 1, r"may not call range\(\)"),
        ("[n FOR n IN [1, 2]] IS NULL", 1, 1, "may not call|no functions of its own"),
        (f"{'(' * 2000}a > 1{')' * 2000}", 1, 1, "nested deeper than"),
        ("a > 1 AND b > '\ud800'", 1, 16, r"U\+D800 is not a character"),
        ("a\0 > 1", 1, 2, r"U\+0000 is not a character"),
        ("metric = 'execution.total'", 1, 10, "there is no metric 'execution.total'"),
        ("metric NOT IN ('pca')", 1, 16, "there is no metric 'pca'"),
    ],
)
def test_what_is_no_condition_is_refused(
    condition: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        parse_condition(condition)

    assert (caught.value.path, caught.value.line, caught.value.column) == (
        "--fail-if",
        line,
        column,
    )


@pytest.mark.parametrize(
    ("condition", "column", "message"),
    [
        ("a > 1 AND delat > 3", 11, 'there is no column "delat"\n.*\n.*\ndid you mean "delta"'),
        ("methd LIKE 'x'", 1, 'there is no column "methd"\n.*\n.*\ndid you mean "method"'),
        ("zzz = 1", 1, 'there is no column "zzz"\n.*\n.*\ncolumns: metric, measure, class_name, a'),
        (
            "a > 1 AND Method = 'A.b()V'",
            11,
            "none of these metrics is about each method\n(.*\n)*add one that is: metric = '",
        ),
        ("starts_with(thread, 'm')", 13, 'there is no column "thread"'),
        (
            "n_parameters = 2",
            1,
            "none of these metrics has n_parameters\n(.*\n)*add one that has it",
        ),
        ("delta", 1, "expected a condition, which is true or false, found a value of type DOUBLE"),
        ("measure::INTEGER > 3", 8, "Could not convert string"),
        ("a > $limit", 1, "Values were not provided"),
    ],
)
def test_what_fails_has_a_place(condition: str, column: int, message: str) -> None:
    parse_condition(condition)

    with pytest.raises(QueryError, match=message) as caught:
        evaluate(condition, _CHANGES)

    assert (caught.value.line, caught.value.column) == (1, column)
    assert "FROM change" not in str(caught.value)


def test_a_mistake_is_one_error_with_a_caret_and_a_suggestion() -> None:
    with pytest.raises(QueryError) as caught:
        evaluate("delat > 3", _CHANGES)

    assert str(caught.value).splitlines()[1:] == [
        "    1 | delat > 3",
        "      | ^~~~~",
        'did you mean "delta"?',
    ]


def test_a_condition_has_a_length() -> None:
    with pytest.raises(QueryError, match="at most 65,536 bytes"):
        parse_condition(" OR ".join(["a > 1"] * 10_000))


def test_what_is_no_number_is_null() -> None:
    found = evaluate("a > 1", pa.table({"a": [float("nan"), 2.0, None]}))

    assert (found.rows.num_rows, found.n_null) == (1, 2)


@pytest.mark.parametrize("operator", ["LIKE", "ILIKE", "GLOB"])
def test_patterns_with_many_wildcards_end(operator: str) -> None:
    """DuckDB cannot be interrupted meanwhile, so a matcher that goes back would hang a gate."""
    rows = pa.table({"method": ["a" * 10_000], "pattern": ["%a" * 20 + "_b"]})
    pattern = "*a" * 20 + "?b" if operator == "GLOB" else "%a" * 20 + "_b"

    for written in (f"'{pattern}'", "pattern"):
        assert evaluate(f"method {operator} {written}", rows).holds == (False,)
