"""What the pages name for Python takes paths as text, like the functions of the package itself."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from support.planted_studies import Planted, write_planted

from jvmscope.queries import Engine
from jvmscope.queries.costs import load_cost_model
from jvmscope.schema.xml import export_xml, import_xml
from jvmscope.watch.study import Study

if TYPE_CHECKING:
    from pathlib import Path


def test_a_run_becomes_xml_and_a_run_again(shapes: Path, tmp_path: Path) -> None:
    cct, classes, copy = (str(tmp_path / name) for name in ("cct.xml", "classes.xml", "copy.run"))
    counts = []

    export_xml(str(shapes), cct, classes)
    import_xml(cct, classes, copy)
    for run in (str(shapes), copy):
        with Engine(run) as engine:
            counts.append(engine.query("SELECT count(*) FROM context").arrow().to_pylist())

    assert counts[0] == counts[1]


def test_a_study(tmp_path: Path) -> None:
    path = write_planted(tmp_path / "a.study", Planted(n_methods=2, n_calls=3))

    with Study(str(path)).connect() as connection:
        assert len(connection.table("restart"))


def test_a_cost_model() -> None:
    file = resources.files("jvmscope.queries.costs") / "models" / "jop-head.toml"

    assert load_cost_model(str(file)).name == "jop-head"
