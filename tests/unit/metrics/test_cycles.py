"""Cycles of hand-made runs: what calls, returns, natives and folding cost, in every scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.samples import write_folded

from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.queries.costs import read_cost_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.queries.costs import CostModel

_CHEAP = """\
schema = 1
name = "cheap"
native = "7 * n"
[parameters]
n = 1
[load]
hit = 0
miss = "size"
[opcodes]
nop = 1
invokestatic = "10 + load"
invokevirtual = "20 + 2 * load"
return = "3 + load"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two threads, by the model above, with methods always loaded.

    method       size  calls  blocks                   invokes                     returns
    app/A.main     10      1  10 + 20 + 10 + 3 = 43    100 + 2 * 2 + 0 = 104       0 to the root
    app/A.f       100      1  99 * 1 + 3 = 102         -                           10 to main
    app/A.g         2      4  4 * (1 + 3) = 16         -                           4 * 10 to main
    app/A.n         0      3  native: 3 * 7 = 21       -                           -
    java/L.w        1      2  2 * 3 = 6                -                           0 to the root

    main calls f and g once at its sites 0 and 1, the native 3 times at site 2, and the VM calls g
    3 times in the midst of main, which takes no invoke.
    """
    builder = RunBuilder()
    main = builder.method(
        "app/A",
        "main",
        blocks=[
            ["invokestatic app/A.f:()V", "invokevirtual app/A.g:()V"],
            ["invokestatic app/A.n:()V", "return"],
        ],
        is_static=True,
    )
    f = builder.method("app/A", "f", blocks=[[*["nop"] * 99, "return"]], is_static=True)
    g = builder.method("app/A", "g", blocks=[["nop", "return"]])
    n = builder.method("app/A", "n", is_static=True, is_native=True, coverage="leaf")
    w = builder.method("java/L", "w", loader="boot", blocks=[["return"]])
    node = builder.thread("main").call(main)
    node.call(f, site=0)
    node.call(g, site=1)
    node.call(n, site=2, calls=3)
    node.call(g, site=None, calls=3)
    builder.thread("worker").call(w, calls=2)
    return builder.write(tmp_path_factory.mktemp("cycles") / "small.run")


@pytest.fixture(scope="module")
def engine(run: Path) -> Iterator[Engine]:
    with Engine(run) as engine:
        yield engine


@pytest.fixture
def cheap() -> CostModel:
    return read_cost_model(_CHEAP, "cheap.toml")


def _values(engine: Engine, metric: str = "cycles.run", **options: Any) -> dict[str, Any]:
    """Returns the value, or else the reason, of each measure."""
    result = measure([engine], metrics=[metric], is_cached=False, **options)
    rows = result.arrow().to_pylist()
    return {row["measure"]: row["reason"] if row["value"] is None else row["value"] for row in rows}


def _methods(engine: Engine, measure_: str = "cycles", **options: Any) -> dict[int, Any]:
    result = measure([engine], metrics=["cycles.methods"], is_cached=False, **options)
    return {
        row["method_id"]: row["reason"] if row["value"] is None else row["value"]
        for row in result.arrow().to_pylist()
        if row["measure"] == measure_
    }


def test_the_parts_of_a_run(engine: Engine, cheap: CostModel) -> None:
    values = _values(engine, cost_model=cheap)

    assert values["block_cycles"] == 43 + 102 + 16 + 21 + 6
    assert values["call_cycles"] == 104
    assert values["return_cycles"] == 10 + 10 + 3 * 10
    assert values["cycles"] == 188 + 104 + 50
    assert (values["n_unpriced"], values["n_unpriced_calls"]) == (0, 0)


def test_methods_and_a_parameter_of_the_model(engine: Engine, cheap: CostModel) -> None:
    assert _methods(engine, cost_model=cheap) == {0: 147, 1: 112, 2: 16 + 40, 3: 21, 4: 6}
    assert _methods(engine, cost_model=cheap, params={"n": "0"})[3] == 0


def test_a_cache_that_has_all_methods(engine: Engine, cheap: CostModel) -> None:
    values = _values(engine, cost_model=cheap, params={"cache": "perfect"})

    assert values["cycles"] == values["block_cycles"] == 188


@pytest.mark.parametrize(
    ("scope", "cycles"),
    [
        ("application", 342 - 6),
        ("thread:worker", 6),
        ("thread:main", 342 - 6),
        ("subtree:app/A.f", 112),
        ("subtree:app/A.g", 56),
        ("subtree:app/A.main", 336),
    ],
)
def test_scopes(engine: Engine, cheap: CostModel, scope: str, cycles: int) -> None:
    assert _values(engine, scope=parse_scope(scope), cost_model=cheap)["cycles"] == cycles


@pytest.mark.parametrize(
    "scope", ["run", "application", "application+", "thread:main", "subtree:app/A.main"]
)
@pytest.mark.parametrize("cache", ["none", "perfect"])
def test_contexts_sum_up_to_methods_and_opcodes(engine: Engine, scope: str, cache: str) -> None:
    params = {"cache": cache}

    def total(metric: str, measure_: str) -> float:
        result = measure(
            [engine], metrics=[metric], scope=parse_scope(scope), params=params, is_cached=False
        )
        rows = result.arrow().to_pylist()
        return sum(row["value"] or 0 for row in rows if row["measure"] == measure_)

    whole = total("cycles.run", "cycles")
    assert whole > 0
    assert total("cycles.contexts", "exclusive_cycles") == whole
    assert total("cycles.methods", "cycles") == whole
    assert total("cycles.inclusive", "exclusive_cycles") == whole
    assert total("cycles.opcodes", "cycles") == whole  # natives have no cost in this model


def test_what_has_no_cost_is_null_and_counted(engine: Engine) -> None:
    text = _CHEAP.replace('native = "7 * n"\n', "").replace("nop = 1\n", "")
    model = read_cost_model(text, "cheap.toml")

    values = _values(engine, cost_model=model)
    assert values["cycles"] == 342 - 21 - 99 - 4
    assert (values["n_unpriced"], values["n_unpriced_calls"]) == (99 + 4, 3)
    assert _methods(engine, cost_model=model)[3] == "native: the cost model has no cost for it"
    assert _methods(engine, "n_unpriced_calls", cost_model=model)[3] == 3
    result = measure([engine], metrics=["cycles.opcodes"], is_cached=False, cost_model=model)
    rows = result.arrow().to_pylist()
    (nop,) = (row for row in rows if (row["opcode"], row["measure"]) == ("nop", "cycles"))
    assert (nop["value"], nop["reason"]) == (None, "the cost model has no cost for nop")


def test_nothing_but_natives(tmp_path: Path) -> None:
    builder = RunBuilder()
    native = builder.method("p/C", "f", is_native=True, coverage="leaf")
    builder.thread("main").call(native)

    with Engine(builder.write(tmp_path / "native.run")) as engine:
        values = _values(engine)

    assert values["cycles"] == "nothing that was executed has a cost"
    assert values["n_unpriced_calls"] == 1


def test_folded_calls_return_to_who_made_them(tmp_path: Path, cheap: CostModel) -> None:
    run = write_folded(tmp_path / "folded.run")  # main calls f once, f itself 9 times; 4 bytes each

    with Engine(run) as engine:
        values = _values(engine, cost_model=cheap)
        inclusive = _values(engine, "cycles.inclusive", cost_model=cheap)
        recorded = _values(engine, cost_model=cheap, params={"cache": "recorded"})
    assert values["call_cycles"] == 10 * 2 * 4
    assert values["return_cycles"] == 10 * 4
    assert "paths are incomplete" in str(inclusive)
    assert "was not recorded" in recorded["cycles"]


def test_a_return_into_native_code_asks_for_the_method_above(
    tmp_path: Path, cheap: CostModel
) -> None:
    """Main has 1,004 bytes, cb 2, the native between them none: a return from cb loads main."""
    builder = RunBuilder()
    code = ["invokestatic app/A.n:()V", *["nop"] * 1000, "return"]
    main = builder.method("app/A", "main", blocks=[code])
    native = builder.method("app/A", "n", is_native=True, coverage="leaf")
    back = builder.method("app/A", "cb", blocks=[["nop", "return"]])
    builder.thread("main").call(main).call(native, site=0).call(back)
    none = dict.fromkeys(("n_call_hits", "n_return_hits", "n_catch_hits", "n_catch_misses"), 0)
    events = [
        {"context_id": 1, "n_call_misses": 1, "n_return_misses": 0, **none},
        {"context_id": 3, "n_call_misses": 1, "n_return_misses": 1, **none},
    ]
    builder.derive("method_cache", lambda _: events)
    with Engine(builder.write(tmp_path / "a.run", probes=["method_cache"])) as engine:
        params = {"cache": "recorded"}
        assert _values(engine, "cycles.cache")["loaded_bytes"] == 1004 + 2 + 1004
        assert _values(engine, cost_model=cheap, params=params)["return_cycles"] == 1004
        assert _methods(engine, cost_model=cheap, params=params)[2] == 1 + 3 + 1004
        returns = Question("SELECT cycles FROM costs.returns('recorded')", cost_model=cheap)
        assert sorted(engine.query(returns).rows()) == [(0,), (1004,)]


def test_a_single_block_that_was_not_counted_runs_at_each_call(
    tmp_path: Path, cheap: CostModel
) -> None:
    builder = RunBuilder()
    leaf = builder.method("p/C", "f", blocks=[["nop", "return"]], coverage="leaf")
    fork = builder.method("p/C", "g", blocks=[["nop"], ["return"]], coverage="calls")
    root = builder.thread("main")
    root.call(leaf, calls=5, blocks=[0])
    root.call(fork, calls=2, blocks=[0, 0])
    with Engine(builder.write(tmp_path / "leaf.run")) as engine:
        assert _methods(engine, cost_model=cheap) == {
            0: 5 * (1 + 3),
            1: "not covered: its blocks were not counted",
        }
        assert _values(engine, cost_model=cheap)["n_unpriced_calls"] == 2


def test_two_models_and_wrong_parameters(engine: Engine, cheap: CostModel) -> None:
    with pytest.raises(QueryError, match="two cost models are given: jop-head, and cheap"):
        _values(engine, cost_model=cheap, params={"model": "jop-head"})
    with pytest.raises(QueryError, match="no metric has a parameter 'q'"):
        _values(engine, params={"q": "1"})
    with pytest.raises(QueryError, match="r=x: expected a whole number"):
        _values(engine, params={"r": "x"})
    with pytest.raises(QueryError, match="cache is none, perfect or recorded, not fifo"):
        _values(engine, params={"cache": "fifo"})


def test_two_models_in_one_engine(run: Path) -> None:
    with Engine(run) as engine:
        found = [
            list(
                engine.query(
                    Question("SELECT SUM(cycles) FROM costs.methods('none')", params=params)
                ).rows()
            )
            for params in ({}, {"model": "jop-head"}, {"model": "jop-head", "r": "3"}, {})
        ]

    assert len({str(rows) for rows in found}) == 3
    assert found[0] == found[3]


def test_values_are_kept_apart_by_model(run: Path, cheap: CostModel) -> None:
    with Engine(run) as engine:
        values = [
            measure([engine], metrics=["cycles.run"], cost_model=model).arrow().to_pylist()[0]
            for model in (cheap, None, cheap)
        ]

    assert [row["value"] for row in values] == [342, values[1]["value"], 342]
    assert values[1]["value"] != 342
