"""Values of every SQL type in every format: exact, as DuckDB writes them, and never a failure."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow.parquet as pq
import pytest

import jvmscope
from jvmscope.cli import DONE, run
from jvmscope.errors import JvmscopeError
from jvmscope.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

_SCALARS = {
    "DECIMAL": ("12345678901234567890.125::DECIMAL(38, 3)", Decimal("12345678901234567890.125")),
    "small DECIMAL": ("0.0000001::DECIMAL(9, 7)", Decimal("0.0000001")),
    "FLOAT": ("0.1::FLOAT", 0.1),
    "HUGEINT": ("-85070591730234615865843651857942052864::HUGEINT", -(2**126)),
    "BIGNUM": ("-123456789012345678901234567890123456789012345::BIGNUM", None),
    "infinity": ("'inf'::DOUBLE", "inf"),
    "minus infinity": ("'-inf'::FLOAT", "-inf"),
    "not a number": ("'nan'::DOUBLE", "nan"),
    "BLOB": (r"'\xAA\x01b'::BLOB", r"\xAA\x01b"),
    "DATE": ("DATE '2020-01-02'", "2020-01-02"),
    "last DATE": ("DATE 'infinity'", "infinity"),
    "early DATE": ("DATE '4001-01-01 (BC)'", "4001-01-01 (BC)"),
    "TIMESTAMP": ("TIMESTAMP '2020-01-02 03:04:05.6789'", "2020-01-02 03:04:05.6789"),
    "late TIMESTAMP": ("TIMESTAMP '290000-01-01 00:00:00'", "290000-01-01 00:00:00"),
    "TIMESTAMP_NS": ("make_timestamp_ns(1700000000123456789)", "2023-11-14 22:13:20.123456789"),
    "TIME_NS": ("TIME_NS '01:02:03.123456789'", "01:02:03.123456789"),
    "BIT": ("'101'::BIT", "101"),
    "TIMETZ": ("'01:02:03+02'::TIMETZ", "01:02:03+02"),
    "INTERVAL": ("INTERVAL 14 MONTH + INTERVAL 3 DAY", "1 year 2 months 3 days"),
    "UUID": ("uuid '12345678-1234-1234-1234-123456789012'", "12345678-1234-1234-1234-123456789012"),
    "ENUM": ("'a'::ENUM ('a', 'b')", "a"),
    "JSON": ("""'{"a": 1}'::JSON""", '{"a": 1}'),
    "BOOLEAN": ("true", True),
}
"""Expressions and what JSON has for them; None: only the texts are compared."""

_NESTED = {
    "[1, NULL, 3]": [1, None, 3],
    "{'a': true, 'b': NULL, 'c': 'x''y'}": {"a": True, "b": None, "c": "x'y"},
    "MAP {'k': 1.5::DECIMAL(4, 2)}": {"k": 1.5},
    "[['nan'::DOUBLE], ['-inf'::DOUBLE, 'inf'::DOUBLE]]": [["nan"], ["-inf", "inf"]],
    "[make_timestamp_ns(1)]": ["1970-01-01 00:00:00.000000001"],
    "{'d': DATE 'infinity', 'i': INTERVAL 3 DAY}": {"d": "infinity", "i": "3 days"},
    "[1, 2]::INTEGER[2]": [1, 2],
    "[12345678901234567890.125::DECIMAL(38, 3)]": [Decimal("12345678901234567890.125")],
    "[1, 2]::VARIANT": "[1, 2]",
    "union_value(k := 1)": "1",
    "['101'::BIT]": "[101]",
}
"""Expressions and what JSON has for them."""

_WHOLE = {
    "TINYINT": 7,
    "SMALLINT": 15,
    "INTEGER": 31,
    "BIGINT": 63,
    "HUGEINT": 127,
}
"""Signed types and the bits of their sizes; each has an unsigned one with one bit more."""

_LIMITS = {
    f"({number})::{kind}": number
    for name, n_bits in _WHOLE.items()
    for kind, number in (
        (name, -(2**n_bits)),
        (name, 2**n_bits - 1),
        (f"U{name}", 0),
        (f"U{name}", 2 ** (n_bits + 1) - 1),
    )
}
"""Expressions of the least and the greatest value of each type of integers."""

_ALL = [*(expression for expression, _ in _SCALARS.values()), *_NESTED]


def _answer(run_: Path, query: str, form: str, capfd: pytest.CaptureFixture[str]) -> str:
    status = run(["query", str(run_), "--sql", query, "--format", form])
    shown = capfd.readouterr()
    assert status == DONE, shown.err
    return shown.out


def _json(text: str) -> Any:
    """Reads JSON by its definition, which has no NaN, with all digits."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_float=Decimal, parse_constant=refuse)


@pytest.mark.parametrize("beside", ["", ", [1] AS nested"], ids=["alone", "in Arrow"])
def test_csv_has_the_texts_of_duckdb(
    shapes: Path, beside: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a value of each type, THEN its cell, cast to the type, is the value."""
    found = _answer(shapes, f"SELECT {', '.join(_ALL)}{beside}", "csv", capfd)
    cells = list(csv.reader(io.StringIO(found)))[1]
    for expression, cell in zip(_ALL, cells, strict=False):
        kind = _type(expression)
        check = f"SELECT ($cell::{kind}) IS NOT DISTINCT FROM ({expression})::{kind}"
        assert duckdb.connect().execute(check, {"cell": cell}).fetchall() == [(True,)], (
            expression,
            cell,
        )


@pytest.mark.parametrize("columns", ["x", "x, 1 AS y", "x, [1] AS nested"])
def test_csv_has_every_character_in_its_row(
    shapes: Path, columns: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ask = (
        f"SELECT {columns} FROM (SELECT 'a' || chr(i::INTEGER) || 'b' AS x FROM range(1, 256) t(i))"
    )

    assert run(["query", str(shapes), "--sql", ask, "--format", "csv"]) == DONE
    found = io.StringIO(capfdbinary.readouterr().out.decode(), newline="")
    rows = list(csv.reader(found, strict=True))
    assert [row[0] for row in rows] == ["x", *(f"a{chr(code)}b" for code in range(1, 256))]
    assert {len(row) for row in rows} == {len(rows[0])}


def _type(expression: str) -> str:
    ((found,),) = duckdb.connect().execute(f"SELECT typeof({expression})").fetchall()
    return "VARCHAR" if found in ("VARIANT", "UNION(k INTEGER)") else str(found)


@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize("beside", ["", ", [1] AS nested"], ids=["alone", "in Arrow"])
def test_json_has_every_digit_and_is_json(
    shapes: Path, form: str, beside: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for expression, expected in [*_SCALARS.values(), *_NESTED.items()]:
        found = _answer(shapes, f"SELECT {expression} AS a{beside}", form, capfd)
        row = _json(found)["rows"][0] if form == "json" else _json(found.splitlines()[1])
        number = float(row["a"]) if isinstance(expected, float) else row["a"]
        assert expected is None or number == expected, expression


@pytest.mark.parametrize("form", ["csv", "jsonl", "table", "markdown"])
def test_integers_have_every_digit(
    shapes: Path, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for beside in ("", ", [1] AS nested"):
        found = _answer(shapes, f"SELECT {', '.join(_LIMITS)}{beside}", form, capfd)
        answer = found.splitlines()[-1]
        numbers = [int(word) for word in re.findall(r"-?\d+", answer.split("[")[0])]
        if form == "jsonl":
            numbers = [int(value) for value in [*_json(answer).values()][: len(_LIMITS)]]
        assert numbers == [*_LIMITS.values()], beside


def test_integers_have_every_digit_in_parquet(
    shapes: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answer.parquet"
    query = f"SELECT {', '.join(_LIMITS)}"
    assert run(["query", str(shapes), "--sql", query, "-o", str(file)]) == DONE, capfd.readouterr()
    cells = [column[0].as_py() for column in pq.read_table(file).columns]
    assert [int(cell) for cell in cells] == [*_LIMITS.values()]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_every_type(
    shapes: Path, form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No format fails, or shows a value as Python does."""
    query = f"SELECT {', '.join(f'{each} AS c{n}' for n, each in enumerate(_ALL))}"
    file = tmp_path / f"answer.{form}"
    words = ["query", str(shapes), "--sql", query, "--format", form, "-o", str(file)]
    assert run(words) == DONE, capfd.readouterr().err
    found = file.read_bytes()
    assert not any(word in found for word in (b"None", b"True", b"Decimal", b"Nano(", rb"b'\x"))


@pytest.mark.parametrize("expression", _ALL)
def test_python_has_every_type(shapes: Path, expression: str) -> None:
    """Rows and previews never fail, for want of pandas or since Python's dates end sooner."""
    with jvmscope.open(shapes) as opened:
        query = f"SELECT {expression} AS a"
        assert len(next(opened.query(query).rows())) == 1
        assert "None" not in opened.query(query)._repr_html_()
        assert repr(opened.query(query))


_FACTORIAL = "fold-left(1 to 300, 1, function($a, $b) { $a * $b })"


@pytest.mark.parametrize(
    ("query", "type_", "cells"),
    [
        ("1, 2.5", "DOUBLE", ["1", "2.5"]),
        ("9007199254740993, 1e0", "VARCHAR", ["9007199254740993", "1"]),
        ("9007199254740993, 0.5", "DECIMAL(17,1)", ["9007199254740993", "0.5"]),
        ("12345678901234567890.125", "DECIMAL(23,3)", ["12345678901234567890.125"]),
        ("12345678901234567890.125, 1e0", "VARCHAR", ["12345678901234567890.125", "1"]),
        (f"({_FACTORIAL}, 1e0)", "VARCHAR", [str(math.factorial(300)), "1"]),
        (f"({_FACTORIAL}, 0.5)", "VARCHAR", [str(math.factorial(300)), "0.5"]),
        ("xs:float(0.1), xs:float(2)", "FLOAT", ["0.1", "2"]),
    ],
)
def test_xquery_has_every_digit(
    shapes: Path, query: str, type_: str, cells: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    with jvmscope.open(shapes) as opened:
        assert [column.type for column in opened.query(query).columns] == [type_]
    assert run(["query", str(shapes), "--xquery", query, "--format", "csv"]) == DONE
    assert capfd.readouterr().out.split() == ["value", *cells]


def test_keys_that_are_one_as_text_are_refused(shapes: Path) -> None:
    with jvmscope.open(shapes) as opened, pytest.raises(JvmscopeError, match="columns that are"):
        opened.query("map { 1: 1, '1': 2 }")


def test_xquery_has_infinities(shapes: Path, capfd: pytest.CaptureFixture[str]) -> None:
    query = '(1e0 div 0, -1e0 div 0, xs:double("NaN"))'
    assert run(["query", str(shapes), "--xquery", query, "--format", "csv"]) == DONE
    assert capfd.readouterr().out.split() == ["value", "inf", "-inf", "nan"]
