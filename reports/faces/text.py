"""Makes text from recorded programs safe to show: no terminal codes, no markup."""

from __future__ import annotations

from jvmscope.control_characters import CONTROLS

__all__ = ["harmless"]


def harmless(text: str) -> str:
    """Returns text with a mark in place of each character that controls a terminal or is invalid.

    >>> harmless("a\\x1b[31m\\n")
    'a\ufffd[31m\ufffd'
    """
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
