"""Names of hidden classes, as those of lambdas: the address of the class is behind its host's name.

Each VM and each of its interfaces writes that in its own form, and watch runs of older versions
have several of them. A dot is never part of a name in JVM form, so that one before the address
tells; a plus sign or a slash could be part of one, but no compiler makes such a name.
"""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "is_hidden"]

HIDDEN = r"[./+]0x[0-9a-f]+([./][0-9]+)?$"
"""What is behind the name of the host, as a pattern of Python and of DuckDB."""

_HIDDEN = re.compile(HIDDEN)


def is_hidden(name: str) -> bool:
    """Tells whether a class of a VM is hidden, by its name.

    >>> is_hidden("app/Main$$Lambda.0x000000004113e400"), is_hidden("app/Main$Inner")
    (True, False)
    """
    return _HIDDEN.search(name) is not None
