"""What a page holds of several runs: kept under the run, shared out alike however it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support.runs import RunBuilder
from support.samples import write_shapes

from jvmscope.metrics.sealed_files import read_table, write_tables
from jvmscope.reports.html import runs as reading
from jvmscope.reports.html.runs import Limits, read_runs

if TYPE_CHECKING:
    from pathlib import Path

_WEIGHTS = ("calls", "bytecodes", "cycles")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_shapes(tmp_path / "shapes.run")


def _n_nodes(found: list[dict[str, Any] | str]) -> int:
    (told,) = found
    assert isinstance(told, dict)
    return len(told["tree"]["parents"])


def test_what_is_kept_is_what_was_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_runs([run], _WEIGHTS, Limits(nodes=8), scopes=["application"])
    assert _n_nodes(first) == 8
    assert isinstance(first[0], dict)
    assert 0 < first[0]["tree"]["fraction"] < 1

    monkeypatch.setattr(reading, "read_run", None)  # whoever reads it anew fails
    assert read_runs([run], _WEIGHTS, Limits(nodes=8), scopes=["application"]) == first


def test_what_decides_about_a_page_has_a_file_of_its_own(run: Path) -> None:
    read_runs([run], _WEIGHTS, Limits(nodes=8))
    (path,) = (run / "metrics").iterdir()
    text = read_table(path).column(0)[0].as_py().replace("calls", "changed")
    changed = pa.table({"contexts": [text]})
    write_tables(path, changed.schema, [changed])

    def weights(found: list[dict[str, Any] | str]) -> Any:
        (told,) = found
        assert isinstance(told, dict)
        return told["weights"][0][0]

    assert weights(read_runs([run], _WEIGHTS, Limits(nodes=8))) == "changed"
    for other in (
        {"is_cached": False},
        {"limits": Limits(nodes=9)},
        {"limits": Limits(nodes=8, methods=3)},
        {"weights": _WEIGHTS[:1]},
        {"scopes": ["application"]},
    ):
        asked: dict[str, Any] = {"weights": _WEIGHTS, "limits": Limits(nodes=8), **other}
        assert weights(read_runs([run], **asked)) == "calls"
    renamed = run.rename(run.with_name("renamed.run"))
    assert weights(read_runs([renamed], _WEIGHTS, Limits(nodes=8))) == "calls"


def test_processes_read_the_same_and_the_same_reasons(tmp_path: Path, run: Path) -> None:
    other = write_shapes(tmp_path / "other.run", n_circles=16)
    broken = RunBuilder().write(tmp_path / "broken.run")
    (broken / "tables" / "context.parquet").write_bytes(b"damaged")
    runs = [run, broken, other]
    limits = Limits(nodes=15)
    alone = read_runs(runs, ("calls",), limits, is_cached=False)

    assert read_runs(runs, ("calls",), limits, is_cached=False, jobs=2) == alone
    assert [isinstance(each, str) for each in alone] == [False, True, False]
    assert sum(len(each["tree"]["parents"]) for each in alone if isinstance(each, dict)) <= 15
