"""The header of the arena, as the contract with the agent lays it out."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from support.class_constants import class_constants

from jvmscope.collector import agent_jar, arena
from jvmscope.collector.arena import HALTED, ArenaHeader, read_arena_header
from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from pathlib import Path


def _layout() -> dict[str, int]:
    """Returns the constants that the agent's runtime and the dump are compiled with."""
    try:
        with ZipFile(agent_jar()) as jar:
            return class_constants(jar.read("runtime/jdk/internal/perf/ArenaLayout.class"))
    except AgentError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def test_the_layout_is_that_of_the_agent() -> None:
    layout = _layout()
    own = {
        name: value
        for name, value in vars(arena).items()
        if type(value) is int and not name.startswith("_")
    }

    assert len(own) > 10
    assert own == {name: layout.get(name) for name in own}


def test_the_flags_and_states_are_all_different() -> None:
    layout = _layout()
    flags = ["FOLDED", "DISK_FULL", "LOG_FULL", "STARTED_LATE", "EDGES_LOST"]

    assert sorted(layout[flag] for flag in flags) == [1, 2, 4, 8, 16]
    assert sorted(layout[state] for state in ("RUNNING", "SHUT_DOWN", "HALTED")) == [0, 1, 2]


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


def _header(path: Path, flags: int) -> ArenaHeader:
    data = bytearray(4096)
    struct.pack_into("<QIIiI", data, 0, 0x314E45574353564A, 1, HALTED, 0, flags)
    path.write_bytes(data)
    header = read_arena_header(path)
    assert header is not None
    return header


@pytest.mark.parametrize(
    ("flag", "is_cut"), [(0, False), (1, False), (2, True), (4, True), (8, False), (16, True)]
)
def test_whatever_loses_calls_cuts_the_recording(flag: int, is_cut: bool, tmp_path: Path) -> None:
    """Flags: calls folded, disk full, log of classes full, started late, folded calls lost."""
    assert _header(tmp_path / "arena", flag).is_cut == is_cut


def test_no_header_is_none(tmp_path: Path) -> None:
    assert read_arena_header(tmp_path / "arena") is None
    (tmp_path / "arena").write_bytes(bytes(4096))
    assert read_arena_header(tmp_path / "arena") is None
    (tmp_path / "arena").write_bytes(b"short")
    assert read_arena_header(tmp_path / "arena") is None
