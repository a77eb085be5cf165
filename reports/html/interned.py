"""Tables of distinct values, so that data can refer to a value by its index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["Interned"]

_T = TypeVar("_T", bound="Hashable")


class Interned(Generic[_T]):
    """Values in the order in which they were first asked for."""

    def __init__(self) -> None:
        self._indices: dict[_T, int] = {}

    def index(self, value: _T) -> int:
        """Returns the index of a value, which is added if it is new."""
        return self._indices.setdefault(value, len(self._indices))

    def values(self) -> list[_T]:
        """Returns the values by index."""
        return list(self._indices)
