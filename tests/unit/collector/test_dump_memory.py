"""How large the heap of the dump may grow: with the objects that a recording followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.collector import lifetime_file
from jvmscope.collector.ingest import dump

if TYPE_CHECKING:
    from pathlib import Path

_GIB = 1 << 30


@pytest.mark.parametrize(
    ("n_objects", "trees_bytes", "memory_bytes", "heap_mib"),
    [
        (None, 10 * _GIB, 24 * _GIB, 1024),
        (0, 0, 24 * _GIB, 1024),
        (1 << 20, 0, 24 * _GIB, 1024 + 640),
        (1 << 20, 10 * _GIB, 24 * _GIB, 1024 + 640 + 8 * 1024),
        (1_000_000_000, 0, 24 * _GIB, 18 * 1024),
        (1_000_000_000, 0, _GIB, 1024),
    ],
)
def test_the_heap_has_room_for_the_objects_that_were_followed(
    tmp_path: Path, n_objects: int | None, trees_bytes: int, memory_bytes: int, heap_mib: int
) -> None:
    if n_objects is not None:
        header = lifetime_file._HEADER.pack(lifetime_file._MAGIC, 0, 0)
        header = header[:8] + n_objects.to_bytes(4, "little") + header[12:]
        (tmp_path / lifetime_file.LIFETIME_FILE).write_bytes(header)

    assert dump._heap_bytes(tmp_path, trees_bytes, memory_bytes) >> 20 == heap_mib
    assert any(option.startswith("-Xmx") for option in dump._java_options(tmp_path))
