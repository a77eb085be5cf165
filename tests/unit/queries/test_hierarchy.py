"""The class hierarchy: direct superinterfaces, which are a list in their class's row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.queries import Engine, Question, Serialized, parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    builder = RunBuilder()
    methods = [builder.method(f"p/{name}", "m", blocks=[["return"]]) for name in "ABIJ"]
    builder.inherit("p/A", "p/J", "p/I")
    builder.inherit("p/B", superclass="p/A")
    builder.inherit("p/J", "p/I")
    builder.thread("main").call(methods[0])
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        yield engine


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("$classes//dcg:interface/string(@ref)", ["3", "2", "2"]),
        ("$classes//dcg:class[dcg:interface]/string(@name)", ["p/A", "p/J"]),
        ("$classes//dcg:class[dcg:interface/@ref = 3]/string(@name)", ["p/A"]),
        ("$classes//dcg:interface[@ref = 2]/../string(@name)", ["p/A", "p/J"]),
        ("$classes//dcg:class ! string(count(dcg:interface))", ["2", "0", "0", "1"]),
        ("$classes//dcg:class/dcg:interface[1]/string(@ref)", ["3", "2"]),
    ],
)
def test_superinterfaces_are_answered_in_sql(
    engine: Engine, query: str, expected: list[str]
) -> None:
    part = parse_scope("application")  # refused where it is not in SQL

    assert [value for (value,) in engine.query(Question(query, scope=part)).rows()] == expected


def test_as_nodes_they_come_from_trees(engine: Engine) -> None:
    answer = engine.answer("$classes//dcg:class[@name = 'p/J']/dcg:interface")

    assert isinstance(answer, Serialized)
    assert answer.text == '<dcg:interface xmlns:dcg="urn:jvmscope:dcg:1" ref="2"/>'


def test_all_types_above_each(engine: Engine) -> None:
    above = "SELECT LIST(ancestor_id ORDER BY ancestor_id) FROM hierarchy.supertypes()"
    chain = "SELECT LIST(ancestor_id ORDER BY distance) FROM hierarchy.superclasses()"

    by_class = "GROUP BY class_id ORDER BY class_id"
    assert [ids for (ids,) in engine.query(f"{above} {by_class}").rows()] == [
        [0, 2, 3],
        [0, 1, 2, 3],
        [2],
        [2, 3],
    ]
    assert [ids for (ids,) in engine.query(f"{chain} {by_class}").rows()] == [[0], [1, 0], [2], [3]]


@pytest.mark.parametrize(
    ("subclass", "is_public", "expected"),
    [
        ("p/B", False, 0),  # overrides what A calls
        ("q/B", False, 1),  # cannot override a method of another package, so A calls itself
        ("q/B", True, 0),
    ],
)
def test_a_method_overrides_what_it_may_see(
    subclass: str, is_public: bool, expected: int, tmp_path: Path
) -> None:
    builder = RunBuilder()
    code = [["invokevirtual p/A.m:()V", "return"]]
    first = builder.method("p/A", "m", blocks=code, is_public=is_public)
    builder.method(subclass, "m", blocks=[["return"]])
    builder.inherit("p/A", is_abstract=True)
    builder.inherit(subclass, superclass="p/A")
    builder.thread("main").call(first)
    in_xquery = """
        import module namespace dispatch = "urn:jvmscope:dispatch:1";
        import module namespace hierarchy = "urn:jvmscope:hierarchy:1";
        count(dispatch:reentrant-sites(
          dispatch:candidate-sites($classes), dispatch:declared-methods($methods),
          hierarchy:types(hierarchy:classes($classes), hierarchy:interfaces($classes))))"""

    with Engine(builder.write(tmp_path / "x.run")) as engine:
        in_sql = engine.query("SELECT COUNT(*) FROM dispatch.reentrant_sites()")
        assert list(in_sql.rows()) == [(expected,)]
        assert list(engine.query(in_xquery).rows()) == [(expected,)]
