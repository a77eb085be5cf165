"""The first rows of a result, as Python's prompt and a notebook show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from jvmscope.queries.result import ResultColumn

__all__ = ["PREVIEWED_ROWS", "html_preview", "text_preview"]

PREVIEWED_ROWS = 20
"""How many rows are shown."""

_MOST_COLUMNS = 12
"""How many columns are shown whatever they hold; of more, those without a value are left out."""

_WIDEST_CELL = 200
_NULL = '<span style="opacity: 0.5">null</span>'


def text_preview(table: pa.Table, columns: Sequence[ResultColumn], *, has_more: bool) -> str:
    """Returns the rows as a box, drawn by DuckDB, with the units under the names.

    Args:
        table: the rows to show.
        columns: their columns.
        has_more: whether there are more rows than these.
    """
    table, columns, notes = _shown(table, columns, has_more=has_more)
    names = [f"{column.name} [{column.unit}]" if column.unit else column.name for column in columns]
    box = str(duckdb.connect().from_arrow(table.rename_columns(_distinct(names)))).rstrip("\n")
    return "\n".join([box, *notes])


def html_preview(table: pa.Table, columns: Sequence[ResultColumn], *, has_more: bool) -> str:
    """Returns the rows as an HTML table, numbers with thousands separators.

    The arguments are those of ``text_preview``.
    """
    from jvmscope.queries.column_values import rows_of_texts

    table, columns, notes = _shown(table, columns, has_more=has_more)
    heads = "".join(_head(column) for column in columns)
    are_numbers = [column.is_number for column in columns]
    rows = rows_of_texts(table)
    body = "".join(f"<tr>{''.join(map(_cell, row, are_numbers))}</tr>" for row in rows)
    after = "".join(f"<p>{note}</p>" for note in notes)
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'<table class="dataframe">{head}<tbody>{body}</tbody></table>{after}'


def _shown(
    table: pa.Table, columns: Sequence[ResultColumn], *, has_more: bool
) -> tuple[pa.Table, Sequence[ResultColumn], list[str]]:
    """Returns the columns that are worth their room, and what is said of the others and of rows."""
    notes = []
    kept: Sequence[int] = range(table.num_columns)
    if len(kept) > _MOST_COLUMNS:
        filled = [k for k in kept if table.column(k).null_count < table.num_rows]
        if filled and len(filled) < len(kept):
            n_left = len(kept) - len(filled)
            notes.append(f"not shown, null in these rows: {n_left} of {len(kept)} columns")
            kept = filled
    if has_more:
        n_rows = table.num_rows
        notes.append(f"the first {n_rows} rows; .df(), .arrow() and .rows() have all of them")
    return table.select(list(kept)), [columns[k] for k in kept], notes


def _distinct(names: Sequence[str]) -> list[str]:
    """Returns names that differ, which a relation's columns must.

    >>> _distinct(["n", "n", "n_2"])
    ['n', 'n_3', 'n_2']
    """
    taken = set(names)
    seen: set[str] = set()
    found = []
    for name in names:
        other, number = name, 2
        while other in seen or (other != name and other in taken):
            other, number = f"{name}_{number}", number + 1
        seen.add(other)
        found.append(other)
    return found


def _head(column: ResultColumn) -> str:
    unit = f"<br><small>{escape(column.unit)}</small>" if column.unit else ""
    return f"<th>{escape(column.name)}{unit}</th>"


def _cell(value: Any, is_number: bool) -> str:
    """Returns a cell.

    >>> _cell(1234567, True)
    '<td style="text-align: right">1,234,567</td>'
    >>> _cell(2493140.0, True), _cell(0.25, True)
    ('<td style="text-align: right">2,493,140</td>', '<td style="text-align: right">0.25</td>')
    >>> _cell("List<String>", False)
    '<td style="text-align: left">List&lt;String&gt;</td>'
    """
    align = "right" if is_number else "left"
    if value is None:
        shown = _NULL
    elif is_number:
        shown = _number(value)
    else:
        text = str(value)
        shown = escape(text if len(text) <= _WIDEST_CELL else f"{text[:_WIDEST_CELL]}…")
    return f'<td style="text-align: {align}">{shown}</td>'


def _number(value: Any) -> str:
    """Returns a number with thousands separators, a fraction to six digits.

    >>> _number(1234567), _number(2.0), _number(0.123456789), _number(float("nan"))
    ('1,234,567', '2', '0.123457', 'nan')
    """
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.6g}"
    return f"{value:,}"
