"""The pages of a report: what they say, and that both faces show them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from support.reports import made_report
from support.runs import RunBuilder
from support.samples import write_thrown

from jvmscope.errors import QueryError
from jvmscope.metrics.measure import measure
from jvmscope.queries import Engine
from jvmscope.reports.building import report_of
from jvmscope.reports.faces import print_page, to_markdown
from jvmscope.reports.faces.blocks import Drawing
from jvmscope.reports.model import Clusters, Merge
from jvmscope.reports.pages import (
    pca_page,
    plot_page,
    summary_page,
    table_page,
    tree_page,
)
from jvmscope.reports.pages.dendrogram import draw_dendrogram
from jvmscope.reports.pages.outstanding import outstanding

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jvmscope.reports.faces.blocks import Block


def _terminal(blocks: Iterable[Block]) -> str:
    stream = io.StringIO()
    print_page(blocks, stream, is_colored=False, width=100)
    return stream.getvalue()


@pytest.mark.parametrize("n_subjects", [1, 2, 5, 60])
@pytest.mark.parametrize("page", [summary_page, table_page, plot_page, pca_page])
def test_every_page_of_any_number_of_subjects(page: object, n_subjects: int, shapes: Path) -> None:
    assert callable(page)
    report = made_report(n_subjects, [shapes])
    blocks = list(page(report))

    assert to_markdown(blocks).startswith("# ")
    assert _terminal(blocks)


def test_the_measures_of_the_summary_exist(shapes: Path) -> None:
    report = report_of([shapes])
    known = {measure.id for metric in report.metrics for measure in metric.measures}

    assert known >= {each.id for each in outstanding()}


_MEASURED = {
    "bytecodes": ("execution.totals", "n_bytecodes"),
    "calling contexts": ("contexts.shape", "n_contexts"),
    "deepest context": ("contexts.shape", "max_depth"),
    "classes": ("size.loaded", "n_classes"),
    "methods": ("size.loaded", "n_methods"),
}
"""Facts of a run that a metric of the whole run measures, too."""


def test_the_facts_of_a_run_are_what_its_metrics_say(tmp_path: Path) -> None:
    """GIVEN several threads, whose roots are no contexts, THEN a page has one number for each."""
    run = tmp_path / "x.run"
    write_thrown(run)
    (subject,) = report_of([run]).subjects
    with Engine(run) as engine:
        rows = measure([engine], metrics=sorted({metric for metric, _ in _MEASURED.values()}))
        measured = {
            (row["metric"], row["measure"]): row["value"] for row in rows.arrow().to_pylist()
        }

    assert "thread" in {fact.unit for fact in subject.facts}
    stated = {fact.name: fact.value for fact in subject.facts if fact.name in _MEASURED}
    assert stated == {name: measured[measure] for name, measure in _MEASURED.items()}


def test_the_ranks_of_one_subject(shapes: Path) -> None:
    report = made_report(5, [shapes])
    text = to_markdown(table_page(report, subject=1))
    metric = next(m for m in report.metrics if m.measures)
    cell = metric.measures[0].cells[1]

    assert text.startswith(f"# {report.title}: ")
    assert cell.rank is None or f"| {cell.rank} of {metric.measures[0].n} |" in text


def test_a_dendrogram_in_characters() -> None:
    """0 and 2 at 1, 1 and 3 at 2, all at 4; 48 characters are 4."""
    merges = (Merge(0, 2, 1.0, 2), Merge(1, 3, 2.0, 2), Merge(4, 5, 4.0, 4))
    clusters = Clusters("", (0, 1, 2, 3), (0, 2, 1, 3), merges)

    scale, *lines = draw_dendrogram(clusters, ["a", "b", "c", "d"])
    assert scale.split() == ["0", "4"]
    assert lines == [
        f"a {'─' * 12}┬{'─' * 35}┐",
        f"c {'─' * 12}┘{' ' * 35}│",
        f"b {'─' * 24}┬{'─' * 23}┘",
        f"d {'─' * 24}┘",
    ]


def test_leaves_at_no_distance_are_drawn() -> None:
    clusters = Clusters("", (0, 1), (0, 1), (Merge(0, 1, 0.0, 2),))

    assert len(list(draw_dendrogram(clusters, ["a", "b"]))) == 3


def _tree(run: Path, **options: object) -> list[str]:
    with Engine(run) as engine:
        blocks = list(tree_page(engine, **options))  # type: ignore[arg-type]
    return [
        line
        for block in blocks
        for line in (block.lines if isinstance(block, Drawing) else [getattr(block, "text", "")])
    ]


def test_a_tree_by_hand(shapes: Path) -> None:
    """54 bytecodes: main 22 of its own, 12 + 4 + 1 below; add 10, and grow 5."""
    assert _tree(shapes, min_fraction=0.0)[2:] == [
        "thread main: 39 bytecodes",
        "  72.2   40.7  app.Main.main(java.lang.String[])",
        "  22.2   22.2  ├─app.Circle.area()",
        "   7.4    7.4  ├─app.Square.area()",
        "   1.9    1.9  └─app.Main.log()",
        "thread worker: 15 bytecodes",
        "  27.8   18.5  java.util.List.add()",
        "   9.3    9.3  java.util.List.grow()",
    ]


def test_small_subtrees_are_one_line(shapes: Path) -> None:
    """5 of 54 is less than a tenth, as 4 + 1 are."""
    lines = _tree(shapes, min_fraction=0.1)

    assert "   9.3         └─(below 10 %), 2 contexts" in lines
    assert "   9.3         (below 10 %), 1 context" in lines


def test_a_tree_by_calls_below_a_root(shapes: Path) -> None:
    lines = _tree(shapes, weight="calls", root="app/Circle.area", min_fraction=0.0)

    assert lines[2:] == ["thread main: 6 calls", " 100.0  100.0  app.Circle.area()"]


def test_what_a_tree_cannot_be_about_is_refused(shapes: Path) -> None:
    with pytest.raises(QueryError, match="root: error: no executed method"):
        _tree(shapes, root="app.Circle.area")
    with pytest.raises(QueryError, match="have no parameters"):
        _tree(shapes, params={"r": 1})


def test_a_deep_recursion_is_a_tree(tmp_path: Path) -> None:
    builder = RunBuilder()
    f = builder.method("app/F", "f", blocks=[["invokevirtual app/F.f:()V", "return"]])
    node = builder.thread("main").call(f)
    for _ in range(400):
        node = node.call(f, site=0)
    run = builder.write(tmp_path / "deep.run")

    assert len(_tree(run, min_fraction=0.0)) == 3 + 401
