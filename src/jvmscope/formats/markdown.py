"""Markdown: a table as GitHub shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from jvmscope.formats.registry import Format, register
from jvmscope.formats.texts import TRUNCATED, column_titles, shown, text_stream
from jvmscope.markdown_text import as_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Result

__all__ = ["write_markdown"]


def write_markdown(result: Result, stream: BinaryIO) -> None:
    """Writes a table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(map(as_markdown, cells)) + " |\n"

    with text_stream(stream) as text:
        text.write(line(column_titles(result)))
        text.write(line(["---:" if column.is_number else "---" for column in result.columns]))
        text.writelines(line([shown(value) for value in row]) for row in result.written_rows())
        if result.is_truncated:
            text.write(f"\n*{TRUNCATED}*\n")


register(Format("markdown", write_markdown, rank=5, endings=("md",)))
