"""Expected answers: CSV files, compared with what a query answered, and written on request.

A number may be written as a fraction, ``2/3``, which shows how it was worked out. Whole numbers
are compared exactly, others to twelve digits, and texts as they are; an empty cell is null.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.formats import FORMATS
from jvmscope.formats.csv import write_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from jvmscope.queries import Result

__all__ = ["Rows", "accepted", "differences", "read_expected", "rows_of", "text_columns"]

Rows = list[list[str]]
"""The lines of a CSV file as cells; the first one has the names of the columns."""

_DIGITS = 12
_SHOWN = 20
_NUMBER = re.compile(r"[+-]?([0-9]+/[0-9]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?)")
"""What is read as a number: the exponent of a double has three digits."""


def rows_of(result: Result) -> Rows:
    """Returns an answer as the CSV file that would hold it."""
    stream = io.BytesIO()
    FORMATS["csv"].write(result, stream)
    return list(csv.reader(io.StringIO(stream.getvalue().decode())))


def text_columns(result: Result) -> frozenset[str]:
    """Returns the columns of an answer whose values are texts, also where they look like numbers.

    The rows are kept, so that they can be read once more.

    >>> import pyarrow
    >>> from jvmscope.queries import Result, ResultColumn
    >>> table = pyarrow.table({"version": ["1.10"], "n": [2]})
    >>> columns = ResultColumn("version", "VARCHAR"), ResultColumn("n", "INTEGER")
    >>> sorted(text_columns(Result.of_table(table, columns)))
    ['version']
    """
    schema = result.arrow().schema
    return frozenset(each.name for each in schema if pa.types.is_string(each.type))


def read_expected(path: Path) -> Rows:
    """Returns what a file expects.

    Raises:
        QueryError: it is not a CSV file, or its rows are not all of one length.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, strict=True))
    except (OSError, ValueError, csv.Error) as error:
        raise QueryError(f"cannot be read: {error}", path=str(path)) from None
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"expected {len(rows[0])} cells as in the first line, found {len(row)}"
            raise QueryError(message, path=str(path), line=number)
    return rows


def differences(expected: Rows, found: Rows, texts: Collection[str] = ()) -> list[str]:
    """Returns lines that show how an answer differs from the expected one; none if it does not.

    Args:
        expected: what is expected.
        found: the answer.
        texts: the columns that are compared as they are written.

    >>> differences([["n", "share"], ["1", "2/3"]], [["n", "share"], ["1", "0.6666666666666666"]])
    []
    >>> print("\\n".join(differences([["k", "n"], ["a", "1"]], [["k", "n"], ["a", "2"]])))
      line 2: n: expected 1, found 2
    """
    if expected[:1] != found[:1]:
        return [
            "  the columns differ:",
            f"    expected {', '.join(expected[0]) if expected else 'a file that is not empty'}",
            f"    found    {', '.join(found[0])}",
        ]
    values = [_TEXT if name in texts else _ANY for name in found[0]]
    if len(expected) == len(found) and all(
        _agree(old, new, values) for old, new in zip(expected[1:], found[1:], strict=True)
    ):
        return []
    lines = list(_changes(expected, found, values))
    if len(lines) > _SHOWN:
        lines[_SHOWN:] = [f"  … and {len(lines) - _SHOWN} more"]
    return lines


def accepted(expected: Rows | None, found: Rows, texts: Collection[str] = ()) -> str:
    """Returns the text of a file that expects an answer, with the cells that hold already kept.

    Args:
        expected: what was expected; None: nothing.
        found: the answer.
        texts: the columns that are compared as they are written.

    >>> accepted([["n", "share"], ["1", "2/3"]], [["n", "share"], ["2", "0.6666666666666666"]])
    'n,share\\n2,2/3\\n'
    """
    kept = [list(row) for row in found]
    if expected and expected[0] == found[0]:
        values = [_TEXT if name in texts else _ANY for name in found[0]]
        for old, new in zip(expected[1:], kept[1:], strict=False):
            cells = zip(old, new, values, strict=True)
            new[:] = [a if value.is_same(a, b) else b for a, b, value in cells]
    stream = io.StringIO()
    write_rows(stream, kept)
    return stream.getvalue()


def _changes(expected: Rows, found: Rows, values: Sequence[_Values]) -> Iterator[str]:
    """Yields what was changed, left out and added, by the lines of the file."""
    old_keys, new_keys = (
        [tuple(value.key(cell) for cell, value in zip(row, values, strict=True)) for row in rows]
        for rows in (expected, found)
    )
    alignment = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    names = expected[0]
    # Rows of one key may still differ in their last digits.
    for _, start, end, begin, stop in alignment.get_opcodes():
        pairs = zip_longest(expected[start:end], found[begin:stop])
        for line, (old, new) in enumerate(pairs, start + 1):
            if old is None:
                yield f"  unexpected: {_shown(names, new)}"
            elif new is None:
                yield f"  line {line}: missing: {_shown(names, old)}"
            elif not _agree(old, new, values):
                yield f"  line {line}: {_changed(names, old, new, values)}"


def _changed(
    names: Sequence[str], old: Sequence[str], new: Sequence[str], values: Sequence[_Values]
) -> str:
    cells = [
        f"{name}: expected {a or 'null'}, found {b or 'null'}"
        for name, a, b, value in zip(names, old, new, values, strict=True)
        if not value.is_same(a, b)
    ]
    return "; ".join(cells)


def _shown(names: Sequence[str], row: Sequence[str]) -> str:
    return ", ".join(f"{name} {cell or 'null'}" for name, cell in zip(names, row, strict=True))


def _agree(old: Sequence[str], new: Sequence[str], values: Sequence[_Values]) -> bool:
    cells = zip(old, new, values, strict=True)
    return all(value.is_same(a, b) for a, b, value in cells)


def _same(expected: str, found: str) -> bool:
    """Tells whether two cells hold the same value.

    >>> _same("1/3", "0.3333333333333333"), _same("9007199254740993", "9007199254740992")
    (True, False)
    """
    if expected == found:
        return True
    a, b = _number(expected), _number(found)
    if a is None or b is None:
        return False
    if a.denominator == b.denominator == 1:
        return a == b
    return bool(abs(a - b) <= abs(a) / 10**_DIGITS)


def _canonical(cell: str) -> str:
    """Returns a text that is the same for cells that hold the same value, by which rows align."""
    number = _number(cell)
    if number is None or number.denominator == 1:
        return str(cell if number is None else number)
    try:
        return f"{float(number):.{_DIGITS - 1}g}"
    except OverflowError:
        return str(number)


def _number(cell: str) -> Fraction | None:
    if not _NUMBER.fullmatch(cell):
        return None
    try:
        return Fraction(cell)
    except ZeroDivisionError:
        return None


@dataclass(frozen=True)
class _Values:
    """How the cells of a column are compared.

    Attributes:
        is_same: whether two hold the same value.
        key: a text that is the same for cells that hold the same value, or one close to it.
    """

    is_same: Callable[[str, str], bool]
    key: Callable[[str], str]


_TEXT, _ANY = _Values(str.__eq__, str), _Values(_same, _canonical)
