"""Literals as expressions, and annotations, which hold literals alone."""

from __future__ import annotations

from decimal import Decimal

from jvmscope.queries.xquery.syntax.ast import Annotation, Literal
from jvmscope.queries.xquery.syntax.parsing.names import NameParser
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind

__all__ = ["LiteralParser"]

_LITERALS = {TokenKind.STRING, TokenKind.INTEGER, TokenKind.DECIMAL, TokenKind.DOUBLE}
_MAX_DIGITS = 4300
"""Digits that Python converts to an integer by default; also our limit."""


class LiteralParser(NameParser):
    """Reads literals."""

    @property
    def is_literal(self) -> bool:
        """Whether a literal is here."""
        return self.token.kind in _LITERALS

    def literal(self) -> Literal:
        """Takes a literal."""
        token = self.token
        value: str | int | Decimal | float
        match token.kind:
            case TokenKind.STRING:
                value = self.string()
            case TokenKind.INTEGER:
                value = self.integer()
            case TokenKind.DECIMAL:
                value = Decimal(self.advance().text)
            case TokenKind.DOUBLE:
                value = float(self.advance().text)
            case _:
                raise self.unexpected("a literal")
        return Literal(at=token.at, end=token.end, value=value)

    def integer(self) -> int:
        """Takes an integer literal.

        Raises:
            QueryError: FOAR0002, it has too many digits.
        """
        if self.token.kind is not TokenKind.INTEGER:
            raise self.unexpected("an integer")
        token = self.advance()
        if len(token.text) > _MAX_DIGITS:
            message = f"an integer of more than {_MAX_DIGITS:,} digits"
            raise self.error("FOAR0002", message, token.at, token.end)
        return int(token.text)

    def annotations(self) -> tuple[Annotation, ...]:
        """Takes ``%name(literals)`` as often as it is here."""
        found = []
        while self.symbol == "%":
            at = self.advance().at
            name = self.name("the annotation's name")
            values = []
            if self.take_symbol("("):
                values.append(self.literal())
                while self.take_symbol(","):
                    values.append(self.literal())
                self.need_symbol(")")
            found.append(Annotation(at=at, name=name, values=tuple(values)))
        return tuple(found)
