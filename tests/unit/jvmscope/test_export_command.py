"""``jvmscope export`` and ``run.export``: files, streams, refusals."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from support.export_readers import READERS
from support.samples import write_shapes

import jvmscope
from benchmarks.queries.synthetic import write_synthetic
from jvmscope import cli
from jvmscope.actions.export_files import export_run
from jvmscope.commands import export
from jvmscope.queries import Engine
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.reports.exports.size import expected_bytes

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]
BinaryCaptured = pytest.CaptureFixture[bytes]

_EXPORT = ("export", "--progress", "none")
_SIZED = [name for name, form in tree_formats().items() if form.row_bytes]
_N_BYTECODES = 54  # of the run `shapes`, added up in its description


@pytest.mark.parametrize("form", tree_formats())
def test_stdout_and_a_file_get_the_same(
    shapes: Path, tmp_path: Path, form: str, capfdbinary: BinaryCaptured
) -> None:
    file = tmp_path / "out"
    assert cli.run([*_EXPORT, str(shapes), form, "-o", str(file)]) == cli.DONE
    assert capfdbinary.readouterr().out == b""

    assert cli.run([*_EXPORT, str(shapes), form]) == cli.DONE

    captured = capfdbinary.readouterr()
    assert captured.out == file.read_bytes()
    assert captured.err == b""
    assert READERS[form](captured.out).total() == _N_BYTECODES
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("form", [*tree_formats(), "duckdb"])
def test_a_file_is_replaced_only_by_force(
    shapes: Path, tmp_path: Path, form: str, capsys: Captured
) -> None:
    file = tmp_path / "out"
    file.write_text("mine")

    assert cli.run([*_EXPORT, str(shapes), form, "-o", str(file)]) == cli.WRONG
    assert "the file exists; --force overwrites it" in capsys.readouterr().err
    assert file.read_text() == "mine"

    assert cli.run([*_EXPORT, str(shapes), form, "-o", str(file), "--force"]) == cli.DONE
    assert capsys.readouterr().err == f"Wrote {file}\n"
    assert file.read_bytes() != b"mine"


def test_xml_goes_to_the_run_s_own_directory(tmp_path: Path, capsys: Captured) -> None:
    run = write_shapes(tmp_path / "a.run")

    assert cli.run([*_EXPORT, str(run), "xml"]) == cli.DONE
    assert sorted(file.name for file in (run / "xml").iterdir()) == ["cct.xml", "classes.xml"]
    assert cli.run([*_EXPORT, str(run), "xml"]) == cli.WRONG
    assert "cct.xml: the file exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["collapsd"], "'collapsd' is not one of"),
        (["collapsed", "--weight", "allocated_bytes"], "record the program again with"),
        (["collapsed", "--min-fraction", "1"], "is not in the range"),
        (["collapsed", "--form", "flat"], "--form only applies to xml"),
        (["collapsed", "--param", "r=3"], "bytecodes have no parameters"),
        (["collapsed", "--root", "nothing.*"], "--root: error: no executed method matches"),
        (["collapsed", "--root", ""], "--root: error: expected subtree:PATTERN"),
        (["duckdb"], "-o NAME.duckdb"),
        (["duckdb", "--weight", "calls", "-o", "x"], "contains whole tables"),
        (["xml", "--root", "app/*"], "contains whole tables"),
    ],
)
def test_what_does_not_fit_is_refused(
    shapes: Path, arguments: list[str], message: str, capsys: Captured
) -> None:
    assert cli.run([*_EXPORT, str(shapes), *arguments]) == cli.WRONG

    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_no_file_is_left_of_an_export_that_failed(shapes: Path, tmp_path: Path) -> None:
    file = tmp_path / "out"
    arguments = ["collapsed", "--root", "nothing.*", "-o", str(file)]

    assert cli.run([*_EXPORT, str(shapes), *arguments]) == cli.WRONG
    assert list(tmp_path.iterdir()) == []


def test_an_incomplete_recording_is_warned_of(tmp_path: Path, capsys: Captured) -> None:
    run = write_shapes(tmp_path / "a.run", status="truncated")

    assert cli.run([*_EXPORT, str(run), "collapsed", "-q"]) == cli.DONE
    assert capsys.readouterr().err == f"warning: {run}: the recording is truncated\n"


def test_python_writes_the_same_files(shapes: Path, tmp_path: Path, capsys: Captured) -> None:
    options = {"weight": "calls", "root": "app/Main.*", "min_fraction": 0.2}
    with jvmscope.open(shapes) as run:
        assert run.export("speedscope", tmp_path / "a.json", **options) == (tmp_path / "a.json",)
        with pytest.raises(jvmscope.JvmscopeError, match="the file exists"):
            run.export("speedscope", tmp_path / "a.json", **options)
        with pytest.raises(jvmscope.QueryError, match="there is no format 'speedscop'"):
            run.export("speedscop", tmp_path / "b.json")
        run.export("xml", tmp_path / "view", form="flat")
        run.export("duckdb", tmp_path / "a.duckdb")
        run.export("duckdb", tmp_path / "a.duckdb", force=True)

    arguments = ["--weight", "calls", "--root", "app/Main.*", "--min-fraction", "0.2"]
    assert cli.run([*_EXPORT, str(shapes), "speedscope", *arguments]) == cli.DONE
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "a.json").read_text())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.duckdb", "a.json", "view"]


@pytest.mark.parametrize(
    ("options", "total"),
    [
        (("--scope", "application+"), 39),
        (("--scope", "thread:worker"), 15),
        (("--root", "app/Main.main"), 39),
    ],
)
@pytest.mark.parametrize("form", tree_formats())
def test_a_scope_is_a_part_of_the_run(
    shapes: Path, form: str, options: tuple[str, str], total: int, capfdbinary: BinaryCaptured
) -> None:
    assert cli.run([*_EXPORT, str(shapes), form, *options]) == cli.DONE

    assert READERS[form](capfdbinary.readouterr().out).total() == total


def test_a_scope_and_a_root_are_too_much(shapes: Path, capsys: Captured) -> None:
    options = ("--scope", "application+", "--root", "app/*.main")

    assert cli.run([*_EXPORT, str(shapes), "csv", *options]) == cli.WRONG
    assert "--root GLOB is the scope subtree:GLOB" in capsys.readouterr().err
    assert cli.run([*_EXPORT, str(shapes), "duckdb", *options[:2]]) == cli.WRONG


def _make_all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_MANY_CONTEXTS", 0)
    monkeypatch.setattr(export, "_LARGE_BYTES", 1)


@pytest.mark.parametrize("form", _SIZED)
def test_the_size_of_a_large_file_is_told_before(
    shapes: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    _make_all_large(monkeypatch)
    file = tmp_path / "out"

    assert cli.run([*_EXPORT, str(shapes), form, "-o", str(file)]) == cli.DONE
    told, wrote = capsys.readouterr().err.splitlines()
    assert told.startswith(f"warning: {file}: about 0.0 GB as {form}; --min-fraction 0.0001 folds")
    assert wrote == f"Wrote {file}"

    assert cli.run([*_EXPORT, str(shapes), form, "--min-fraction", "0.1"]) == cli.DONE
    assert capsys.readouterr().err == ""


def test_a_file_without_room_is_not_begun(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    _make_all_large(monkeypatch)
    room = shutil.disk_usage(tmp_path)._replace(free=17)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: room)

    assert cli.run([*_EXPORT, str(shapes), "csv", "-o", str(tmp_path / "a.csv")]) == cli.WRONG
    assert "as csv, but 0.0 GB are free; --min-fraction" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", _SIZED)
def test_the_expected_size_is_about_that_of_the_file(form: str, tmp_path: Path) -> None:
    write_synthetic(tmp_path / "a.run", 5_000)
    with Engine(tmp_path / "a.run") as engine:
        expected = expected_bytes(engine, tree_formats()[form])
        export_run(engine, form, tmp_path / "out", {})

    assert expected / 2 < (tmp_path / "out").stat().st_size < 2 * expected
