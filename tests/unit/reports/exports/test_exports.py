"""Every format, opened by its reader, against paths that are put together from the tables."""

from __future__ import annotations

import csv
import io
import json
import random
import tracemalloc
from collections import Counter
from contextlib import ExitStack
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import jsonschema
import pyarrow.parquet as pq
import pytest
from support.export_readers import READERS, Stacks, pprof_profile
from support.runs import Node as Context
from support.runs import RunBuilder
from support.samples import write_empty, write_folded

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question
from jvmscope.reports.exports.forest import Method, Node, Thread
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.reports.exports.tree_export import export_tree
from jvmscope.reports.exports.weights import find_weight
from jvmscope.schema import Manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What speedscope's description of its file format asks for, as far as evented profiles go.
_EVENT = {
    "type": "object",
    "properties": {
        "type": {"enum": ["O", "C"]},
        "at": {"type": "number"},
        "frame": {"type": "integer", "minimum": 0},
    },
    "required": ["type", "at", "frame"],
}
_PROFILE = {
    "type": "object",
    "properties": {
        "type": {"const": "evented"},
        "name": {"type": "string"},
        "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none"]},
        "startValue": {"type": "number"},
        "endValue": {"type": "number"},
        "events": {"type": "array", "items": _EVENT},
    },
    "required": ["type", "name", "unit", "startValue", "endValue", "events"],
}
_FRAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "file": {"type": "string"}},
    "required": ["name"],
}
_SPEEDSCOPE = {
    "type": "object",
    "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "shared": {
            "type": "object",
            "properties": {"frames": {"type": "array", "items": _FRAME}},
            "required": ["frames"],
        },
        "profiles": {"type": "array", "items": _PROFILE},
        "exporter": {"type": "string"},
        "name": {"type": "string"},
        "activeProfileIndex": {"type": "integer"},
    },
    "required": ["$schema", "shared", "profiles"],
}
_COLUMNS = {"calls": "n_calls", "bytecodes": "n_bytecodes"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three threads, one with an awkward name, whose trees are recursive."""
    chance = random.Random(7)  # noqa: S311 - a tree that is the same every time
    builder = RunBuilder()
    methods = [
        builder.method(f"p/C{i}", "f", f"({'I' * i}Ljava/lang/String;)V", blocks=[["nop"] * i])
        if i
        else builder.method("p/C0", "zero", blocks=[["return"]])
        for i in range(6)
    ]

    def grow(node: Context, depth: int) -> None:
        for method in chance.sample(methods, chance.randint(0, 4) if depth else 4):
            calls = chance.choice([0, 1, 2, 1000, 2**40])
            child = node.call(method, calls=calls, blocks=[chance.choice([0, calls])])
            if depth < 6:
                grow(child, depth + 1)

    for name in ("main", "pool;1 thread 2%\t", "main"):
        grow(builder.thread(name), 0)
    return builder.write(tmp_path_factory.mktemp("runs") / "tree.run")


@pytest.fixture(scope="module")
def grown(tree: Path) -> Iterator[Engine]:
    """That run, opened once."""
    with Engine(tree) as engine:
        yield engine


@pytest.fixture(scope="module")
def small(shapes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Engine]]:
    """A run of two threads, one that is folded, and one without contexts."""
    folder = tmp_path_factory.mktemp("runs")
    runs = [shapes, write_folded(folder / "folded.run"), write_empty(folder / "empty.run")]
    with ExitStack() as stack:
        yield [stack.enter_context(Engine(run)) for run in runs]


@cache
def _rows(run: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(run / "tables" / f"{table}.parquet").to_pylist()


def _name(run: Path) -> list[str]:
    """Each method's name for display, from its descriptor by hand: parameters are I and String."""
    classes = [row["name"].replace("/", ".") for row in _rows(run, "class")]
    names = []
    for row in _rows(run, "method"):
        inside = row["descriptor"][1:].split(")")[0]
        parts = ["int"] * inside.count("I") + ["java.lang.String"] * inside.count("L")
        parts = ["java.lang.String[]"] if inside.startswith("[") else parts
        names.append(f"{classes[row['class_id']]}.{row['name']}({', '.join(parts)})")
    return names


@cache
def _expected(run: Path, weight: str, fraction: float = 0.0, root: str | None = None) -> Stacks:
    """The stacks by definition: each context is asked for its callers and for its subtree."""
    contexts, names = _rows(run, "context"), _name(run)
    threads = [row["name"] for row in _rows(run, "thread")]
    own = [row[_COLUMNS[weight]] for row in contexts]
    sums = [sum(own[row["context_id"] : row["context_id"] + row["size"]]) for row in contexts]

    def path(row: dict[str, Any]) -> list[dict[str, Any]]:
        above = [] if row["parent_id"] is None else path(contexts[row["parent_id"]])
        return above if row["method_id"] is None else [*above, row]

    chosen = []
    for row in contexts:
        found = path(row)
        while found and root is not None and names[found[0]["method_id"]] != root:
            found = found[1:]
        if found:
            chosen.append(found)
    total = sum(own[found[-1]["context_id"]] for found in chosen)
    stacks: Stacks = Counter()
    for found in chosen:
        kept = [row for row in found if sums[row["context_id"]] >= fraction * total]
        frames = [names[row["method_id"]] for row in kept]
        if len(kept) < len(found):
            frames.append(f"(below {100 * fraction:g} %)")
        stacks[threads[found[-1]["thread_id"]], *frames] += own[found[-1]["context_id"]]
    return +stacks


def _export(engine: Engine, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    export_tree(engine, form, out, **options)
    return out.getvalue()


@pytest.mark.parametrize("fraction", [0.0, 0.0001, 0.02, 0.3, 0.99])
@pytest.mark.parametrize("weight", _COLUMNS)
@pytest.mark.parametrize("form", READERS)
def test_a_reader_finds_every_stack_with_its_weight(
    tree: Path, grown: Engine, form: str, weight: str, fraction: float
) -> None:
    found = READERS[form](_export(grown, form, weight=weight, min_fraction=fraction))

    assert +found == _expected(tree, weight, fraction)
    assert found.total() == sum(row[_COLUMNS[weight]] for row in _rows(tree, "context"))


@pytest.mark.parametrize("fraction", [0.0, 0.05])
@pytest.mark.parametrize("form", READERS)
def test_a_root_is_a_method_and_what_it_calls(
    tree: Path, grown: Engine, form: str, fraction: float
) -> None:
    options = {"weight": "calls", "root": "p/C2.f", "min_fraction": fraction}
    found = READERS[form](_export(grown, form, **options))

    name = "p.C2.f(int, int, java.lang.String)"
    assert +found == _expected(tree, "calls", fraction, name)
    assert {stack[1] for stack in found} <= {name, "(below 5 %)"}


@pytest.mark.parametrize("form", READERS)
def test_small_runs(small: list[Engine], form: str) -> None:
    shapes, folded, empty = small

    assert READERS[form](_export(shapes, form))["worker", "java.util.List.add()"] == 10
    assert READERS[form](_export(folded, form, weight="calls")).total() == 11
    for fraction in (0.0, 0.5):
        assert READERS[form](_export(empty, form, min_fraction=fraction)) == Counter()


class _Chain:
    """Stands for a forest: one thread, in which a method calls itself so many times."""

    weight = find_weight("calls")
    methods = (Method("p.C.f()", "C.java", 1), Method("(below)", None, None))

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self.engine = SimpleNamespace(run_id="chain", manifest=Manifest("complete", {}))

    def threads(self) -> Iterator[tuple[Thread, Iterator[Node]]]:
        yield (
            Thread(0, "main"),
            (Node(i, 0, 7, 1, 1, i, i - 1, 1) for i in range(1, self._depth + 1)),
        )


class _Sink(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


@pytest.mark.parametrize("form", READERS)
def test_a_deep_recursion_takes_memory_for_one_path(form: str) -> None:
    out = io.BytesIO()
    tree_formats()[form].write(_Chain(300), out)
    assert READERS[form](out.getvalue()) == {("main", *["p.C.f()"] * n): 1 for n in range(1, 301)}

    tracemalloc.start()
    try:
        tree_formats()[form].write(_Chain(8_000), _Sink())  # all paths together: 224 MB
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 12_000_000


def test_every_format_has_a_reader_here() -> None:
    assert set(READERS) == set(tree_formats())


@pytest.mark.parametrize("form", READERS)
def test_cycles_add_up_to_those_of_the_metric(small: list[Engine], form: str) -> None:
    shapes = small[0]
    query = "SELECT SUM(cycles)::BIGINT FROM costs.methods('none')"
    ((default,),) = shapes.query(query).rows()
    ((slow,),) = shapes.query(Question(query, params={"model": "jop-head", "r": 9})).rows()
    assert default != slow

    options = {"weight": "cycles", "min_fraction": 0.1}
    assert READERS[form](_export(shapes, form, weight="cycles")).total() == default
    assert READERS[form](_export(shapes, form, **options)).total() == default
    params = {"model": "jop-head", "r": 9}
    assert READERS[form](_export(shapes, form, params=params, **options)).total() == slow


@pytest.mark.parametrize("form", READERS)
def test_the_same_run_gives_the_same_bytes(tree: Path, form: str) -> None:
    with Engine(tree) as one, Engine(tree) as other:
        assert _export(one, form) == _export(other, form)


def test_speedscope_has_what_its_format_asks_for(grown: Engine) -> None:
    document = json.loads(_export(grown, "speedscope", min_fraction=0.0001))

    jsonschema.validate(document, _SPEEDSCOPE)
    assert document["exporter"].startswith("jvmscope@")
    assert document["name"] == "tree (bytecodes)"
    assert {profile["unit"] for profile in document["profiles"]} == {"none"}


def test_pprof_says_unit_lines_and_thread(small: list[Engine]) -> None:
    profile = pprof_profile(_export(small[0], "pprof", weight="calls"))

    (kind,) = profile.sample_type
    assert [profile.string_table[i] for i in (kind.type, kind.unit)] == ["calls", "count"]
    assert profile.string_table[profile.comment[0]].startswith("jvmscope@")
    assert {place.id for place in profile.location} == set(range(1, len(profile.location) + 1))
    used = {place for sample in profile.sample for place in sample.location_id}
    assert used == {place.id for place in profile.location}


def test_what_has_exactly_the_share_is_not_folded(tmp_path: Path) -> None:
    """Of a chain of a hundred calls, whose subtrees have every share of whole percents."""
    builder = RunBuilder()
    method = builder.method("p/A", "f", blocks=[["return"]])
    node = builder.thread("main")
    for _ in range(100):
        node = node.call(method)
    with Engine(builder.write(tmp_path / "chain.run")) as engine:
        for percent in range(1, 100):
            text = _export(engine, "csv", weight="calls", min_fraction=percent / 100).decode()
            *kept, folded = csv.DictReader(io.StringIO(text, newline=""))
            if percent == 1:
                assert folded["context_id"], "nothing is below 1 %"
                continue
            assert [int(row["n_calls_inclusive"]) for row in kept] == [*range(100, percent - 1, -1)]
            assert int(folded["n_calls_inclusive"]) == percent - 1


def test_csv_has_the_sums_and_says_what_is_folded(tree: Path, grown: Engine) -> None:
    contexts = _rows(tree, "context")
    text = _export(grown, "csv", weight="calls", min_fraction=0.001).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))

    n_contexts = sum(row["method_id"] is not None for row in contexts)
    assert 0 < len(rows) < n_contexts
    assert sum(int(row["n_contexts"]) for row in rows) == n_contexts
    assert {row["method"] for row in rows if not row["context_id"]} == {"(below 0.1 %)"}
    for row in rows:
        if row["context_id"]:
            context = contexts[int(row["context_id"])]
            subtree = contexts[context["context_id"] : context["context_id"] + context["size"]]
            assert int(row["n_calls"]) == context["n_calls"]
            assert int(row["n_calls_inclusive"]) == sum(below["n_calls"] for below in subtree)
            assert int(row["level"]) == context["depth"] == row["path"].count(";")


def test_progress_is_told_and_ends_at_the_last_context(grown: Engine) -> None:
    told: list[float] = []
    _export(grown, "collapsed", on_progress=told.append)

    assert told == sorted(told)
    assert 99 < told[-1] <= 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": "allocated_bytes"}, "record the program again with probes="),
        ({"weight": "call"}, 'did you mean "calls"'),
        ({"root": "p/C9.*"}, "root: error: no executed method matches"),
        ({"min_fraction": 1.0}, "not a fraction"),
        ({"params": {"r": 1}}, "bytecodes have no parameters"),
    ],
)
def test_what_cannot_be_exported_is_one_clear_error(
    grown: Engine, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(QueryError) as raised:
        _export(grown, "collapsed", **options)

    assert message in str(raised.value)
