"""JSON of files that others may have written."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["parse_json"]


def parse_json(text: str) -> Any:
    """Returns what a text in JSON says.

    Raises:
        ValueError: it is not JSON, or nested deeper than Python can read.

    >>> parse_json("[1]"), parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: nested too deep
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
