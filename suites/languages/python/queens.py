"""Counts the ways to place n queens on a board of n by n, row by row, by backtracking."""

import sys

from languages import Work


def is_safe(column, placed):
    return all(
        other != column and abs(other - column) != distance
        for distance, other in enumerate(reversed(placed), 1)
    )


def place(n, placed):
    if len(placed) == n:
        return 1
    return sum(place(n, placed + [column]) for column in range(n) if is_safe(column, placed))


Work.run("queens", sys.argv[1], lambda n: str(place(n, [])))
