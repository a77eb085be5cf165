"""The header of the arena, as the contract with the agent lays it out."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from jvmscope.collector.arena import HALTED, read_arena_header

if TYPE_CHECKING:
    from pathlib import Path


def test_the_header_is_read(tmp_path: Path) -> None:
    data = bytearray(4096)
    struct.pack_into("<QIIiI", data, 0, 0x314E45574353564A, 1, HALTED, 7, 3)
    struct.pack_into("<Q", data, 24, 123)
    struct.pack_into("<I", data, 44, 17)
    struct.pack_into("<q", data, 64, 4321)
    path = tmp_path / "arena"
    path.write_bytes(data)
    header = read_arena_header(path)
    assert header is not None
    assert (header.state, header.status, header.used_bytes) == (HALTED, 7, 123)
    assert (header.java_major, header.pid) == (17, 4321)
    assert header.is_folded
    assert header.is_cut


def test_no_header_is_none(tmp_path: Path) -> None:
    assert read_arena_header(tmp_path / "arena") is None
    (tmp_path / "arena").write_bytes(bytes(4096))
    assert read_arena_header(tmp_path / "arena") is None
    (tmp_path / "arena").write_bytes(b"short")
    assert read_arena_header(tmp_path / "arena") is None
