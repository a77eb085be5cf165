"""``jvmscope suite``: statuses, resuming, what is said; a stand-in records."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest
from support.suites import write_suite_file

from jvmscope import cli
from jvmscope.errors import SuiteError
from jvmscope.suite import judging, open_suite, running
from jvmscope.suite.storage import LocalStorage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.suite import Suite

Captured = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("stand_in")

_EVERY_END = {
    "good": "ok",
    "bad": "fail",
    "other": "wrong",
    "slow": "hang",
    "lost": "crash",
    "short": "cut",
    "pair": "two",
    "shell": "none",
    "part": "less",
}


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Returns what was recorded since it was asked last."""
    file = tmp_path / "ledger"
    monkeypatch.setenv("LEDGER", str(file))

    def recorded() -> list[str]:
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return sorted(line.partition(" ")[0] for line in lines)

    return recorded


def _run(file: Path, *options: str) -> int:
    return cli.run(["suite", "run", str(file), "-o", str(file.parent / "out"), *options])


def test_however_a_benchmark_ends_is_a_row(tmp_path: Path, capsys: Captured) -> None:
    file = write_suite_file(tmp_path, _EVERY_END, 'timeout = "7s"')

    assert _run(file, "--jobs", "3") == cli.NO

    suite = open_suite(tmp_path / "out")
    assert [row.benchmark for row in suite.rows] == list(_EVERY_END)
    rows = {row.benchmark: row for row in suite.rows}
    assert {name: (row.status, row.reason, row.exit) for name, row in rows.items()} == {
        "good": ("recorded", None, 0),
        "bad": ("failed", "exit status 1, expected 0", 1),
        "other": ("invalid", "stdout does not match 'hello'", 0),
        "slow": ("timeout", "not done after 7 s", 0),
        "lost": ("failed", "the recorder ended with status 1: it crashed", None),
        "short": ("truncated", "it was cut", 0),
        "pair": ("recorded", None, 0),
        "shell": ("failed", "no run was written", 0),
        "part": ("failed", "Other: its run cannot be written", 0),
    }
    assert rows["good"].run == tmp_path / "out" / "good-1.run"
    assert [run.name for run in rows["pair"].runs] == ["a-1.run", "a-2.run"]
    assert all(row.run is None for row in suite.rows if row.status != "recorded")
    for row in suite.rows:
        assert row.log is not None
        printed = (row.log / "stdout.txt").read_text()
        assert printed == ("good bye\n" if row.benchmark == "other" else "hello\n")
    said = capsys.readouterr()
    assert said.out == ""
    assert "warning: other-1: invalid: stdout does not match 'hello'" in said.err
    assert "[9/9] " in said.err
    assert "2 recorded, 4 failed, 1 timeout, 1 invalid, 1 truncated" in said.err


def test_what_is_finished_stays(tmp_path: Path, ledger: Callable[[], list[str]]) -> None:
    file = write_suite_file(tmp_path, {"a": "ok", "b": "fail"})
    assert _run(file) == cli.NO
    assert ledger() == ["a-1", "b-1"]

    assert _run(file) == cli.NO
    assert _run(file, "--select", "a") == cli.DONE
    assert ledger() == []

    assert _run(file, "--retry-failed") == cli.NO
    assert ledger() == ["b-1"]
    assert _run(file, "--rerun", "--select", "a") == cli.DONE
    assert ledger() == ["a-1"]
    assert [row.status for row in open_suite(tmp_path / "out").rows] == ["recorded", "failed"]
    assert not (tmp_path / "out" / ".work").exists()


def test_what_was_mended_replaces_what_failed(tmp_path: Path) -> None:
    _run(write_suite_file(tmp_path, {"a": "fail"}))
    assert (tmp_path / "out" / "a-1.failed").is_dir()

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.DONE

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "a-1.run",
        "suite.lock.json",
    ]


def test_a_changed_benchmark_is_recorded_again_and_no_other(
    tmp_path: Path, ledger: Callable[[], list[str]]
) -> None:
    _run(write_suite_file(tmp_path, {"a": "ok", "b": "ok"}))
    ledger()
    changed = write_suite_file(tmp_path, {"a": "two", "b": "ok"}, 'tags = ["x"]\ntimeout = "9s"')

    assert _run(changed, "--select", "b") == cli.DONE
    assert ledger() == []
    row = open_suite(tmp_path / "out").rows[0]
    assert (row.status, row.run) == ("missing", None)
    assert "have changed" in str(row.reason)

    assert _run(changed) == cli.DONE
    assert ledger() == ["a-1"]
    assert open_suite(tmp_path / "out").rows[1].tags == ("x",)


def test_what_is_expected_may_be_mended_afterwards(
    tmp_path: Path, ledger: Callable[[], list[str]]
) -> None:
    words = {"a": "ok", "b": "wrong", "c": "fail", "d": "two", "e": "hang"}
    file = write_suite_file(tmp_path, words)
    _run(file)
    ledger()

    def statuses(*options: str) -> list[str]:
        _run(file, *options)
        assert ledger() == []
        rows = open_suite(tmp_path / "out").rows
        assert all((row.run is not None) == (row.status == "recorded") for row in rows)
        return [row.status for row in rows]

    assert statuses() == ["recorded", "invalid", "failed", "recorded", "timeout"]
    assert statuses("--set", "expect.stdout_matches=bye") == [
        "invalid",
        "recorded",
        "failed",
        "invalid",
        "timeout",
    ]
    assert (tmp_path / "out" / "b-1.run" / "run.json").is_file()
    mended = statuses("--set", "expect.stdout_matches=l", "--set", "expect.exit=1")
    assert mended == ["failed", "failed", "recorded", "failed", "timeout"]
    assert statuses() == ["recorded", "invalid", "failed", "recorded", "timeout"]
    assert [run.name for run in open_suite(tmp_path / "out").rows[3].runs] == [
        "a-1.run",
        "a-2.run",
    ]


def test_what_cannot_be_compared_now_is_kept_and_compared_later(
    tmp_path: Path, ledger: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = tmp_path / "right.txt"
    right.write_text("hello\n")
    file = write_suite_file(tmp_path, {"a": "ok"})
    option = f"expect.stdout={right}"

    def unreadable(_expect: object, _log: Path) -> str | None:
        raise PermissionError(13, "Permission denied", str(right))

    with monkeypatch.context() as patch:
        patch.setattr(judging, "wrong_output", unreadable)
        assert _run(file, "--set", option) == cli.NO
    (row,) = open_suite(tmp_path / "out").rows
    assert (row.status, row.reason) == (
        "failed",
        f"{right}: cannot be compared: Permission denied",
    )
    assert ledger() == ["a-1"]

    assert _run(file, "--set", option) == cli.DONE
    assert ledger() == []


def test_what_has_no_log_any_more_stays_as_it_was(tmp_path: Path) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    _run(file)
    (tmp_path / "out" / "a-1.run" / "log" / "stdout.txt").unlink()

    assert _run(file, "--set", "expect.stdout_matches=bye") == cli.DONE


def test_a_benchmark_that_is_gone_from_the_file_stays_on_disk(
    tmp_path: Path, capsys: Captured
) -> None:
    _run(write_suite_file(tmp_path, {"a": "ok", "b": "ok"}))

    assert _run(write_suite_file(tmp_path, {"a": "ok"})) == cli.DONE

    assert [row.name for row in open_suite(tmp_path / "out").rows] == ["a-1"]
    assert (tmp_path / "out" / "b-1.run").is_dir()
    assert "no longer in the suite file: b-1" in capsys.readouterr().err


def test_a_dry_run_writes_nothing(
    tmp_path: Path, ledger: Callable[[], list[str]], capsys: Captured
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})

    assert _run(file, "--dry-run") == cli.DONE

    assert ledger() == []
    assert not (tmp_path / "out").exists()
    assert "a-1: not run yet\n1 of 1 would be recorded" in capsys.readouterr().err


def test_two_at_once_in_one_directory_are_refused(tmp_path: Path, capsys: Captured) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})

    with LocalStorage(tmp_path / "out").exclusive():
        assert _run(file) == cli.WRONG

    assert "another `jvmscope suite run` is recording there now" in capsys.readouterr().err
    assert _run(file) == cli.DONE


def test_a_finished_row_that_was_not_moved_in_is_adopted(
    tmp_path: Path, ledger: Callable[[], list[str]]
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    _run(file)
    ledger()
    out = tmp_path / "out"
    (out / ".work" / "a-1-xyz").mkdir(parents=True)
    (out / "a-1.run").rename(out / ".work" / "a-1-xyz" / "recorded")

    assert _run(file) == cli.DONE

    assert ledger() == []
    assert open_suite(out).rows[0].run == out / "a-1.run"


def test_the_lock_file_says_what_was_run(tmp_path: Path) -> None:
    _run(write_suite_file(tmp_path, {"a": "ok"}), "--set", "runs=2")

    document = json.loads((tmp_path / "out" / "suite.lock.json").read_text())

    assert document["suite_file"] == "suite.toml"
    assert document["set"] == ["runs = 2"]
    assert document["tool"]["name"] == "jvmscope"
    assert document["started"] <= document["ended"]
    assert [row["run"] for row in document["rows"]] == ["a-1.run", "a-2.run"]
    assert document["rows"][0]["command"] == ["java", "Main", "ok"]


def test_a_lock_file_that_is_slow_to_write_is_written_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[list[str]] = []

    def write(_storage: LocalStorage, suite: Suite) -> None:
        written.append([row.status for row in suite.rows])
        time.sleep(0.5)  # times fifty: longer than the suite takes

    monkeypatch.setattr(LocalStorage, "write", write)

    _run(write_suite_file(tmp_path, dict.fromkeys("abc", "ok")))

    assert written == [["missing"] * 3, ["recorded"] * 3]


def test_a_lock_file_that_cannot_be_written_now_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = iter([False, True, True])

    def write(storage: LocalStorage, suite: Suite) -> None:
        if next(is_full, False):
            raise SuiteError("no space left on device")
        written(storage, suite)

    written = LocalStorage.write
    monkeypatch.setattr(LocalStorage, "write", write)
    monkeypatch.setattr(running, "_PAUSES", 0)

    assert _run(write_suite_file(tmp_path, dict.fromkeys("abc", "ok"))) == cli.DONE

    assert {row.status for row in open_suite(tmp_path / "out").rows} == {"recorded"}


def test_progress_may_be_a_bar_or_nothing(tmp_path: Path, capsys: Captured) -> None:
    file = write_suite_file(tmp_path, {"a": "ok", "b": "fail"})

    _run(file, "--progress", "bar")
    assert "b-1: failed" in capsys.readouterr().err
    _run(file, "--rerun", "-q")
    assert capsys.readouterr().err == "warning: b-1: failed: exit status 1, expected 0\n"


def test_a_suite_file_is_listed(tmp_path: Path, capsys: Captured) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"}, 'tags = ["x", "y"]\ntimeout = "1m"')

    assert cli.run(["suite", "list", str(file), "--format", "csv", "--set", "runs=2"]) == cli.DONE
    (first, second) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert first == {
        "run": "a-1",
        "benchmark": "a",
        "parameters": "",
        "jvm": "",
        "invocation": "1",
        "tags": "x y",
    }
    assert second["run"] == "a-2"

    assert cli.run(["suite", "list", str(file), "--format", "csv", "-v"]) == cli.DONE
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["command"] == "java Main ok"
    assert row["timeout_s"] == "60"
    assert row["directory"] == str(tmp_path)


def test_a_recorded_suite_is_listed(tmp_path: Path, capsys: Captured) -> None:
    _run(write_suite_file(tmp_path, {"a": "ok", "b": "hang"}))
    capsys.readouterr()

    assert cli.run(["suite", "list", str(tmp_path / "out"), "--format", "csv"]) == cli.DONE

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["status"]) for row in rows] == [
        ("a-1", "recorded"),
        ("b-1", "timeout"),
    ]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--engine", "spark://x"], "expected dask://HOST:PORT"),
        (["--engine", "dask://x:1", "--jobs", "2"], "a cluster has its own workers"),
        (["--select", "b"], "no such benchmark"),
        (["--set", "rums=2"], 'did you mean "runs"?'),
        (["-o", "nothing://x"], "nothing://x: "),
    ],
)
def test_wrong_options_are_refused(
    tmp_path: Path, capsys: Captured, options: list[str], complaint: str
) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})

    assert _run(file, *options) == cli.WRONG

    assert complaint in capsys.readouterr().err


def test_what_is_far_away_has_to_be_copied(capsys: Captured) -> None:
    assert cli.run(["suite", "list", "s3://bucket/suite"]) == cli.WRONG

    assert "s3://bucket/suite is a URL: copy it to a local directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("package", "options"),
    [("fsspec", ["-o", "memory://x"]), ("distributed", ["--engine", "dask://127.0.0.1:9"])],
)
def test_what_is_not_installed_is_named(
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    options: list[str],
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"{package}.core", raising=False)
    file = write_suite_file(tmp_path, {"a": "ok"})

    assert _run(file, *options) == cli.WRONG

    assert f"pip install {package}" in capsys.readouterr().err


def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path, capsys: Captured) -> None:
    file = write_suite_file(tmp_path, {"a": "ok"})
    (tmp_path / "out").write_text("a file\n")

    assert _run(file) == cli.WRONG

    assert "out: cannot be created" in capsys.readouterr().err


def test_runs_go_to_any_file_system(
    tmp_path: Path, ledger: Callable[[], list[str]], capsys: Captured
) -> None:
    import fsspec

    file = write_suite_file(tmp_path, {"a": "ok", "b": "wrong", "c": "two"})
    place = f"memory://suites-{os.getpid()}"

    for words in (["a-1", "b-1", "c-1"], []):
        assert cli.run(["suite", "run", str(file), "-o", place]) == cli.NO
        assert ledger() == words

    fs, root = fsspec.core.url_to_fs(place)
    names = {path.removeprefix(f"{root}/") for path in fs.find(root)}
    assert {"a-1.run/run.json", "a-1.run/log/stdout.txt", "c-1.run/a-2.run/run.json"} < names
    assert {"b-1.failed/log/suite.json", "suite.lock.json"} < names
    rows = json.loads(fs.cat_file(f"{root}/suite.lock.json"))["rows"]
    assert [row["run"] for row in rows] == ["a-1.run", None, "c-1.run/a-1.run"]
    assert cli.run(["suite", "run", str(file), "-o", place, "--rerun", "--select", "a"]) == cli.DONE
    fs.pipe_file(f"{root}/suite.running.json", b'{"id": "x", "host": "far", "pid": 1, "beat": 9e9}')
    capsys.readouterr()
    assert cli.run(["suite", "run", str(file), "-o", place]) == cli.WRONG
    assert "process 1 on far" in capsys.readouterr().err
