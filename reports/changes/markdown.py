"""A comparison as a comment of a pull request: verdict and failures first, the rest folded."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.reports.changes.sections import Outcome, Section

__all__ = ["render_markdown"]

_SPECIAL = re.compile(r"[\\|*`\[\]]|(?<!\w)_|_(?!\w)")
_MOST_BYTES = 60_000  # a comment on GitHub has at most 65,536 characters


def render_markdown(outcome: Outcome, sections: Sequence[Section]) -> str:
    """Returns the comment; sections that would make it too long are left out, which it says."""
    mark = "❌ " if outcome.fails else "✅ " if outcome.held or outcome.budgets else ""
    lines = [f"### {mark}{_plain(outcome.a)} → {_plain(outcome.b)}", "", f"**{outcome.verdict}**"]
    lines += [f"(scope: {_plain(outcome.scope)})", ""]
    text = "\n".join(lines)
    left_out = []
    for section in sections:
        part = _section(section)
        if len(text.encode()) + len(part.encode()) > _MOST_BYTES:
            left_out.append(section.title)
            continue
        text += part
    if left_out:
        text += f"\n*Left out, since a comment would be too long: {_plain('; '.join(left_out))}*\n"
    return text


def _section(section: Section) -> str:
    table = _tree(section) if "context" in section.columns else _table(section)
    note = f"\n*{_plain(section.note)}*\n" if section.note else ""
    title = _plain(section.title)
    if section.is_detail:
        return f"\n<details><summary>{title}</summary>\n\n{table}{note}\n</details>\n"
    return f"\n#### {title}\n\n{table}{note}"


def _table(section: Section) -> str:
    rules = ["---:" if name in section.numeric else "---" for name in section.columns]
    lines = [_row([name or " " for name in section.columns]), _row(rules)]
    lines += [_row([_plain(cell.text) for cell in row]) for row in section.rows]
    return "\n".join(lines) + "\n"


def _tree(section: Section) -> str:
    """Returns rows with indented names as preformatted text, which keeps their blanks."""
    widths = [
        max(len(name), *(len(row[n].text) for row in section.rows))
        for n, name in enumerate(section.columns)
    ]
    rows = [list(section.columns), *([cell.text for cell in row] for row in section.rows)]
    lines = [
        "  ".join(
            text.rjust(width) if name in section.numeric else text
            for text, width, name in zip(row, widths, section.columns, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join(["```text", *(line.replace("```", "'''") for line in lines), "```"]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Returns a text that Markdown shows as it is; a ``_`` within a word means nothing there.

    >>> _plain("a|b <init> _x_ n_calls `y`")
    'a\\\\|b &lt;init&gt; \\\\_x\\\\_ n_calls \\\\`y\\\\`'
    """
    shown = escape(text, quote=False).replace("\n", " ")
    return _SPECIAL.sub(r"\\\g<0>", shown)
