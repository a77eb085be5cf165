"""Files of calibrations: what is written is read, and what is no calibration is one error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from support.calibrated import calibration

from jvmscope.errors import RunError
from jvmscope.schema.calibration import read_calibration, write_calibration

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[dict[str, Any]], object]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "new" / "a.calibration"
    write_calibration(file, calibration())

    assert read_calibration(file) == calibration()
    assert file.read_text().count("\n  {") == len(calibration().costs)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found.pop("calibration"), "not a calibration"),
        (lambda found: found.update(calibration=2), "of another form, 2; expected 1"),
        (lambda found: found.pop("costs"), "not a whole calibration: KeyError"),
        (lambda found: found["costs"][0].pop("ns"), "not a whole calibration: KeyError"),
        (lambda found: found["costs"][0].update(ns=-1), "work loop interpreter: no interval"),
        (lambda found: found["costs"][0].update(ns=float("nan")), "no interval"),
        (lambda found: found["costs"][0].update(ns=0, low_ns=0), "work in interpreter takes no"),
        (lambda found: found["costs"][-1].update(kind="big"), "not a whole calibration"),
        (lambda found: found.update(jdk=3), "not a whole calibration"),
    ],
)
def test_a_wrong_file_is_an_error(change: Change, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    write_calibration(file, calibration())
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))

    with pytest.raises(RunError, match=rf"a\.calibration: .*{message}.*jvmscope calibrate"):
        read_calibration(file)


@pytest.mark.parametrize("content", [b"\xff", b"no JSON", b"[]"])
def test_another_file_is_an_error(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    file.write_bytes(content)

    with pytest.raises(RunError, match="not a calibration"):
        read_calibration(file)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read: No such file"):
        read_calibration(tmp_path / "a.calibration")
