"""The words of a probe's condition, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jvmscope.errors import QueryError

__all__ = ["Token", "probe_error", "tokens_of"]

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<real>(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fFdD]?)
    | (?P<integer>(?:0[xX][\da-fA-F]+|\d+)[lL]?)
    | (?P<text>"(?:[^"\\]|\\.)*")
    | (?P<character>'(?:[^'\\]|\\(?:u+[\da-fA-F]{4}|[0-7]{1,3}|.))')
    | (?P<name>[^\W\d][\w$]*|\$\d+)
    | (?P<sign>&&|\|\||==|!=|<=|>=|[<>!()+\-*%.,])
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A word: its kind, its text, and where it begins in the probe's text.

    The kinds are ``real``, ``integer``, ``text``, ``character``, ``name``, ``sign`` and ``end``.
    """

    kind: str
    text: str
    at: int


def tokens_of(text: str, start: int) -> list[Token]:
    """Returns the words from a place on, and behind them an ``end``.

    Raises:
        QueryError: something cannot be read as a word.

    >>> [token.text for token in tokens_of("k.length() > 32", 0)]
    ['k', '.', 'length', '(', ')', '>', '32', '']
    """
    found = []
    at = start
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            hint = "texts stand in double quotes" if text[at] in "\"'" else None
            raise probe_error(text, at, 1, f"found {text[at]!r}, which is not expected here", hint)
        kind = match.lastgroup
        found.append(Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return [*found, Token("end", "", len(text.rstrip()))]


def probe_error(text: str, at: int, length: int, message: str, hint: str | None) -> QueryError:
    """Returns an error in the text of a probe, at a place from 0."""
    return QueryError(
        message, path="--probe", line=1, column=at + 1, source=text, length=length, hint=hint
    )
