"""Lists in the help of verbs: names with their meanings, in lines that fit any terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["listed_lines"]

_WIDTH = 78  # click indents by two


def listed_lines(meanings: Mapping[str, str]) -> list[str]:
    """Returns the lines of a list; what does not fit goes on below the meaning.

    >>> print(*listed_lines({"tree": "the calls", "pca": "principal components"}), sep="\\n")
      tree  the calls
      pca   principal components
    """
    width = max(map(len, meanings))
    return [
        line
        for name, meaning in meanings.items()
        for line in textwrap.wrap(
            meaning,
            _WIDTH,
            initial_indent=f"  {name:<{width}}  ",
            subsequent_indent=" " * (width + 4),
        )
    ]
