"""Markdown for a comment on a pull request, which may not be of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Note, Section
from jvmscope.reports.faces.markdown import to_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.reports.faces.blocks import Block

__all__ = ["to_comment"]

_MOST_BYTES = 60_000  # a comment on GitHub has at most 65,536 characters


def to_comment(blocks: Iterable[Block]) -> str:
    """Returns the comment; sections that would make it too long are left out, which it says."""
    kept: list[Block] = []
    left_out = []
    n_bytes = 0
    for block in blocks:
        size = len(to_markdown([block]).encode())
        if isinstance(block, Section) and n_bytes + size > _MOST_BYTES:
            left_out.append(block.title)
            continue
        kept.append(block)
        n_bytes += size
    if left_out:
        titles = "; ".join(left_out)
        kept.append(Note(f"Left out, since a comment would be too long: {titles}"))
    return to_markdown(kept)
