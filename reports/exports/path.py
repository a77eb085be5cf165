"""The path to a node while a tree is read in pre-order, as bytes, in memory of the path alone."""

from __future__ import annotations

__all__ = ["Path"]


class Path:
    """The encoded frames from the root on; reading a node cuts off what was below its level.

    Args:
        root: the encoded root, which has level 0.

    >>> path = Path(b"main")
    >>> [path.at(level, b";f") for level in (1, 2, 2, 1)]
    [b'main;f', b'main;f;f', b'main;f;f', b'main;f']
    """

    def __init__(self, root: bytes) -> None:
        self._encoded = bytearray(root)
        self._ends = [len(root)]

    def at(self, level: int, frame: bytes) -> bytes:
        """Returns the path to a node, whose callers were read."""
        del self._encoded[self._ends[level - 1] :], self._ends[level:]
        self._encoded += frame
        self._ends.append(len(self._encoded))
        return bytes(self._encoded)
