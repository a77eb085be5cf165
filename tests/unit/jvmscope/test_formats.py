"""A format is one module: the one of CONTRIBUTING's recipe is offered wherever formats are."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

import jvmscope.formats
from jvmscope.formats import FORMATS
from jvmscope.formats.table import write_table

if TYPE_CHECKING:
    from jvmscope.queries import Engine

_ROOT = Path(__file__).parents[3]

_PROGRAM = """
import os
import sys
import jvmscope
jvmscope.__path__.insert(0, sys.argv[1])
from jvmscope import cli
from jvmscope.actions import reporting
from jvmscope.prompt import dot_commands
run, file = sys.argv[2:]
print(cli.run(["query", run, "SELECT 1 AS a, 'x' AS b", "--format", "tsv"]))
print(cli.run(["query", run, "SELECT 1 AS a, 'x' AS b", "-o", file]))
with jvmscope.open(run) as opened:
    jvmscope.write(opened.query("SELECT 1 AS a, 'x' AS b"), file, force=True)
print("tsv" in reporting.TABLES, "tsv" in dot_commands.COMMANDS[".mode"].meaning)
cli.run(["query", "--help"])
cli.run(["report", "--help"])
os.environ.update(_JVMSCOPE_COMPLETE="bash_complete", COMP_CWORD="4")
os.environ["COMP_WORDS"] = f"jvmscope query {run} --format t"
cli.main()
"""


_COLUMNS = {
    "texts": ", ".join(f"repeat('x', 40) AS c{n}" for n in range(12)),
    "numbers": ", ".join(f"123456789 AS number_{n}" for n in range(12)),
    "units": ", ".join(f"n_bytecodes AS n{n}" for n in range(12)),
    "nulls": ", ".join(f"NULL::VARCHAR AS empty_{n}, {n} AS full_{n}" for n in range(6)),
    "one": "repeat('x', 90) AS c0",
}


@pytest.mark.parametrize("width", [12, 30, 60, 80, 132, 400])
@pytest.mark.parametrize("columns", _COLUMNS)
def test_no_table_is_wider_than_the_terminal(opened: Engine, columns: str, width: int) -> None:
    stream = io.BytesIO()
    query = f"SELECT {_COLUMNS[columns]} FROM (SELECT 123456 AS n_bytecodes) LIMIT 1"
    result = opened.query(query)

    write_table(result, stream, width)

    head, _, row, *note = stream.getvalue().decode().splitlines()
    assert max(map(len, (head, row, *note))) <= max(width, 12)
    left_out = re.findall(r"\w+", " ".join(note).partition(":")[2])
    shown = [title for title in head.split() if not title.startswith("[")]
    assert sorted(shown + left_out) == sorted(column.name for column in result.columns)


@pytest.mark.parametrize("width", [12, 30])
def test_a_number_in_the_first_column_is_as_wide_as_its_column(opened: Engine, width: int) -> None:
    stream = io.BytesIO()
    number = "123456789012345678901234567890"
    write_table(opened.query(f"SELECT {number}::HUGEINT AS n, 'x' AS x"), stream, width)

    head, rule, row, *_ = stream.getvalue().decode().splitlines()
    assert (head.strip(), rule, row) == ("n", "─" * len(number), number)


def test_columns_without_values_give_way_first(opened: Engine) -> None:
    stream = io.BytesIO()
    write_table(opened.query(f"SELECT {_COLUMNS['nulls']}"), stream, 60)

    assert stream.getvalue().decode().splitlines()[0].split() == [
        *("empty_0", "full_0", "full_1", "full_2", "full_3", "full_4", "full_5"),
    ]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("<init>", "&lt;init>"),
        (r"a\|b", r"a\\\|b"),
        ("*a*", r"\*a\*"),
        ("_a_ n_calls", r"\_a\_ n_calls"),
        ("`a`", r"\`a\`"),
    ],
)
def test_markdown_shows_texts_as_they_are(opened: Engine, value: str, cell: str) -> None:
    stream = io.BytesIO()
    FORMATS["markdown"].write(opened.query(f"SELECT '{value}' AS t"), stream)
    assert stream.getvalue().decode().splitlines()[-1] == f"| {cell} |"


def test_the_recipe_of_a_format_is_all_that_a_format_needs(tmp_path: Path) -> None:
    """Help, endings of files, the prompt, reports, Python and shells know a module's format."""
    recipe = (_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A query format")
    module = re.search(r"```python\n(.*?)```", recipe[2], re.DOTALL)
    assert module is not None
    formats = Path(jvmscope.formats.__file__).parent
    shutil.copytree(formats, tmp_path / "formats")
    (tmp_path / "formats" / "tsv.py").write_text(module[1], encoding="utf-8")
    run, file = write_shapes(tmp_path / "shapes.run"), tmp_path / "answer.tab"
    found = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path), str(run), str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("a\tb\n1\tx\n0\n0\nTrue True\n")
    assert file.read_text(encoding="utf-8") == "a\tb\n1\tx\n"
    assert f"[{'|'.join(FORMATS)}|tsv|items]" in found.stdout
    assert "csv, jsonl, parquet, tsv" in " ".join(found.stdout.split())
    assert "plain,table\nplain,tsv\n" in found.stdout


def test_no_format_is_named_twice() -> None:
    """An ending belongs to one format."""
    endings = [word for form in FORMATS.values() for word in (form.name, *form.endings)]
    assert len(endings) == len(set(endings))
