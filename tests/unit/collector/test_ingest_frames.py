"""Frames and batches, as the dump writes them."""

from __future__ import annotations

import io
import struct

import pyarrow as pa
import pytest
from support.frames import BATCH, RESULT, FrameStream

from jvmscope.collector.ingest.batches import BatchDecoder
from jvmscope.collector.ingest.frames import FrameKind, read_frames
from jvmscope.errors import RunError

WORDS = pa.dictionary(pa.int16(), pa.string())


class Dribble(io.RawIOBase):
    """A pipe that gives few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._data.readinto(memoryview(buffer)[:7])


def frames_of(stream: FrameStream) -> list:
    return list(read_frames(Dribble(bytes(stream.data))))


def test_frames_come_back_in_order() -> None:
    stream = FrameStream()
    stream.json(RESULT, {"contexts": 3})
    stream.class_file("app/A.class", b"bytes")

    result, class_file = frames_of(stream)

    assert result.kind is FrameKind.RESULT
    assert result.json() == {"contexts": 3}
    assert class_file.kind is FrameKind.CLASS_FILE
    assert class_file.payload.size % 8 == 0


@pytest.mark.parametrize("n_rows", [0, 1, 9, 70])
def test_a_batch_of_every_type_comes_back(n_rows: int) -> None:
    rows = [i if i % 3 else None for i in range(n_rows)]
    table = pa.table(
        {
            "key": pa.array(range(n_rows), pa.int32()),
            "id": pa.array(rows, pa.int32()),
            "count": pa.array([None if i is None else i << 40 for i in rows], pa.int64()),
            "is_odd": pa.array([None if i is None else i % 2 == 1 for i in rows], pa.bool_()),
            "text": pa.array([None if i is None else "ä" * i for i in rows]),
            "word": pa.array([None if i is None else f"w{i % 4}" for i in rows]).cast(WORDS),
            "ids": pa.array([list(range(i % 5)) for i in range(n_rows)], pa.list_(pa.int32())),
        }
    )
    stream = FrameStream()
    stream.table("sample", table)

    described, *batches, _end = frames_of(stream)
    decoder = BatchDecoder(described)

    assert decoder.name == "sample"
    decoded = [row for frame in batches for row in decoder.decode(frame).to_pylist()]
    assert decoded == table.to_pylist()
    for frame in batches:
        decoder.decode(frame).validate(full=True)


def test_another_version_is_refused() -> None:
    with pytest.raises(RunError, match="version 2, expected 1"):
        frames_of(FrameStream(version=2))
    with pytest.raises(RunError, match="expected 1"):
        frames_of(FrameStream(magic=b"somebody"))


@pytest.mark.parametrize("n_bytes", [0, 5, 16 + 3, 16 + 16 + 2])
def test_a_stream_that_ends_inside_is_refused(n_bytes: int) -> None:
    stream = FrameStream()
    stream.json(RESULT, {})
    with pytest.raises(RunError, match="ended inside"):
        list(read_frames(io.BytesIO(bytes(stream.data[:n_bytes]))))


def test_a_frame_of_unknown_kind_or_size_is_refused() -> None:
    unknown = FrameStream()
    unknown.frame(99, 0, b"")
    with pytest.raises(RunError, match="kind 99"):
        frames_of(unknown)
    huge = FrameStream()
    huge.data += struct.pack("<IIQ", BATCH, 0, 1 << 40)
    with pytest.raises(RunError, match="with 1099511627776 bytes"):
        frames_of(huge)


def test_a_batch_must_be_as_long_as_its_rows() -> None:
    stream = FrameStream()
    stream.table("sample", pa.table({"key": pa.array([1, 2, 3], pa.int32())}))
    described, batch, _ = frames_of(stream)
    decoder = BatchDecoder(described)

    longer = FrameStream()
    longer.frame(BATCH, 0, batch.payload.to_pybytes() + bytes(8))
    with pytest.raises(RunError, match="bytes left over"):
        decoder.decode(frames_of(longer)[0])

    shorter = FrameStream()
    shorter.frame(BATCH, 0, struct.pack("<II", 1000, 0))
    with pytest.raises(RunError, match="shorter than its rows"):
        decoder.decode(frames_of(shorter)[0])
