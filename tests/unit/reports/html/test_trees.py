"""Trees of several runs: kept under the run, and shared out alike however they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from support.runs import RunBuilder
from support.samples import write_shapes

from jvmscope.reports.html import trees
from jvmscope.reports.html.contexts import ContextTree
from jvmscope.reports.html.trees import read_trees

if TYPE_CHECKING:
    from pathlib import Path

_WEIGHTS = ("calls", "bytecodes", "cycles")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_shapes(tmp_path / "shapes.run")


def test_a_kept_tree_is_the_tree(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_trees([run], _WEIGHTS, 8)
    assert isinstance(first[0], ContextTree)
    assert len(first[0].nodes) == 8
    assert 0 < first[0].fraction < 1

    monkeypatch.setattr(trees, "read_tree", None)  # whoever reads it anew fails
    assert read_trees([run], _WEIGHTS, 8) == first


def test_what_decides_about_a_tree_has_one_of_its_own(run: Path) -> None:
    read_trees([run], _WEIGHTS, 8)
    (path,) = (run / "metrics").iterdir()
    damaged = pq.read_table(path).slice(0, 1)
    pq.write_table(damaged, path)

    assert len(_tree(read_trees([run], _WEIGHTS, 8)).nodes) == 1
    assert len(_tree(read_trees([run], _WEIGHTS, 8, is_cached=False)).nodes) == 8
    assert len(_tree(read_trees([run], _WEIGHTS, 9)).nodes) == 9
    assert len(_tree(read_trees([run], _WEIGHTS[:1], 8)).nodes) == 8
    renamed = run.rename(run.with_name("renamed.run"))
    tree = _tree(read_trees([renamed], _WEIGHTS, 8))
    assert tree.nodes[0].frame.name == "renamed"


def test_processes_read_the_same_trees_and_reasons(tmp_path: Path, run: Path) -> None:
    other = write_shapes(tmp_path / "other.run", n_circles=16)
    broken = RunBuilder().write(tmp_path / "broken.run")
    (broken / "tables" / "context.parquet").write_bytes(b"damaged")
    runs = [run, broken, other]
    alone = read_trees(runs, ("calls",), 15, is_cached=False)

    assert read_trees(runs, ("calls",), 15, is_cached=False, jobs=2) == alone
    assert [isinstance(tree, str) for tree in alone] == [False, True, False]
    assert sum(len(tree.nodes) for tree in alone if isinstance(tree, ContextTree)) <= 15


def _tree(found: list[ContextTree | str]) -> ContextTree:
    (tree,) = found
    assert isinstance(tree, ContextTree)
    return tree
