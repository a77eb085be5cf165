"""Tokens of XQuery's ordinary text; constructors read characters by themselves.

XQuery has no token stream of its own: what ``<`` begins depends on whether an operand or an
operator is due. So tokens are made one at a time, from an offset that the parser chooses, and
a text that is not a token is a token too, of kind BAD, an error only if the parser comes to it.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from jvmscope.queries.xquery.syntax.characters import name_end

__all__ = ["Scanner", "Token", "TokenKind"]


class TokenKind(Enum):
    """What a token is."""

    NAME = "a name without prefix, which may be a keyword"
    QNAME = "a name with a prefix, or Q{uri}local"
    WILDCARD = "p:* or Q{uri}*"
    INTEGER = "an integer"
    DECIMAL = "a decimal number"
    DOUBLE = "a number with an exponent"
    STRING = "a string literal, with its quotes"
    SYMBOL = "punctuation"
    END = "the end of the text"
    BAD = "no token"


class Token(NamedTuple):
    """A token: its kind, its text, and the offsets of its first character and after its last."""

    kind: TokenKind
    text: str
    at: int
    end: int


# What begins with no letter; names are matched apart.
_TOKEN = re.compile(
    r"""
    (?P<DOUBLE>(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)
  | (?P<DECIMAL>\.[0-9]+|[0-9]+\.[0-9]*)
  | (?P<INTEGER>[0-9]+)
  | (?P<STRING>"(?:[^"]|"")*"|'(?:[^']|'')*')
  | (?P<SYMBOL>``\[|\(\#|::|:=|\.\.|//|\|\||!=|=>|<<|<=|>>|>=|[][(){},;:?*+\-@%\#$./|!=<>])
    """,
    re.VERBOSE,
)
_BRACED_URI = re.compile(r"Q\{[^{}]*\}")
_KINDS = dict(TokenKind.__members__)
_NUMBERS = {TokenKind.INTEGER, TokenKind.DECIMAL, TokenKind.DOUBLE}
_SPACE = re.compile(r"[ \t\n]+")
_COMMENT_EDGE = re.compile(r"\(:|:\)")


class Scanner:
    """Makes the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def token(self, offset: int) -> Token:
        """Returns the token at an offset, or after the spaces and comments there."""
        at = self.skip(offset)
        if at < 0:
            return Token(TokenKind.BAD, "a comment without its end", -at - 1, -at + 1)
        text = self._text
        end = name_end(text, at)
        if end > at:
            return self._name(at, end)
        match = _TOKEN.match(text, at)
        if match is None:
            return self._no_token(at)
        kind = _KINDS[match.lastgroup or "BAD"]
        end = match.end()
        if kind in _NUMBERS and (stop := name_end(text, end)) > end:
            return Token(TokenKind.BAD, "a number run together with a name", at, stop)
        return Token(kind, match[0], at, end)

    def _name(self, at: int, end: int) -> Token:
        """Returns the longest token that begins with a name."""
        text = self._text
        local = end
        if text.startswith("Q{", at) and (match := _BRACED_URI.match(text, at)):
            local = match.end()
        elif text.startswith(":", end):
            local = end + 1
        if local > end:
            if text.startswith("*", local):
                return Token(TokenKind.WILDCARD, text[at : local + 1], at, local + 1)
            local_end = name_end(text, local)
            if local_end > local:
                return Token(TokenKind.QNAME, text[at:local_end], at, local_end)
        return Token(TokenKind.NAME, text[at:end], at, end)

    def _no_token(self, at: int) -> Token:
        if at >= len(self._text):
            return Token(TokenKind.END, "the end of the query", at, at)
        character = self._text[at]
        if character in "\"'":
            return Token(TokenKind.BAD, "a string without its closing quote", at, at + 1)
        return Token(TokenKind.BAD, f'the character "{character}"', at, at + 1)

    def skip(self, offset: int) -> int:
        """Returns the offset after spaces and comments; -1 - start of a comment without end."""
        text = self._text
        while True:
            if match := _SPACE.match(text, offset):
                offset = match.end()
            if not text.startswith("(:", offset):
                return offset
            start = offset
            depth = 0
            while True:
                edge = _COMMENT_EDGE.search(text, offset)
                if edge is None:
                    return -1 - start
                depth += 1 if edge[0] == "(:" else -1
                offset = edge.end()
                if depth == 0:
                    break
