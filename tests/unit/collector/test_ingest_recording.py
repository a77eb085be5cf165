"""Ingest of a stream of frames: all files or none, and always the same bytes."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.frames import ERROR, PROGRESS, RESULT, RESULT_OF_NOTHING, FrameStream, whole_stream

from jvmscope.collector.ingest import IngestOptions, IngestResult, ingest
from jvmscope.errors import RunError
from jvmscope.schema.definitions import tables

N_BIG = 300_000


def fake_java(folder: Path, stream: bytes, *, status: int = 0, says: str = "") -> Path:
    """A `java` that writes a stream instead of reading a recording."""
    (folder / "stream").write_bytes(stream)
    java = folder / "java"
    java.write_text(f'#!/bin/sh\ncat "{folder}/stream"\necho "{says}" >&2\nexit {status}\n')
    java.chmod(0o755)
    return java


def write_arena_header(folder: Path, used_bytes: int) -> None:
    header = struct.pack("<QIIiIQQIIQI4xq", 0x314E45574353564A, 1, 1, 0, 0, used_bytes, *[0] * 6)
    (folder / "raw").mkdir(exist_ok=True)
    (folder / "raw" / "arena").write_bytes(header)


def run(folder: Path, java: Path, progress: list[tuple[int, int]] | None = None) -> IngestResult:
    seen = progress if progress is not None else []
    return ingest(
        folder / "raw",
        folder / "tables",
        folder / "classes.zip",
        java=java,
        jar=Path("agent.jar"),
        options=IngestOptions(),
        progress=lambda done, total: seen.append((done, total)),
    )


def blocks(n: int) -> pa.Table:
    return pa.Table.from_arrays(
        [
            pa.array(range(n), pa.int32()),
            pa.array([i % 7 for i in range(n)], pa.int32()),
            pa.array([i % 1000 + 1 for i in range(n)], pa.int64()),
        ],
        schema=tables()["context_block"].arrow_schema,
    )


def leftovers(folder: Path) -> list[str]:
    return sorted({path.name for path in folder.iterdir()} - {"stream", "java", "raw"})


def test_writes_every_table_and_the_class_files(tmp_path: Path) -> None:
    stream = whole_stream({"context_block": blocks(N_BIG)})
    stream.class_file("app/b/B.class", b"second" * 100)
    stream.class_file("app/A.class", b"first")
    stream.frame(PROGRESS, 0, (5).to_bytes(8, "little") + (9).to_bytes(8, "little"))
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "vm.properties").write_text("#date\njava.vendor=A\\ B\njava.home=/x\n")
    progress: list[tuple[int, int]] = []

    result = run(tmp_path, fake_java(tmp_path, bytes(stream.data)), progress)

    assert result.vm == {"vendor": "A B"}
    assert progress == [(5, 9)]
    assert result.main.class_name is None
    assert result.main.context_id is None
    for name, facts in result.tables.items():
        file = tmp_path / "tables" / f"{name}.parquet"
        assert pq.read_schema(file).equals(tables()[name].arrow_schema), name
        assert file.stat().st_size == facts.bytes
    assert result.tables["context_block"].rows == N_BIG
    assert pq.read_table(tmp_path / "tables" / "context_block.parquet").equals(blocks(N_BIG))
    with zipfile.ZipFile(tmp_path / "classes.zip") as archive:
        assert archive.namelist() == ["app/b/B.class", "app/A.class"]
        assert archive.read("app/A.class") == b"first"
    assert leftovers(tmp_path) == ["classes.zip", "tables"]


def test_the_same_frames_give_the_same_bytes(tmp_path: Path) -> None:
    stream = whole_stream({"context_block": blocks(1000)})
    stream.class_file("app/A.class", b"x" * 50_000)
    results = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        results.append(run(folder, fake_java(folder, bytes(stream.data))))
    assert results[0].tables == results[1].tables
    assert results[0].files == results[1].files


def test_ingesting_again_replaces_the_tables(tmp_path: Path) -> None:
    java = fake_java(tmp_path, bytes(whole_stream({"context_block": blocks(10)}).data))
    run(tmp_path, java)
    assert run(tmp_path, java).tables["context_block"].rows == 10
    assert leftovers(tmp_path) == ["classes.zip", "tables"]


def _cut() -> bytes:
    return bytes(whole_stream({"context_block": blocks(1000)}).data[:-1000])


def _error() -> bytes:
    stream = whole_stream()
    stream.json(ERROR, {"message": "arena: is cut off"})
    return bytes(stream.data)


def _missing_table() -> bytes:
    stream = FrameStream()
    stream.table("context_block", blocks(3))
    stream.json(RESULT, RESULT_OF_NOTHING)
    return bytes(stream.data)


def _wrong_count() -> bytes:
    stream = FrameStream()
    stream.table("context_block", blocks(3), n_rows=4)
    stream.json(RESULT, RESULT_OF_NOTHING)
    return bytes(stream.data)


def _unknown_table() -> bytes:
    stream = FrameStream()
    stream.table("secret", blocks(3))
    return bytes(stream.data)


def _no_result() -> bytes:
    return bytes(FrameStream().data)


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        (_cut(), "ended inside"),
        (_error(), "arena: is cut off"),
        (_missing_table(), "wrote no table"),
        (_wrong_count(), "3 rows of context_block, expected 4"),
        (_unknown_table(), "there is no table secret"),
        (_no_result(), "ended without a result"),
        (b"", "ended inside the stream's start"),
    ],
)
def test_a_damaged_stream_leaves_nothing(tmp_path: Path, stream: bytes, says: str) -> None:
    with pytest.raises(RunError, match=says):
        run(tmp_path, fake_java(tmp_path, stream))
    assert leftovers(tmp_path) == []


def test_a_reader_that_fails_is_an_error(tmp_path: Path) -> None:
    java = fake_java(tmp_path, bytes(whole_stream().data), status=3, says="no space")
    with pytest.raises(RunError, match="status 3; Java said: no space"):
        run(tmp_path, java)
    assert leftovers(tmp_path) == []


def test_a_missing_java_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be started"):
        run(tmp_path, tmp_path / "no-java")
    assert leftovers(tmp_path) == []


def test_options_of_the_users_jvms_are_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dfor=program")
    java = fake_java(tmp_path, b"")
    java.write_text(f'#!/bin/sh\nenv > "{tmp_path}/raw-environment"\n')
    with pytest.raises(RunError):
        run(tmp_path, java)
    assert "JAVA_TOOL_OPTIONS" not in (tmp_path / "raw-environment").read_text()


def test_results_are_json(tmp_path: Path) -> None:
    stream = whole_stream()
    stream.json(
        RESULT, {**RESULT_OF_NOTHING, "main_class": "app/Main", "main_context": 1, "contexts": 2}
    )
    result = run(tmp_path, fake_java(tmp_path, bytes(stream.data)))
    assert (result.main.class_name, result.main.context_id) == ("app/Main", 1)
    assert result.n_contexts == 2
    assert json.dumps(result.vm) == "{}"


@pytest.mark.parametrize(("used_bytes", "is_small"), [(1 << 20, True), (1 << 30, False)])
def test_small_recordings_are_read_without_the_optimising_compiler(
    tmp_path: Path, used_bytes: int, *, is_small: bool
) -> None:
    java = fake_java(tmp_path, bytes(whole_stream({}).data))
    java.write_text(java.read_text().replace("cat", f'echo "$@" > "{tmp_path}/raw/words"\ncat', 1))
    write_arena_header(tmp_path, used_bytes)

    run(tmp_path, java)

    words = (tmp_path / "raw" / "words").read_text().split()
    assert ("-XX:TieredStopAtLevel=1" in words) == is_small
    assert words[-2:] == ["io.jvmscope.dump.Main", str(tmp_path / "raw")]
