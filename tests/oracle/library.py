"""The methods of the class library whose counts are not compared, each with its reason.

Beside these, only methods that a run itself lists as not counted (`exclusion`) are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle.steps import MethodKey

__all__ = ["UNSEEN", "unseen"]

UNSEEN = {
    "java/io/UnixFileSystem.getLength(Ljava/io/File;)J": (
        "a native on JDK 17, called through the abstract FileSystem.getLength: natives are counted "
        "at call sites that name them"
    ),
}
"""Class, name and descriptor, and why a run has other counts."""


def unseen(methods: Iterable[MethodKey]) -> frozenset[MethodKey]:
    """Those of the methods that `UNSEEN` names."""
    return frozenset(method for method in methods if str(method) in UNSEEN)
