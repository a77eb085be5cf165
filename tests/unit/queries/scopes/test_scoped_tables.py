"""Every table in every kind of scope, in each language: its part of the rows, or an error.

What a scope has of a table is found here without SQL, from the files and the definitions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from xml_runs import Shape, write_run

import jvmscope
from jvmscope import cli
from jvmscope.errors import QueryError
from jvmscope.queries import DERIVED, Engine, Limits, Question, parse_scope
from jvmscope.schema import tables
from jvmscope.schema.definitions import facts_of, sums
from jvmscope.schema.xml.vocabulary import elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Rows = dict[str, list[dict[str, Any]]]

_SCOPES = ("run", "application", "application+", "thread:run", "subtree:p/C000001/*")
_OF_CONTEXTS = ("context", *facts_of("context"))
_OF_THREADS = (*facts_of("thread"), *sums())
_OF_CLASSES = tuple(
    name for name in facts_of("classes") if tables()[name].columns[0].references is not None
)
_TABLES = (*tables(), *DERIVED)
_SUBTREES = ("subtree", "application+")
_OF_THREADS_ALONE = ("native_transition", "thread_time")
_REFUSED = {
    *((name, "application") for name in _OF_THREADS_ALONE),
    *((name, kind) for name in facts_of("thread") for kind in _SUBTREES),
    *((name, kind) for name in ("loaded_class", *_OF_CLASSES) for kind in ("thread", *_SUBTREES)),
}
_SQL = {
    "plain": "SELECT COUNT(*) FROM {table}",
    "quoted": 'SELECT COUNT(*) FROM "{table}" AS t',
    "common": "WITH a AS (SELECT * FROM {table}), b AS (FROM a) SELECT COUNT(*) FROM b",
    "nested": "SELECT (SELECT COUNT(*) FROM (FROM {table}) AS inner_rows)",
    "condition": "SELECT COUNT(*) FILTER (i <= (SELECT COUNT(*) FROM {table})) FROM "
    "range(1, 100000) AS r (i)",
    "view": "CREATE TEMP VIEW seen AS FROM {table}; SELECT COUNT(*) FROM seen",
    "macro": "CREATE TEMP MACRO counted() AS (SELECT COUNT(*) FROM {table}); SELECT counted()",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a table of every probe."""
    run = tmp_path_factory.mktemp("runs") / "all.run"
    write_run(run, Shape(seed=4, n_contexts=90, names=("run", "stop"), chain=True))
    return run


@pytest.fixture(scope="module")
def engine(run: Path) -> Iterator[Engine]:
    with Engine(run) as engine:
        yield engine


@pytest.fixture(scope="module")
def rows(run: Path) -> Rows:
    return {
        name: pq.read_table(run / "tables" / f"{name}.parquet").to_pylist() for name in tables()
    }


def _inside(rows: Rows, scope: str) -> set[int]:
    """Returns the contexts of a scope."""
    kind, _, value = scope.partition(":")
    classes = {row["class_id"]: row for row in rows["class"]}
    owners = {row["method_id"]: classes[row["class_id"]] for row in rows["method"]}
    threads = {row["thread_id"]: row["name"] for row in rows["thread"]}

    def is_root(row: dict[str, Any]) -> bool:
        if kind in ("run", "thread"):
            return kind == "run" or threads[row["thread_id"]] == value
        if (method := row["method_id"]) is None:
            return False
        if kind == "subtree":
            return bool(owners[method]["name"].startswith(value.removesuffix("/*")))
        return owners[method]["loader"] not in ("boot", "platform")

    roots = [row for row in rows["context"] if is_root(row)]
    if kind not in ("subtree", "application+"):
        return {row["context_id"] for row in roots}
    return {n for row in roots for n in range(row["context_id"], row["context_id"] + row["size"])}


def _code(rows: Rows) -> dict[str, dict[int, int]]:
    """Returns the methods of code, by the column that refers to it."""
    blocks = {row["basic_block_id"]: row["method_id"] for row in rows["basic_block"]}
    return {
        "method_id": {row["method_id"]: row["method_id"] for row in rows["method"]},
        "basic_block_id": blocks,
        "call_site_id": {row["call_site_id"]: row["caller_id"] for row in rows["call_site"]},
        "instruction_id": {
            row["instruction_id"]: blocks[row["basic_block_id"]] for row in rows["instruction"]
        },
    }


def _expected(rows: Rows, table: str, scope: str) -> int:
    """Returns how many rows of a table are in a scope."""
    parsed, inside = parse_scope(scope), _inside(rows, scope)
    classes = {row["class_id"]: row["loader"] for row in rows["class"]}
    application = {
        row["method_id"]
        for row in rows["method"]
        if classes[row["class_id"]] not in ("boot", "platform")
    }
    if table in ("loaded_class", *_OF_CLASSES) and parsed.kind == "application":
        return _n_of_classes(rows, table, classes)
    if table in _OF_CONTEXTS:
        return sum(_is_inside(rows, table, row, inside) for row in rows[table])
    if table not in _OF_THREADS or parsed.is_whole:
        return len(rows[DERIVED.get(table, table)])
    if parsed.kind == "thread":
        threads = {r["thread_id"] for r in rows["thread"] if r["name"] == parsed.value}
        return sum(row["thread_id"] in threads for row in rows[table])
    if parsed.kind == "application":
        column, methods = next((c, m) for c, m in _code(rows).items() if c in rows[table][0])
        return sum(methods.get(row[column]) in application for row in rows[table])
    return _n_summed(rows, table, inside)


def _n_of_classes(rows: Rows, table: str, loaders: dict[int, str]) -> int:
    """Returns how many rows of a table of classes or members are about the application."""
    fields = {row["field_id"]: row["class_id"] for row in rows["field"]}
    methods = {row["method_id"]: row["class_id"] for row in rows["method"]}
    owners = [
        row["class_id"]
        if "class_id" in row
        else methods[row["method_id"]]
        if "method_id" in row
        else fields[row["field_id"]]
        for row in rows[DERIVED.get(table, table)]
    ]
    known = (owner for owner in owners if owner is not None)
    return sum(loaders[owner] not in ("boot", "platform") for owner in known)


def _is_inside(rows: Rows, table: str, row: dict[str, Any], inside: set[int]) -> bool:
    """Returns whether a row that says something of a context is in a scope."""
    context = row["context_id"]
    if tables()[table].is_counted_at_caller:
        (context,) = (r["parent_id"] for r in rows["context"] if r["context_id"] == context)
    return context in inside


def _n_summed(rows: Rows, table: str, inside: set[int]) -> int:
    """Returns how many rows the sums by thread of some contexts have."""
    column = "method_id" if table == "thread_method" else "basic_block_id"
    threads = {row["context_id"]: row["thread_id"] for row in rows["context"]}
    of_contexts = rows["context" if table == "thread_method" else "context_block"]
    found = {
        (threads[row["context_id"]], row[column])
        for row in of_contexts
        if row["context_id"] in inside and row[column] is not None
    }
    return len(found)


def _questions(table: str) -> Iterator[tuple[str, str]]:
    for text in _SQL.values():
        yield text.format(table=table), "sql"
    if table in elements():
        document = "classes" if table in tables_in("classes") else "cct"
        name = elements()[table].name
        yield f"count(${document}//dcg:{name})", "xquery"
        yield f"count(${document}//dcg:{name})", "xpath"
        yield f"sum(for $row in ${document}//dcg:{name} return 1)", "xquery"


@pytest.mark.parametrize("scope", _SCOPES)
@pytest.mark.parametrize("table", _TABLES)
def test_a_table_is_restricted_or_refused(
    engine: Engine, rows: Rows, table: str, scope: str
) -> None:
    part = parse_scope(scope)
    is_refused = (table, part.kind) in _REFUSED
    assert is_refused == (table in part.absent)

    for text, language in _questions(table):
        question = Question(text, language, scope=part)
        if is_refused:
            with pytest.raises(QueryError) as caught:
                engine.query(question)
            told = str(caught.value)
            assert f'error: "{table}" is undefined in the scope {scope}: ' in told, text
            first = "thread:NAME" if table in _OF_THREADS_ALONE else "application"
            assert f"scopes that define it: run, {first}" in told
            assert told.count("\n") == 3, f"{text} has no place: {told}"
        else:
            expected = _expected(rows, table, scope)
            assert [row[0] for row in engine.query(question).rows()] == [expected], text


@pytest.mark.parametrize(("table", "kind"), sorted(_REFUSED))
def test_the_whole_run_has_what_a_scope_lacks(
    engine: Engine, rows: Rows, table: str, kind: str
) -> None:
    (scope,) = (scope for scope in _SCOPES if scope.partition(":")[0] == kind)
    question = Question(f"SELECT COUNT(*) FROM run.{table}", scope=parse_scope(scope))

    assert list(engine.query(question).rows()) == [(_expected(rows, table, "run"),)]


@pytest.mark.parametrize("options", [[], ["--explain", "--xquery"]])
def test_the_command_line_tells_it_in_one_line(
    run: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "count($cct//dcg:callOrder)" if options else "FROM call_order"

    assert cli.run(["query", str(run), text, "--scope", "application+", *options]) == 2

    warned, *told = capsys.readouterr().err.splitlines()
    assert warned.startswith(f"warning: {run}: 40 calls are folded")
    assert re.fullmatch(
        r'query:1:\d+: error: "call_order" is undefined in the scope application\+: call_order is '
        "kept for each thread, not for each context",
        told[0],
    )
    assert told[-1].startswith("scopes that define it: run, application, thread:NAME")


def test_a_query_on_trees_is_refused_too(engine: Engine) -> None:
    question = Question("$cct//*[local-name() = 'callOrder']", scope=parse_scope("application+"))

    with pytest.raises(QueryError, match=r"in the scope application\+, a query reads the run only"):
        list(engine.query(question).rows())


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (None, r'"call_order" is undefined in the scope application\+'),
        (Limits(), "an untrusted query can only ask about the whole run, not about a scope"),
    ],
)
def test_python_tells_it(run: Path, limits: Limits | None, told: str) -> None:
    with jvmscope.open(run) as opened, pytest.raises(QueryError, match=told):
        opened.query("FROM call_order", scope="application+", limits=limits)


def test_metrics_are_null_with_the_same_reason(run: Path) -> None:
    with jvmscope.open(run) as opened:
        found = opened.measure("polymorphism.cache_misses", scope="application+").arrow()

    reason = parse_scope("application+").absence("call_order")
    assert {(row["value"], row["reason"]) for row in found.to_pylist()} == {(None, reason)}
