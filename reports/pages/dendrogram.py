"""A dendrogram in characters: a line for each leaf, forks at the right at their distances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.model import Clusters

__all__ = ["draw_dendrogram"]

_WIDTH = 48
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_CHARACTERS = " ╵╷│─┘┐┤─└┌├─┴┬┼"
"""The character of each set of directions, by the sum of its bits."""


@dataclass
class _Drawing:
    """Lines that cross cells, as the directions in which they leave each."""

    n_rows: int
    cells: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.cells = [[0] * (_WIDTH + 1) for _ in range(self.n_rows)]

    def across(self, row: int, start: int, end: int) -> None:
        """Draws a line to the right."""
        for column in range(start, end):
            self.cells[row][column] |= _RIGHT
            self.cells[row][column + 1] |= _LEFT

    def down(self, column: int, start: int, end: int) -> None:
        """Draws a line downwards."""
        for row in range(start, end):
            self.cells[row][column] |= _DOWN
            self.cells[row + 1][column] |= _UP

    def lines(self) -> Iterator[str]:
        """Yields the rows as text."""
        for row in self.cells:
            yield "".join(_CHARACTERS[cell] for cell in row).rstrip()


def draw_dendrogram(clusters: Clusters, names: Sequence[str]) -> Iterator[str]:
    """Yields the lines: a scale, then each leaf's name and its part of the dendrogram.

    Args:
        clusters: the leaves' merges and order.
        names: the leaves' names, by leaf.

    >>> from jvmscope.reports.model import Clusters, Merge
    >>> two = Clusters("", (0, 1, 2), (0, 2, 1), (Merge(0, 2, 12.0, 2), Merge(3, 1, 24.0, 3)))
    >>> print(*draw_dendrogram(two, ["a", "b", "c"]), sep="\\n")
      0                                             24
    a ────────────────────────┬───────────────────────┐
    c ────────────────────────┘                       │
    b ────────────────────────────────────────────────┘
    """
    n = len(clusters.leaves)
    farthest = clusters.merges[-1].distance or 1.0
    rows = {leaf: row for row, leaf in enumerate(clusters.order)}
    columns = dict.fromkeys(rows, 0)
    drawing = _Drawing(n)
    for number, merge in enumerate(clusters.merges, n):
        column = round(_WIDTH * merge.distance / farthest)
        top, bottom = sorted((rows[merge.left], rows[merge.right]))
        for side in (merge.left, merge.right):
            drawing.across(rows[side], columns[side], column)
        drawing.down(column, top, bottom)
        rows[number], columns[number] = (top + bottom) // 2, column
    width = max(map(len, names))
    yield f"{'':{width}} 0{clusters.merges[-1].distance:>{_WIDTH - 1}.4g}"
    for leaf, line in zip(clusters.order, drawing.lines(), strict=True):
        yield f"{names[leaf]:{width}} {line}"
