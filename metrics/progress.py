"""How much of the work on several runs is done, by the sizes of their trees."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["Progress", "size_of"]

_LEAST = 300_000
"""Contexts of a tree on which metrics take as long as the rest of what is done with any run."""


def size_of(run: Path | None) -> int:
    """Returns how long a run takes, in contexts; one that cannot be read takes next to nothing."""
    if run is None:
        return 1
    try:
        tables = read_manifest(run).tables
    except JvmscopeError:
        return 1
    return _LEAST + (tables["context"].rows if "context" in tables else 0)


@dataclass
class Progress:
    """Tells the percentage that is done of runs which are worked on in their order.

    Attributes:
        sizes: how long each run takes.
        tell: called with the percentage; None: nobody wants to know.
        n_done: runs that are done.
    """

    sizes: Sequence[int]
    tell: Callable[[float], None] | None
    n_done: int = 0

    def within(self, percentage: float) -> None:
        """Tells how much of the run that is worked on is done.

        >>> Progress([100, 300], print, n_done=1).within(50.0)
        62.5
        """
        if self.tell is not None:
            ends = [0, *accumulate(self.sizes)]
            here = self.sizes[self.n_done] if self.n_done < len(self.sizes) else 0
            done = ends[self.n_done] + here * min(max(percentage, 0.0), 100.0) / 100
            self.tell(100 * done / max(1, ends[-1]))

    def step(self) -> None:
        """Tells that a run is done."""
        self.n_done += 1
        self.within(0.0)
