"""Reading chunks: numbers of all sizes, files that are not chunks, and headers that change."""

from __future__ import annotations

import struct
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmscope.errors import AgentError
from jvmscope.watch.flight import Chunk, Repository
from jvmscope.watch.flight import repository as repository_module
from jvmscope.watch.flight.encoding import PRIMITIVES, read_text, read_unsigned

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = struct.Struct(">4sHHqqqqqqqBxxx")
_MS = 1_000_000
_NONE: frozenset[str] = frozenset()


def _encoded(value: int) -> bytes:
    """The compressed form: nine bytes at most, seven bits in all but the ninth."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value >= 0x80 and len(found) < 8:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _header(
    size: int = 68,
    metadata: int = 68,
    state: int = 1,
    magic: bytes = b"FLR\0",
    span: tuple[int, int] = (5, 0),
) -> bytes:
    return _HEADER.pack(magic, 2, 1, size, 68, metadata, *span, 0, 1_000_000_000, state)


@given(st.integers(-(1 << 63), (1 << 63) - 1), st.binary(max_size=3))
def test_every_long_is_read(value: int, behind: bytes) -> None:
    data = _encoded(value)

    assert PRIMITIVES["long"](data + behind, 0) == (value, len(data))
    assert read_unsigned(b"?" + data, 1) == (value & (1 << 64) - 1, 1 + len(data))


@given(st.integers(-(1 << 31), (1 << 31) - 1))
def test_every_int_is_read(value: int) -> None:
    """The VM writes them as 32 bits without a sign."""
    data = _encoded(value & 0xFFFF_FFFF)

    assert PRIMITIVES["int"](data, 0) == (value, len(data))


@given(st.text())
def test_every_string_is_read(text: str) -> None:
    utf_8 = text.encode("utf-8", "replace")
    units = text.encode("utf-16-le", "surrogatepass")
    chars = b"".join(
        _encoded(int.from_bytes(units[i : i + 2], "little")) for i in range(0, len(units), 2)
    )
    as_utf_8 = b"\x03" + _encoded(len(utf_8)) + utf_8
    as_chars = b"\x04" + _encoded(len(units) // 2) + chars

    assert read_text(as_utf_8, 0) == (utf_8.decode(), len(as_utf_8))
    assert read_text(as_chars, 0) == (units.decode("utf-16-le", "replace"), len(as_chars))


@pytest.mark.parametrize("content", [b"", b"FLR", bytes(67), bytes(68)])
def test_a_chunk_that_is_not_begun_has_no_events(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jfr"
    path.write_bytes(content)
    chunk = Chunk(path)

    assert (list(chunk.events(_NONE)), chunk.is_begun, chunk.is_finished) == ([], False, False)
    chunk.close()


def test_what_is_no_chunk_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jfr"
    path.write_bytes(_header(magic=b"????"))
    chunk = Chunk(path)

    with pytest.raises(AgentError, match=r"a\.jfr: not a chunk of flight recorder 1 or 2"):
        list(chunk.events(_NONE))
    chunk.close()


@pytest.mark.parametrize(
    "header",
    [_header(state=255), _header(metadata=0), _header(size=4711)],
    ids=["changing", "before the first flush", "shorter than it says"],
)
def test_a_chunk_waits_for_its_header(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "a.jfr"
    path.write_bytes(header)
    chunk = Chunk(path)

    assert list(chunk.events(_NONE)) == []
    assert not chunk.is_finished
    path.write_bytes(_header(state=0))
    assert list(chunk.events(_NONE)) == []
    assert chunk.is_finished
    chunk.close()


def test_chunks_of_before_are_left_out(tmp_path: Path) -> None:
    """A recording of the user's own may have begun them."""
    (tmp_path / "a.jfr").write_bytes(_header(state=0))
    repository = Repository(tmp_path, since_ns=6, wanted=_NONE)

    assert list(repository.events()) == []
    assert repository.is_drained


def test_a_removed_chunk_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jfr"
    path.write_bytes(_header())
    repository = Repository(tmp_path, since_ns=0, wanted=_NONE)
    assert list(repository.events()) == []
    assert not repository.is_drained
    with path.open("r+b") as file:
        path.unlink()
        file.write(_header(state=0))

    assert list(repository.events()) == []
    assert repository.is_drained


def test_a_repository_that_is_gone_has_no_chunks(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "gone", since_ns=0, wanted=_NONE)

    assert list(repository.events()) == []
    assert repository.is_drained


def _gaps(tmp_path: Path, spans: list[tuple[int, int]], *, since_ns: int = 0) -> list[Any]:
    """What is told as not seen, of chunks that begin and last so many milliseconds."""
    found: list[Any] = []
    on_gap = lambda start, end: found.append((start // _MS, end // _MS))  # noqa: E731
    repository = Repository(tmp_path, since_ns, _NONE, on_gap)
    for number, (start, duration) in enumerate(spans):
        path = tmp_path / f"{number:02}.jfr"
        path.write_bytes(_header(state=0, span=(start * _MS, duration * _MS)))
        assert list(repository.events()) == []
        path.unlink()
    assert repository.is_drained
    repository.close()
    return found


def test_a_time_whose_chunks_were_not_seen_is_told(tmp_path: Path) -> None:
    assert _gaps(tmp_path, [(10, 5), (15, 5), (20, 1)]) == []
    assert _gaps(tmp_path, [(10, 5), (18, 2), (20, 1), (30, 1)]) == [(15, 18), (21, 30)]


def test_a_clock_that_is_set_back_loses_no_chunk(tmp_path: Path) -> None:
    read = []
    repository = Repository(tmp_path, 10 * _MS, _NONE)
    for number, start in enumerate((9, 10, 4, 9)):
        path = tmp_path / f"{number}.jfr"
        path.write_bytes(_header(span=(start * _MS, 0)))
        list(repository.events())
        read.append(not repository.is_drained)
        path.write_bytes(_header(state=0, span=(start * _MS, _MS)))
        list(repository.events())
    assert read == [False, True, True, True]


def test_a_reader_that_is_late_sees_every_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread opens what comes and goes meanwhile; of very many the oldest are given up."""
    monkeypatch.setattr(repository_module, "_LOOK_S", 0.001)
    gaps: list[Any] = []
    repository = Repository(tmp_path, 0, _NONE, lambda *span: gaps.append(span))
    repository.follow()
    for number in range(100):
        path = tmp_path / f"{number:03}.jfr"
        path.write_bytes(_header(state=0, span=(number * _MS, _MS)))
        ends = time.monotonic() + 30
        while path.name not in repository._seen and time.monotonic() < ends:
            time.sleep(0.001)
        path.unlink()
        if number == 0:
            assert list(repository.events()) == []
    assert list(repository.events()) == []
    repository.close()
    assert gaps == [(_MS, 36 * _MS)]
