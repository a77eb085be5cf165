"""Numbers of things, and several things, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["counted", "listed", "plural"]


def plural(noun: str) -> str:
    """Returns the plural of a noun; ``assets/numbers.js`` has the same for the page.

    >>> [plural(noun) for noun in ("call", "class", "branch", "entry", "key")]
    ['calls', 'classes', 'branches', 'entries', 'keys']
    """
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"


def counted(n: int, noun: str) -> str:
    """Returns a number and what is counted.

    >>> counted(1, "context"), counted(1200, "context")
    ('1 context', '1,200 contexts')
    """
    return f"{n:,} {noun if n == 1 else plural(noun)}"


def listed(names: Sequence[str]) -> str:
    """Returns several names as an enumeration.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b, and c')
    """
    *before, last = names
    return f"{', '.join(before)}{',' if len(before) > 1 else ''} and {last}" if before else last
