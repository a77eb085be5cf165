"""What tables, metrics and macros mean, as text whose lines fit a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries import LibraryEntry, QueryFile, QueryParam
    from jvmscope.schema import Column, Table
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["describe_entry", "describe_metric", "describe_table"]

_TEXT_WIDTH = 88
"""Characters of a line of a description, at most."""

_LEAST_TEXT = 20
"""Characters of a line of a meaning, at least: else it goes below the column."""

_KEPT = "\u00a0"
"""A space at which no line is broken."""


def describe_entry(entry: LibraryEntry, *, is_bold: bool = False, width: int | None = None) -> str:
    """Returns what a macro's or function's comment says, and its source, as text in lines."""
    params = [(f"${p.name}", p.type, p.unit or "", p.meaning) for p in entry.params]
    columns = [(c.name, c.type, c.unit or "", c.meaning) for c in entry.columns]
    facts = {"language": entry.language, "returns": entry.returns or "rows"}
    return "\n".join(
        [
            _title(entry.signature, is_bold=is_bold),
            *_wrapped(entry.description, width),
            "",
            *_facts(facts, width),
            "",
            *_aligned(params + columns, width),
            "",
            entry.body,
        ]
    )


def describe_table(
    table: Table | OwnTable, *, is_bold: bool = False, width: int | None = None
) -> str:
    """Returns what a table's definition says, as text in lines."""
    rows = [
        (
            column.name,
            column.sql_type,
            column.unit or "",
            _meaning(column),
        )
        for column in table.columns
    ]
    facts = {"recorded": table.recorded, "order": table.order, "key": ", ".join(table.key)}
    return "\n".join(
        [
            _title(table.name, is_bold=is_bold),
            *_wrapped(table.description, width),
            "",
            *_facts(facts, width),
            "",
            *_aligned(rows, width),
        ]
    )


def describe_metric(
    files: Sequence[QueryFile], *, is_bold: bool = False, width: int | None = None
) -> str:
    """Returns what the header of a metric's files says, as text in lines.

    Args:
        files: the metric, once in each language that it is written in.
        is_bold: whether the title is set off for a terminal.
        width: characters of a line of the terminal; None: lines may have any length.
    """
    query = files[-1]
    facts = {
        "kind": query.kind,
        "grain": query.grain or "",
        "version": str(query.version),
        "better": query.better,
        "requires": ", ".join(query.requires),
        "step": f"{query.step}, over several runs" if query.step else "",
        "tags": ", ".join(query.tags),
        "source": query.source,
        "files": ", ".join(str(file.path) for file in files),
    }
    columns = [(c.name, c.type, c.unit or "", c.meaning) for c in query.columns]
    params = [(f"${p.name}", p.type, _default(p), p.meaning) for p in query.params]
    return "\n".join(
        [
            _title(f"{query.id}: {query.name}", is_bold=is_bold),
            *_wrapped(query.description, width),
            "",
            *_facts(facts, width),
            "",
            *_aligned(columns + params, width),
        ]
    )


def _default(param: QueryParam) -> str:
    """Returns the value that a parameter has, and those that it may have."""
    return f"= {param.default}" + (f" in {param.range}" if param.range is not None else "")


def _meaning(column: Column) -> str:
    null = f"; null: {column.null_meaning}" if column.null_meaning else ""
    target = f"  →{_KEPT}{column.references}" if column.references else ""
    return f"{column.meaning}{null}{target}"


def _title(text: str, *, is_bold: bool) -> str:
    return click.style(text, bold=True) if is_bold else text


def _wrapped(text: str, width: int | None) -> list[str]:
    import textwrap

    return textwrap.wrap(text, min(width or _TEXT_WIDTH, _TEXT_WIDTH), break_on_hyphens=False)


def _facts(facts: Mapping[str, str], width: int | None) -> list[str]:
    return [
        line
        for name, value in facts.items()
        if value
        for line in _hanging(f"{name + ':':<10} ", value, width)
    ]


def _aligned(rows: list[tuple[str, str, str, str]], width: int | None) -> list[str]:
    """Returns the rows with aligned columns, the last of which goes on in lines of its own."""
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(3)]
    lines = []
    for row in rows:
        cells = [cell.ljust(each) for cell, each in zip(row, widths, strict=False) if each]
        lines += _hanging("  ".join(["", *cells, ""]), row[3], width)
    return lines


def _hanging(head: str, text: str, width: int | None) -> list[str]:
    """Returns a text behind its head; on a terminal, lines that are indented as deeply follow.

    >>> _hanging("  depth  ", "number of nodes above it", 36)
    ['  depth  number of nodes above it']
    >>> _hanging("  depth  ", "number of nodes above it", 30)
    ['  depth  number of nodes above', '         it']
    >>> _hanging("  depth  ", "number of nodes above it", 24)
    ['  depth', '    number of nodes', '    above it']
    """
    import textwrap

    if width is None or len(head) + len(text) <= width:
        return [f"{head}{text}".replace(_KEPT, " ").rstrip()]
    is_below = width - len(head) < _LEAST_TEXT
    first, indent = (head.rstrip(), " " * 4) if is_below else (head, " " * len(head))
    room = max(width - len(indent), _LEAST_TEXT)
    lines = [line.replace(_KEPT, " ") for line in textwrap.wrap(text, room, break_on_hyphens=False)]
    if is_below:
        return [first, *(f"{indent}{line}" for line in lines)]
    return [f"{first}{lines[0]}", *(f"{indent}{line}" for line in lines[1:])]
