"""The library modules that come with jvmscope: each is right, and answers as its text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.evaluator import Environment, evaluate
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.trees.parsing import parse_document

_FOLDER = Path(__file__).parents[5] / "queries" / "lib"
_METHODS = Name("methods", "", "")
# Method a has the hottest block, b more executions in total.
_DOCUMENT = """<dcg:methods xmlns:dcg="urn:jvmscope:dcg:1">
<dcg:method name="a">
  <dcg:basicBlock><dcg:executionCount>5</dcg:executionCount></dcg:basicBlock>
  <dcg:basicBlock><dcg:executionCount>1</dcg:executionCount></dcg:basicBlock>
</dcg:method>
<dcg:method name="b">
  <dcg:basicBlock><dcg:executionCount>4</dcg:executionCount></dcg:basicBlock>
  <dcg:basicBlock><dcg:executionCount>4</dcg:executionCount></dcg:basicBlock>
</dcg:method>
<dcg:method name="c">
  <dcg:basicBlock><dcg:executionCount>0</dcg:executionCount></dcg:basicBlock>
</dcg:method>
</dcg:methods>"""


@pytest.mark.parametrize("path", sorted(_FOLDER.rglob("*.xq")), ids=lambda path: path.stem)
def test_a_library_is_right(path: Path) -> None:
    program = analyse(parse(Source(path.read_text(encoding="utf-8"), path)))

    assert program.main.namespace


@pytest.mark.parametrize(("order", "names"), [("block", "a b c"), ("total", "b a c")])
def test_hottest_methods(order: str, names: str) -> None:
    query = (
        'import module namespace hottest = "urn:jvmscope:hottest:1";'
        f"string-join(hottest:by-{order}($methods) ! @name, ' ')"
    )
    program = analyse(parse(query), StaticEnvironment(variables={_METHODS: None}))
    root = next(iter(parse_document(_DOCUMENT).children()))
    methods = [child for child in root.children() if child.name]

    assert list(evaluate(program, Environment(variables={_METHODS: methods}))) == [names]
