"""Puts measured numbers into pages of docs, between markers."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["PAGE", "replace_section", "write_section"]

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"


def replace_section(text: str, name: str, content: str) -> str:
    """Returns `text` with what stands between the markers of `name` replaced.

    >>> replace_section("<!-- a: begin -->old<!-- a: end -->", "a", "new")
    '<!-- a: begin -->\\nnew\\n<!-- a: end -->'

    Raises:
        ValueError: there are no such markers.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        msg = f"no markers of {name}"
        raise ValueError(msg)
    return pattern.sub(lambda _: f"{begin}\n{content.strip()}\n{end}", text)


def write_section(page: Path, name: str, content: str) -> None:
    """Replaces what stands between the markers of `name` in a page.

    Raises:
        ValueError: there are no such markers; the page stays as it is.
    """
    text = replace_section(page.read_text(encoding="utf-8"), name, content)
    page.write_text(text, encoding="utf-8")
