"""``--weight``: each place that takes it, and each weight of a probe."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from support.export_readers import READERS
from support.runs import RunBuilder
from support.verbs import verbs

from jvmscope import cli
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.reports.exports.weights import WEIGHTS
from jvmscope.reports.wording import counted
from jvmscope.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    Captured = pytest.CaptureFixture[str]

_QUIET = ("--progress", "none")
_PLACES = {
    **{f"export {form}": ("export", "{with_}", form, "-o", "{out}") for form in tree_formats()},
    "report tree": ("report", "{with_}", "tree", "-o", "{out}"),
    "report html": ("report", "{with_}", "html", "-o", "{out}"),
    "compare": ("compare", "{with_}", "{full}", "--tree", "--format", "csv", "-o", "{out}"),
    "compare, the other": ("compare", "{full}", "{with_}", "--tree", "--format", "csv"),
    "compare page": (
        *("compare", "{full}", "{with_}", "--tree", "--format", "markdown"),
        *("-o", "{out}"),
    ),
}
_OF_PROBES = [weight.name for weight in WEIGHTS.values() if weight.table is not None]
_ALLOCATED = {"allocated_bytes": 7 * 24 + 3 * 40 + 5 * 16, "allocated_objects": 7 + 3 + 5}


def _write(path: Path, *probes: str) -> Path:
    """Writes a run that allocates in two methods, and in a root."""
    builder = RunBuilder()
    make = builder.method("app/A", "make", blocks=[["new app/A", "return"]])
    main = builder.method("app/A", "main", blocks=[["invokestatic app/A.make:()V", "return"]])
    thread = builder.thread("main")
    thread.allocates("app/B", 5, size=16)
    top = thread.call(main)
    top.allocates("app/A", 3, size=40)
    top.call(make, site=0).allocates("app/A", 7, size=24, instruction=0)
    return builder.write(path, probes=list(probes))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("weights")
    tables_of_weights = {weight.table for weight in WEIGHTS.values() if weight.table is not None}
    return {
        "full": _write(folder / "full.run", *sorted(tables_of_weights)),
        "without": _write(folder / "without.run"),
    }


def _words(place: str, weight: str, run: Path, full: Path, out: Path) -> list[str]:
    verb, *words = _PLACES[place]
    filled = [word.format(with_=run, full=full, out=out) for word in words]
    return [verb, *_QUIET, *filled, "--weight", weight]


def test_every_verb_with_weights_is_here() -> None:
    taking = {
        verb
        for verb, command in verbs().items()
        if any("--weight" in option.opts for option in command.params)
    }
    assert taking == {place[0] for place in _PLACES.values()}
    assert {*tree_formats()} >= {*READERS}


@pytest.mark.parametrize("weight", _OF_PROBES)
@pytest.mark.parametrize("place", _PLACES)
def test_without_the_probe_one_error_says_what_to_do(
    place: str, weight: str, runs: dict[str, Path], tmp_path: Path, capsys: Captured
) -> None:
    # GIVEN a run without the probe of a weight, alone, or compared with one that has it
    out = tmp_path / "out"
    words = _words(place, weight, runs["without"], runs["full"], out)
    # WHEN it is shown by the weight
    status = cli.run(words)
    # THEN the error names the run, the weight and the option, and nothing is written
    told = capsys.readouterr()
    table = WEIGHTS[weight].table
    assert table is not None
    assert status != cli.DONE
    assert told.out == ""
    assert told.err == (
        f'--weight: error: {runs["without"]} has no {weight}: the table "{table}" was not recorded'
        f"\nrecord the program again with {tables()[table].recorded}\n"
    )
    assert not out.exists()


@pytest.mark.parametrize("weight", _ALLOCATED)
@pytest.mark.parametrize("place", _PLACES)
def test_what_was_allocated_adds_up(
    place: str, weight: str, runs: dict[str, Path], tmp_path: Path, capsys: Captured
) -> None:
    out, n = tmp_path / "out", _ALLOCATED[weight]
    status = cli.run(_words(place, weight, runs["full"], runs["full"], out))
    told = capsys.readouterr()
    assert status == cli.DONE, told.err
    data = out.read_bytes() if out.exists() else told.out.encode()
    form = place.rpartition(" ")[2]
    if form in READERS:
        assert READERS[form](data).total() == n
    elif place in ("compare", "compare, the other"):
        rows = [*csv.DictReader(io.StringIO(data.decode()))]
        for side in ("own_a", "own_b"):
            assert sum(int(row[side]) for row in rows) == n
    elif form == "tree":
        assert f" {counted(n, WEIGHTS[weight].unit)} in all" in data.decode()
    else:  # the pages have tests of their own, which read the trees in them
        assert weight in data.decode()
