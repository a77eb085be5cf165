"""Fits tables into a width: long names are shortened, then wide tables are divided.

A number is never shortened, nor broken into lines. Other texts are, between their words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.reports.faces.blocks import Grid, Toned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Fitted", "fitted", "is_number"]

_GAP = 3  # characters between two columns
_PACKAGE = re.compile(r"(?<![\w.$])(?:[a-z_][\w]*\.)+(?=[A-Z])")
_PARAMETERS = re.compile(r"\([^)]+\)")
_COMMA = re.compile(r", (?![^(]*\))")
_SHORTEST = 24  # to which names are shortened, unless there is no room for them and a number
_LEAST = 8  # to which they are shortened then
_LEAST_TEXT = 16  # a column of texts that are broken into lines has as many characters at least
_LONGEST_WORD = 32  # longer ones are broken, too
_INDENTED = re.compile(r"([-+*] |  )?( *)(.*)", re.DOTALL)


class Fitted(NamedTuple):
    """A table, and how wide its columns are; None: as wide as what is in them."""

    grid: Grid
    widths: tuple[int, ...] | None = None


class _Range(NamedTuple):
    """How wide a column should be, and must be."""

    widest: int
    least: int


def fitted(grid: Grid, width: int) -> Iterator[Fitted]:
    """Yields a table, or several with the same columns, its keys, that fit in a line.

    Args:
        grid: the table.
        width: characters of a line.

    >>> rows = (("java.util.List.add", "1", "12"),)
    >>> grid = Grid(("method", "calls", "bytes"), rows, frozenset({1, 2}), names=frozenset({0}))
    >>> [each.grid.titles for each in fitted(grid, 28)]
    [('method', 'calls'), ('method', 'bytes')]
    """
    ranges = {index: _range(grid, index) for index in range(len(grid.titles))}
    if _total(each.widest for each in ranges.values()) <= width:
        yield Fitted(grid)
        return
    last = len(grid.titles) - 1
    keys = [last] if grid.is_tree else [*range(min(grid.n_keys, last + 1))]
    others = {index: each.least for index, each in ranges.items() if index not in keys}
    least, parts = _divided([ranges[index].least for index in keys], others, width)
    ranges |= {
        index: ranges[index]._replace(least=each) for index, each in zip(keys, least, strict=True)
    }
    spare = min(width - _total([*least, *(others[index] for index in part)]) for part in parts)
    shared = _widths({index: ranges[index] for index in keys}, _total(least) + max(spare, 0))
    ranges |= {index: _Range(each, each) for index, each in shared.items()}
    for part in parts:
        yield _part(grid, {index: ranges[index] for index in sorted([*keys, *part])}, width)


def is_number(grid: Grid, index: int, cell: str | Toned) -> bool:
    """Returns whether a cell is a number, rather than the reason why there is none."""
    return index in grid.numeric and len(_text(cell)) <= _SHORTEST


def _range(grid: Grid, index: int) -> _Range:
    cells = [_text(row[index]) for row in grid.rows]
    titles = grid.titles[index].splitlines()
    widest = max(map(len, [*titles, *cells]), default=0)
    if grid.is_tree and index == len(grid.titles) - 1:
        return _Range(widest, min(widest, _SHORTEST))
    words = max((len(word) for title in titles for word in title.split()), default=0)
    if index in grid.numeric:
        numbers = (min(len(cell), _SHORTEST) for cell in cells)
        return _Range(widest, max(words, *numbers))
    if grid.names is not None and index in grid.names:
        return _Range(widest, max(min(widest, _SHORTEST), words))
    words = max([words, *(len(word) for cell in cells for word in cell.split())])
    return _Range(widest, min(widest, max(_LEAST_TEXT, min(words, _LONGEST_WORD))))


def _total(widths: Iterable[int]) -> int:
    """Returns the characters of columns with the gaps between them."""
    found = [*widths]
    return sum(found) + _GAP * (len(found) - 1)


def _text(cell: str | Toned) -> str:
    return cell.text if isinstance(cell, Toned) else cell


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Returns how wide columns are that have so much room with the gaps: the widest give way first.

    >>> _narrowed([24, 10], 30), _narrowed([24, 24], 10)
    ([17, 10], [8, 8])
    """
    found = list(widths)
    while _total(found) > room and max(found, default=0) > _LEAST:
        found[found.index(max(found))] -= 1
    return found


def _divided(
    keys: Sequence[int], others: Mapping[int, int], width: int
) -> tuple[list[int], list[list[int]]]:
    """Returns how narrow the keys are in each part of a table, and the other columns of each.

    Keys are narrower than they should be where that makes fewer parts, or there is no other way.

    >>> _divided([24, 24], {2: 12, 3: 8}, 80), _divided([24, 24], {2: 12, 3: 8}, 70)
    (([24, 24], [[2, 3]]), ([20, 20], [[2, 3]]))
    """
    room = width - max((each + _GAP for each in others.values()), default=0)
    found = []
    for longest in range(_SHORTEST, _LEAST_TEXT - 1, -1):
        narrow = _narrowed([min(each, longest) for each in keys], room)
        left = width - sum(each + _GAP for each in narrow)
        found.append((narrow, _parts(list(others), others, left) or [[]]))
    return min(found, key=lambda each: len(each[1]))


def _widths(ranges: Mapping[int, _Range], room: int) -> dict[int, int]:
    """Returns how wide columns are: those that are farthest from what they must be give way first.

    >>> _widths({0: _Range(60, 24), 1: _Range(10, 10)}, 53)
    {0: 40, 1: 10}
    """
    found = {index: each.widest for index, each in ranges.items()}
    while _total(found.values()) > room:
        index = max(found, key=lambda each: found[each] - ranges[each].least)
        if found[index] <= ranges[index].least:
            break
        found[index] -= 1
    return found


def _part(grid: Grid, ranges: Mapping[int, _Range], width: int) -> Fitted:
    """Returns a part of a table, in which names are shortened."""
    widths = _widths(ranges, width)
    names = grid.names or frozenset()
    last = len(grid.titles) - 1
    rows = tuple(
        tuple(
            _unindented(_text(row[index]), each)
            if grid.is_tree and index == last
            else _short_cell(row[index], each)
            if index in names
            else row[index]
            for index, each in widths.items()
        )
        for row in grid.rows
    )
    shown = replace(
        grid,
        titles=tuple(grid.titles[index] for index in widths),
        rows=rows,
        numeric=frozenset(place for place, index in enumerate(widths) if index in grid.numeric),
        names=None,
    )
    return Fitted(shown, tuple(widths.values()))


def _short_cell(cell: str | Toned, length: int) -> str | Toned:
    if isinstance(cell, Toned):
        return cell._replace(text=_shortened(cell.text, length))
    return _shortened(cell, length)


def _unindented(line: str, length: int) -> str:
    """Returns a line of a tree that fits: its name is short, and it is not indented too much.

    >>> _unindented("+     app.Main.handle(Request)", 27), _unindented("+       app.Main.run()", 20)
    ('+     Main.handle(Request)', '+  …app.Main.run()')
    """
    mark, blanks, name = _INDENTED.fullmatch(line).groups(default="")  # type: ignore[union-attr]
    room = length - len(mark)
    if len(blanks) > room - _LEAST_TEXT:
        blanks = " " * max(room - _LEAST_TEXT - 1, 0) + "…"
    return f"{mark}{blanks}{_shortened(name, room - len(blanks))}"


def _parts(numbers: Sequence[int], widths: Mapping[int, int], room: int) -> list[list[int]]:
    """Returns the columns in groups that fit, each of at least one.

    >>> _parts([0, 1, 2], {0: 10, 1: 10, 2: 10}, 26)
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


def _shortened(name: str, length: int) -> str:
    """Returns a name that fits: without its package, then its parameters, then its middle.

    Of several names between commas each is shortened, so that they fit in as many lines.

    >>> for length in (33, 25, 20, 14):
    ...     print(_shortened("java.util.HashMap.get(Object):568", length))
    java.util.HashMap.get(Object):568
    HashMap.get(Object):568
    HashMap.get(…):568
    Hash…et(…):568
    >>> _shortened("method=app.pkg.Main.get(int, Object), class=app.pkg.Main", 24)
    'method=Main.get(…), class=app.pkg.Main'
    """
    parts = _COMMA.split(name)
    if len(parts) > 1:
        return ", ".join(_shortened(part, length - 1) for part in parts)
    for pattern, instead in ((_PACKAGE, ""), (_PARAMETERS, "(…)")):
        if len(name) > length:
            name = pattern.sub(instead, name)
    if len(name) <= length:
        return name
    head = length // 3
    return f"{name[:head]}…{name[head + 1 - length :]}"
