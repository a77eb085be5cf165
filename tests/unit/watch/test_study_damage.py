"""A damaged study is refused with one error, and ``check`` says what is wrong with it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from support.planted_studies import Planted, write_planted

from jvmscope import cli
from jvmscope.schema import study_tables
from jvmscope.watch.study import Study, StudyOptions, StudyParts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TABLES = sorted(study_tables())
_DAMAGE: dict[str, Callable[[Path], object]] = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-10]),
    "empty": lambda file: file.write_bytes(b""),
    "missing": lambda file: file.unlink(),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "of another table": lambda file: shutil.copy(_other(file), file),
    "added": lambda file: shutil.copy(file, file.with_name("more.parquet")),
}
_PARTS: dict[str, Callable[[Path], object]] = {
    "first part missing": lambda parts: shutil.rmtree(parts / "000000"),
    "last part missing": lambda parts: shutil.rmtree(parts / "000001"),
    "part copied": lambda parts: shutil.copytree(parts / "000000", parts / "000002"),
    "part copied to a far number": lambda parts: shutil.copytree(parts / "000000", parts / "99"),
    "all parts missing": shutil.rmtree,
}
_VALUES: dict[str, Any] = {
    "command": ["java", 1],
    "options": [],
    "options.warm_up": "x",
    "options.reading": -1.0,
    "options.n_methods": 1.5,
    "options.classes": "app.**",
    "state": "wonderful",
    "reason": 1,
    "jvm": {"name": 1},
    "n_processors": "2",
    "unmeasured": [],
    "n_unmeasured": None,
    "tool": "jvmscope",
    "started": 0,
    "parts": [1],
    "format": 3,
}


def _other(file: Path) -> Path:
    return next(path for path in sorted(file.parent.iterdir()) if path != file)


def _change(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[6] ^= 0xFF
    file.write_bytes(content)


@pytest.fixture(name="study")
def _study(tmp_path: Path) -> Path:
    path = write_planted(tmp_path / "a.study", Planted(n_methods=2, n_calls=3))
    manifest = Study(path).manifest
    StudyParts(path, manifest.parts).add(manifest, {"restart": [(2, True, 0, 0)]})
    return path


def _expect_refused(study: Path, capfd: pytest.CaptureFixture[str], status: int) -> None:
    for words in (["report", "--format", "csv"], ["check"]):
        capfd.readouterr()
        expected = cli.WRONG if words[0] == "report" else status
        assert cli.run([words[0], str(study), *words[1:]]) == expected
        said = capfd.readouterr()
        assert "a.study" in said.out + said.err
        assert "bug" not in said.err


@pytest.mark.parametrize("table", _TABLES)
@pytest.mark.parametrize("damage", _DAMAGE)
def test_a_damaged_table_is_refused(
    study: Path, table: str, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _DAMAGE[damage](study / "parts" / "000000" / f"{table}.parquet")

    _expect_refused(study, capfd, cli.NO)
    _set(study, state="running", options=StudyOptions.scaled().as_manifest())
    before = sorted(study.rglob("*"))
    assert cli.run(["study", "overhead", "--resume", str(study)]) == cli.WRONG
    assert "the study is damaged; jvmscope check" in capfd.readouterr().err
    assert sorted(study.rglob("*")) == before


@pytest.mark.parametrize("table", _TABLES)
def test_changed_bytes_are_found_by_check(
    study: Path, table: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _change(study / "parts" / "000000" / f"{table}.parquet")

    assert cli.run(["check", str(study)]) == cli.NO
    assert f"{table}.parquet: its SHA-256 is not the manifest's" in capfd.readouterr().out
    assert cli.run(["report", str(study)]) in (cli.DONE, cli.WRONG)


def test_a_table_that_cannot_be_unpacked_is_an_error(
    study: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = study / "parts" / "000000" / "static_sample.parquet"
    content = bytearray(file.read_bytes())
    content[4:200] = bytes(196)
    file.write_bytes(content)

    assert cli.run(["report", str(study)]) == cli.WRONG
    assert "static_sample.parquet: its SHA-256 is not the manifest's" in capfd.readouterr().err


@pytest.mark.parametrize("damage", _PARTS)
def test_other_parts_are_refused(
    study: Path, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _PARTS[damage](study / "parts")

    _expect_refused(study, capfd, cli.NO)


@pytest.mark.parametrize("name", _VALUES)
def test_a_wrong_value_of_the_manifest_is_refused(
    study: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found = json.loads((study / "study.json").read_text())
    place, _, key = name.rpartition(".")
    (found[place] if place else found)[key] = _VALUES[name]
    (study / "study.json").write_text(json.dumps(found))

    _expect_refused(study, capfd, cli.WRONG)


def test_a_whole_study_is_fine(study: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", str(study)]) == cli.DONE
    assert "complete; its files are those of its manifest" in capfd.readouterr().err


def test_a_part_that_is_not_listed_yet_is_left_out_and_replaced(study: Path) -> None:
    parts = study / "parts"
    _set(study, state="running")
    shutil.copytree(parts / "000000", parts / "000002")  # the process was killed just then

    with Study(study).connect() as connection:
        assert len(connection.table("restart")) == 3
    manifest = Study(study).manifest
    StudyParts(study, manifest.parts).add(manifest, {"restart": [(3, True, 0, 0)]})
    assert [path.name for path in (parts / "000002").iterdir()] == ["restart.parquet"]
    assert Study(study).problems(is_hashed=True) == []


def test_a_study_of_before_parts_were_listed_is_read(
    study: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _make_old(study)

    assert cli.run(["report", str(study)]) == cli.DONE
    assert "whether all of its parts are there is not known" in capfd.readouterr().out
    assert cli.run(["check", str(study)]) == cli.DONE
    assert "an earlier jvmscope began it" in capfd.readouterr().err
    manifest = Study(study).manifest
    StudyParts(study, None).add(manifest, {"restart": [(3, True, 0, 0)]})
    with Study(study).connect() as connection:
        assert len(connection.table("restart")) == 4


@pytest.mark.parametrize("damage", ["cut", "empty", "of another table"])
@pytest.mark.parametrize("table", _TABLES)
def test_what_cannot_be_read_of_such_a_study_is_refused(
    study: Path, table: str, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _make_old(study)
    _DAMAGE[damage](study / "parts" / "000000" / f"{table}.parquet")

    _expect_refused(study, capfd, cli.NO)


def _make_old(study: Path) -> None:
    _set(study, format=1)
    found = json.loads((study / "study.json").read_text())
    del found["parts"]
    (study / "study.json").write_text(json.dumps(found))


def _set(study: Path, **values: object) -> None:
    found = json.loads((study / "study.json").read_text())
    (study / "study.json").write_text(json.dumps({**found, **values}))
