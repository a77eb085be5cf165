"""Runs of random calls: recursion, threads, loaders, names within names, folded calls."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from support.runs import RunBuilder

if TYPE_CHECKING:
    from pathlib import Path

    from support.runs import Method, Node

__all__ = ["write_called"]


def write_called(directory: Path, seed: int, *, n_folded: int = 0) -> Path:
    """Writes a run in which nine methods call each other up to seven deep.

    The names of some are parts of the names of others; three classes are the application's.

    Args:
        directory: the run's.
        seed: decides who calls whom, and how often.
        n_folded: how many calls to a method above are folded, at most.
    """
    chance = random.Random(seed)  # noqa: S311 - the same every time
    builder = RunBuilder()
    loaders = ("boot", "boot", "platform", "app")
    methods = [
        builder.method(f"p/C{i}", "f", blocks=[["nop"] * (i + 1)], loader=loaders[i % 4])
        for i in range(6)
    ]
    methods.append(builder.method("q/C1", "same", blocks=[["nop"]], loader="boot"))
    methods.append(builder.method("q/C1", "same2", blocks=[["nop"]], loader="boot"))
    methods.append(builder.method("lib/q/C1", "same", blocks=[["nop", "return"]]))
    left = n_folded

    def grow(node: Node, above: list[tuple[Method, Node]]) -> None:
        nonlocal left
        for method in chance.sample(methods, chance.randint(1, 4)):
            calls = chance.choice([0, 1, 2, 70, 1000])
            targets = [each for called, each in above if called is method]
            if targets and left and chance.random() < 0.5:
                left -= 1
                target = targets[-1]
                target.calls += 7
                node.fold(target, site=None, calls=7)
                continue
            child = node.call(method, calls=calls, blocks=[chance.choice([0, 1, calls])])
            if len(above) < 6:
                grow(child, [*above, (method, child)])

    for name in ("main", "worker"):
        grow(builder.thread(name), [])
    return builder.write(directory)
