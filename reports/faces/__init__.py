"""What people read: blocks, and the two faces that show them, a terminal and Markdown.

pages of a report ─┐             ┌─ terminal ─▶ rich
                   ├──▶ blocks ──┤
page of changes ───┘             └─ markdown ─▶ text ── comment ─▶ no longer than one may be
"""

from jvmscope.reports.faces.comment import to_comment
from jvmscope.reports.faces.markdown import to_markdown
from jvmscope.reports.faces.terminal import print_page

__all__ = ["print_page", "to_comment", "to_markdown"]
