"""The header of the file in which a recording of lifetimes keeps its log."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LIFETIME_FILE", "LifetimeHeader", "read_lifetime_header"]

LIFETIME_FILE = "lifetimes"
"""The file's name in the raw directory."""

# LifetimeLayout.java: magic, clock, bytes on the disk
_MAGIC = 0x3146494C4353564A
_HEADER = struct.Struct("<Qi28xQ")


@dataclass(frozen=True)
class LifetimeHeader:
    """What following objects took.

    Attributes:
        n_objects: objects that have a number.
        disk_bytes: what the file took on the disk, in all.
    """

    n_objects: int
    disk_bytes: int

    def __str__(self) -> str:
        """Says it in a sentence without a full stop.

        >>> print(LifetimeHeader(1_207_105, 44_356_000))
        followed 1,207,105 objects, which took 43 MiB of disk until now
        """
        size = f"{-(-self.disk_bytes // (1 << 20)):,} MiB"
        return f"followed {self.n_objects:,} objects, which took {size} of disk until now"


def read_lifetime_header(path: Path) -> LifetimeHeader | None:
    """Returns what the header says; None if there is no such file, or it is not whole."""
    try:
        with path.open("rb") as file:
            data = file.read(_HEADER.size)
    except OSError:
        return None
    if len(data) < _HEADER.size:
        return None
    magic, n_objects, disk_bytes = _HEADER.unpack(data)
    return LifetimeHeader(n_objects, disk_bytes) if magic == _MAGIC else None
