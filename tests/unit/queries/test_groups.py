"""Aggregates of the contents of a group: by SQL, by trees and by SaxonC, for every kind of tuple.

A group's variable is a sequence, on which a path removes duplicates and sorts, while ``!`` and
``for`` do not; what is made of it tuple by tuple is right for some expressions only.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.agreement import Agreement
from support.long import IS_LONG
from support.samples import write_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE = Path(__file__).parents[3] / "docs" / "queries.md"
_TUPLES = {
    "for $x in $methods": ("$x",),
    "for $x in $methods let $y := $x/..": ("$x", "$y"),
    "for $x in $methods let $y := $x/dcg:basicBlock": ("$y",),
    "for $y in $methods, $x in $y/dcg:basicBlock": ("$x", "$y"),
    "for $x in $methods/dcg:basicBlock let $y := $x/../..": ("$x", "$y"),
    "for $x in $methods order by $x/@name descending": ("$x",),
    "for $x in reverse($methods)": ("$x",),
    "for $x at $p in $methods where $p ne 2": ("$x",),
    "for $x in $methods/dcg:basicBlock/..": ("$x",),
    "for $x in $classes//dcg:class, $y in $x/dcg:method let $n := count($y/dcg:callSite) "
    "where $n < 9 and $n > -1": ("$x", "$y"),
    "for $x in $cct//dcg:context": ("$x",),
    "for $y in $threads, $x in $y//dcg:context": ("$x", "$y"),
}
_KEYS = ("string($x/@coverage)", "$x/@isStatic", "$x/../@id")
_ITEMS = (
    "{0}/@id",
    "{0} ! @id",
    "{0}/../@id",
    "{0} ! ../@id",
    "{0}/*/@id",
    "{0}/dcg:callCount",
    "{0}/dcg:basicBlock/dcg:executionCount",
    "{0}/(@id/xs:long(.))",
    "({0} ! ..)/@id",
    "(for $z in {0} return $z/@id)",
    "(for $z in {0} order by $z/@name return $z/../@id)",
    "{0}[@id > 1]/@id",
    "{0}[1]/@id",
    "{0}[count({0}) > 1]/@id",
    "({0} ! count({0}))",
    "(let $z := {0}/.. return $z/@id)",
    "($methods ! {0}/@id)",
    "$methods[@id = {0}/@id]/@id",
    "(if ({0}/@id = 3) then 1 else 2)",
    "({0}/@id + 1)",
)
_AGGREGATES = (
    "count({0})",
    "sum({0})",
    "min({0} ! xs:long(.))",
    "max({0})",
    "avg({0} ! xs:double(.))",
    "string-join({0}, ' ')",
    "count(distinct-values({0}))",
)
_NODES = (  # nodes and values of a group that are returned, and positions among them
    "{0}",
    "{0}/@id",
    "{0}[1]/@id",
    "{0}[last()]/@id",
    "{0}[2]/../@id",
    "{0}[position() <= 2]/@id",
    "{0}[@id > 1][1]/@id",
    "({0}/..)[last()]/@id",
    "{0}/..[1]/@id",
    "{0}/*[1]/@id",
    "({0}/*/@id)[2]",
    "({0} ! @id)[2]",
    "subsequence({0}, 2, 2)/@id",
    "head({0})/@id",
    "tail({0})/@id",
    "reverse({0})[1]/@id",
    "(for $z at $n in {0} where $n > 1 return $z/@id)",
    "(for $z in {0} order by $z/@name descending return $z/@id)[1]",
    "(for $z in {0} group by $g := string($z/@name) order by $g return count($z))",
    "($methods[@id = 1] ! {0}[1]/@id)",
    "{0}[@id = {0}[1]/@id]/@id",
)


def _returns() -> Iterator[str]:
    """Yields every tuple stream with every path to nodes, the keys taking turns."""
    turn = 0
    for (clauses, variables), nodes in product(_TUPLES.items(), _NODES):
        for variable in variables:
            key = _KEYS[turn % len(_KEYS)]
            path = nodes.format(variable)
            turn += 1
            if not IS_LONG and turn % 3:
                continue
            grouped = f"{clauses} group by $key := {key}"
            yield f"{grouped} order by string($key) return {path}"
            yield f"{grouped} let $late := {path} order by count($late), string($key) return $late"


def _queries() -> Iterator[str]:
    """Yields every tuple stream with every item, the keys and aggregates taking turns.

    ``make test`` asks each third of them, which are of every stream and item.
    """
    turn = 0
    for (clauses, variables), item in product(_TUPLES.items(), _ITEMS):
        for variable in variables:
            key = _KEYS[turn % len(_KEYS)]
            one, two = (_AGGREGATES[(turn + n) % len(_AGGREGATES)] for n in (0, 2))
            path = item.format(variable)
            turn += 1
            if not IS_LONG and turn % 3:
                continue
            yield (
                f"{clauses} group by $key := {key} let $late := {path} order by string($key) "
                f"return map {{ 'key': string($key), 'a': {one.format(path)}, "
                f"'b': {two.format('$late')} }}"
            )


@pytest.fixture(scope="module")
def agreement(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agreement]:
    folder: Path = tmp_path_factory.mktemp("groups")
    with Agreement(write_shapes(folder / "shapes.run", probes=("receiver",)), folder) as found:
        yield found


def test_everyone_agrees(agreement: Agreement) -> None:
    wrong = [said for text in _queries() if (said := agreement.difference(text, may_fail=True))]
    assert not wrong, "\n\n".join(wrong[:10]) + f"\n{len(wrong)} in all"
    assert agreement.n_compiled > agreement.n_queries / 3


def test_nodes_of_groups(agreement: Agreement) -> None:
    wrong = [said for text in _returns() if (said := agreement.difference(text, may_fail=True))]
    assert not wrong, "\n\n".join(wrong[:10]) + f"\n{len(wrong)} in all"


@pytest.mark.parametrize("variable", ["$m", "$b"])
@pytest.mark.parametrize(
    "nodes",
    ["{0}", "{0}[1]/@id", "{0}[last()]/@id", "{0}[@id = 3]/@id", "head({0})/@id", "({0}/..)[2]"],
)
def test_nodes_of_groups_are_sql(agreement: Agreement, nodes: str, variable: str) -> None:
    query = (
        "for $m in $methods, $b in $m/dcg:basicBlock group by $k := $m/../@name "
        f"order by $k return {nodes.format(variable)}"
    )
    assert agreement.engine.xquery(query).plan.program is None


@pytest.mark.parametrize(
    "query",
    [
        (
            "for $m in $methods, $b in $m/dcg:basicBlock group by $k := $m/../@name "
            "return map { 'k': $k, 'n': sum($b/dcg:executionCount/xs:long(.)) }"
        ),
        (
            "for $m in $methods, $b in $m/dcg:basicBlock group by $k := $m/../@name "
            "return map { 'k': $k, 'n': sum($m/dcg:callCount), 'c': count($m/..) }"
        ),
        (
            "for $t in $threads, $c in $t//dcg:context group by $k := $c/@method "
            "return map { 'k': $k, 'n': max($c/dcg:callCount/xs:long(.)) }"
        ),
        (
            "for $m in $methods group by $k := $m/../@name let $blocks := $m/dcg:basicBlock "
            "return map { 'k': $k, 'n': avg($blocks/dcg:executionCount) }"
        ),
        (
            "for $b in $methods/dcg:basicBlock group by $k := $b/../@name "
            "order by sum($b/dcg:executionCount) descending return $k ! string(.)"
        ),
        (
            "for $m in $methods order by $m/@name group by $k := $m/../@name "
            "return string-join($m/@name, ' ')"
        ),
    ],
)
def test_sums_of_nodes_are_sql(agreement: Agreement, query: str) -> None:
    assert agreement.engine.xquery(query).plan.program is None


def test_the_hottest_methods_of_the_documentation(agreement: Agreement) -> None:
    """Both are SQL; executions of the blocks: main 10 and 1, the areas 6 and 4, log 1."""
    blocks = re.findall(r"```xquery\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    by_block = next(text for text in blocks if "functx:distinct-nodes(" in text)
    by_sum = blocks[blocks.index(by_block) + 1]
    methods = [
        ("app/Main", "main", 11),
        ("app/Circle", "area", 6),
        ("app/Square", "area", 4),
        ("app/Main", "log", 1),
    ]

    for text, expected in ((by_block, [method[:2] for method in methods]), (by_sum, methods)):
        assert agreement.difference(text) is None
        assert agreement.engine.xquery(text).plan.program is None
        assert list(agreement.engine.query(text).rows()) == expected
