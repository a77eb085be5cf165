"""Conditions of probes: comparisons of arguments, fields and the thread's name, as in Java.

Only the form is checked here. What a name stands for and which type it has are known in the VM,
where the agent compiles the condition for each method (``ConditionCompiler``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.watch.probes.literals import value_of
from jvmscope.watch.probes.tokens import probe_error, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.watch.probes.tokens import Token

__all__ = ["Expression", "parse_condition"]

_LITERALS = ("integer", "real", "text", "character")
_WORDS = ("true", "false", "null")
_DEEPEST = 30
_MOST_WORDS = 400
_LEAST = str(1 << 63)
"""Digits that are a long behind a minus alone, as in Java."""


@dataclass(frozen=True)
class Expression:
    """A part of a condition: its kind, its name or literal, its place, and what it is made of."""

    kind: str
    text: str
    at: int
    length: int
    operands: tuple[Expression, ...] = ()

    def fields(self) -> Iterator[str]:
        """Yields what the agent reads of it: each part, and then its operands."""
        yield from (self.kind, self.text, str(self.at + 1), str(self.length))
        yield str(len(self.operands))
        for operand in self.operands:
            yield from operand.fields()


def parse_condition(text: str, start: int) -> Expression:
    """Returns the condition that begins at a place of a probe's text.

    Raises:
        QueryError: there is none; with its place and what was expected.

    >>> parse_condition("n > 1 && !b", 0).kind
    'and'
    """
    return _Parser(text, start).whole()


class _Parser:
    """Reads words from left to right; each method reads one level of operators."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._tokens = tokens_of(text, start)
        if len(self._tokens) > _MOST_WORDS:
            at = self._tokens[_MOST_WORDS].at
            message = f"a condition has at most {_MOST_WORDS} words"
            raise probe_error(text, at, 1, message, None)
        self._next = 0
        self._depth = 0

    def whole(self) -> Expression:
        condition = self._any()
        if self._token.kind != "end":
            raise self._error("expected an operator or the end of the condition")
        return condition

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *signs: str) -> Token | None:
        """Returns the next word if it is one of some signs, and goes behind it."""
        token = self._token
        if token.kind != "sign" or token.text not in signs:
            return None
        self._next += 1
        return token

    def _error(self, message: str) -> Exception:
        found = "the end" if self._token.kind == "end" else repr(self._token.text)
        return probe_error(
            self._text,
            self._token.at,
            max(1, len(self._token.text)),
            f"{message}, found {found}",
            None,
        )

    def _chain(
        self, below: Callable[[], Expression], signs: tuple[str, ...], names: dict[str, str]
    ) -> Expression:
        left = below()
        while (token := self._take(*signs)) is not None:
            kind = names.get(token.text, token.text)
            left = self._over(kind, "", left, below())
        return left

    def _over(self, kind: str, text: str, *operands: Expression) -> Expression:
        """Returns an operation, whose place is that of all its operands."""
        end = self._tokens[self._next - 1]
        at = operands[0].at
        return Expression(kind, text, at, end.at + len(end.text) - at, operands)

    def _any(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(f"more than {_DEEPEST} parts within each other")
        found = self._chain(self._all, ("||",), {"||": "or"})
        self._depth -= 1
        return found

    def _all(self) -> Expression:
        return self._chain(self._equality, ("&&",), {"&&": "and"})

    def _equality(self) -> Expression:
        return self._chain(self._order, ("==", "!="), {})

    def _order(self) -> Expression:
        return self._chain(self._sum, ("<", "<=", ">", ">="), {})

    def _sum(self) -> Expression:
        return self._chain(self._product, ("+", "-"), {})

    def _product(self) -> Expression:
        return self._chain(self._signed, ("*", "%"), {})

    def _signed(self) -> Expression:
        token = self._take("!", "-")
        if token is None:
            return self._path()
        number = self._token
        if token.text == "-" and number.text.rstrip("lL") == _LEAST:
            self._next += 1
            length = number.at + len(number.text) - token.at
            return Expression("integer", f"-{_LEAST}", token.at, length)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(f"more than {_DEEPEST} parts within each other")
        operand = self._signed()
        self._depth -= 1
        kind = "not" if token.text == "!" else "minus"
        return Expression(kind, "", token.at, operand.at + operand.length - token.at, (operand,))

    def _path(self) -> Expression:
        found = self._single()
        while self._take(".") is not None:
            name = self._token
            if name.kind != "name" or name.text.startswith("$"):
                raise self._error("expected the name of a field or method")
            self._next += 1
            if self._take("(") is None:
                found = Expression("member", name.text, name.at, len(name.text), (found,))
            else:
                operands = (found, *self._arguments())
                found = Expression("call", name.text, name.at, len(name.text), operands)
        return found

    def _arguments(self) -> list[Expression]:
        if self._take(")") is not None:
            return []
        found = [self._any()]
        while self._take(",") is not None:
            found.append(self._any())
        self._close()
        return found

    def _close(self) -> None:
        if self._take(")") is None:
            raise self._error("expected ')'")

    def _single(self) -> Expression:
        token = self._token
        if self._take("(") is not None:
            found = self._any()
            self._close()
            return found
        if token.kind not in (*_LITERALS, "name"):
            raise self._error("expected a name or a value")
        self._next += 1
        length = len(token.text)
        if token.kind == "name":
            kind = token.text if token.text in _WORDS else "name"
            return Expression(kind, token.text, token.at, length)
        kind = "integer" if token.kind == "character" else token.kind
        return Expression(kind, value_of(token, self._text), token.at, length)
