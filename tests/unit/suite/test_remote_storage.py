"""Places that are reached by a URL, and what becomes of a suite when they are not."""

from __future__ import annotations

import itertools
import json
import os
import re
import socket
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from support.suites import write_suite_file

from jvmscope import cli
from jvmscope.collector.launch.workspace import clear_abandoned
from jvmscope.suite import remote_mark
from jvmscope.suite.storage import storage_of

pytestmark = pytest.mark.usefixtures("stand_in")

_URL = "unsteady://suite"


class _Unsteady(MemoryFileSystem):  # type: ignore[misc]  # has no types
    """A file system whose calls fail as they are told, with errors that are no OSError."""

    protocol = "unsteady"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    failing: ClassVar[dict[str, str]] = {}
    after: ClassVar[dict[str, str]] = {}

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        self._fail("makedirs", path)
        super().makedirs(path, exist_ok)

    def put_file(self, lpath: str, rpath: str, **options: Any) -> None:
        self._fail("put_file", rpath)
        super().put_file(lpath, rpath, **options)

    def cat_file(self, path: str, **options: Any) -> bytes:
        self._fail("cat_file", path)
        return bytes(super().cat_file(path, **options))

    def pipe_file(self, path: str, value: bytes, **options: Any) -> None:
        super().pipe_file(path, value, **options)
        other = self.after.pop(path.rpartition("/")[2], None)
        if other is not None:
            super().pipe_file(f"{path.rpartition('/')[0]}/suite.running.json", other.encode())

    def get_file(self, rpath: str, lpath: str, **options: Any) -> None:
        self._fail("get_file", rpath)
        super().get_file(rpath, lpath, **options)

    def _fail(self, call: str, path: str) -> None:
        if call in self.failing and self.failing[call] in path:
            raise RuntimeError("could not connect\nto the endpoint")


@pytest.fixture
def failing() -> dict[str, str]:
    """What is to fail: a part of the path, by the name of the call."""
    fsspec.register_implementation("unsteady", _Unsteady, clobber=True)
    for kept in (_Unsteady.store, _Unsteady.failing, _Unsteady.after):
        kept.clear()
    _Unsteady.pseudo_dirs[:] = [""]
    return _Unsteady.failing


def _run(file: Path, *options: str) -> int:
    return cli.run(["suite", "run", str(file), "-o", _URL, *options])


def test_a_place_that_is_not_reached_is_one_error(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["makedirs"] = "suite"

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.WRONG

    assert capsys.readouterr().err == f"error: {_URL}: could not connect\n"


def test_a_row_that_cannot_be_read_is_not_recorded_again(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok", "b": "ok"})
    assert _run(file) == cli.DONE
    failing["cat_file"] = "b-1.run"
    capsys.readouterr()

    assert _run(file) == cli.WRONG
    assert capsys.readouterr().err == f"error: {_URL}: could not connect\n"

    failing.clear()
    assert _run(file) == cli.DONE
    assert "nothing to do: 2 recorded" in capsys.readouterr().err


def test_half_an_upload_is_no_row(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok", "b": "two"})
    failing["put_file"] = "a-2.run"

    assert _run(file) == cli.NO

    assert "b-1: failed: SuiteError: unsteady://suite: could not connect" in capsys.readouterr().err
    names = {path for path in _Unsteady.store if "/b-1.run/" in path}
    assert names
    assert not any(name.endswith("suite.json") for name in names)
    failing.clear()
    assert _run(file) == cli.DONE
    assert list(storage_of(_URL).finished()) == ["a-1", "b-1"]


def test_what_a_killed_suite_recorded_in_is_found_by_its_name(failing: dict[str, str]) -> None:
    assert not failing
    with storage_of(_URL).workshop("a-1") as workshop:
        clear_abandoned()

        assert workshop.is_dir()  # it is in use
        assert re.fullmatch(r"jvmscope-\d+", workshop.parent.name)
    assert not workshop.parent.exists()


@pytest.mark.parametrize(("start", "status"), [("0", cli.DONE), (None, cli.WRONG)])
def test_a_mark_is_that_of_a_process_and_not_of_its_number(
    tmp_path: Path, failing: dict[str, str], start: str | None, status: int
) -> None:
    assert not failing
    stat = Path(f"/proc/{os.getpid()}/stat").read_text()
    start = start or stat.rpartition(")")[2].split()[19]
    owner = {"id": "x", "host": socket.gethostname(), "pid": os.getpid(), "start": start}
    fs, root = fsspec.core.url_to_fs(_URL)
    fs.pipe_file(f"{root}/suite.running.json", json.dumps({**owner, "beat": 9e9}).encode())

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == status


def test_what_is_expected_may_be_mended_far_away_as_here(
    tmp_path: Path, failing: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not failing
    ledger = tmp_path / "ledger"
    monkeypatch.setenv("LEDGER", str(ledger))
    right = tmp_path / "right.txt"
    right.write_text("hello\n")
    words = ("ok", "wrong", "fail", "two", "hang", "cut", "none", "crash", "less")
    file = write_suite_file(tmp_path, {word: word for word in words})
    expectations = ["stdout_matches=bye", "stdout_matches=l", "exit=1", f"stdout={right}"]
    expectations += [f"stdout_sha256={'0' * 64}", "stdout_matches=hello"]
    here = str(tmp_path / "out")

    def outcome(place: str, expected: str) -> tuple[int, list[dict[str, object]], set[str]]:
        command = ["suite", "run", str(file), "-o", place, "--set", f"expect.{expected}"]
        status = cli.run([*command, "--jobs", "2"])
        fs, root = fsspec.core.url_to_fs(place)
        rows = json.loads(fs.cat_file(f"{root}/suite.lock.json"))["rows"]
        files = {path.removeprefix(f"{root}/") for path in fs.find(root)}
        for row in rows:
            kept = json.loads(fs.cat_file(f"{root}/{row['log']}/suite.json"))
            assert (kept["status"], kept["runs"]) == (row["status"], row["runs"])
            del row["recorded"]
        return status, rows, files

    for one, other in itertools.combinations(expectations, 2):
        for expected in (one, other):
            assert outcome(_URL, expected) == outcome(here, expected)
    assert len(ledger.read_text().splitlines()) == 2 * len(words)


def test_rows_far_away_that_cannot_be_judged_now_are_one_error(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    assert _run(file) == cli.DONE
    capsys.readouterr()
    failing["get_file"] = "stdout.txt"

    assert _run(file, "--set", "expect.stdout_matches=bye") == cli.WRONG

    assert capsys.readouterr().err == f"error: {_URL}: could not connect\n"
    failing.clear()
    assert _run(file, "--set", "expect.stdout_matches=bye") == cli.NO


_OTHER = '{"id": "x", "host": "far", "pid": 1, "beat": 9e9}'
_NO_MARKS = ("", "{", "[]", "3", "{}", '{"id": 3, "host": "far", "pid": 1, "beat": 9e9}', "\0\xff")


def _mark() -> bytes | None:
    fs, root = fsspec.core.url_to_fs(_URL)
    path = f"{root}/suite.running.json"
    return bytes(fs.cat_file(path)) if fs.exists(path) else None


def test_of_two_that_start_together_one_goes_on(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert not failing
    _Unsteady.after["suite.running.json"] = _OTHER

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.WRONG

    assert "process 1 on far" in capsys.readouterr().err
    assert _mark() == _OTHER.encode()
    assert storage_of(_URL).finished() == {}


def test_a_suite_ends_when_another_one_has_come_in(
    tmp_path: Path,
    failing: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not failing
    monkeypatch.setattr(remote_mark, "_BEAT_S", 0.01)
    _Unsteady.after["suite.lock.json.partial"] = _OTHER

    assert _run(write_suite_file(tmp_path, {"a": "never", "b": "ok"})) == cli.WRONG

    assert "process 1 on far" in capsys.readouterr().err
    assert _mark() == _OTHER.encode()
    assert storage_of(_URL).finished() == {}


@pytest.mark.parametrize("text", _NO_MARKS)
def test_a_mark_that_cannot_be_read_is_one(
    tmp_path: Path, failing: dict[str, str], capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert not failing
    fs, root = fsspec.core.url_to_fs(_URL)
    fs.pipe_file(f"{root}/suite.running.json", text.encode())

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.WRONG

    assert (
        "suite.running.json cannot be read; if no suite is recording, remove it"
        in capsys.readouterr().err
    )
    assert _mark() == text.encode()


def test_the_mark_of_a_suite_goes_with_it(tmp_path: Path, failing: dict[str, str]) -> None:
    assert not failing

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.DONE

    assert _mark() is None


def test_the_mark_of_another_one_stays(failing: dict[str, str]) -> None:
    assert not failing
    fs, root = fsspec.core.url_to_fs(_URL)
    other = b'{"id": "x", "host": "far", "pid": 1, "beat": 0}'

    with storage_of(_URL).exclusive():
        fs.pipe_file(f"{root}/suite.running.json", other)

    assert fs.cat_file(f"{root}/suite.running.json") == other
