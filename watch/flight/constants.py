"""The constants of a chunk: what its events refer to, as threads, classes, methods and stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.watch.flight.encoding import Reference, read_unsigned

if TYPE_CHECKING:
    from jvmscope.watch.flight.metadata import Types

__all__ = ["Constants"]

_Pools = dict[int, dict[int, Any]]
"""Values by their keys, by the numbers of their types."""

_N_BEFORE = 2  # a long wait may have begun in the chunk before the last
_HEADER_NUMBERS = 3  # time, duration and the distance to the checkpoint before


class Constants:
    """The pools of one chunk, and of those right before.

    An event that begins before a chunk does may refer to what the VM has written into the one
    before: stacks of waits, above all. The numbers of constants are not used anew.

    Args:
        types: the chunk's types.
    """

    def __init__(self, types: Types) -> None:
        self._types = types
        self._pools: _Pools = {}
        self._before: list[_Pools] = []

    def follow(self, before: Constants) -> None:
        """Takes what is not here from the chunk before, or from the one before that."""
        self._before = before.last(_N_BEFORE)

    def last(self, n: int) -> list[_Pools]:
        """Returns the pools of this chunk and of those before, the newest first, at most ``n``."""
        return [self._pools, *self._before][:n]

    def add(self, data: bytes, at: int) -> None:
        """Adds the constants of a checkpoint.

        Args:
            data: the chunk's bytes.
            at: where the checkpoint's content begins, behind its size and type.
        """
        for _ in range(_HEADER_NUMBERS):
            _, at = read_unsigned(data, at)
        at += 1  # the kind of the checkpoint
        n_pools, at = read_unsigned(data, at)
        for _ in range(n_pools):
            type_id, at = read_unsigned(data, at)
            reader = self._types.reader(type_id)
            pool = self._pools.setdefault(type_id, {})
            n_values, at = read_unsigned(data, at)
            for _ in range(n_values):
                key, at = read_unsigned(data, at)
                pool[key], at = reader(data, at)

    def value(self, found: Any) -> Any:
        """Returns what a reference stands for, else the value itself; None: no such constant."""
        while isinstance(found, Reference):
            found = self._of(found)
        return found

    def _of(self, reference: Reference) -> Any:
        for pools in (self._pools, *self._before):
            found = pools.get(reference.type_id, {}).get(reference.key)
            if found is not None:
                return found
        return None

    def at(self, found: Any, *path: str) -> Any:
        """Returns what a path of fields leads to from a value; None where something lacks."""
        for name in path:
            found = self.value(found)
            if not isinstance(found, dict):
                return None
            found = found.get(name)
        return self.value(found)
