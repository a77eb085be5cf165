"""Writes pages of reports: drawn on a terminal, otherwise as text, to stdout or to a file."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.reports.faces.blocks import Block

__all__ = ["PAGE_FORMATS", "write_page"]

PAGE_FORMATS = ("table", "markdown")
"""What people read: the formats that a page has."""

_WIDTH = 120
_WIDEST = 10_000


def write_page(
    blocks: Iterable[Block],
    form: str,
    output: Output,
    console: Console,
    *,
    width: int = _WIDTH,
    is_comment: bool = False,
) -> None:
    """Writes a page.

    Args:
        blocks: what it consists of.
        form: one of ``PAGE_FORMATS``; ``table`` is as a terminal shows it.
        output: where to.
        console: whose choice of colours is heeded, and which says that a file was written.
        width: characters in a line of what goes to no terminal, unless ``COLUMNS`` says otherwise.
        is_comment: Markdown is for a comment, and no longer than one may be.

    Raises:
        JvmscopeError: the file exists, or cannot be written.
    """
    from jvmscope.reports.faces import to_comment, to_markdown

    if form == "markdown":
        text = to_comment(blocks) if is_comment else to_markdown(blocks)
    else:
        text = _drawn(blocks, output, console, width)
    output.write_text(text, console)


def _drawn(blocks: Iterable[Block], output: Output, console: Console, width: int) -> str:
    from jvmscope.reports.faces import print_page

    page = io.StringIO()
    is_colored = output.file is None and console.uses_color(sys.stdout)
    print_page(blocks, page, is_colored=is_colored, width=_line_width(output, width))
    return page.getvalue()


def _line_width(output: Output, default: int) -> int:
    """Returns the characters of a line: the terminal's, else a usable ``COLUMNS``, else these."""
    if output.file is None and sys.stdout.isatty():
        return os.get_terminal_size(sys.stdout.fileno()).columns or default
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        return default
    return columns if 0 < columns <= _WIDEST else default
