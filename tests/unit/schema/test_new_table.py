"""A table that nobody has heard of is handled wherever tables are, from its definition alone.

What a probe records is defined in one file. If some part of jvmscope kept a list of its own, a new
table would be read for the whole run whatever the scope, or two runs that differ in it would be
identical; so here are tables that are in no list: of contexts, of callers and of threads, and of
classes, methods, blocks and call sites.
"""

from __future__ import annotations

import copy
import re
import sys
from functools import _lru_cache_wrapper
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree
from xml_runs import Shape, write_rows, write_run

from jvmscope.errors import RunError
from jvmscope.queries import Engine, Question, broken_invariants, compare_runs, parse_scope
from jvmscope.schema import definitions, tables
from jvmscope.schema.xml import export_xml, import_xml, outline
from jvmscope.schema.xml.declarations import fact_declarations, part_declarations
from jvmscope.schema.xml.vocabulary import elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmscope.schema import Column

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
    n_passes    BIGINT NOT NULL,   -- calls [call]
    magnitude   INTEGER NOT NULL,  -- bits of its absolute value
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
_LOOP = """/**
 * @table        loop
 * @description  The loops of the methods.
 * @recorded     --probes loops
 * @order        basic_block_id, depth
 * @element      loop
 * @within       basic_block 90
 * @named_by     basic_block_id, depth
 */
CREATE TABLE loop (
    loop_id         INTEGER PRIMARY KEY,  -- dense key
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- first block
    depth           INTEGER NOT NULL      -- loops around it, with it
);
"""
_LOOP_EXIT = """/**
 * @table        loop_exit
 * @description  Where loops end.
 * @recorded     --probes loops
 * @order        loop_id, instruction_id
 * @element      exit
 * @within       loop 1
 */
CREATE TABLE loop_exit (
    loop_id         INTEGER NOT NULL REFERENCES loop (loop_id),  -- loop
    instruction_id  INTEGER NOT NULL REFERENCES instruction (instruction_id),  -- branch
    PRIMARY KEY (loop_id, instruction_id)
);
"""
_LOOP_RUN = """/**
 * @table        loop_run
 * @description  How often each loop ran.
 * @recorded     --probes loops
 * @order        context_id, loop_id
 * @element      loopRun
 * @within       context 92
 */
CREATE TABLE loop_run (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    loop_id     INTEGER NOT NULL REFERENCES loop (loop_id),        -- loop
    n_turns     BIGINT NOT NULL,                                   -- turns [execution]
    PRIMARY KEY (context_id, loop_id)
);
"""
_LOOP_USE = """/**
 * @table        loop_use
 * @description  How often each loop ran, by thread.
 * @recorded     --probes loops
 * @order        thread_id, loop_id
 * @element      loopUse
 * @within       thread 91
 */
CREATE TABLE loop_use (
    thread_id  INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    loop_id    INTEGER NOT NULL REFERENCES loop (loop_id),      -- loop
    n_turns    BIGINT NOT NULL,                                 -- turns [execution]
    PRIMARY KEY (thread_id, loop_id)
);
"""
_PURITY = """/**
 * @table        purity
 * @description  What each method writes.
 * @recorded     --probes purity
 * @order        method_id
 * @element      purity
 * @within       method 90
 */
CREATE TABLE purity (
    method_id  INTEGER PRIMARY KEY REFERENCES method (method_id),  -- method
    field_id   INTEGER REFERENCES field (field_id),  -- first field that it writes; null: none
    coverage   coverage NOT NULL,  -- how it was found out
    is_pure    BOOLEAN NOT NULL,   -- whether it writes nothing
    size_bits  BIGINT NOT NULL CHECK (size_bits >= 1)  -- size of the proof, at least 1 [bit]
);
"""
_ANNOTATION = """/**
 * @table        annotation
 * @description  The annotations of the classes.
 * @recorded     --probes annotations
 * @order        class_id, type (null first)
 * @element      annotation
 * @within       class 90
 */
CREATE TABLE annotation (
    class_id  INTEGER NOT NULL REFERENCES class (class_id),  -- annotated class
    type      VARCHAR,           -- type; null: unknown
    other_id  INTEGER REFERENCES class (class_id),  -- its class; null: never loaded
    n_values  INTEGER NOT NULL   -- values
);
"""
_PROFILE = """/**
 * @table        guess
 * @description  The classes that a call site is expected to call.
 * @recorded     --probes guesses
 * @order        call_site_id, class_id
 * @element      guess
 * @within       call_site 1
 */
CREATE TABLE guess (
    call_site_id  INTEGER NOT NULL REFERENCES call_site (call_site_id),  -- call site
    class_id      INTEGER NOT NULL REFERENCES class (class_id),          -- class
    PRIMARY KEY (call_site_id, class_id)
);
"""
_ARCHIVE = """/**
 * @table        archive
 * @description  The files that classes came from.
 * @recorded     --probes archives
 * @order        path
 * @element      archive
 * @within       classes 90
 * @named_by     path
 */
CREATE TABLE archive (
    archive_id  INTEGER PRIMARY KEY,  -- dense key
    path        VARCHAR NOT NULL      -- path
);
"""
_ARCHIVED = """/**
 * @table        archived
 * @description  The classes of the files.
 * @recorded     --probes archives
 * @order        archive_id, class_id
 * @element      archived
 * @within       archive 1
 */
CREATE TABLE archived (
    archive_id  INTEGER NOT NULL REFERENCES archive (archive_id),  -- file
    class_id    INTEGER NOT NULL REFERENCES class (class_id),      -- class
    PRIMARY KEY (archive_id, class_id)
);
"""
_FACTS = (_HANDLER, _ARGUMENT, _SWITCH, _LOOP_RUN, _LOOP_USE)
_PARTS = (_LOOP, _LOOP_EXIT, _PURITY, _ANNOTATION, _PROFILE)  # of classes
_OTHERS = (_ARCHIVE, _ARCHIVED)  # in the document of classes, but in none of them


def _names(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.split("@table")[1].split()[0] for text in texts)


_NEW = _names(_FACTS)
_NEW_CODE = _names(_PARTS)
_ALL = (*_NEW, *_NEW_CODE, *_names(_OTHERS))
_TEXTS = {f"{name}.sql": text for name, text in zip(_ALL, _FACTS + _PARTS + _OTHERS, strict=True)}
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
    return _code_rows(rows) | {
        "loop_run": [
            {"context_id": context, "loop_id": 2 * block + depth, "n_turns": 3 + context}
            for context in called[::2]
            for block in blocks[methods[context]][-1:]
            for depth in (0, 1)
        ],
        "loop_use": [
            {"thread_id": thread["thread_id"], "loop_id": loop, "n_turns": 1 << loop}
            for thread in rows["thread"]
            for loop in range(0, 30, 4)
        ],
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


def _code_rows(rows: Rows) -> Rows:
    blocks = [row["basic_block_id"] for row in rows["basic_block"]]
    loops = [
        {"loop_id": 2 * block + depth, "basic_block_id": block, "depth": depth}
        for block in blocks
        for depth in (0, 1)
    ]
    return {
        "loop": loops,
        "loop_exit": [
            {"loop_id": loop["loop_id"], "instruction_id": 2 * loop["basic_block_id"] + n}
            for loop in loops[::3]
            for n in (0, 1)
        ],
        "purity": [
            {
                "method_id": row["method_id"],
                "field_id": None if row["method_id"] % 2 else 0,
                "coverage": "leaf",
                "is_pure": bool(row["method_id"] % 2),
                "size_bits": 1 + (row["method_id"] << 40),
            }
            for row in rows["method"][::2]
        ],
        "annotation": [
            {"class_id": row["class_id"], "type": type_, "other_id": other, "n_values": 2}
            for row in rows["class"][1::2]
            for type_, other in ((None, None), ('<"a">', len(rows["class"]) - 1), ("b", 0))
        ],
        "guess": [
            {"call_site_id": row["call_site_id"], "class_id": key}
            for row in rows["call_site"][::3]
            for key in (0, 2)
        ],
        "archive": [{"archive_id": key, "path": f"{key:02}.jar"} for key in range(20)],
        "archived": [{"archive_id": key, "class_id": key % 5} for key in range(1, 20, 2)],
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
        "loop_run": sum(row["n_turns"] for row in rows["loop_run"] if row["context_id"] in inside),
        "argument_range": sum(
            row["n_passes"]
            for row in rows["argument_range"]
            if parents[row["context_id"]] in inside
        ),
    }
    columns = {"handler_run": "n_executions", "argument_range": "n_passes", "loop_run": "n_turns"}
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
    texts = {
        table: f"SELECT COALESCE(SUM({count}), 0)::BIGINT FROM {table}"
        for table, count in (("switch_use", "n_switches"), ("loop_use", "n_turns"))
    }
    of_thread = {r["thread_id"] for r in rows["thread"] if r["name"] == "run"}
    classes = {row["class_id"]: row["loader"] for row in rows["class"]}
    loaders = {row["method_id"]: classes[row["class_id"]] for row in rows["method"]}
    blocks = {row["basic_block_id"]: loaders[row["method_id"]] for row in rows["basic_block"]}
    code = {row["instruction_id"]: blocks[row["basic_block_id"]] for row in rows["instruction"]}
    loops = {row["loop_id"]: blocks[row["basic_block_id"]] for row in rows["loop"]}
    uses = {
        "switch_use": [
            (r["thread_id"], code[r["instruction_id"]], r["n_switches"]) for r in rows["switch_use"]
        ],
        "loop_use": [(r["thread_id"], loops[r["loop_id"]], r["n_turns"]) for r in rows["loop_use"]],
    }
    with Engine(run) as engine:
        for table, found in uses.items():
            for scope, total in {
                "thread:run": sum(n for thread, _, n in found if thread in of_thread),
                "application": sum(n for *_, of, n in found if of not in ("boot", "platform")),
            }.items():
                question = Question(texts[table], scope=parse_scope(scope))
                assert list(engine.query(question).rows()) == [(total,)], (table, scope)


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


@pytest.mark.parametrize("table", _NEW_CODE)
def test_runs_whose_code_differs_differ(
    recorded: tuple[Path, Rows], shape: Shape, tmp_path: Path, table: str
) -> None:
    definition = tables()[table]
    for column in definition.columns:
        if column == definition.owner or definition.key == (column.name,):
            continue

        def change(rows: Rows, column: Column = column) -> None:
            row = rows[table][-1]
            if column.is_nullable:
                row[column.name] = None
            elif column.sql_type == "coverage":
                row[column.name] = "none"
            else:
                row[column.name] = type(row[column.name])(not row[column.name])

        folder = tmp_path / column.name
        folder.mkdir()
        found = _compare(recorded, shape, folder, change)
        assert "content" in {row[0] for row in found}, column.name


@pytest.mark.parametrize("form", ["nested", "flat"])
def test_the_xml_view_holds_it(
    recorded: tuple[Path, Rows], schema_folder: Path, tmp_path: Path, form: Any
) -> None:
    run, rows = recorded
    cct, classes = tmp_path / "cct.xml", tmp_path / "classes.xml"
    export_xml(run, cct, classes, form)
    for path in (cct, classes):
        schema = etree.XMLSchema(etree.parse(schema_folder / f"{path.stem}.xsd"))
        schema.assertValid(etree.parse(path))
    import_xml(cct, classes, tmp_path / "again.run")
    with Engine(run) as a, Engine(tmp_path / "again.run") as b:
        for table in _ALL:
            found = [list(e.query(f"FROM {table}").rows()) for e in (a, b)]
            assert found[0] == found[1]
            assert len(found[0]) == len(rows[table])


_GENERATED = re.compile(r"(<!-- generated: (\w+)_(\w+) -->\n).*?<!-- end -->", re.DOTALL)
_DECLARE = {"facts": fact_declarations, "parts": part_declarations}


def _write_schema(folder: Path) -> None:
    """Writes the XML Schema with its generated parts made anew, as docs/generate.py does."""
    source = resources.files("jvmscope.schema.xml") / "xsd"
    for name in ("cct", "classes", "types"):
        text = (source / f"{name}.xsd").read_text(encoding="utf-8")
        text = _GENERATED.sub(
            lambda part: f"{part[1]}{_DECLARE[part[3]](part[2])}<!-- end -->", text
        )
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


@pytest.mark.parametrize(
    "wrong",
    [
        ("purity", {"size_bits": 0}, "<dcg:purity> has the size_bits 0, expected at least 1"),
        ("purity", {"field_id": 999}, "the field 999 is not there: there are"),
        ("annotation", {"type": None}, "<dcg:annotation> occurs twice or is out of order"),
        ("guess", {"class_id": 999}, "the class 999 is not there: there are 5 classes"),
        ("loop_exit", {"instruction_id": 999}, "the instruction 999 is not there"),
        ("archived", {"class_id": 5}, "the class 5 is not there: there are 5 classes"),
        ("loop_run", {"loop_id": 0}, "which is not of the method of the context"),
        ("loop_use", {"loop_id": 999}, "refers to 999, which is not there"),
    ],
)
def test_the_import_checks_code(
    recorded: tuple[Path, Rows],
    shape: Shape,
    tmp_path: Path,
    wrong: tuple[str, dict[str, Any], str],
) -> None:
    table, edit, reason = wrong
    rows = copy.deepcopy(recorded[1])
    rows[table][-1].update(edit)
    write_rows(tmp_path / "b.run", rows, shape)
    cct, classes = tmp_path / "cct.xml", tmp_path / "classes.xml"
    export_xml(tmp_path / "b.run", cct, classes)
    with pytest.raises(RunError, match=reason):
        import_xml(cct, classes, tmp_path / "again.run")


@pytest.mark.parametrize("table", _ALL)
def test_xquery_finds_it_compiled_and_on_trees(recorded: tuple[Path, Rows], table: str) -> None:
    run, rows = recorded
    element = tables()[table].place.element  # type: ignore[union-attr]
    holder = tables()[table].place.within  # type: ignore[union-attr]
    holder_element = elements()[holder].name if holder in tables() else holder
    where = "classes" if table in tables_in("classes") else "cct"
    n_held = len({row[f"{holder}_id"] for row in rows[table]}) if holder in tables() else 1
    path = f"${where}//dcg:{element}"
    queries = {
        f"count({path})": len(rows[table]),
        f"count(${where}//dcg:{holder_element}[dcg:{element}])": n_held,
        f"count({path}/..) + 0 * string-length(string(${where}//dcg:run[1]/@x))": n_held,
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
    rows["loop_run"][-1]["loop_id"] = 0
    write_rows(tmp_path / "b.run", rows, shape)
    with Engine(tmp_path / "b.run") as engine:
        problems = broken_invariants(engine)
    for column in ("handler_run.basic_block_id", "loop_run.loop_id"):
        assert any(f"{column} is of the context's method" in p for p in problems)
