"""The differences of two runs as lines for people: a path has no room in a column of a table."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from jvmscope.control_characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import Comparison

__all__ = ["difference_lines"]

_INDENT = "    "


def difference_lines(comparison: Comparison, width: int) -> Iterator[str]:
    """Yields each difference: its kind and place, the values that differ, the size of its subtree.

    Args:
        comparison: of two runs.
        width: characters of a line; one with a longer name is as long as that.
    """
    for row in comparison.differences.arrow().to_pylist():
        place = f"{row['kind']}: {visible(row['where'])}"
        if row["is_vm_internal"]:
            place += " (serves the VM)"
        yield from _wrapped(place, width, "")
        for text in _values(row):
            yield from _wrapped(text, width, _INDENT)


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """Returns the lines of a text; a name that is longer than a line stays whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _values(row: dict[str, Any]) -> Iterator[str]:
    """Yields what differs, and how many nodes there are from here on downwards."""
    if row["counts"]:
        yield visible(row["counts"])
    elif row["kind"] == "rows":
        yield f"rows that the other run does not have: {_both(row['a'], row['b'])}"
    sizes = row["size_a"], row["size_b"]
    if any(size is not None for size in sizes):
        yield f"nodes: {_both(*sizes)}"


def _both(a: int | None, b: int | None) -> str:
    """Returns the numbers of two runs, or the one that both have.

    >>> _both(1390, 1390), _both(3, 4), _both(None, 7)
    ('1,390', '3 and 4', '0 and 7')
    """
    if a == b:
        return f"{a:,}"
    return f"{a or 0:,} and {b or 0:,}"
