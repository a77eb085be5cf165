"""Allocated bytes and objects as weights: whatever is shown adds up to table ``allocation``."""

from __future__ import annotations

import io
import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from support.export_readers import READERS, Stacks, pprof_profile
from support.reports import made_report
from support.runs import Method, RunBuilder
from support.runs import Node as Context

from jvmscope.errors import QueryError
from jvmscope.queries import Deadline, Engine, Question, parse_scope
from jvmscope.reports.changes.differential_tree import differential_tree, read_tree
from jvmscope.reports.exports.forest import NO_METHOD
from jvmscope.reports.exports.tree_export import export_tree
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html import render
from jvmscope.reports.html.runs import Limits, read_run
from jvmscope.reports.pages import tree_page

if TYPE_CHECKING:
    from collections.abc import Iterator

_WEIGHTS = ("allocated_bytes", "allocated_objects")
_SCOPES = ("run", "application", "application+", "thread:main", "subtree:*.f1")
_TOTALS = """
    SELECT COALESCE(SUM(n_objects * size_bytes), 0)::BIGINT, COALESCE(SUM(n_objects), 0)::BIGINT
    FROM allocation
"""
_OWN = """
    SELECT t.name, c.context_id, c.method_id IS NULL AS is_root,
           COALESCE(SUM(a.n_objects * a.size_bytes), 0)::BIGINT, SUM(a.n_objects)::BIGINT
    FROM allocation AS a JOIN run.context AS c USING (context_id) JOIN run.thread AS t
    ON t.thread_id = c.thread_id GROUP BY ALL ORDER BY context_id
"""


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

    def grow(node: Context, above: dict[Method, Context]) -> None:
        nonlocal left
        allocate(node)
        for method in chance.sample(methods, chance.randint(1, 3)):
            if method in above and left:
                left -= 1
                above[method].calls += 2
                node.fold(above[method], site=None, calls=2)
            elif len(above) < 4:
                child = node.call(method, calls=chance.choice([0, 1, 9]))
                grow(child, {**above, method: child})

    for name in ("main", "worker", "main"):
        grow(builder.thread(name), {})
    builder.thread("VM only").allocates("p/A", 3, size=40)


@pytest.fixture(scope="module", params=[(1, 0), (2, 4)], ids=["unfolded", "folded"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    builder = RunBuilder()
    _grow(builder, *request.param)
    run = tmp_path_factory.mktemp("allocated") / "a.run"
    with Engine(builder.write(run, probes=["allocation"])) as engine:
        yield engine


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A run that was recorded without the probe."""
    builder = RunBuilder()
    _grow(builder, 1, 0)
    with Engine(builder.write(tmp_path_factory.mktemp("allocated") / "without.run")) as engine:
        yield engine


def _totals(engine: Engine, scope: str = "run") -> dict[str, int]:
    (row,) = engine.query(Question(_TOTALS, "sql", scope=parse_scope(scope))).rows()
    return dict(zip(_WEIGHTS, row, strict=True))


def _export(engine: Engine, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    export_tree(engine, form, out, **options)
    return out.getvalue()


def _read(engine: Engine, form: str, **options: Any) -> Stacks:
    return READERS[form](_export(engine, form, **options))


@pytest.mark.parametrize("form", READERS)
def test_every_format_adds_up_in_every_scope(engine: Engine, form: str) -> None:
    for scope in _SCOPES:
        totals = _totals(engine, scope)
        assert totals["allocated_bytes"], scope
        for weight, fraction in (("allocated_bytes", 0.05), ("allocated_objects", 0.0)):
            options = {"weight": weight, "scope": parse_scope(scope), "min_fraction": fraction}
            assert _read(engine, form, **options).total() == totals[weight], options


@pytest.mark.parametrize("form", READERS)
def test_what_no_method_allocates_is_below_its_thread(engine: Engine, form: str) -> None:
    rows = [*engine.query(Question(_OWN, "sql")).rows()]
    expected: dict[str, int] = {}
    for thread, _, is_root, n_bytes, _ in rows:
        if is_root and n_bytes:
            expected[thread] = expected.get(thread, 0) + n_bytes

    found = _read(engine, form, weight="allocated_bytes")
    of_no_method = {stack[0]: n for stack, n in found.items() if stack[1:] == (NO_METHOD,) and n}

    assert len(expected) > 1
    assert of_no_method == expected
    assert not any(NO_METHOD in stack for stack in _read(engine, form, weight="calls"))


def test_csv_tells_each_context_itself_and_with_its_subtree(engine: Engine) -> None:
    own = {context: n_bytes for _, context, _, n_bytes, _ in engine.query(_OWN).rows()}
    sizes = dict(engine.query("SELECT context_id, size FROM context ORDER BY 1").rows())
    lines = _export(engine, "csv", weight="allocated_bytes").decode().splitlines()[1:]
    n_methods = 0
    for line in lines:
        context, parent, *_ = line.split(",")
        n_bytes, inclusive, n_contexts = map(int, line.rpartition(",")[0].split(",")[-3:])
        key = int(context)
        subtree = range(key, key + sizes[key]) if parent else [key]
        assert n_bytes == own.get(key, 0)
        assert inclusive == sum(own.get(below, 0) for below in subtree)
        n_methods += n_contexts
    expected = "SELECT COUNT(*) FROM context WHERE method_id IS NOT NULL"
    assert [(n_methods,)] == [*engine.query(expected).rows()]


def test_the_tree_page_adds_up(engine: Engine) -> None:
    for scope, weight in product(_SCOPES, _WEIGHTS):
        page = [*tree_page(engine, weight=weight, scope=parse_scope(scope))]
        unit = weight.removeprefix("allocated_")
        assert f" {_totals(engine, scope)[weight]:,} {unit} in all" in str(page)


def test_the_html_page_adds_up(engine: Engine) -> None:
    scopes = [scope for scope in _SCOPES if scope != "run"]
    totals = [[*_totals(engine, scope).values()] for scope in _SCOPES]
    for n_nodes in (9, 14, 20_000):
        told = read_run(engine, _WEIGHTS, scopes, Limits(nodes=n_nodes))
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


def test_bytes_are_shown_as_such(engine: Engine) -> None:
    profile = pprof_profile(_export(engine, "pprof", weight="allocated_bytes"))
    (kind,) = profile.sample_type
    assert [profile.string_table[i] for i in (kind.type, kind.unit)] == ["allocated_bytes", "bytes"]
    assert b'"unit": "bytes"' in _export(engine, "speedscope", weight="allocated_bytes")
    assert b'"weightType": "bytes"' in _export(engine, "firefox", weight="allocated_bytes")
    assert b'"unit": "bytes"' not in _export(engine, "speedscope", weight="allocated_objects")


def test_a_run_without_the_probe_says_what_to_do(without: Engine) -> None:
    weight = "allocated_bytes"

    def asked() -> Iterator[Any]:
        yield lambda: _export(without, "csv", weight=weight)
        yield lambda: [*tree_page(without, weight=weight)]
        yield lambda: read_tree(without, find_weight(weight), "run", Deadline(None))
        yield lambda: render(made_report(1, [without.run]), weight=weight)

    for ask in asked():
        with pytest.raises(QueryError) as raised:
            ask()
        assert str(raised.value) == (
            f"weight: error: {without.run} has no allocated_bytes: "
            'the table "allocation" was not recorded\n'
            "record the program again with probes=['allocations']"
        )
