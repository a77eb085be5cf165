"""A comparison in the terminal: tables, changes for the worse red, for the better green."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.reports.changes.sections import Outcome, Section

__all__ = ["render_terminal"]

_STYLES = {"worse": "red", "better": "green", "other": "yellow", "none": ""}
_WIDE = 200  # what is no terminal has no width


def render_terminal(
    outcome: Outcome, sections: Sequence[Section], stream: TextIO, *, has_color: bool
) -> None:
    """Prints a comparison."""
    from rich.console import Console
    from rich.text import Text

    width = None if stream.isatty() else _WIDE
    console = Console(
        file=stream,
        width=width,
        no_color=not has_color,
        force_terminal=has_color,
        highlight=False,
        soft_wrap=False,
    )
    style = "bold red" if outcome.fails else "bold"
    console.print(Text(f"{outcome.a} → {outcome.b}  (scope: {outcome.scope})"))
    console.print(Text(outcome.verdict, style=style))
    for section in sections:
        console.print()
        console.print(Text(section.title, style="bold"))
        _print_table(console, section)
        if section.note:
            console.print(Text(section.note, style="dim"))


def _print_table(console: object, section: Section) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    assert isinstance(console, Console)  # noqa: S101 - for the type alone
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for name in section.columns:
        is_number = name in section.numeric
        table.add_column(
            name,
            justify="right" if is_number else "left",
            no_wrap=is_number or name == "context",
            overflow="fold" if name != "context" else "ellipsis",
        )
    for row in section.rows:
        table.add_row(*(Text(cell.text, style=_STYLES[cell.tone]) for cell in row))
    console.print(table)
