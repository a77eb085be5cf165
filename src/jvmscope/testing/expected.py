"""Expected answers: CSV files, compared with what a query answered, and written on request.

A number may be written as a fraction, ``2/3``, which shows how it was worked out. Whole numbers
are compared exactly, others to twelve digits; an empty cell is null.
"""

from __future__ import annotations

import csv
import io
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmscope.queries import Result

__all__ = ["Rows", "accepted", "differences", "read_expected", "rows_of"]

Rows = list[list[str]]
"""The lines of a CSV file as cells; the first one has the names of the columns."""

_DIGITS = 12
_SHOWN = 20


def rows_of(result: Result) -> Rows:
    """Returns an answer as the CSV file that would hold it."""
    stream = io.BytesIO()
    FORMATS["csv"].write(result, stream)
    return list(csv.reader(io.StringIO(stream.getvalue().decode())))


def read_expected(path: Path) -> Rows:
    """Returns what a file expects.

    Raises:
        QueryError: it is not a CSV file, or its rows are not all of one length.
    """
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8")), strict=True))
    except (OSError, ValueError, csv.Error) as error:
        raise QueryError(f"cannot be read: {error}", path=str(path)) from None
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"expected {len(rows[0])} cells as in the first line, found {len(row)}"
            raise QueryError(message, path=str(path), line=number)
    return rows


def differences(expected: Rows, found: Rows) -> list[str]:
    """Returns lines that show how an answer differs from the expected one; none if it does not.

    >>> differences([["n", "share"], ["1", "2/3"]], [["n", "share"], ["1", "0.6666666666666666"]])
    []
    >>> print("\\n".join(differences([["k", "n"], ["a", "1"]], [["k", "n"], ["a", "2"]])))
      line 2: n: expected 1, found 2
    """
    if len(expected) == len(found) and all(map(_agree, expected, found)):
        return []
    if expected[:1] != found[:1]:
        return [
            "  the columns differ:",
            f"    expected {', '.join(expected[0]) if expected else 'a file that is not empty'}",
            f"    found    {', '.join(found[0])}",
        ]
    lines = list(_changes(expected, found))
    if len(lines) > _SHOWN:
        lines[_SHOWN:] = [f"  … and {len(lines) - _SHOWN} more"]
    return lines


def accepted(expected: Rows | None, found: Rows) -> str:
    """Returns the text of a file that expects an answer, with the cells that hold already kept.

    >>> accepted([["n", "share"], ["1", "2/3"]], [["n", "share"], ["2", "0.6666666666666666"]])
    'n,share\\n2,2/3\\n'
    """
    kept = [list(row) for row in found]
    if expected and expected[0] == found[0]:
        for old, new in zip(expected[1:], kept[1:], strict=False):
            new[:] = [a if _same(a, b) else b for a, b in zip(old, new, strict=True)]
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(kept)
    return stream.getvalue()


def _changes(expected: Rows, found: Rows) -> Iterator[str]:
    """Yields what was changed, left out and added, by the lines of the file."""
    old_keys, new_keys = (
        [tuple(map(_canonical, row)) for row in rows] for rows in (expected, found)
    )
    alignment = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    names = expected[0]
    for tag, start, end, begin, stop in alignment.get_opcodes():
        if tag == "equal":
            continue
        pairs = zip_longest(expected[start:end], found[begin:stop])
        for line, (old, new) in enumerate(pairs, start + 1):
            if old is None:
                yield f"  unexpected: {_shown(names, new)}"
            elif new is None:
                yield f"  line {line}: missing: {_shown(names, old)}"
            elif not _agree(old, new):
                yield f"  line {line}: {_changed(names, old, new)}"


def _changed(names: Sequence[str], old: Sequence[str], new: Sequence[str]) -> str:
    cells = [
        f"{name}: expected {a or 'null'}, found {b or 'null'}"
        for name, a, b in zip(names, old, new, strict=True)
        if not _same(a, b)
    ]
    return "; ".join(cells)


def _shown(names: Sequence[str], row: Sequence[str]) -> str:
    return ", ".join(f"{name} {cell or 'null'}" for name, cell in zip(names, row, strict=True))


def _agree(old: Sequence[str], new: Sequence[str]) -> bool:
    return len(old) == len(new) and all(map(_same, old, new))


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
    return cell if number is None else f"{float(number):.{_DIGITS - 1}g}"


def _number(cell: str) -> Fraction | None:
    try:
        return Fraction(cell)
    except (ValueError, ZeroDivisionError):
        return None
