"""Text within Markdown: names from recorded programs are never markup."""

from __future__ import annotations

import re

__all__ = ["as_markdown"]

_SPECIAL = re.compile(r"[\\`*|~]|(?<![^\W_])_|_(?![^\W_])|\[(?=[^\]]*\]\()")
"""What would be markup anywhere: also a line at the edge of a word, and a link."""


def as_markdown(text: str) -> str:
    r"""Returns text that Markdown shows as it is, within a line.

    >>> as_markdown(r"a\|b <init> *x* [y](z) &")
    'a\\\\\\|b &lt;init> \\*x\\* \\[y](z) &amp;'
    >>> as_markdown("n_calls[x] of __init__"), as_markdown("+3.1 %")
    ('n_calls[x] of \\_\\_init\\_\\_', '+3.1 %')
    """
    return _SPECIAL.sub(r"\\\g<0>", text.replace("&", "&amp;").replace("<", "&lt;"))
