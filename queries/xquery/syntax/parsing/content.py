"""The content of a direct constructor while it is read (XQuery 3.1, section 3.9.1.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["Content"]


class Content:
    """Texts and expressions in order; adjacent texts are one, boundary space goes or stays.

    Space is at a boundary if nothing but space as written, no reference and no CDATA section,
    stands between two tags or enclosed expressions.
    """

    def __init__(self, *, keeps_boundary_space: bool) -> None:
        self._keeps = keeps_boundary_space
        self._parts: list[str | Expression | None] = []
        self._run: list[str] = []
        self._has_literal = False

    def text(self, text: str) -> None:
        """Adds characters as written."""
        self._run.append(text)

    def literal(self, text: str) -> None:
        """Adds characters of a reference, a doubled brace or a CDATA section: never boundary."""
        self._run.append(text)
        self._has_literal = True

    def expression(self, expression: Expression | None) -> None:
        """Adds an enclosed expression, None for an empty one, or a constructor."""
        self._end_run()
        self._parts.append(expression)

    def finish(self) -> tuple[str | Expression | None, ...]:
        """Returns the parts; no text among them is empty."""
        self._end_run()
        return tuple(self._parts)

    def _end_run(self) -> None:
        text = "".join(self._run)
        if text and (self._keeps or self._has_literal or text.strip(" \t\n")):
            self._parts.append(text)
        self._run = []
        self._has_literal = False
