"""Blocks of text, tables and drawings, shown on a terminal or as Markdown.

pages of a report ─┐             ┌─ terminal ─▶ rich
                   ├──▶ blocks ──┤
page of changes ───┘             └─ markdown ─▶ text ── comment ─▶ no longer than one may be
"""

from jvmscope.reports.faces.comment import to_comment
from jvmscope.reports.faces.markdown import to_markdown
from jvmscope.reports.faces.terminal import print_page

__all__ = ["print_page", "to_comment", "to_markdown"]
