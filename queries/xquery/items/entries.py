"""Immutable dictionaries that share one: what is added to a map, or taken away, is not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

    from jvmscope.queries.xquery.items.types import Atomic

__all__ = ["Entries", "Entry"]

Entry: TypeAlias = "tuple[Atomic, tuple[Any, ...]]"
"""A key and its value, a tuple of items."""

_FAR = 64
_NEVER: Any = object()


class Entries:
    """The entries of a map by their keys' identities, in the order in which they came first.

    All versions share one dictionary (Baker, "Shallow binding makes functional arrays fast",
    1991). One of them holds it; each other knows who has it next and how the two differ. To use
    a version is to hand the dictionary back to it, change by change. What is taken away leaves
    None in its place, so that no version ever sees another order.

    Args:
        held: an ``Entry`` for each identity, or None; nobody else may change them.
        size: how many of them are there, if None is among them.
    """

    __slots__ = ("_change", "_held", "_next", "_size")

    def __init__(self, held: dict[Hashable, Any] | None = None, size: int | None = None) -> None:
        self._held: dict[Hashable, Any] | None = {} if held is None else held
        self._size = len(self._held or ()) if size is None else size
        self._next: Entries | None = None
        self._change: tuple[Hashable, Any] | None = None  # an identity, and the entry here

    def __len__(self) -> int:
        return self._size

    def get(self, identity: Hashable) -> Entry | None:
        """Returns an entry, or None."""
        return self._dictionary().get(identity)

    def values(self) -> Collection[Entry]:
        """Returns the entries as they are now, in order."""
        return [entry for entry in self._dictionary().values() if entry is not None]

    def identities(self) -> list[Hashable]:
        """Returns the identities of the keys, in order."""
        return [one for one, entry in self._dictionary().items() if entry is not None]

    def put(self, identity: Hashable, entry: Entry) -> Entries:
        """Returns a version with an entry added or replaced."""
        is_new = self.get(identity) is None
        return self._changed(identity, entry, self._size + is_new)

    def without(self, identity: Hashable) -> Entries:
        """Returns a version in which an entry is not, if it was."""
        if self.get(identity) is None:
            return self
        held = self._dictionary()
        if len(held) > 2 * self._size + _FAR:  # most of it was taken away
            left = {one: entry for one, entry in held.items() if entry and one != identity}
            return Entries(left)
        return self._changed(identity, None, self._size - 1)

    def _changed(self, identity: Hashable, entry: Entry | None, size: int) -> Entries:
        version = Entries(self._dictionary(), size)
        self._hand_over(version, identity, entry)
        return version

    def _dictionary(self) -> dict[Hashable, Any]:
        if self._held is None:
            self._take_back()
        assert self._held is not None  # noqa: S101 - for the type checker
        return self._held

    def _hand_over(self, version: Entries, identity: Hashable, entry: Any) -> None:
        """Gives the dictionary to a version that differs in one entry."""
        held = self._held
        assert held is not None  # noqa: S101 - for the type checker
        self._change = identity, held.get(identity, _NEVER)
        if entry is _NEVER:
            del held[identity]
        else:
            held[identity] = entry
        self._held, self._next = None, version
        version._held, version._next, version._change = held, None, None

    def _take_back(self) -> None:
        """Has the dictionary handed over, from the version that holds it; a far one's is copied."""
        path = [self]
        while (following := path[-1]._next) is not None:  # noqa: SLF001 - of the same class
            path.append(following)
        if len(path) > _FAR:
            holder = path[-1]
            copy = Entries(dict(holder._held or ()), holder._size)  # noqa: SLF001 - likewise
            path[-1] = copy
        for holder, version in zip(path[:0:-1], path[-2::-1], strict=True):
            identity, entry = version._change or (None, None)  # noqa: SLF001 - likewise
            holder._hand_over(version, identity, entry)  # noqa: SLF001 - likewise
