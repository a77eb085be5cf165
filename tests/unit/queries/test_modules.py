"""The library modules of SQL: what they compute, and that their comments say what they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from support.samples import write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import (
    WHOLE_RUN,
    Engine,
    Question,
    library_entries,
    modules,
    parse_query_file,
    parse_scope,
    sql_errors,
)
from jvmscope.queries.modules import macros

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.queries.modules import Macro

_PROBED = (
    *("allocation", "field_zeroing", "object_immutability", "object_lifetime"),
    *("object_sharing", "watched_class", "context_native", "context_native_time"),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A run with the tables of probes that macros read."""
    run = tmp_path_factory.mktemp("shapes") / "shapes.run"
    with Engine(write_shapes(run, probes=_PROBED)) as engine:
        yield engine


def _value(engine: Engine, expression: str) -> Any:
    ((value,),) = engine.query(Question(f"SELECT {expression}", language="sql")).rows()
    return value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("names.dotted('java/util/Map$Entry')", "java.util.Map$Entry"),
        ("names.dotted('[[I')", "int[][]"),
        ("names.dotted('[Ljava/lang/String;')", "java.lang.String[]"),
        ("names.parameters('(I[Ljava/lang/String;JLA;)V')", "(int, java.lang.String[], long, A)"),
        ("names.parameters('()V')", "()"),
        ("names.method('a/B', '<init>', '(Z)V')", "a.B.<init>(boolean)"),
        ("dispatch.is_dynamic('invokestatic')", False),
        ("dispatch.is_dynamic('invokeinterface')", True),
        ("opcodes.widened('dload', '7')", "dload"),
        ("opcodes.widened('wide', 'iinc 300 -1')", "iinc"),
        ("opcodes.widened('nop', NULL)", "nop"),
        ("stats.share(1, 4)", 0.25),
        ("stats.share(1, 0)", None),
        ("stats.n_top(5, 0.2)", 1),
        ("stats.n_top(6, 0.2)", 2),
        ("stats.top_share([1, 5, 2, 1, 1], 0.2)", 0.5),
        ("stats.top_share([], 0.2)", None),
        ("stats.gini([7, 7, 7])", 0.0),
        ("stats.gini([0, 0, 0, 8])", 0.75),
        ("stats.gini([0])", None),
        ("list_transform([0, 1, 2, 3, 4, 5, 8, 9], lambda n: stats.doubling_bin(n))",
         [0, 1, 2, 4, 4, 8, 8, 16]),
    ],
)  # fmt: skip
def test_values(engine: Engine, expression: str, expected: Any) -> None:
    assert _value(engine, expression) == expected


def test_the_lorenz_curve_begins_with_the_largest(engine: Engine) -> None:
    rows = list(engine.query("FROM stats.lorenz([1, 3])").rows())

    assert rows == [(1, 0.5, 0.75), (2, 1.0, 1.0)]


def test_inclusive_sums_are_those_of_the_subtree(engine: Engine) -> None:
    differing = engine.query(
        """
        SELECT i.context_id FROM cct.inclusive() AS i
        JOIN context AS r USING (context_id)
        JOIN context AS c ON c.context_id BETWEEN r.context_id AND r.context_id + r.size - 1
        GROUP BY i.context_id, i.n_calls, i.n_bytecodes
        HAVING i.n_calls <> SUM(c.n_calls) OR i.n_bytecodes <> SUM(c.n_bytecodes)
        """
    )

    assert list(differing.rows()) == []
    assert _value(engine, "COUNT(*) FROM cct.inclusive()") == _value(
        engine, "COUNT(*) FROM context"
    )


def test_subtrees_and_paths_meet_in_their_node(engine: Engine) -> None:
    both = "SELECT context_id FROM cct.subtree(2) SEMI JOIN cct.path(2) USING (context_id)"

    assert list(engine.query(both).rows()) == [(2,)]


def test_macros_heed_the_scope(engine: Engine) -> None:
    part = parse_scope("thread:worker")
    edges = "SELECT SUM(n_calls) FROM cct.edges()"
    calls = "SELECT SUM(n_calls) FROM call"

    inside, outside = (
        list(engine.query(Question(edges, scope=scope)).rows()) for scope in (part, WHOLE_RUN)
    )

    assert inside == list(engine.query(Question(calls, scope=part)).rows())
    assert inside != outside


def test_sites_are_those_of_the_metric(engine: Engine) -> None:
    from jvmscope.metrics.catalogue import catalogue

    found = "SELECT call_site_id, n_targets, n_calls FROM dispatch.sites() ORDER BY ALL"

    assert list(engine.query(found).rows()) == list(
        engine.query(catalogue()["polymorphism.sites"]).rows()
    )


def test_a_wrong_name_gets_the_nearest(engine: Engine) -> None:
    with pytest.raises(QueryError) as raised:
        engine.query("FROM cct.edgs()")

    assert (raised.value.line, raised.value.column) == (1, 6)
    assert raised.value.hint == 'did you mean "cct.edges"?  All macros: jvmscope list modules'


@pytest.mark.parametrize(
    "macro",
    [
        macro
        for macro in macros().values()  # DuckDB has an aggregate of the name entropy
        if not macro.is_private and not macro.columns and macro.name != "entropy"
    ],
    ids=lambda macro: macro.qualified,
)
def test_a_macro_is_never_its_own_remedy(engine: Engine, macro: Macro) -> None:
    with pytest.raises(QueryError) as raised:
        engine.query(f"FROM {macro.qualified}({', '.join('1' for _ in macro.params)})")

    assert raised.value.message == f"the macro {macro.qualified} is a value"
    assert raised.value.hint == f"write SELECT {macro.signature}"


def test_a_macro_over_a_table_that_was_not_recorded(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    macro = replace(
        macros()["cct.edges"],
        name="late",
        text="""
        CREATE MACRO cct.late() AS TABLE FROM call_order
    """,
        params=(),
    )
    known = {**macros(), macro.qualified: macro}
    for module in (modules, sql_errors):
        monkeypatch.setattr(module, "macros", lambda: known)

    with pytest.raises(QueryError) as raised:
        engine.query("FROM cct.late()")

    message = 'the macro cct.late reads the table "call_order", which was not recorded'
    assert raised.value.message == message
    assert raised.value.hint == "record the program again with --probes order"


def test_a_macro_is_made_once_its_tables_are_looked_up(shapes: Path) -> None:
    with Engine(shapes) as engine:
        engine.query("SELECT 1 -- the methods of costs, whose model is looked up by a call alone")

        assert engine.query("FROM costs.methods('none')").arrow().num_rows > 0


def test_a_macro_is_tried_once_in_a_scope(shapes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    make = modules.BoundMacros.make
    monkeypatch.setattr(
        modules.BoundMacros,
        "make",
        lambda self, connection, macro, schemas: (
            tried.append(macro.qualified),
            make(self, connection, macro, schemas),
        ),
    )
    with Engine(shapes) as engine:
        for scope in ("run", "run", "application", "application"):
            engine.query(Question("SELECT 1 -- natives, dispatch", scope=parse_scope(scope)))

    assert "natives.calls" in tried  # over tables of probes that the run lacks
    assert tried.count("natives.calls") == 2  # in the run, and in the scope
    assert tried.count("dispatch.is_dynamic") == 1


def test_an_import_must_exist() -> None:
    with pytest.raises(QueryError, match=r"@import: expected one of .*blocks, "):
        parse_query_file("/** @import ctc */ SELECT 1", None)


@pytest.mark.parametrize("name", macros())
def test_comments_and_macros_agree(engine: Engine, name: str) -> None:
    macro = macros()[name]
    engine.query(Question(f"SELECT '{macro.module}.'", language="sql"))
    facts = (
        "SELECT parameters FROM duckdb_functions() "
        f"WHERE schema_name = '{macro.module}' AND function_name = '{macro.name}'"
    )

    ((parameters,),) = engine.query(facts).rows()

    assert list(parameters) == [param.name for param in macro.params]
    assert f"CREATE MACRO {name}(" in macro.text
    assert macro.description
    assert bool(macro.columns) is (" AS TABLE" in macro.text)
    assert bool(macro.columns) is not bool(macro.returns)


def test_private_macros_are_not_listed() -> None:
    assert "names._type" in macros()
    assert "names._type" not in library_entries()
