"""Stack heights, recursion and shape, against a walk of random trees."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.metrics.catalogue import catalogue
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.runs import Method, Node

_SITES = 3  # of each method, all to methods of other names, so none is potentially recursive


def _grown(seed: int) -> tuple[RunBuilder, list[Node]]:
    """Returns a builder with two threads, and their roots."""
    chance = random.Random(seed)  # noqa: S311 - not a secret
    builder = RunBuilder()
    code = [["invokestatic p/C.x:()V"] * _SITES + ["return"]]
    methods = [
        builder.method("p/C", f"m{n}", blocks=code, max_locals=chance.randrange(9))
        for n in range(4)
    ]
    roots = [builder.thread(name) for name in ("one", "two")]
    for root in roots:
        _grow(root.call(chance.choice(methods)), methods, chance, depth=1)
    return builder, roots


def _grow(node: Node, methods: list[Method], chance: random.Random, depth: int) -> None:
    for site in range(_SITES):
        for method in methods:
            if chance.random() < 0.55 - depth / 16:
                calls = chance.randrange(1, 5)
                _grow(node.call(method, site=site, calls=calls), methods, chance, depth + 1)


def _paths(node: Node, above: tuple[Node, ...] = ()) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Returns each call's node with the nodes of the frames on the stack before it."""
    for child in node.children:
        yield child, above
        yield from _paths(child, (*above, child))


def _walked(roots: list[Node]) -> tuple[Counter[tuple[int, int, bool, bool]], Counter[int]]:
    """Returns calls by frames, slots, callee is caller, callee on stack; and by activations."""
    heights: Counter[tuple[int, int, bool, bool]] = Counter()
    activations: Counter[int] = Counter()
    for root in roots:
        for node, above in _paths(root):
            slots = sum(1 + frame.method.max_locals for frame in above if frame.method)
            n_above = sum(frame.method is node.method for frame in above)
            is_truly = bool(above) and above[-1].method is node.method
            heights[len(above), slots, is_truly, n_above > 0] += node.calls
            activations[1 + n_above] += node.calls
    return heights, activations


@pytest.mark.parametrize("seed", range(4))
def test_trees_are_measured_as_a_walk_measures_them(seed: int, tmp_path: Path) -> None:
    builder, roots = _grown(seed)
    heights, activations = _walked(roots)
    metrics = catalogue()
    nested = (
        "SELECT COALESCE(n_activations, 1), SUM(n_calls)::BIGINT FROM call "
        "LEFT JOIN recursion.activations() USING (context_id) GROUP BY ALL"
    )
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        calls = "SELECT * EXCLUDE (is_potentially_recursive) FROM stack.calls()"
        assert {tuple(row[:4]): row[4] for row in engine.query(calls).rows()} == heights
        assert dict(engine.query(nested).rows()) == activations
        ((n_contexts, _, _, mean_depth, max_depth, *_),) = engine.query(
            metrics["contexts.shape"]
        ).rows()

    depths = [len(above) + 1 for root in roots for _, above in _paths(root)]
    assert len(depths) > 50
    assert (n_contexts, max_depth) == (len(depths), max(depths))
    assert mean_depth == sum(depths) / len(depths)
