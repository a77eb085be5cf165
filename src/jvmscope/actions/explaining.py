"""Explanations as the command line asks for them: in which form, and written where."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError
from jvmscope.formats import FORMATS, format_of_file
from jvmscope.output.page_writing import PAGE_FORMATS, write_page

if TYPE_CHECKING:
    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.reports.explaining.model import Explanation

__all__ = ["FORMS", "form_of", "write_explanation"]

_WHOLE = ("json", "html", "svg", "sql")
"""Forms of the whole explanation, its page for the browser, its tree, and its rule."""

FORMS = (*PAGE_FORMATS, *_WHOLE, *(f for f in FORMATS if f not in (*PAGE_FORMATS, *_WHOLE)))
"""The other formats are tables of the tree's leaves."""

_ENDINGS = {"htm": "html", "svg": "svg", "sql": "sql", "html": "html"}


def form_of(output: Output) -> str:
    """Returns the form: the one asked for, else the file's, else the terminal's or Markdown.

    >>> from pathlib import Path
    >>> from jvmscope.output.results import Output
    >>> [form_of(Output(file=Path(name))) for name in ("x.svg", "x.parquet", "x.md")]
    ['svg', 'parquet', 'markdown']
    """
    if output.format is not None:
        return output.format
    if output.file is None:
        return "table" if sys.stdout.isatty() else "markdown"
    ending = output.file.suffix.removeprefix(".").lower()
    return _ENDINGS.get(ending) or format_of_file(output.file) or "markdown"


def write_explanation(found: Explanation, form: str, output: Output, console: Console) -> None:
    """Writes an explanation.

    Raises:
        JvmscopeError: the file exists or cannot be written, or there is no rule to write as SQL.
    """
    from jvmscope.reports.explaining.browser import to_html
    from jvmscope.reports.explaining.data import to_json
    from jvmscope.reports.explaining.drawing import to_svg
    from jvmscope.reports.explaining.page import explanation_page

    if form in PAGE_FORMATS:
        write_page(explanation_page(found), form, output, console)
    elif form == "sql":
        if not found.sql:
            raise JvmscopeError(f"there is no rule for {found.outcome} that SQL could express")
        output.write_text(found.sql, console)
    elif form in _WHOLE:
        text = {"json": to_json, "html": to_html, "svg": to_svg}[form](found)
        output.write_text(text, console)
    else:
        output.write(found.rows(), console)
