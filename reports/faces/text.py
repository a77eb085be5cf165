"""Makes text from recorded programs safe to show: no terminal codes, no markup."""

from __future__ import annotations

import re

__all__ = ["harmless"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def harmless(text: str) -> str:
    """Returns text with a mark in place of each character that controls a terminal or is invalid.

    >>> harmless("a\\x1b[31m\\n")
    'a\ufffd[31m\ufffd'
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
