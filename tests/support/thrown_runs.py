"""Runs of random code and calls, in which instructions throw in the middle of blocks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from support.runs import RunBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from support.runs import Method, Node

__all__ = ["write_random_throws"]

_PLAIN = ("iload_1", "dup", "ifeq", "tableswitch", "dadd", "getstatic p/C1.f:I", "monitorenter")
_THROWING = (
    "iaload!",
    "aastore!",
    "arraylength!",
    "anewarray p/C1!",
    "idiv!",
    "new java/lang/Integer!",
    "new java/lang/Long!",
    "new p/C1!",
    "getfield p/C1.f:I!",
)
_ENDS = ("return", "ireturn", "athrow", "goto")
_LOADERS = ("boot", "platform", "app", "app")


def write_random_throws(
    directory: Path, seed: int, *, probes: Sequence[str], n_folded: int = 0
) -> Path:
    """Writes a run of two threads, in which eight methods of four classes call each other.

    The same seed gives the same executions, whatever is written of them.

    Args:
        directory: the run's.
        seed: decides what the methods do.
        probes: tables to write beside those that every run has.
        n_folded: how many calls to a method above are folded, at most.
    """
    chance = random.Random(seed)  # noqa: S311 - the same every time
    builder = RunBuilder()
    methods = [_method(builder, chance, i) for i in range(8)]
    left = n_folded

    def grow(node: Node, above: list[tuple[Method, Node]]) -> None:
        nonlocal left
        sites = [*range(len(node.method.sites()))] if node.method else [None]
        for site in sites:
            for method in chance.sample(methods, chance.randint(0 if above else 1, 2)):
                targets = [each for called, each in above if called is method]
                if targets and left and chance.random() < 0.5:
                    left -= 1
                    targets[-1].calls += 7
                    node.fold(targets[-1], site=site, calls=7)
                    continue
                child = _call(node, site, method, chance)
                if len(above) < 3:
                    grow(child, [*above, (method, child)])

    for name in ("main", "worker"):
        grow(builder.thread(name), [])
    return builder.write(directory, probes=probes)


def _method(builder: RunBuilder, chance: random.Random, number: int) -> Method:
    invokes = (
        f"invokevirtual p/C{number % 4}.add:()V!",
        f"invokeinterface p/C{number % 3}.run:()V!",
        f"invokestatic p/C{number % 4}.add:()V!",
    )
    blocks = []
    for _ in range(chance.randint(1, 3)):
        code = chance.choices([*_PLAIN, *_THROWING, *invokes, *invokes], k=chance.randint(1, 7))
        blocks.append([*code, chance.choice(_ENDS)])
    owner = number % 4
    return builder.method(
        f"p/C{owner}", ("add", "run")[number // 4], loader=_LOADERS[owner], blocks=blocks
    )


def _call(node: Node, site: int | None, method: Method, chance: random.Random) -> Node:
    calls = chance.choice([0, 1, 2, 70, 1000])
    blocks = [chance.choice([0, 1, calls, 3 * calls]) for _ in method.blocks]
    thrown = {}
    for block, (n, ends) in enumerate(zip(blocks, method.ends, strict=True)):
        left = n
        for segment in range(len(ends) - 1):
            thrown[block, segment] = min(left, chance.choice([0, 0, 1, left // 2]))
            left -= thrown[block, segment]
    opcode = node.method.sites()[site][1] if node.method and site is not None else ""
    receivers = {}
    if opcode in {"invokevirtual", "invokeinterface"} and calls:
        some = chance.randint(0, calls)
        receivers = {method.class_name: calls - some, "p/C1": some}
        receivers = {name: n for name, n in receivers.items() if n}
    return node.call(
        method, site=site, calls=calls, blocks=blocks, receivers=receivers, thrown=thrown
    )
