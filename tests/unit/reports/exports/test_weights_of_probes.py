"""Weights that probes record: whatever is shown adds up to the table of the probe."""

from __future__ import annotations

import io
import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from support.export_readers import READERS, Stacks, pprof_profile
from support.long import each_or_one
from support.reports import made_report
from support.runs import Method, RunBuilder
from support.runs import Node as Context

from jvmscope.errors import QueryError
from jvmscope.queries import Deadline, Engine, Question, parse_scope
from jvmscope.reports.changes.differential_tree import differential_tree, read_tree
from jvmscope.reports.exports.forest import NO_METHOD
from jvmscope.reports.exports.formats import tree_formats
from jvmscope.reports.exports.size import expected_bytes
from jvmscope.reports.exports.tree_export import export_tree
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html import render
from jvmscope.reports.html.runs import Limits, read_run
from jvmscope.reports.pages import tree_page
from jvmscope.reports.wording import counted
from jvmscope.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The table of each, and what counts of its rows.
_WEIGHTS = {
    "allocated_bytes": ("allocation", "a.n_objects * a.size_bytes"),
    "allocated_objects": ("allocation", "a.n_objects"),
    "native_calls": ("context_native", "a.n_calls"),
    "native_time": ("context_native_time", "a.self_ns"),
}
_PROBES = sorted({table for table, _ in _WEIGHTS.values()})
_DEPTH = 5  # some hundred contexts: every form is made of each many times
_SCOPES = ("run", "application", "application+", "thread:main", "subtree:*.f1")
_OWN = """
    SELECT t.name, c.context_id, c.method_id IS NULL AS is_root,
           COALESCE(SUM({amount}), 0)::BIGINT
    FROM {table} AS a JOIN run.context AS c USING (context_id) JOIN run.thread AS t
    ON t.thread_id = c.thread_id GROUP BY ALL ORDER BY context_id
"""


def _own(engine: Engine, weight: str) -> list[tuple[Any, ...]]:
    """Returns what contexts weigh: name of the thread, key, whether it is a root, weight."""
    table, amount = _WEIGHTS[weight]
    return [*engine.query(Question(_OWN.format(table=table, amount=amount), "sql")).rows()]


def _native(rows: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Returns random calls of native methods, some in roots; with the times of both tables."""
    chance = random.Random(len(rows["context"]))  # noqa: S311
    n_methods = len(rows["method"])
    return [
        {"context_id": row["context_id"], "method_id": method, "library": "libx.so"}
        | {"n_calls": chance.choice([1, 30, 1 << 33]), "n_exceptions": 0, "n_jni_calls": 0}
        | {"self_ns": chance.choice([0, 700, 1 << 40])}
        for row in rows["context"]
        for method in [*sorted(chance.sample(range(n_methods), chance.randrange(3))), None]
        if chance.random() < 0.5
    ]


def _columns(name: str) -> Any:
    """Returns what makes the rows of a table of native methods."""
    wanted = {column.name for column in tables()[name].columns}
    return lambda rows: [
        {key: value for key, value in row.items() if key in wanted} for row in _native(rows)
    ]


def _grow(builder: RunBuilder, seed: int, n_folded: int) -> None:
    """Adds three threads whose trees and allocations are random, the same for a seed."""
    chance = random.Random(seed)  # noqa: S311
    loaders = ("boot", "platform", "app", "app")
    methods = [
        builder.method(f"p/C{i}", f"f{i}", loader=loaders[i % 4], blocks=[["new p/A", "return"]])
        for i in range(6)
    ]
    left = n_folded

    def allocate(node: Context) -> None:
        for size in chance.sample([16, 24, 1 << 13, None], chance.randrange(3)):
            instruction = chance.choice([0, None]) if node.method else None
            n = chance.choice([1, 7, 1 << 33 if size is None else 1 << 20])
            node.allocates("p/A", n, size=size, instruction=instruction)

    def grow(node: Context, above: dict[Method, Context], depth: int) -> None:
        nonlocal left
        allocate(node)
        for method in chance.sample(methods, chance.randint(1, 3)):
            if method in above and left:
                left -= 1
                above[method].calls += 2
                node.fold(above[method], site=None, calls=2)
            elif depth < _DEPTH:
                child = node.call(method, calls=chance.choice([0, 1, 9]))
                grow(child, {**above, method: child}, depth + 1)

    for name in ("main", "worker", "main"):
        grow(builder.thread(name), {}, 0)
    builder.thread("VM only").allocates("p/A", 3, size=40)
    for name in ("context_native", "context_native_time"):
        builder.derive(name, _columns(name))


@pytest.fixture(scope="module", params=[(1, 0), (2, 4)], ids=["unfolded", "folded"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    builder = RunBuilder()
    _grow(builder, *request.param)
    run = tmp_path_factory.mktemp("weights") / "a.run"
    with Engine(builder.write(run, probes=_PROBES)) as engine:
        yield engine


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A run that was recorded without the probe."""
    builder = RunBuilder()
    _grow(builder, 1, 0)
    with Engine(builder.write(tmp_path_factory.mktemp("weights") / "without.run")) as engine:
        yield engine


def _totals(engine: Engine, scope: str = "run") -> dict[str, int]:
    totals = {}
    for weight, (table, amount) in _WEIGHTS.items():
        text = f"SELECT COALESCE(SUM({amount}), 0)::BIGINT FROM {table} AS a"
        ((totals[weight],),) = engine.query(Question(text, "sql", scope=parse_scope(scope))).rows()
    return totals


def _export(engine: Engine, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    export_tree(engine, form, out, **options)
    return out.getvalue()


def _read(engine: Engine, form: str, **options: Any) -> Stacks:
    return READERS[form](_export(engine, form, **options))


@pytest.mark.parametrize(("number", "scope"), [*enumerate(_SCOPES)])
def test_every_format_adds_up_in_every_scope(engine: Engine, number: int, scope: str) -> None:
    totals = _totals(engine, scope)
    assert all(totals.values()), scope
    for at, (weight, fraction) in enumerate(zip(_WEIGHTS, (0.05, 0.0, 0.0, 0.05), strict=True)):
        options = {"weight": weight, "scope": parse_scope(scope), "min_fraction": fraction}
        for form in each_or_one(READERS, len(_WEIGHTS) * number + at):
            assert _read(engine, form, **options).total() == totals[weight], (form, options)


_SIZED = [name for name, form in tree_formats().items() if form.row_bytes and form.has_paths]


@pytest.mark.parametrize("weight", _WEIGHTS)
@pytest.mark.parametrize("form", _SIZED)
def test_the_expected_size_is_about_that_of_the_file(
    form: str, weight: str, tmp_path: Path
) -> None:
    """GIVEN few contexts that weigh anything, THEN a format without the others is small."""
    builder = RunBuilder()
    methods = [
        builder.method(f"p/C{i}", f"f{i}", blocks=[["new p/A", "return"]]) for i in range(40)
    ]
    for method in methods:
        node = builder.thread("main")
        for k, other in enumerate(methods[:20]):
            node = node.call(method if k % 2 else other)
        node.allocates("p/A", 3, size=16, instruction=0)
    for name in ("context_native", "context_native_time"):
        builder.derive(name, _few(name))
    with Engine(builder.write(tmp_path / "a.run", probes=_PROBES)) as engine:
        expected = expected_bytes(engine, tree_formats()[form], weight=weight)
        found = len(_export(engine, form, weight=weight))

    assert expected / 2 < found < 2 * expected


def _few(name: str) -> Any:
    """Returns what makes rows of a table of native methods for contexts that call nothing."""
    columns = _columns(name)
    return lambda rows: [
        row for row in columns(rows) if row["context_id"] % 21 == 20 and row["method_id"] is None
    ]


@pytest.mark.parametrize("form", READERS)
def test_what_no_method_did_is_below_its_thread(engine: Engine, form: str) -> None:
    for weight in ("allocated_bytes", "native_time"):
        expected: dict[str, int] = {}
        for thread, _, is_root, n in _own(engine, weight):
            if is_root and n:
                expected[thread] = expected.get(thread, 0) + n

        found = _read(engine, form, weight=weight)

        assert expected
        assert {s[0]: n for s, n in found.items() if s[1:] == (NO_METHOD,) and n} == expected
    assert not any(NO_METHOD in stack for stack in _read(engine, form, weight="calls"))


@pytest.mark.parametrize("weight", _WEIGHTS)
def test_csv_tells_each_context_itself_and_with_its_subtree(engine: Engine, weight: str) -> None:
    own = {context: n for _, context, _, n in _own(engine, weight)}
    sizes = dict(engine.query("SELECT context_id, size FROM context ORDER BY 1").rows())
    lines = _export(engine, "csv", weight=weight).decode().splitlines()[1:]
    n_methods = 0
    for line in lines:
        context, parent, *_ = line.split(",")
        n, inclusive, n_contexts = map(int, line.rpartition(",")[0].split(",")[-3:])
        key = int(context)
        subtree = range(key, key + sizes[key]) if parent else [key]
        assert n == own.get(key, 0)
        assert inclusive == sum(own.get(below, 0) for below in subtree)
        n_methods += n_contexts
    expected = "SELECT COUNT(*) FROM context WHERE method_id IS NOT NULL"
    assert [(n_methods,)] == [*engine.query(expected).rows()]


def test_the_tree_page_adds_up(engine: Engine) -> None:
    for scope, weight in product(_SCOPES, _WEIGHTS):
        page = [*tree_page(engine, weight=weight, scope=parse_scope(scope))]
        text = counted(_totals(engine, scope)[weight], find_weight(weight).unit)
        assert f" {text} in all" in str(page)


def test_the_html_page_adds_up(engine: Engine) -> None:
    scopes = [scope for scope in _SCOPES if scope != "run"]
    totals = [[*_totals(engine, scope).values()] for scope in _SCOPES]
    for n_nodes in (9, 14, 20_000):
        told = read_run(engine, tuple(_WEIGHTS), scopes, Limits(nodes=n_nodes))
        assert [*told["scopes"]] == [*_SCOPES]
        assert [list(scope["totals"]) for scope in told["methods"]["scopes"]] == totals
        assert [sum(own) for own in told["tree"]["own"]] == totals[0]
        inverted = [[sum(own) for own in part] for part in _by_scope(told["inverted"]["own"])]
        assert inverted == totals


def _by_scope(parts: list[Any]) -> list[Any]:
    """Returns lists by weight of each scope."""
    return [[*part] for part in parts]


def test_a_comparison_adds_up(engine: Engine) -> None:
    for scope, weight in product(_SCOPES, _WEIGHTS):
        tree = read_tree(
            engine, find_weight(weight), Question("", scope=parse_scope(scope)), Deadline(None)
        )
        both = differential_tree(tree, tree)
        roots = both.parent < 0
        for side in (0, 1):
            assert both.total[side][roots].sum() == _totals(engine, scope)[weight]
        assert not both.change.any()


@pytest.mark.parametrize(
    ("weight", "unit"), [("allocated_bytes", "bytes"), ("native_time", "nanoseconds")]
)
def test_bytes_and_times_are_shown_as_such(engine: Engine, weight: str, unit: str) -> None:
    profile = pprof_profile(_export(engine, "pprof", weight=weight))
    (kind,) = profile.sample_type
    assert [profile.string_table[i] for i in (kind.type, kind.unit)] == [weight, unit]
    assert f'"unit": "{unit}"'.encode() in _export(engine, "speedscope", weight=weight)
    shown = "bytes" if unit == "bytes" else "samples"
    assert f'"weightType": "{shown}"'.encode() in _export(engine, "firefox", weight=weight)
    assert b'"unit": "none"' in _export(engine, "speedscope", weight="allocated_objects")


@pytest.mark.parametrize("weight", _WEIGHTS)
def test_a_run_without_the_probe_says_what_to_do(without: Engine, weight: str) -> None:
    table, _ = _WEIGHTS[weight]
    probe = "allocations" if table == "allocation" else "native"

    def asked() -> Iterator[Any]:
        yield lambda: _export(without, "csv", weight=weight)
        yield lambda: [*tree_page(without, weight=weight)]
        yield lambda: read_tree(without, find_weight(weight), "run", Deadline(None))
        yield lambda: render(made_report(1, [without.run]), weight=weight)

    for ask in asked():
        with pytest.raises(QueryError) as raised:
            ask()
        assert str(raised.value) == (
            f"weight: error: {without.run} has no {weight}: "
            f'the table "{table}" was not recorded\n'
            f"record the program again with probes=['{probe}']"
        )
