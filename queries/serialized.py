"""The answer to a query as the text that its serialization parameters make of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Serialized"]


@dataclass(frozen=True)
class Serialized:
    """Items as one text.

    Attributes:
        text: the serialization.
        method: the output method that made it.
        encoding: the encoding that the text says it will be written in.
        is_truncated: a limit left items out of it.
        refusals: what DuckDB said of parts whose SQL failed, so that trees answered.
    """

    text: str
    method: str
    encoding: str = "UTF-8"
    is_truncated: bool = False
    refusals: Sequence[str] = field(default=(), compare=False)
