"""A query that walks the trees of a large run says so, why, and what helps."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.queries.xquery import tree_walks

if TYPE_CHECKING:
    from collections.abc import Iterator

_FALLS = {  # each with another way to ask the same, where one is known
    "for $c in $cct//dcg:context return ($c/@depth/xs:long(.), $c/@id/xs:long(.))": (
        'for $c in $cct//dcg:context return map { "a": $c/@depth/xs:long(.), "b": $c/@id }'
    ),
    "for $c in $cct//dcg:context group by $d := $c/@depth div 2 return count($c)": (
        "for $c in $cct//dcg:context group by $d := xs:long($c/@depth) idiv 2 return count($c)"
    ),
    "max($cct//dcg:context ! (@depth * 2))": "max($cct//dcg:context ! (xs:long(@depth) * 2))",
    "count($methods/*)": "count($methods/dcg:basicBlock)",
    "count($cct//dcg:callCount)": "count($cct//dcg:context/dcg:callCount)",
    "for $m in $methods group by $c := $m/../@id return count($m[count($m) > 1])": None,
    "declare function local:f($n as xs:integer) { $n + 1 }; $cct//dcg:context ! local:f(@depth)": (
        "declare function local:f($n) { $n + 1 }; $cct//dcg:context ! local:f(@depth)"
    ),
    "$cct//dcg:context/@depth ! (xs:long(.) - 1)[. idiv 0 = 1]": None,
    "let $m := ($cct//dcg:context[@depth = 1])[1] return ($m//*, $m/descendant::*) ! name()": None,
}
_SMALL = (
    "count($cct//dcg:context)",
    "<n>{ count($cct//dcg:context) }</n>",
    "sum((1 to 20)[. mod 2 = 1])",
    "let $m := ($cct//dcg:context[@depth = 1])[1] return ($m, $m/@*) ! name()",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine(write_shapes(tmp_path_factory.mktemp("walks") / "shapes.run")) as found:
        yield found


def _told(engine: Engine, query: str) -> list[str]:
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "on_notice", told.append)
        with suppress(QueryError):  # what the query does wrong is not asked here
            list(engine.xquery(query).items())
    return told


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_walks, "LARGE", 7)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("query", _FALLS)
def test_a_large_run(engine: Engine, query: str) -> None:
    told = _told(engine, query)

    assert len(told) == 1
    assert "on trees" in told[0]
    assert told[0].startswith("query:")
    assert "8 contexts" in told[0] or "more than 7 items" in told[0]


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("query", _SMALL)
def test_what_walks_nothing(engine: Engine, query: str) -> None:
    assert _told(engine, query) == []


@pytest.mark.parametrize("query", [*_FALLS, *_SMALL])
def test_a_small_run(engine: Engine, query: str) -> None:
    assert _told(engine, query) == []


@pytest.mark.parametrize("query", [query for query, other in _FALLS.items() if other])
def test_the_rewrite_is_sql(engine: Engine, query: str) -> None:
    plan = engine.xquery(query).plan

    assert plan.program is not None
    assert tree_walks.rewrite_of(plan.left) is not None
    assert engine.xquery(_FALLS[query] or "").plan.program is None


def test_every_rewrite_is_of_a_reason(engine: Engine) -> None:
    found = {tree_walks.rewrite_of(engine.xquery(query).plan.left) for query in _FALLS}

    assert len(found - {None}) >= math.floor(len(_FALLS) / 2)
