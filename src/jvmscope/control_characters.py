"""Shows characters that would control a terminal, which recorded names and queries may hold."""

from __future__ import annotations

import re

__all__ = ["CONTROLS", "visible"]

CONTROLS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""C0 and C1, directions of writing, separators of lines, and what XML knows as no character."""


def visible(text: str, keeps: str = "") -> str:
    r"""Returns text with escapes, as Python writes them, in place of what controls a terminal.

    Args:
        text: any text.
        keeps: such characters that stay.

    >>> visible("a\x1b[31m\n\x9b"), visible("a\x1b\n", keeps="\n")
    ('a\\x1b[31m\\n\\x9b', 'a\\x1b\n')
    """
    return CONTROLS.sub(lambda found: _escaped(found[0], keeps), text)


def _escaped(character: str, keeps: str) -> str:
    return character if character in keeps else character.encode("unicode_escape").decode()
