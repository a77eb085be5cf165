"""A finished row counts where it belongs, and nowhere else."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import fsspec
import pytest
from support.suites import write_suite_file

from jvmscope import cli
from jvmscope.suite import judging, open_suite, storage

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.suite import Row

pytestmark = pytest.mark.usefixtures("stand_in")

_WORDS = {"a": "ok", "b": "wrong", "c": "two", "d": "fail"}


class _KilledError(BaseException):
    """The suite is killed here."""


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with a line for each recording."""
    monkeypatch.setenv("LEDGER", str(tmp_path / "ledger"))
    return tmp_path / "ledger"


def _run(file: Path, place: Path | str, expected: str = "hello") -> int:
    option = f"expect.stdout_matches={expected}"
    return cli.run(["suite", "run", str(file), "-o", str(place), "--set", option])


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("name", ["a-1.before.run", "b-1.run", "a-2.run", "a-1.x.failed"])
def test_what_was_moved_by_hand_is_no_row(
    tmp_path: Path, ledger: Path, name: str, *, is_far: bool
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    place = f"memory://{os.getpid()}-{tmp_path.name}" if is_far else str(tmp_path / "out")
    fs, root = fsspec.core.url_to_fs(place)
    _run(file, place)
    fs.mv(f"{root}/a-1.run", f"{root}/{name}", recursive=True)
    file = write_suite_file(tmp_path, {"a": "ok", "b": "ok"}, "runs = 2")

    assert _run(file, place) == cli.DONE

    recorded = sorted(line.split()[0] for line in ledger.read_text().splitlines())
    assert recorded == ["a-1", "a-1", "a-2", "b-1", "b-2"]
    rows = json.loads(fs.cat_file(f"{root}/suite.lock.json"))["rows"]
    assert [row["run"] for row in rows] == ["a-1.run", "a-2.run", "b-1.run", "b-2.run"]
    assert all(fs.exists(f"{root}/{row['run']}/run.json") for row in rows)


@pytest.mark.parametrize("name", ["a-1", "b-1", "c-1"])
@pytest.mark.parametrize("expected", ["hello", "bye", "l"])
def test_a_row_that_was_being_changed_is_judged_again(
    tmp_path: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch, name: str, expected: str
) -> None:
    file = write_suite_file(tmp_path, _WORDS)
    killed, other = tmp_path / "killed", tmp_path / "other"
    _run(file, killed)
    _run(file, other)

    write_row = storage.write_row

    def kill(directory: Path, row: Row, root: Path) -> None:
        if row.name == name:
            raise _KilledError
        write_row(directory, row, root)

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write_row", kill)
        with pytest.raises(_KilledError):
            _run(file, killed, "bye")

    assert _run(file, killed, expected) == _run(file, other, expected)

    one, two = (open_suite(place).rows for place in (killed, other))
    assert [row.status for row in one] == [row.status for row in two]
    for row, place in zip((*one, *two), [killed] * 4 + [other] * 4, strict=True):
        assert row.log == place / f"{row.name}.{'run' if row.runs else 'failed'}" / "log"
        assert json.loads((row.log / "suite.json").read_text())["status"] == row.status
    assert len(ledger.read_text().splitlines()) == 8


@pytest.mark.parametrize(("module", "call"), [(storage, "write_row"), (judging, "wrong_exit")])
def test_a_row_that_cannot_be_judged_again_is_one_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: object,
    call: str,
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    _run(file, tmp_path / "out")
    capsys.readouterr()

    def fail(*_arguments: object) -> None:
        raise OSError(5, "Input/output error", "stderr.txt")

    monkeypatch.setattr(module, call, fail)

    assert _run(file, tmp_path / "out", "bye") == cli.WRONG

    assert capsys.readouterr().err == (
        "error: stderr.txt: a-1 cannot be compared with what is expected: Input/output error\n"
    )


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("name", "../../precious"),
        ("name", ".."),
        ("name", "/precious"),
        ("name", "b-1/x"),
        ("runs", ["../precious"]),
        ("run", "/precious"),
        ("log", "a-1.run/../../precious"),
    ],
)
def test_no_row_leads_out_of_its_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, value: object
) -> None:
    file, out = write_suite_file(tmp_path, {"a": "ok"}), tmp_path / "out"
    _run(file, out)
    for kind in ("run", "failed"):
        (tmp_path / f"precious.{kind}").mkdir()
        (out / f"precious.{kind}").mkdir()
    row = json.loads((out / "a-1.run/log/suite.json").read_text())
    log = out / ".work" / "x" / "recorded" / "log"
    log.mkdir(parents=True)
    (log / "suite.json").write_text(json.dumps({**row, entry: value}))

    assert _run(file, out) == cli.DONE

    assert sorted(path.name for path in tmp_path.glob("precious*")) == [
        "precious.failed",
        "precious.run",
    ]
    assert not list((out / "precious.run").iterdir())
    lock = json.loads((out / "suite.lock.json").read_text())
    lock["rows"][0][entry] = value
    (out / "suite.lock.json").write_text(json.dumps(lock))
    capsys.readouterr()
    assert cli.run(["suite", "list", str(out)]) == cli.WRONG
    assert "which may lead out of the suite" in capsys.readouterr().err


def test_a_new_run_stays_where_the_old_one_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = write_suite_file(tmp_path, {"a": "ok"}), tmp_path / "out"
    _run(file, out)
    (out / "a-1.run" / "mark").touch()
    command = ["suite", "run", str(file), "-o", str(out), "--set", "expect.stdout_matches=hello"]

    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(16, "Device or resource busy")

    with monkeypatch.context() as patch:
        patch.setattr(os, "rmdir", fail)
        assert cli.run([*command, "--rerun"]) == cli.DONE

    assert cli.run(command) == cli.DONE
    (row,) = open_suite(out).rows
    assert row.run == out / "a-1.run"
    assert row.run.is_dir()
    assert not (row.run / "mark").exists()
