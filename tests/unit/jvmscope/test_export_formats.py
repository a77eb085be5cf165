"""A format of exports is one module: it is offered wherever formats are."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.samples import write_shapes

import jvmscope
from jvmscope.errors import QueryError
from jvmscope.reports.exports import formats
from jvmscope.reports.exports.formats import EXPORT_FORMATS, run_formats, tree_formats
from jvmscope.reports.exports.tree_export import export_tree

_ROOT = Path(__file__).parents[3]

_MODULES = {
    "levels": '''
"""How many bytecodes each level of a tree has."""

from jvmscope.reports.exports.formats.registry import TreeFormat, register


def write_levels(forest, out):
    for thread, nodes in forest.threads():
        for level, _, _, weight, *_ in nodes:
            out.write(f"{level} {weight}\\n".encode())


register(
    TreeFormat(
        name="levels",
        write=write_levels,
        contains="a line for each context",
        opened_by="`awk`",
        note="for sums",
    )
)
''',
    "names": '''
"""The names of a run's tables."""

from jvmscope.reports.exports.formats.registry import RunFormat, register


def write_names(engine, path, on_progress):
    (path / "names.txt").write_text("\\n".join(engine.recorded))


register(
    RunFormat(
        name="names",
        write=write_names,
        files=("names.txt",),
        folder="lists",
        contains="the names of all tables",
        opened_by="people",
    )
)
''',
}
_PROGRAM = """
import os
import sys
import jvmscope.reports.exports
modules, docs, run, out = sys.argv[1:]
jvmscope.reports.exports.__path__.insert(0, modules)
sys.path.insert(0, docs)
from jvmscope import cli
import generate
print(cli.run(["export", run, "levels"]))
print(cli.run(["export", run, "names"]))
with jvmscope.open(run) as opened:
    opened.export("levels", out)
    try:
        opened.export("level", out)
    except jvmscope.QueryError as error:
        print(error)
cli.run(["export", "--help"])
print(generate.generate()[generate._FOLDER / "exports.md"])
os.environ.update(_JVMSCOPE_COMPLETE="bash_complete", COMP_CWORD="3")
os.environ["COMP_WORDS"] = f"jvmscope export {run} le"
cli.main()
"""


def test_a_module_is_all_that_a_format_needs(tmp_path: Path) -> None:
    """The command, its help, shells, Python, messages and the documentation know new modules."""
    folder = tmp_path / "exports" / "formats"
    shutil.copytree(Path(formats.__file__).parent, folder)
    for name, text in _MODULES.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    run, out = write_shapes(tmp_path / "shapes.run"), tmp_path / "out"
    found = subprocess.run(
        [sys.executable, "-c", _PROGRAM, folder.parent, _ROOT / "docs", run, out],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = found.stdout.splitlines()
    said = " ".join(found.stdout.split())
    assert lines[0].startswith("1 ")
    assert "context" in (run / "lists" / "names.txt").read_text()
    assert out.read_text().splitlines() == lines[: lines.index("0")]
    assert 'did you mean "levels"?' in said
    assert "xml, duckdb, and names contain all tables" in said
    assert "csv (one row for each context), and levels (for sums)." in said
    assert "for names, the directory for names.txt" in said
    assert "names: RUN/lists]" in said
    assert "| `levels` | a line for each context | `awk` |" in lines
    assert lines[-1] == "plain,levels"


def test_a_format_is_of_trees_or_of_the_run() -> None:
    assert {**run_formats(), **tree_formats()} == EXPORT_FORMATS
    assert all(form.contains and form.opened_by for form in EXPORT_FORMATS.values())


def test_an_option_that_a_format_lacks_is_refused(shapes: Path, tmp_path: Path) -> None:
    with (
        jvmscope.open(shapes) as run,
        pytest.raises(QueryError, match="duckdb has no option 'weight'"),
    ):
        run.export("duckdb", tmp_path / "x.duckdb", weight="calls")


def test_the_options_of_trees_are_those_of_their_export() -> None:
    parameters = inspect.signature(export_tree).parameters.values()
    named = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}

    assert all(form.options == named - {"on_progress"} for form in tree_formats().values())


@pytest.mark.parametrize("form", sorted(EXPORT_FORMATS))
def test_an_option_that_no_format_has_is_refused(shapes: Path, tmp_path: Path, form: str) -> None:
    for name in ("nix", "out", "engine", "kind", "is_forced"):
        with (
            jvmscope.open(shapes) as run,
            pytest.raises(QueryError, match=f"{form} has no option '{name}'"),
        ):
            run.export(form, tmp_path / "x", **{name: 1})
    assert list(tmp_path.iterdir()) == []
