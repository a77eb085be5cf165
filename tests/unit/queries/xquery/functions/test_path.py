"""``fn:path`` of every element of a run selects that element, and reads no siblings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes
from xml_runs import Shape, write_run

from jvmscope.queries import Engine
from jvmscope.queries.xquery.trees.run import shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_WRONG = """
for $n in ($classes//*, $cct//*)
let $same := $n/../*[node-name() = node-name($n)]
let $place := count($same[. << $n]) + 1
where not(ends-with($n/path(), '[' || $place || ']'))
return $n/path()
"""


@pytest.mark.parametrize("write", [write_shapes, lambda run: write_run(run, Shape(n_contexts=60))])
def test_every_path_has_its_place(tmp_path: Path, write: Callable[[Path], object]) -> None:
    run = tmp_path / "paths.run"
    write(run)
    with Engine(run) as engine:
        assert list(engine.xquery(_WRONG).items_on_trees()) == []
        assert len(list(engine.xquery("($classes//*, $cct//*)/path()").items_on_trees())) > 50


def test_siblings_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Iterator[object]:
        raise AssertionError("children were read")

    with Engine(write_shapes(tmp_path / "shapes.run")) as engine:
        query = engine.xquery("$methods[@id = 3]/dcg:basicBlock/path()")
        expected = list(query.items_on_trees())
        for shape in (shapes.Shape, shapes.Contexts):
            monkeypatch.setattr(shape, "children", refused)
        assert [str(item) for item in query.items()] == [str(item) for item in expected]
