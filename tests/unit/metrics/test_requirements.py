"""What metrics require of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.samples import write_folded, write_shapes

import jvmscope
from jvmscope import cli
from jvmscope.errors import QueryError
from jvmscope.metrics import catalogue
from jvmscope.metrics.catalogue import implementations
from jvmscope.metrics.parameters import bind_all
from jvmscope.metrics.requirements import UNFOLDED, folded, needs_watch, unmet
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.queries import QueryFile


def test_values_of_contexts_need_whole_paths() -> None:
    """Where calls were folded, a context stands for others, and its subtree is not its own."""
    found = [
        query
        for query in catalogue().values()
        if query.grain == "context" and not needs_watch(query)  # whose relation has that reason
    ]

    assert found
    assert [query.id for query in found if UNFOLDED not in query.requires] == []


_FILES = [query for files in implementations().values() for query in files if not query.step]


def _params(query: QueryFile) -> dict[str, Any]:
    return dict(bind_all([query], {})[query.id])


@pytest.mark.parametrize("scope", ["run", "thread:main", "application+"])
@pytest.mark.parametrize("write", [write_shapes, write_folded])
def test_a_file_is_not_answered_where_the_metric_has_no_value(
    write: Callable[[Path], Path], scope: str, tmp_path: Path
) -> None:
    run = write(tmp_path / "a.run")
    part = parse_scope(scope)
    with Engine(run) as engine:
        absent = [
            query
            for query in _FILES
            if unmet(query, engine, part, _params(query))
            or folded(query, engine, part, _params(query))
        ]

    assert len(absent) > 20
    answered = []
    with jvmscope.open(run) as opened:
        for query in absent:
            try:
                opened.query(query.text, params=_params(query), scope=scope).arrow()
                answered.append(query.path)
            except QueryError:
                pass
    assert answered == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(:~ @requires receiver :) count($cct//dcg:receiver)", '"receiver" was not recorded'),
        ("(:~ @requires unfolded :) count($cct//dcg:context)", "paths are incomplete"),
        ("/** @requires unfolded */ SELECT COUNT(*) FROM context", "paths are incomplete"),
    ],
)
def test_a_file_that_requires_what_a_run_lacks_is_refused_at_its_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    run = write_folded(tmp_path / "a.run")
    file = tmp_path / ("own.sql" if "SELECT" in text else "own.xq")
    file.write_text(text, encoding="utf-8")

    assert cli.run(["query", str(run), "-f", str(file), "--format", "csv"]) == cli.WRONG
    out, err = capsys.readouterr()
    assert out == ""
    line, source, caret = err.splitlines()[-3:]
    assert line.startswith(f"{file}:1:5: error: ")
    assert said in line
    assert source.endswith(text)
    assert caret.endswith("^~~~~~~~~")


@pytest.mark.parametrize(
    "query",
    ["(:~ @requires {} :) count($cct//dcg:context)", "/** @requires {} */ FROM context LIMIT 1"],
)
def test_a_query_may_require_what_every_run_has(tmp_path: Path, query: str) -> None:
    with jvmscope.open(write_shapes(tmp_path / "a.run")) as opened:
        for name in ("context", "call", "call_edge", "context_part", "loaded_class", "unfolded"):
            assert opened.query(query.format(name)).arrow().num_rows == 1
        with pytest.raises(QueryError, match=r'there is no table "contxt"[^?]*"context"'):
            opened.query(query.format("contxt"))
