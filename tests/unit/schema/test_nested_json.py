"""JSON that is more than Python can read is a damaged file, as any other damage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.samples import write_shapes

from jvmscope.cli import WRONG, run
from jvmscope.errors import JvmscopeError
from jvmscope.schema.calibration import read_calibration
from jvmscope.schema.studied import STUDY_MANIFEST
from jvmscope.schema.suite import read_lock
from jvmscope.watch.study.manifest import read_study_manifest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_NESTED = "[" * 100_000


@pytest.mark.parametrize("verb", ["check", "query", "measure", "report", "compare"])
def test_a_run_with_such_a_manifest_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], verb: str
) -> None:
    damaged = write_shapes(tmp_path / "a.run")
    (damaged / "run.json").write_text(_NESTED)
    words = {"query": ("SELECT 1",), "compare": (damaged,), "report": ("summary",)}.get(verb, ())

    assert run([verb, str(damaged), *map(str, words)]) == WRONG
    assert "nested too deep" in capfd.readouterr().err


def test_the_other_runs_of_a_directory_are_listed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_shapes(tmp_path / "a.run")
    (write_shapes(tmp_path / "b.run") / "run.json").write_text(_NESTED)
    run(["list", "runs", str(tmp_path)])
    said = capfd.readouterr()

    assert "a.run" in said.out
    assert "nested too deep" in said.err


def _study(path: Path) -> None:
    (path / STUDY_MANIFEST).write_text(_NESTED)
    read_study_manifest(path)


def _calibration(path: Path) -> None:
    (path / "c.json").write_text(_NESTED)
    read_calibration(path / "c.json")


def _lock(path: Path) -> None:
    read_lock(_NESTED, path)


@pytest.mark.parametrize("verb", ["check", "query", "measure", "report", "compare"])
def test_a_number_of_thousands_of_digits_is_called_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], verb: str
) -> None:
    damaged = write_shapes(tmp_path / "a.run")
    (damaged / "run.json").write_text(f'{{"schema": {"9" * 5000}}}')
    words = {"query": ("SELECT 1",), "compare": (damaged,), "report": ("summary",)}.get(verb, ())

    assert run([verb, str(damaged), *map(str, words)]) == WRONG
    assert "not valid JSON: a number has too many digits" in capfd.readouterr().err


@pytest.mark.parametrize("read", [_study, _calibration, _lock])
def test_other_such_files_are_refused(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    with pytest.raises(JvmscopeError):
        read(tmp_path)
