"""Whether tests may take long: ``make test-long`` sets ``JVMSCOPE_TEST_LONG``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["IS_LONG", "each_or_one"]

_T = TypeVar("_T")

IS_LONG = bool(os.environ.get("JVMSCOPE_TEST_LONG"))
"""Whether whole products of cases are tested, or a small part of each that stands for it."""


def each_or_one(values: Iterable[_T], number: int) -> list[_T]:
    """All values where tests may take long; else one, and numbers one after the other have all."""
    found = list(values)
    return found if IS_LONG else [found[number % len(found)]]
