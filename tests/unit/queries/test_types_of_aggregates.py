"""The type of an aggregate is the same where SQL computes it, where trees do, and in between.

A plain aggregate is whole SQL; ``instance of``, ``typeswitch`` and ``castable`` are left to trees,
which read the value from SQL. By Functions and Operators 3.1, section 14.4, the mean of xs:integers
is an xs:decimal, also where it is one value's and whole.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

import pytest
from support.answers import answer_of
from support.long import IS_LONG
from support.samples import write_shapes

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_AGGREGATES = ("count({0})", "sum({0})", "avg({0})", "min({0})", "max({0})")
_ITEMS = {
    "untyped": "/@id",
    "long": "/@id/xs:long(.)",
    "int": "/@id/xs:int(.)",
    "integer": "/@id/xs:integer(.)",
    "decimal": "/@id/xs:decimal(.)",
    "double": "/@id/xs:double(.)",
}
_SEQUENCES = {  # the nodes that are aggregated, and the query around it
    "all": ("$methods", "{0}"),
    "whole mean": ("$methods[@id != 5]", "{0}"),
    "one": ("$methods[@id = 2]", "{0}"),
    "none": ("$methods[@id < 0]", "{0}"),
    "let": ("$methods", "let $a := {0} return {1}"),
    "each": ("$m", "for $m in $methods return {0}"),
    "bound": ("$m", "for $m in $methods let $a := {0} return {1}"),
    "sorted": ("$m", "for $m in $methods let $a := {0} order by $a return {1}"),
    "each or none": ("$m[@id > 2]", "for $m in $methods return {0}"),
    "below each": ("$m/dcg:callSite", "for $m in $methods return {0}"),
    "group": ("$m", "for $m in $methods group by $g := string($m/@isStatic) return {0}"),
    "group of one": ("$m", "for $m in $methods group by $g := string($m/@id) return {0}"),
    "bound group": (
        "$m",
        "for $m in $methods group by $g := string($m/@isStatic) let $a := {0} return {1}",
    ),
    "predicate": ("$methods[@id = 1]", "$methods[@id = 1] ! {0}"),
}
_CASES = " ".join(
    f"case xs:{name} return '{name}'" for name in ("int", "long", "integer", "decimal", "double")
)
_USES = {
    "plain": "{0}",
    "instance": "({0} instance of xs:long, {0} instance of xs:integer, {0} instance of xs:decimal)",
    "typeswitch": f"(typeswitch ({{0}}) {_CASES} default return 'other')",
    "castable": "({0} castable as xs:int, {0} castable as xs:decimal)",
    "entry": "map {{ 'v': {0} }}",
    "again": "(avg({0}), sum({0}), max({0}), (avg({0})) instance of xs:integer)",
    "arithmetic": "({0} div 4, {0} idiv 4, {0} * 2, -{0}, round({0}), string({0}))",
}


def _queries(aggregate: str, items: str) -> Iterator[str]:
    """Yields every use in every place; ``make test`` asks some, of xs:long more than of others."""
    asked = product(_SEQUENCES.values(), _USES.values())
    step = 1 if IS_LONG else 5 if items == "long" else 13
    for (nodes, around), use in islice(asked, list(_ITEMS).index(items) % step, None, step):
        value = aggregate.format(nodes + _ITEMS[items])
        first = value if "{1}" in around else use.format(value)
        yield around.format(first, use.format("$a"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run: Path = tmp_path_factory.mktemp("types") / "shapes.run"
    with Engine(write_shapes(run)) as opened:
        yield opened


@pytest.mark.parametrize("items", _ITEMS)
@pytest.mark.parametrize("aggregate", _AGGREGATES)
def test_types_are_those_of_trees(engine: Engine, aggregate: str, items: str) -> None:
    wrong = {}
    for text in _queries(aggregate, items):
        query = engine.xquery(text)
        planned, on_trees = answer_of(query.items()), answer_of(query.items_on_trees())
        if planned != on_trees:
            wrong[text] = (planned, on_trees)
    assert not wrong


@pytest.mark.parametrize("nodes", ["$methods", "$methods[@id != 5]", "$methods[1]"])
def test_the_mean_of_integers_is_a_decimal(engine: Engine, nodes: str) -> None:
    value = f"avg({nodes}/@id/xs:long(.))"
    query = engine.xquery(f"{value} instance of xs:decimal, {value} instance of xs:integer")

    assert list(query.items()) == [True, False]
    assert list(query.items_on_trees()) == [True, False]
