"""What a study leaves to chance, made from its seed, so that it goes on as it began."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["delay_of", "method_of"]


def method_of(cycle: int, eligible: Sequence[int], seed: int) -> int:
    """Returns the method that a cycle observes: each once, in random order, and then again.

    Args:
        cycle: the number of the cycle, from 0.
        eligible: the methods.
        seed: the seed of the study.

    >>> sorted(method_of(cycle, [3, 5, 8], 1) for cycle in range(3))
    [3, 5, 8]
    """
    turn, place = divmod(cycle, len(eligible))
    order = sorted(eligible)
    random.Random(f"methods {seed} {turn}").shuffle(order)  # noqa: S311 - no secret
    return order[place]


def delay_of(cycle: int, least: float, most: float, seed: int) -> float:
    """Returns the delay after a cycle, in the unit of its bounds.

    >>> 3 <= delay_of(0, 3, 9, 1) <= 9
    True
    """
    return random.Random(f"delay {seed} {cycle}").uniform(least, most)  # noqa: S311 - no secret
