"""Limits on the size of documents that a query reads.

That can be far more than its text has characters: an entity or the default of an attribute is
written once, and every element knows the namespaces of those around it.
"""

from __future__ import annotations

__all__ = ["Bounds", "TooMuch"]

_MAX_NODES = 10_000_000
_MAX_CHARACTERS = 1 << 28


class TooMuch(ValueError):
    """A document holds more than it may."""


class Bounds:
    """Counts what was found in a document.

    >>> Bounds().add(1, 1 << 29)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    TooMuch: more than 268,435,456 characters
    """

    __slots__ = ("_n_characters", "_n_nodes")

    def __init__(self) -> None:
        self._n_nodes = 0
        self._n_characters = 0

    def add(self, n_nodes: int, n_characters: int) -> None:
        """Counts nodes, those of attributes and namespaces among them, and characters.

        Raises:
            TooMuch: there are more of them than a document may hold.
        """
        self._n_nodes += n_nodes
        self._n_characters += n_characters
        if self._n_nodes > _MAX_NODES:
            raise TooMuch(f"more than {_MAX_NODES:,} nodes")
        if self._n_characters > _MAX_CHARACTERS:
            raise TooMuch(f"more than {_MAX_CHARACTERS:,} characters")
