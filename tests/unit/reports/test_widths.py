"""Every table of every report in lines of several widths: no column vanishes, no number is split.

The reports are those that the command line makes of runs written by hand. Their names are short, so
each table is shown with longer ones, too.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.beside import write_recorded, write_watch
from support.calibrated import calibration, write_counted, write_sampled
from support.planted_studies import Planted, write_planted
from support.reports import made_report
from support.samples import write_shapes, write_thrown
from support.watched_rows import write_watched

from jvmscope import cli
from jvmscope.reports import faces
from jvmscope.reports.faces import print_page
from jvmscope.reports.faces.blocks import Grid, Section, Toned
from jvmscope.reports.pages import pca_page, summary_page, table_page
from jvmscope.schema.calibration import write_calibration
from jvmscope.suite import Row, Suite, write_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from jvmscope.reports.faces.blocks import Block

_WIDTHS = (60, 80, 100, 120)
_LONGEST_NUMBER = 24  # what is longer in a column of numbers says why there is none
_RECOGNIZED = 6  # characters of a name in a row, at least
_LONG = "com/example/application/services"

_REPORTS: Mapping[str, tuple[str, ...]] = {
    "run": ("report", "shapes.run"),
    "runs": ("report", "shapes.run", "thrown.run"),
    "table of a run": ("report", "shapes.run", "table"),
    "suite": ("report", "a.suite"),
    "table of a suite": ("report", "a.suite", "table"),
    "overview": ("measure", "shapes.run"),
    "metrics": ("measure", "shapes.run", "-m", "*"),
    "metrics of runs": ("measure", "shapes.run", "more.run", "-m", "*"),
    "comparison": ("compare", "shapes.run", "more.run", "--all"),
    "conditions": ("compare", "shapes.run", "more.run", "--fail-if", "delta > 0"),
    "comparison of suites": ("compare", "a.suite", "b.suite"),
    "comparison of watches": ("compare", "a.watch", "b.watch", "--with", "a.run", "a.run"),
    "watch": ("report", "rows.watch"),
    "probes": ("report", "a.watch"),
    "watch with a run": ("report", "a.watch", "--with", "a.run"),
    "refined": ("report", "rows.watch", "--refine", "--refine-threshold", "0.05"),
    "calibration": (
        "report", "sampled.watch", "--with", "counted.run", "--calibration", "a.calibration",
    ),
    "study": ("report", "shop.study"),
    "studies": ("report", "shop.study", "bank.study"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that is reported on."""
    made = tmp_path_factory.mktemp("widths")
    write_shapes(made / "shapes.run")
    write_shapes(made / "more.run", n_circles=9, probes=["receiver"])
    write_thrown(made / "thrown.run")
    for name, n_circles in (("a", 6), ("b", 9)):
        suite = made / f"{name}.suite"
        suite.mkdir()
        runs = {each: write_shapes(suite / f"{each}.run", n_circles=n_circles) for each in "xyz"}
        rows = (
            Row(name=each, benchmark=f"benchmark-{each}", status="recorded", run=runs[each])
            for each in runs
        )
        write_suite(Suite(name, suite, tuple(rows)))
    write_watch(made / "a.watch")
    write_watch(made / "b.watch", probe_time=[(0, 10**9, 0, None, False, 4, None, 12_000, 9, 9)])
    write_recorded(made / "a.run")
    write_watched(made / "rows.watch")
    write_sampled(made / "sampled.watch")
    write_counted(made / "counted.run")
    write_calibration(made / "a.calibration", calibration())
    write_planted(made / "shop.study", Planted(slowed={2: 1.2, 4: 0.9}, drift=1.1))
    write_planted(made / "bank.study", Planted(n_methods=11, overhead_step_ns=1_000))
    return made


Captured = dict[str, list["Grid"]]


@pytest.fixture(scope="module")
def captured(folder: Path) -> Captured:
    """The tables of all reports."""
    found: Captured = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, words in _REPORTS.items():
            found[name] = list(_of_command(patch, words))
    report = made_report(5, [folder / "shapes.run"])
    for page in (summary_page, table_page, pca_page):
        found[f"made {page.__name__}"] = list(_grids(page(report)))
    found["made subject"] = list(_grids(table_page(report, subject=1)))
    return found


def _of_command(patch: pytest.MonkeyPatch, words: Iterable[str]) -> Iterator[Grid]:
    blocks: list[Block] = []

    def capture(page: Iterable[Block], *_: Any, **__: Any) -> None:
        blocks.extend(page)

    patch.setattr(faces, "print_page", capture)
    assert cli.run([*words, "--format", "table"]) in {cli.DONE, cli.NO}, words
    return _grids(blocks)


def _grids(blocks: Iterable[Block]) -> Iterator[Grid]:
    for block in blocks:
        if isinstance(block, Section):
            yield from _grids(block.blocks)
        elif isinstance(block, Grid) and block.rows:
            yield block


@pytest.mark.parametrize("width", _WIDTHS)
@pytest.mark.parametrize("lengthen", [False, True])
@pytest.mark.parametrize(
    "name", [*_REPORTS, "made summary_page", "made table_page", "made pca_page", "made subject"]
)
def test_every_table_fits(captured: Captured, name: str, lengthen: bool, width: int) -> None:
    assert captured[name]
    for grid in captured[name]:
        shown = _lengthened(grid) if lengthen else grid
        told = _printed(shown, width)
        faults = [*_faults(shown, told, width)]
        assert not faults, f"{faults}\n{told}"


def _printed(grid: Grid, width: int) -> str:
    stream = io.StringIO()
    print_page([grid], stream, is_colored=False, width=width)
    return stream.getvalue()


def _text(cell: str | Toned) -> str:
    return cell.text if isinstance(cell, Toned) else cell


def _lengthened(grid: Grid) -> Grid:
    """Returns a table with long names in the place of the package of the programs."""

    def lengthened(cell: str | Toned) -> str | Toned:
        long = re.sub(r"\bapp(?=/)", _LONG, _text(cell))
        long = re.sub(r"\bapp(?=\.)", _LONG.replace("/", "."), long)
        return cell._replace(text=long) if isinstance(cell, Toned) else long

    return replace(grid, rows=tuple(tuple(map(lengthened, row)) for row in grid.rows))


def _faults(grid: Grid, told: str, width: int) -> Iterator[str]:
    """Yields what a reader of a table would miss."""
    lines = told.splitlines()
    yield from (f"too long: {line}" for line in lines if len(line.rstrip()) > width)
    words = Counter(told.split())
    for title in grid.titles:
        yield from (f"no title: {word}" for word in title.split() if word not in words)
    for cell, n in _numbers(grid).items():
        found = len(re.findall(rf"(?<!\S){re.escape(cell)}(?!\S)", told))
        if found < n:
            yield f"{found} times instead of {n}: {cell}"
    for row in grid.rows:
        for index, cell in enumerate(row):
            text = _text(cell).strip()
            if text and index not in grid.numeric and not _is_recognized(text, lines):
                yield f"no part of it: {text}"
            if index not in grid.numeric:
                yield from (f"broken: {word}" for word in _split(text, words))


def _numbers(grid: Grid) -> Counter[str]:
    cells = (_text(row[index]) for row in grid.rows for index in grid.numeric)
    return Counter(cell for cell in cells if cell and len(cell) <= _LONGEST_NUMBER)


def _is_recognized(name: str, lines: Iterable[str]) -> bool:
    """Whether some line has as many characters of a name as tell it from most others."""
    n = min(_RECOGNIZED, len(name))
    parts = {name[at : at + n] for at in range(len(name) - n + 1)}
    parts |= {re.split(r"[./]", name)[-1]}
    if any(part in line for line in lines for part in parts):
        return True
    short = (word.split("…") for line in lines for word in line.split() if "…" in word)
    return any(all(part in name for part in parts) and sum(map(len, parts)) >= n for parts in short)


def _split(text: str, words: Mapping[str, int]) -> Iterator[str]:
    """Yields the words of a cell that begin in a line which does not end them, nor says so."""
    for word in text.split():
        for head in range(_RECOGNIZED // 2, len(word)):
            if word[:head] in words and word[head:] in words and word not in words:
                yield word
                break


def test_names_give_way_before_numbers() -> None:
    rows = (("com.example.application.Service.handle(Request)", "62.97 ns", "123,456,789"),)
    grid = Grid(
        ("method", "a long title", "bytecodes"), rows, frozenset({1, 2}), names=frozenset({0})
    )

    told = _printed(grid, 50)

    assert [line.split() for line in told.splitlines() if "62" in line] == [
        ["Service.handle(Request)", "62.97", "ns", "123,456,789"]
    ]
