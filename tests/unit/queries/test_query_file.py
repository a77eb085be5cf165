"""Headers of query files."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from jvmscope.errors import QueryError
from jvmscope.queries import bind_params, parse_assignments, parse_query_file

_FULL = """(:~
 : @id          polymorphism.receivers
 : @name        Receiver polymorphism
 : @description Number of distinct receiver classes at each executed
 :              virtual call site.
 : @kind        metric
 : @version     2
 : @grain       call_site
 : @column      call_site_id  integer       call site
 : @column      value         integer  1    distinct receiver classes
 : @levels      value
 : @better      none
 : @param       min_calls integer 1         ignore colder sites
 : @requires    call_site, receiver
 : @source      METRICS
 : @tags        dispatch dynamic
 :)
1"""


def test_the_header_of_the_proposal_is_read() -> None:
    query = parse_query_file(_FULL, "receivers.xq", is_header_required=True)

    assert (query.id, query.kind, query.version, query.grain) == (
        "polymorphism.receivers",
        "metric",
        2,
        "call_site",
    )
    assert query.description.endswith("each executed virtual call site.")
    assert [(c.name, c.type, c.unit, c.meaning) for c in query.columns] == [
        ("call_site_id", "integer", None, "call site"),
        ("value", "integer", "1", "distinct receiver classes"),
    ]
    assert [key.name for key in query.keys] == ["call_site_id"]
    assert [measure.name for measure in query.measures] == ["value"]
    assert [(p.name, p.default) for p in query.params] == [("min_calls", 1)]
    assert query.requires == ("call_site", "receiver")
    assert query.tags == ("dispatch", "dynamic")


def test_a_query_of_ones_own_needs_no_header() -> None:
    query = parse_query_file("SELECT 1", None)

    assert (query.text, query.id, query.columns) == ("SELECT 1", "", ())


def test_a_metric_needs_one() -> None:
    with pytest.raises(QueryError, match=r"m.sql:1:1: error: expected a header comment"):
        parse_query_file("SELECT 1", "m.sql", is_header_required=True)


def test_what_a_metric_lacks_is_named() -> None:
    with pytest.raises(QueryError, match="the header lacks @name, @description, @kind"):
        parse_query_file("/** @id a.b */", "m.sql", is_header_required=True)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("@kind metrik", "2:4: error: @kind: expected one of metric, .*found 'metrik'"),
        ("@version two", "@version: expected a whole number, found 'two'"),
        ("@grain call_sites", 'did you mean "call_site"'),
        ("@column n", r"expected: @column name type \[unit\] meaning"),
        ("@column n int  call  calls", "expected one of integer, number, text, boolean"),
        ("@param n integer many meaning", "@param: 'many' is not an integer"),
        ("@range n [1, )", "@range: there is no parameter 'n'"),
        ("@param n integer 1 x\n * @range m [1, )", "@range: there is no parameter 'm'"),
        ("@param n integer 1 x\n * @range n 1..", r"expected an interval such as \(0, 1\] or"),
        ("@param n integer 1 x\n * @range n [2, )", "the default of n is not at least 2"),
        ("@param n text 1 x\n * @range n [2, )", "@range: n is not a number"),
        ("@coloumn n integer x", 'unknown key @coloumn\n.*\n.*\ndid you mean "column"'),
    ],
)
def test_a_mistake_is_told_at_its_place(entry: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_query_file(f"/**\n * {entry}\n */\nSELECT 1", "m.sql")


_OF_MEASURES = (
    "sums {}", "shares {}", "levels {}", "sort {}", "matrix key {}", "plot bar key {}",
    "overview 1 {} words",
)  # fmt: skip
_OF_KEYS = ("sums n within {}", "matrix {} n", "plot bar {} n", "plot bar key n {}", "fixed {}")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        *((entry.format("lone"), "lone is a key: it has no unit") for entry in _OF_MEASURES),
        *((entry.format("m"), "m is a measure: it has a unit") for entry in _OF_KEYS),
        *((entry.format("x"), "expected one of n, m, found 'x'") for entry in _OF_MEASURES),
        *((entry.format("x"), "expected one of key, lone, found 'x'") for entry in _OF_KEYS),
    ],
)
def test_what_is_no_measure_or_no_key_is_told(entry: str, message: str) -> None:
    """Two blanks end a unit; with one, what should be the unit is a word of the meaning."""
    header = """
        @column key   text           key
        @column n     integer  call  calls
        @column m     integer  call  calls
        @column lone  integer  call calls
    """
    with pytest.raises(QueryError, match=f"@{entry.split(maxsplit=1)[0]}: {message}"):
        parse_query_file(f"/**{header}    @{entry}\n*/ SELECT 1", "m.sql")


def test_assignments_are_names_and_texts() -> None:
    with pytest.raises(QueryError, match="'a' is not of the form name=value"):
        parse_assignments(["a"])
    with pytest.raises(QueryError, match="the parameter a is given twice"):
        parse_assignments(["a=1", "a=2"])


def test_a_value_of_another_type_is_refused() -> None:
    query = parse_query_file("/** @param n integer 1 number */ SELECT $n", "m.sql")

    with pytest.raises(QueryError, match=r"m.sql: error: parameter n: 'x' is not an integer"):
        bind_params(query, {"n": "x"})
    with pytest.raises(QueryError, match="there is no parameter 'm'"):
        bind_params(query, {"m": "1"})


@pytest.mark.parametrize(
    ("interval", "value", "told"),
    [
        ("(0, 1]", "0", "expected more than 0 and at most 1, found 0.0"),
        ("(0, 1]", 2, "expected more than 0 and at most 1, found 2"),
        ("(0, 1]", "nan", "expected more than 0 and at most 1, found nan"),
        ("[0.5, )", -1, "expected at least 0.5, found -1"),
        ("(, 1)", "1", "expected less than 1, found 1.0"),
        ("(0, 1]", "1", None),
        ("(, 1)", "-7", None),
        ("[0.000001, 1]", 0, "expected at least 0.000001 and at most 1, found 0"),
        ("[0.5, )", Decimal("0.5"), None),
        ("[0.5, )", np.int64(2), None),
    ],
)
def test_a_number_out_of_its_range_is_refused(interval: str, value: Any, told: str | None) -> None:
    header = f"/**\n * @param n number 0.75 part\n * @range n {interval}\n */"
    query = parse_query_file(f"{header} SELECT $n", "m.sql")

    if told is None:
        assert bind_params(query, {"n": value}) == {"n": float(value)}
        return
    with pytest.raises(QueryError) as caught:
        bind_params(query, {"n": value})
    assert str(caught.value) == f"m.sql: error: parameter n: {told}"


@pytest.mark.parametrize("text", ["42", "0.5", "true", "nan", "1_000"])
def test_texts_of_python_stay_texts(text: str) -> None:
    assert bind_params(parse_query_file("SELECT $n", None), {"n": text}) == {"n": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42), ("-0.5", -0.5), ("true", True), ("a", "a"), ("nan", "nan"), ("inf", "inf"),
        ("1_000", "1_000"), ("1e3", "1e3"), ("\N{ARABIC-INDIC DIGIT ONE}",) * 2,
    ],
)  # fmt: skip
@pytest.mark.parametrize("query", ["SELECT $n", "/** @param n text x what */ SELECT $n"])
def test_types_are_guessed_of_undeclared_assignments(query: str, text: str, value: object) -> None:
    given = parse_assignments([f"n={text}"])
    expected = text if "@param" in query else value
    bound = bind_params(parse_query_file(query, None), given)["n"]
    assert (bound, type(bound)) == (expected, type(expected))
