"""SQL as trees: what is part of what, and that its text says the same in any width."""

from __future__ import annotations

import re

import duckdb
import pytest

from jvmscope.queries.sql import exp
from jvmscope.queries.sql.writing import in_lines, in_one_line


def _column(name: str) -> exp.Expr:
    return exp.column(name, "t")


def _statement(conditions: exp.Expr, *outputs: exp.Expr) -> exp.Select:
    return exp.Select(
        expressions=list(outputs) or [exp.Star()],
        from_=exp.From(this=exp.Table(this="t", alias="t")),
        where=exp.Where(this=conditions),
    )


def _wide(value: str) -> exp.Select:
    """Returns a statement whose expressions do not fit in a line."""
    text = exp.Literal.string(value)
    branches = [
        exp.If(this=exp.EQ(this=_column("a"), expression=exp.Literal.number(n)), true=text.copy())
        for n in range(3)
    ]
    case = exp.Case(ifs=branches, default=exp.Coalesce(this=_column("b"), expressions=[text]))
    inner = _statement(exp.or_(exp.true(), exp.GT(this=_column("a"), expression=_column("a"))))
    holds = exp.and_(exp.Exists(this=inner), exp.NEQ(this=case.copy(), expression=_column("b")))
    return _statement(exp.or_(holds, exp.Not(this=exp.Paren(this=holds))), exp.alias_(case, value))


_TEXTS = ["plain", "it's", 'a "b"', "two\nlines", "  indented\n   more", "back\\slash", "x" * 90]


@pytest.mark.parametrize("value", _TEXTS)
def test_lines_say_what_one_line_says(value: str) -> None:
    query = _wide(value)
    one, many = in_one_line(query), in_lines(query)

    with duckdb.connect() as connection:
        trees = [
            re.sub(r'"query_location(_length)?":\d+,?', "", found)
            for (found,) in connection.execute(
                "SELECT json_serialize_sql(sql) FROM UNNEST($given) AS given (sql)",
                {"given": [one, many]},
            ).fetchall()
        ]
        connection.execute("CREATE TABLE t AS SELECT 1 AS a, 'b' AS b")
        found = connection.execute(many)
        names = [column[0] for column in found.description or ()]
        rows = found.fetchall()

    assert trees[0] == trees[1]
    assert '"error":false' in trees[0]
    assert (names, rows) == ([value], [(value,)])


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (exp.Neg(this=exp.Neg(this=exp.Literal.number(1))), "- -1"),
        (exp.Cast(this=_column("a"), to="HUGEINT"), 'CAST("t"."a" AS HUGEINT)'),
        (exp.Count(this=exp.Star()), "COUNT(*)"),
        (exp.Count(this=exp.Distinct(expressions=[_column("a")])), 'COUNT(DISTINCT "t"."a")'),
        (exp.Ordered(this=_column("a")), '"t"."a"'),
        (exp.Ordered(this=_column("a"), desc=True, nulls_first=True), '"t"."a" DESC NULLS FIRST'),
        (exp.and_(exp.or_(exp.true(), exp.false()), exp.null()), "(TRUE OR FALSE) AND NULL"),
        (exp.and_(exp.true()), "TRUE"),
    ],
)
def test_nodes_are_written(node: exp.Expr, text: str) -> None:
    assert str(node) == text


def test_nodes_are_equal_if_they_are_written_alike() -> None:
    one, other = _wide("x"), _wide("x")

    assert one == other
    assert hash(one) == hash(other)
    assert one != _wide("y")
    assert exp.Ordered(this=_column("a"), desc=False) == exp.Ordered(this=_column("a"))
    assert exp.Literal.number(1) != exp.Literal.string("1")


def test_a_copy_is_part_of_nothing_and_changes_alone() -> None:
    query = _wide("x")
    copy = query.args["where"].copy()

    assert copy.parent is None
    for column in list(copy.find_all(exp.Column)):
        column.set("this", "z")
    assert query == _wide("x")


def test_what_replaces_a_node_is_not_changed_again() -> None:
    given = exp.Add(this=_column("a"), expression=_column("b"))

    changed = given.transform(
        lambda node: exp.Paren(this=node.copy()) if isinstance(node, exp.Column) else node
    )

    assert str(changed) == '("t"."a") + ("t"."b")'
    assert str(given) == '"t"."a" + "t"."b"'
    assert all(paren.parent is changed for paren in changed.find_all(exp.Paren))


def test_the_outermost_is_found_first() -> None:
    inner = _statement(exp.true(), exp.column("inner"))
    query = _statement(exp.true(), exp.Subquery(this=inner), exp.column("outer"))

    assert [column.name for column in query.find_all(exp.Column)] == ["outer", "inner"]
    assert query.find(exp.Select) is query
    assert inner.find_ancestor(exp.Select) is query
    assert inner.depth == 2


def test_common_tables_come_in_order() -> None:
    query = _statement(exp.true())
    query.add_common_table("one", _statement(exp.true()))
    query.add_common_table("two", _statement(exp.false()))

    assert str(query).startswith('WITH one AS MATERIALIZED (SELECT * FROM "t" AS t WHERE TRUE), ')
    assert in_lines(query).index("two AS MATERIALIZED") < in_lines(query).index("\nSELECT")
