"""The pages of ``jvmscope measure``: every metric fits in a line, and no number loses a digit."""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING

import pyarrow.compute as pc
import pytest

from jvmscope.metrics import catalogue, measure
from jvmscope.reports.faces import print_page, to_markdown
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.named import NAMED, names_of
from jvmscope.reports.pages import Look, excerpt, metrics_page, overview_metrics, overview_page
from jvmscope.reports.pages.outstanding import outstanding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from jvmscope.queries import Engine

_IDS = [id_ for id_, query in catalogue().items() if query.kind in {"metric", "table"}]
_WIDTHS = (60, 100)


@pytest.fixture(scope="module")
def values(opened: Engine) -> pa.Table:
    """Tidy values of every metric on one run."""
    return measure([opened], metrics=_IDS, on_failure=lambda _failure: None).arrow()


@pytest.fixture(scope="module")
def names(opened: Engine) -> object:
    def of_run(_run: str, key: str, keys: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        return names_of(opened, key, keys)

    return of_run


@pytest.mark.parametrize("width", _WIDTHS)
@pytest.mark.parametrize("metric", _IDS)
def test_every_metric_fits_and_keeps_its_numbers(
    values: pa.Table, names: object, metric: str, width: int
) -> None:
    query = catalogue()[metric]
    blocks = list(metrics_page(values, [query], Look(names, None)))

    page = io.StringIO()
    print_page(blocks, page, is_colored=False, width=width)
    lines = page.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    text = re.sub(r"\s+", " ", page.getvalue())
    for grid in (block for block in blocks if isinstance(block, Grid)):
        for row in grid.rows:
            assert all(str(row[index]) in text for index in grid.numeric)
            assert not any("…" in str(row[index]) for index in grid.numeric)
    rows = values.filter(pc.equal(values["metric"], metric))
    reasons = set(rows["reason"].to_pylist()) - {None}
    assert all(re.sub(r"\s+", "", reason) in re.sub(r"\s+", "", text) for reason in reasons)
    if query.matrix is None:
        present = set(map(shown, rows["value"].to_pylist())) - {""}
        assert all(value in text for value in present)


@pytest.mark.parametrize("top", [0, 3])
def test_the_page_of_an_excerpt_is_that_of_all_values(
    top: int, opened: Engine, names: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [catalogue()[id_] for id_ in _IDS]

    def page() -> tuple[list[object], int]:
        values = measure([opened], metrics=_IDS, on_failure=lambda _failure: None)
        shown = excerpt(values, queries, top or None)
        blocks = list(metrics_page(shown.values, queries, Look(names, top or None)))
        return [b for b in blocks if "more rows" not in str(b)], sum(shown.n_left_out.values())

    whole, n_left_out = page()
    assert n_left_out == 0
    monkeypatch.setattr(sys.modules["jvmscope.reports.pages.excerpt"], "MOST_ROWS", 40)
    few, n_left_out = page()

    assert few == whole
    assert (n_left_out > 100) == (top > 0)


@pytest.mark.parametrize("metric", [id_ for id_ in _IDS if catalogue()[id_].matrix])
def test_a_matrix_has_the_values_in_its_cells(values: pa.Table, names: object, metric: str) -> None:
    query = catalogue()[metric]
    key, measured = query.matrix or ("", "")
    rows = values.filter(
        pc.and_(pc.equal(values["metric"], metric), pc.equal(values["measure"], measured))
    ).to_pylist()
    grids = [b for b in metrics_page(values, [query], Look(names, 1)) if isinstance(b, Grid)]

    if all(row["value"] is None for row in rows):
        assert grids == []
        return
    (grid,) = grids
    cells = {
        (title.split("\n")[-1], row): value
        for row, cells in enumerate(grid.rows)
        for title, value in zip(grid.titles, cells, strict=True)
    }
    places = list(
        dict.fromkeys(tuple(r[k.name] for k in query.keys if k.name != key) for r in rows)
    )
    assert len(grid.rows) == len(places)
    for row in rows:
        place = places.index(tuple(row[k.name] for k in query.keys if k.name != key))
        if len({r[key] for r in rows}) > 1:
            assert cells[shown(row[key]), place] == shown(row["value"])


def test_the_overview_fits_on_a_page(values: pa.Table, names: object) -> None:
    metrics = [catalogue()[metric] for metric in overview_metrics()]
    blocks = list(overview_page(values, metrics, Look(names, None)))

    page = io.StringIO()
    print_page(blocks, page, is_colored=False, width=100)
    assert all(each.words in page.getvalue() for each in outstanding())
    assert max(map(len, page.getvalue().splitlines())) <= 100
    assert to_markdown(blocks)


def test_every_run_has_its_column(opened: Engine, shapes: Path, names: object) -> None:
    for n in (2, 6):
        runs = [shapes.parent / str(number) / "x" / shapes.name for number in range(n)]
        for run in runs:
            run.parent.mkdir(parents=True, exist_ok=True)
            if not run.exists():
                run.symlink_to(shapes)
        values = measure(runs, metrics=["execution.totals"]).arrow()
        (grid,) = [
            block
            for block in overview_page(values, [], Look(names, None))
            if isinstance(block, Grid)
        ]
        expected = ["0/x/shapes", "1/x/shapes"] if n == 2 else ["minimum", "median", "maximum"]
        assert list(grid.titles) == ["", *expected, "metric"]
        assert len(set(grid.rows[0][1:-1])) == 1


@pytest.mark.parametrize("key", NAMED)
def test_every_key_has_a_name(opened: Engine, key: str) -> None:
    table = key.removesuffix("_id")
    keys = [row[0] for row in opened.query(f"SELECT {key} FROM run.{table}").rows()]

    found = names_of(opened, key, keys)

    assert set(found) == set(keys)
    assert all(len(name) == len(NAMED[key]) and all(name) for name in found.values())
    assert names_of(opened, key, []) == {}
