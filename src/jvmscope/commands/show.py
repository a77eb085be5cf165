"""``jvmscope show``: what a table or a metric means."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from jvmscope.options import console_options

if TYPE_CHECKING:
    from jvmscope.console import Console
    from jvmscope.queries import QueryFile
    from jvmscope.schema import Table

__all__ = ["command", "describe_metric", "describe_table"]


@click.command("show")
@click.argument("name")
@click.option("--source", is_flag=True, help="Show the definition as it is written.")
@console_options
def command(*, name: str, source: bool, console: Console) -> int:
    """Show the meaning, columns and units of a table or a metric.

    \b
    jvmscope show context
    jvmscope show polymorphism.targets --source
    """
    from jvmscope.cli import DONE
    from jvmscope.errors import QueryError, did_you_mean
    from jvmscope.metrics import catalogue
    from jvmscope.schema import tables

    known = {**tables(), **catalogue()}
    if name not in known:
        hint = did_you_mean(name, known) or "All of them: jvmscope list tables, list metrics"
        raise QueryError(f"there is no table or metric {name!r}", path="show", hint=hint)
    is_bold = console.uses_color(sys.stdout)
    table, metric = tables().get(name), catalogue().get(name)
    if source:
        text = table.ddl if table else metric.text if metric else ""
    elif table:
        text = describe_table(table, is_bold=is_bold)
    else:
        text = describe_metric(catalogue()[name], is_bold=is_bold)
    click.echo(text.rstrip("\n"))
    return DONE


def describe_table(table: Table, *, is_bold: bool = False) -> str:
    """Returns what a table's definition says, as text in lines."""
    rows = [
        (
            column.name,
            column.sql_type,
            column.unit or "",
            column.meaning + (f"; null: {column.null_meaning}" if column.null_meaning else ""),
            f"→ {column.references}" if column.references else "",
        )
        for column in table.columns
    ]
    facts = {"recorded": table.recorded, "order": table.order, "key": ", ".join(table.key)}
    return "\n".join(
        [
            _title(table.name, is_bold=is_bold),
            *_wrapped(table.description),
            "",
            *(f"{name + ':':<10} {value}" for name, value in facts.items() if value),
            "",
            *_aligned(rows),
        ]
    )


def describe_metric(query: QueryFile, *, is_bold: bool = False) -> str:
    """Returns what a metric's header says, as text in lines."""
    facts = {
        "kind": query.kind,
        "grain": query.grain or "",
        "version": str(query.version),
        "better": query.better,
        "requires": ", ".join(query.requires),
        "tags": ", ".join(query.tags),
        "source": query.source,
    }
    columns = [(c.name, c.type, c.unit or "", c.meaning, "") for c in query.columns]
    params = [(f"${p.name}", p.type, f"= {p.default}", p.meaning, "") for p in query.params]
    return "\n".join(
        [
            _title(f"{query.id}: {query.name}", is_bold=is_bold),
            *_wrapped(query.description),
            "",
            *(f"{name + ':':<10} {value}" for name, value in facts.items() if value),
            "",
            *_aligned(columns + params),
        ]
    )


def _title(text: str, *, is_bold: bool) -> str:
    return click.style(text, bold=True) if is_bold else text


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width=88)


def _aligned(rows: list[tuple[str, str, str, str, str]]) -> list[str]:
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(3)]
    return [
        "  ".join(
            [
                "",
                *(cell.ljust(width) for cell, width in zip(row, widths, strict=False) if width),
                row[3],
                row[4],
            ]
        ).rstrip()
        for row in rows
    ]
