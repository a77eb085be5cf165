"""Fits tables into a width: long names are shortened, then wide tables are divided.

A number is never shortened.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Toned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["fitted"]

_GAP = 3  # characters between two columns
_PACKAGE = re.compile(r"^(?:[a-z_][\w]*\.)+(?=[A-Z])")
_PARAMETERS = re.compile(r"\([^)]+\)")
_SHORTEST = 24  # to which names are shortened at most


def fitted(grid: Grid, width: int) -> Iterator[Grid]:
    """Yields a table, or several with the same columns at the left, that fit in a line.

    Args:
        grid: the table.
        width: characters of a line.

    >>> rows = (("java.util.List.add", "1", "12"),)
    >>> grid = Grid(("method", "calls", "bytes"), rows, frozenset({1, 2}), names=frozenset({0}))
    >>> [each.titles for each in fitted(grid, 30)]
    [('method', 'calls'), ('method', 'bytes')]
    """
    widths = [_width(grid, index) for index in range(len(grid.titles))]
    if grid.names is None or sum(widths) + _GAP * (len(widths) - 1) <= width:
        yield grid
        return
    names = sorted(grid.names)
    others = [index for index in range(len(widths)) if index not in grid.names]
    room = width - sum(widths[index] + _GAP for index in others) - _GAP * (len(names) - 1)
    lengths = dict(zip(names, _shared([widths[index] for index in names], room), strict=True))
    short = _with_short(grid, lengths)
    widths = [lengths.get(index, each) for index, each in enumerate(widths)]
    keys = range(grid.n_keys)
    room = width - sum(widths[index] + _GAP for index in keys)
    for part in _parts(range(grid.n_keys, len(widths)), widths, room) or [[]]:
        yield _selected(short, [*keys, *part])


def _width(grid: Grid, index: int) -> int:
    cells = [_text(row[index]) for row in grid.rows]
    return max(map(len, [*grid.titles[index].splitlines(), *cells]), default=0)


def _text(cell: str | Toned) -> str:
    return cell.text if isinstance(cell, Toned) else cell


def _shared(widths: Sequence[int], room: int) -> list[int]:
    """Returns how long each of some texts may be: the widest give way first.

    >>> _shared([60, 10], 50), _shared([60, 60], 10)
    ([40, 10], [24, 24])
    """
    lengths = list(widths)
    while sum(lengths) > room and max(lengths, default=0) > _SHORTEST:
        lengths[lengths.index(max(lengths))] -= 1
    return lengths


def _with_short(grid: Grid, lengths: dict[int, int]) -> Grid:
    rows = tuple(
        tuple(
            _shortened(cell, lengths[index]) if isinstance(cell, str) and index in lengths else cell
            for index, cell in enumerate(row)
        )
        for row in grid.rows
    )
    return replace(grid, rows=rows)


def _parts(numbers: Sequence[int], widths: Sequence[int], room: int) -> list[list[int]]:
    """Returns the columns in groups that fit, each of at least one.

    >>> _parts([0, 1, 2], [10, 10, 10], 26)
    [[0, 1], [2]]
    """
    parts: list[list[int]] = []
    left = 0
    for index in numbers:
        if not parts or widths[index] > left:
            parts.append([])
            left = room
        parts[-1].append(index)
        left -= widths[index] + _GAP
    return parts


def _selected(grid: Grid, columns: Sequence[int]) -> Grid:
    return replace(
        grid,
        titles=tuple(grid.titles[index] for index in columns),
        rows=tuple(tuple(row[index] for index in columns) for row in grid.rows),
        numeric=frozenset(place for place, index in enumerate(columns) if index in grid.numeric),
        names=None,
    )


def _shortened(name: str, length: int) -> str:
    """Returns a name that fits: without its package, then its parameters, then its middle.

    >>> for length in (33, 25, 20, 14):
    ...     print(_shortened("java.util.HashMap.get(Object):568", length))
    java.util.HashMap.get(Object):568
    HashMap.get(Object):568
    HashMap.get(…):568
    Hash…et(…):568
    """
    for pattern, instead in ((_PACKAGE, ""), (_PARAMETERS, "(…)")):
        if len(name) > length:
            name = pattern.sub(instead, name)
    if len(name) <= length:
        return name
    head = length // 3
    return f"{name[:head]}…{name[head + 1 - length :]}"
