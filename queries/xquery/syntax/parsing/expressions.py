"""The methods for nested expressions, which all layers of the parser call."""

from __future__ import annotations

from abc import ABC, abstractmethod

from jvmscope.queries.xquery.syntax.ast import Expression, Parenthesized, Sequence
from jvmscope.queries.xquery.syntax.parsing.types import TypeParser

__all__ = ["ExpressionParser"]


class ExpressionParser(TypeParser, ABC):
    """Reads expressions in brackets, given a layer above that reads a single one."""

    @abstractmethod
    def single(self) -> Expression:
        """Takes an ExprSingle: any expression but one with a comma at its top."""

    def expression(self) -> Expression:
        """Takes an expression, perhaps with commas."""
        first = self.single()
        if self.symbol != ",":
            return first
        items = [first]
        while self.take_symbol(","):
            items.append(self.single())
        return Sequence(at=first.at, end=self.consumed, items=tuple(items))

    def parenthesized(self) -> Parenthesized:
        """Takes ``( expression )`` or ``()``."""
        at = self.need_symbol("(").at
        inner = None if self.symbol == ")" else self.expression()
        self.need_symbol(")")
        return Parenthesized(at=at, end=self.consumed, inner=inner)

    def enclosed(self) -> Expression | None:
        """Takes ``{ expression }``; returns None for ``{}``."""
        self.need_symbol("{")
        body = None if self.symbol == "}" else self.expression()
        self.need_symbol("}")
        return body

    def enclosed_in_text(self, offset: int) -> tuple[Expression | None, int]:
        """Reads the enclosed expression at a brace among characters.

        Returns:
            The expression, None for ``{}``, and the offset after the closing brace, where the
            characters go on: no token is made there.
        """
        self.resume(offset)
        self.advance()
        body = None if self.symbol == "}" else self.expression()
        if self.symbol != "}":
            raise self.unexpected('"}"')
        return body, self.token.end
