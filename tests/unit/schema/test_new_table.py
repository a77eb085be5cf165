"""A table that nobody has heard of is handled wherever tables are, from its definition alone.

What a probe records is defined in one file. If some part of jvmscope kept a list of its own, a new
table would be read for the whole run whatever the scope, or two runs that differ in it would be
identical; so here are tables that are in no list: of contexts, of callers and of threads.
"""

from __future__ import annotations

import copy
import sys
from functools import _lru_cache_wrapper
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree
from xml_runs import Shape, write_rows, write_run

from jvmscope.queries import Engine, Question, broken_invariants, compare_runs, parse_scope
from jvmscope.schema import definitions, tables
from jvmscope.schema.xml import export_xml, import_xml, outline
from jvmscope.schema.xml.declarations import fact_declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Rows = dict[str, list[dict[str, Any]]]

_HANDLER = """/**
 * @table        handler_run
 * @description  How often each exception handler ran, by the class of the exception.
 * @recorded     --probes handlers
 * @order        context_id, class_id (null last), basic_block_id
 * @element      handlerRun
 * @within       context 90
 */
CREATE TABLE handler_run (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    class_id        INTEGER REFERENCES class (class_id),                      -- class; null: any
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- first block
    n_executions    BIGINT NOT NULL CHECK (n_executions >= 1),                -- runs [execution]
    n_causes        BIGINT NOT NULL                                           -- caused [exception]
);
"""
_ARGUMENT = """/**
 * @table        argument_range
 * @description  How many calls passed an argument of each magnitude; counted where they are made.
 * @recorded     --probes ranges
 * @order        context_id, parameter, magnitude
 * @element      argumentRange
 * @within       context 91
 * @counted_at   caller
 * @fact         'arguments ' || argument_range_row.parameter
 */
CREATE TABLE argument_range (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    parameter   INTEGER NOT NULL,  -- number of the parameter
    magnitude   INTEGER NOT NULL,  -- bits of its absolute value
    n_passes    BIGINT NOT NULL,   -- calls [call]
    PRIMARY KEY (context_id, parameter, magnitude)
);
""".replace(" * @fact         'arguments ' || argument_range_row.parameter\n", "")
_SWITCH = """/**
 * @table        switch_use
 * @description  How often each instruction switched.
 * @recorded     --probes switches
 * @order        thread_id, instruction_id
 * @element      switchUse
 * @within       thread 90
 */
CREATE TABLE switch_use (
    thread_id       INTEGER NOT NULL REFERENCES thread (thread_id),            -- thread
    instruction_id  INTEGER NOT NULL REFERENCES instruction (instruction_id),  -- switch
    n_switches      BIGINT NOT NULL,                                           -- runs [execution]
    PRIMARY KEY (thread_id, instruction_id)
);
"""
_TEXTS = {
    "handler_run.sql": _HANDLER,
    "argument_range.sql": _ARGUMENT,
    "switch_use.sql": _SWITCH,
}
_NEW = tuple(name.removesuffix(".sql") for name in _TEXTS)
_SCOPES = ("run", "application", "application+", "thread:run", "subtree:p/C000001/*")


def _forget() -> None:
    """Empties every cache of the package: definitions are read once otherwise."""
    for name, module in list(sys.modules.items()):
        if name.startswith("jvmscope"):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def schema_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    patch = pytest.MonkeyPatch()
    files = definitions._files() | _TEXTS
    patch.setattr(definitions, "_files", lambda: files)
    _forget()
    _write_schema(folder := tmp_path_factory.mktemp("xsd"))
    patch.setattr(outline, "_FOLDER", folder)
    yield folder
    patch.undo()
    _forget()


@pytest.fixture(scope="module")
def shape() -> Shape:
    return Shape(seed=4, n_contexts=90, names=("run", "stop"), chain=True)


@pytest.fixture(scope="module")
def recorded(
    tmp_path_factory: pytest.TempPathFactory, shape: Shape, schema_folder: None
) -> tuple[Path, Rows]:
    rows = write_run(tmp_path_factory.mktemp("old") / "x.run", shape)
    run = tmp_path_factory.mktemp("new") / "a.run"
    rows |= _new_rows(rows) | {"back_edge": []}
    for context in rows["context"]:
        context["is_folded"] = False
    write_rows(run, rows, shape)
    return run, rows


def _new_rows(rows: Rows) -> Rows:
    methods = {row["context_id"]: row["method_id"] for row in rows["context"]}
    blocks: dict[int, list[int]] = {}
    for block in rows["basic_block"]:
        blocks.setdefault(block["method_id"], []).append(block["basic_block_id"])
    called = [context for context, method in methods.items() if method is not None]
    return {
        "handler_run": [
            {
                "context_id": context,
                "class_id": class_id,
                "basic_block_id": blocks[methods[context]][-1],
                "n_executions": 1 + context,
                "n_causes": context % 3,
            }
            for context in called[::2]
            for class_id in (1, None)
        ],
        "argument_range": [
            {"context_id": context, "parameter": 0, "magnitude": bits, "n_passes": 1 << bits}
            for context in called[::3]
            for bits in (1, 31)
        ],
        "switch_use": [
            {"thread_id": thread["thread_id"], "instruction_id": key, "n_switches": 5 + key}
            for thread in rows["thread"]
            for key in (0, 7)
        ],
    }


def _contexts(rows: Rows, scope: str) -> set[int]:
    """Returns the contexts of a scope, found without SQL."""
    kind, _, value = scope.partition(":")
    classes = {row["class_id"]: row for row in rows["class"]}
    owners = {row["method_id"]: classes[row["class_id"]] for row in rows["method"]}
    names = {
        row["method_id"]: f"{owners[row['method_id']]['name']}.{row['name']}"
        for row in rows["method"]
    }
    threads = {row["thread_id"]: row["name"] for row in rows["thread"]}

    def is_root(row: dict[str, Any]) -> bool:
        method = row["method_id"]
        if kind == "run":
            return True
        if kind == "thread":
            return threads[row["thread_id"]] == value
        if method is None:
            return False
        if kind == "subtree":
            return names[method].startswith(value.removesuffix("*"))
        return owners[method]["loader"] not in ("boot", "platform")

    roots = [row for row in rows["context"] if is_root(row)]
    if kind in ("subtree", "application+"):
        return {
            key
            for row in roots
            for key in range(row["context_id"], row["context_id"] + row["size"])
        }
    return {row["context_id"] for row in roots}


@pytest.mark.parametrize("scope", _SCOPES)
def test_a_scope_restricts_it(recorded: tuple[Path, Rows], scope: str) -> None:
    run, rows = recorded
    inside = _contexts(rows, scope)
    assert inside
    parents = {row["context_id"]: row["parent_id"] for row in rows["context"]}
    parsed = parse_scope(scope)
    expected = {
        "handler_run": sum(
            row["n_executions"] for row in rows["handler_run"] if row["context_id"] in inside
        ),
        "argument_range": sum(
            row["n_passes"]
            for row in rows["argument_range"]
            if parents[row["context_id"]] in inside
        ),
    }
    columns = {"handler_run": "n_executions", "argument_range": "n_passes"}
    with Engine(run) as engine:
        part = parsed
        for table, total in expected.items():
            text = f"SELECT SUM({columns[table]})::BIGINT FROM {table}"
            assert list(engine.query(Question(text, scope=part)).rows()) == [(total or None,)], (
                table
            )
    assert ("switch_use" in parsed.absent) == (parsed.is_of_subtrees)


def test_a_scope_of_threads_or_code_restricts_what_threads_count(
    recorded: tuple[Path, Rows],
) -> None:
    run, rows = recorded
    text = "SELECT COALESCE(SUM(n_switches), 0)::BIGINT FROM switch_use"
    of_thread = {r["thread_id"] for r in rows["thread"] if r["name"] == "run"}
    classes = {row["class_id"]: row["loader"] for row in rows["class"]}
    loaders = {row["method_id"]: classes[row["class_id"]] for row in rows["method"]}
    blocks = {row["basic_block_id"]: loaders[row["method_id"]] for row in rows["basic_block"]}
    code = {row["instruction_id"]: blocks[row["basic_block_id"]] for row in rows["instruction"]}
    with Engine(run) as engine:
        for scope, total in {
            "thread:run": sum(
                r["n_switches"] for r in rows["switch_use"] if r["thread_id"] in of_thread
            ),
            "application": sum(
                r["n_switches"]
                for r in rows["switch_use"]
                if code[r["instruction_id"]] not in ("boot", "platform")
            ),
        }.items():
            part = parse_scope(scope)
            assert list(engine.query(Question(text, scope=part)).rows()) == [(total,)], scope


def _compare(
    recorded: tuple[Path, Rows], shape: Shape, tmp_path: Path, change: Callable[[Rows], None]
) -> list[tuple[Any, ...]]:
    run, rows = recorded
    rows = copy.deepcopy(rows)
    change(rows)
    write_rows(tmp_path / "b.run", rows, shape)
    with Engine(run) as a, Engine(tmp_path / "b.run") as b:
        comparison = compare_runs(a, b)
        assert not comparison.is_identical or comparison.n_internal
        return list(comparison.differences.rows())


@pytest.mark.parametrize("table", _NEW)
def test_runs_that_differ_in_any_of_its_columns_differ(
    recorded: tuple[Path, Rows], shape: Shape, tmp_path: Path, table: str
) -> None:
    visible = {r["thread_id"] for r in recorded[1]["thread"] if not r["is_vm_internal"]}
    threads = {r["context_id"]: r["thread_id"] for r in recorded[1]["context"]}
    definition = tables()[table]
    for column in definition.columns[1:]:

        def change(rows: Rows, column: str = column.name) -> None:
            row = next(
                row
                for row in rows[table]
                if row.get("thread_id", threads.get(row.get("context_id", -1))) in visible
            )
            row[column] = 0 if row[column] else 1

        folder = tmp_path / column.name
        folder.mkdir()
        found = _compare(recorded, shape, folder, change)
        assert len(found) == 1, column.name
        told = str(found[0])
        words = table if definition.columns[0].name == "thread_id" else table.replace("_", " ")
        assert words in told, column.name


@pytest.mark.parametrize("form", ["nested", "flat"])
def test_the_xml_view_holds_it(
    recorded: tuple[Path, Rows], schema_folder: Path, tmp_path: Path, form: Any
) -> None:
    run, rows = recorded
    cct, classes = tmp_path / "cct.xml", tmp_path / "classes.xml"
    export_xml(run, cct, classes, form)
    etree.XMLSchema(etree.parse(schema_folder / "cct.xsd")).assertValid(etree.parse(cct))
    import_xml(cct, classes, tmp_path / "again.run")
    with Engine(run) as a, Engine(tmp_path / "again.run") as b:
        for table in _NEW:
            found = [list(e.query(f"FROM {table}").rows()) for e in (a, b)]
            assert found[0] == found[1]
            assert len(found[0]) == len(rows[table])


def _write_schema(folder: Path) -> None:
    """Writes the XML Schema with its generated parts made anew, as docs/generate.py does."""
    source = resources.files("jvmscope.schema.xml") / "xsd"
    for name in ("cct", "classes", "types"):
        text = (source / f"{name}.xsd").read_text(encoding="utf-8")
        for holder in ("thread", "context"):
            start = f"<!-- generated: {holder}_facts -->\n"
            before, found, after = text.partition(start)
            if found:
                after = after[after.index("<!-- end -->") :]
                text = f"{before}{start}{fact_declarations(holder)}{after}"
        (folder / f"{name}.xsd").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"n_executions": 0}, "has the executionCount 0, expected at least 1"),
        ({"basic_block_id": 0}, "which is not of the method of the context"),
        ({"class_id": 999}, "refers to 999, which is not there"),
        ({"class_id": None}, "occurs twice or out of order"),
    ],
)
def test_the_import_checks_its_rows(
    recorded: tuple[Path, Rows], shape: Shape, tmp_path: Path, edit: dict[str, Any], reason: str
) -> None:
    rows = copy.deepcopy(recorded[1])
    rows["handler_run"][-2].update(edit)
    write_rows(tmp_path / "b.run", rows, shape)
    cct, classes = tmp_path / "cct.xml", tmp_path / "classes.xml"
    export_xml(tmp_path / "b.run", cct, classes)
    with pytest.raises(Exception, match=reason):
        import_xml(cct, classes, tmp_path / "again.run")


@pytest.mark.parametrize("table", _NEW)
def test_xquery_finds_it_compiled_and_on_trees(recorded: tuple[Path, Rows], table: str) -> None:
    run, rows = recorded
    element = tables()[table].place.element  # type: ignore[union-attr]
    holder = tables()[table].place.within  # type: ignore[union-attr]
    queries = {
        f"count($cct//dcg:{element})": len(rows[table]),
        f"count($cct//dcg:{holder}[dcg:{element}])": len({r[f"{holder}_id"] for r in rows[table]}),
        f"count($cct//dcg:{element}/..) + 0 * string-length(string($cct//dcg:run[1]/@x))": len(
            {r[f"{holder}_id"] for r in rows[table]}
        ),
    }
    with Engine(run) as engine:
        for text, expected in queries.items():
            assert [row[0] for row in engine.query(Question(text, language="xquery")).rows()] == [
                expected
            ]


def test_what_breaks_its_references_is_found(
    recorded: tuple[Path, Rows], shape: Shape, tmp_path: Path
) -> None:
    rows = copy.deepcopy(recorded[1])
    rows["handler_run"][-1]["basic_block_id"] = 0
    write_rows(tmp_path / "b.run", rows, shape)
    with Engine(tmp_path / "b.run") as engine:
        problems = broken_invariants(engine)
    assert any("handler_run.basic_block_id is of the context's method" in p for p in problems)
