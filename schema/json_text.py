"""JSON of files that others may have written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["parse_json"]


def parse_json(text: str, members: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Returns what a text in JSON says.

    Args:
        text: the text.
        members: makes an object of its names and values; without it, the last of a name counts.

    Raises:
        ValueError: it is not JSON, or nested deeper than Python can read, or has a number of more
            digits than Python can.

    >>> parse_json("[1]"), parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: nested too deep
    """
    try:
        return json.loads(text, object_pairs_hook=members, parse_int=_whole)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _whole(digits: str) -> int:
    """Returns a whole number; Python converts none of thousands of digits."""
    try:
        return int(digits)
    except ValueError:
        raise ValueError("a number has too many digits") from None
