"""Results at Python's prompt and in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from lxml import html

from jvmscope.queries import Question, Result, ResultColumn

if TYPE_CHECKING:
    from jvmscope.queries import Engine

_TYPES = """
    SELECT 1234567 AS i, 0.5 AS d, 2::DECIMAL(9, 2) AS c, 1e300 AS big, 'NaN'::DOUBLE AS nan,
      '-inf'::DOUBLE AS inf, 'a<b>' AS s, TRUE AS b, [1, 2] AS l, {'x': 1} AS r, NULL AS n,
      DATE '2026-11-22' AS day, 'x'::BLOB AS bytes, 170141183460469231731687303715884105727 AS huge
"""


@pytest.mark.parametrize("n_rows", [0, 1, 20, 21, 5000])
def test_looking_at_a_result_reads_none_of_its_rows(opened: Engine, n_rows: int) -> None:
    text = "SELECT i, repeat('x', 2000) FROM range($n) AS t(i)"
    result = opened.query(Question(text, params={"n": n_rows}))

    first, again = repr(result), repr(result)

    assert first == again
    assert ("the first 20 rows" in first) == (n_rows > 20)
    assert [row[0] for row in result.rows()] == list(range(n_rows))
    assert "were read" in repr(result)


def test_a_result_that_is_kept_is_shown_as_one_that_is_not(opened: Engine) -> None:
    result = opened.query("FROM thread")
    before = repr(result), result._repr_html_()
    result.arrow()

    assert (repr(result), result._repr_html_()) == before


def test_every_type_has_a_cell(opened: Engine) -> None:
    shown = html.fromstring(opened.query(f"{_TYPES} UNION ALL BY NAME SELECT 1 AS n")._repr_html_())

    cells = [cell.text_content() for cell in shown.iter("td")]
    assert cells[:4] == ["1,234,567", "0.5", "2.00", f"{1e300:,.0f}"]
    assert cells[4:11] == ["nan", "-inf", "a<b>", "True", "[1, 2]", "{'x': 1}", "null"]
    assert cells[13] == f"{2**127 - 1:,}"


def test_units_stand_under_the_names() -> None:
    result = Result.of_table(pa.table({"n": [1]}), [ResultColumn("n", "BIGINT", "bytecode")])

    assert "n [bytecode]" in repr(result)
    assert "<th>n<br><small>bytecode</small></th>" in result._repr_html_()


@pytest.mark.parametrize("n_filled", [0, 1, 11, 12, 13])
@pytest.mark.parametrize("n_empty", [0, 1, 12])
def test_many_columns_without_a_value_are_not_shown(
    opened: Engine, n_filled: int, n_empty: int
) -> None:
    """Of a comparison, most keys belong to few metrics."""
    columns = [f"{k} AS filled_{k}" for k in range(n_filled)]
    columns += [f"NULL AS empty_{k}" for k in range(n_empty)] or ["1 AS one"]
    result = opened.query(f"SELECT {', '.join(columns)}")
    n = len(columns)
    is_short = n > 12 and n_filled > 0 and n_empty > 0

    shown = result._repr_html_()

    heads = [head.text_content() for head in html.fromstring(f"<div>{shown}</div>").iter("th")]
    assert len(heads) == (n_filled if is_short else n)
    note = f"not shown, null in these rows: {n_empty} of {n} columns"
    assert (note in shown, note in repr(result)) == (is_short, is_short)
    assert len(result.arrow().column_names) == n


def test_the_first_rows_are_within_the_limit(opened: Engine) -> None:
    result = opened.query(Question("SELECT i FROM range(100) AS t(i)", limit=3))

    assert "more" not in repr(result)
    assert result.head(10).num_rows == 3
    assert len(list(result.rows())) == 3
    assert result.is_truncated
