"""What could not be counted is told, if it is the program's and ran, or may have run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.collector.uncounted import uncounted

if TYPE_CHECKING:
    from pathlib import Path


def _tables(
    directory: Path,
    *coverages: str,
    calls: int = 1,
    name: str = "work",
    reason: str = "too large",
    module: str | None = None,
    is_native: bool = False,
    is_whole: bool = False,
) -> Path:
    """Writes the tables of a run with a method of each coverage, which main calls so often."""
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    node = builder.thread("main").call(main)
    rows = []
    for number, coverage in enumerate(coverages):
        class_name = f"app/Work{number}"
        work = builder.method(class_name, name, coverage=coverage, is_native=is_native)
        if calls and coverage != "none":
            node.call(work, calls=calls)
        row = {"class_name": class_name, "method_name": name, "descriptor": "()V"}
        row |= {"method_name": None, "descriptor": None} if is_whole else {}
        rows += [{**row, "reason": reason}] if coverage != "full" else []
    builder.derive("exclusion", lambda _rows: rows)
    builder.derive("class", lambda found: [{**row, "module": module} for row in found["class"]])
    return builder.write(directory / "a.run") / "tables"


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("coverage", ["sites", "calls", "none"])
def test_a_method_that_is_not_counted_in_full_is_told(
    tmp_path: Path, coverage: str, *, is_whole: bool
) -> None:
    (limit,) = uncounted(_tables(tmp_path, "full", coverage, is_whole=is_whole))
    assert limit.code == "uncounted"
    assert limit.text == "no bytecodes were counted of app/Work1.work()V (too large)"


def test_of_several_the_first_is_told_and_how_many_more(tmp_path: Path) -> None:
    (limit,) = uncounted(_tables(tmp_path, "sites", "none", "full", "calls"))
    assert limit.text.endswith("Work0.work()V (too large), and of 2 more, as in table exclusion")


def test_what_was_counted_or_did_not_run_or_is_meant_is_not_told(tmp_path: Path) -> None:
    silent = (
        _tables(tmp_path / "full", "full", "leaf"),
        _tables(tmp_path / "uncalled", "sites", "calls", calls=0),
        _tables(tmp_path / "chosen", "none", reason="excluded by --include or --exclude"),
        _tables(tmp_path / "native", "none", is_native=True),
        _tables(tmp_path / "library", "sites", "none", module="java.base"),
        _tables(tmp_path / "tools", "sites", "none", module="jdk.compiler"),
        _tables(tmp_path / "finalizer", "none", name="finalize", reason="empty: instrumented, it"),
    )
    assert [uncounted(tables) for tables in silent] == [[]] * len(silent)
    assert uncounted(_tables(tmp_path / "own", "sites", module="app"))
    assert uncounted(_tables(tmp_path / "large finalizer", "sites", name="finalize"))
