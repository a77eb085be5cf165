"""The parser's position: takes tokens, looks ahead, and reports unexpected ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.xquery.syntax.characters import stray_character
from jvmscope.queries.xquery.syntax.depth import MAX_DEPTH
from jvmscope.queries.xquery.syntax.diagnostics import query_error
from jvmscope.queries.xquery.syntax.parsing.keywords import KEYWORDS
from jvmscope.queries.xquery.syntax.parsing.scanner import Scanner, Token, TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["Cursor", "Language"]

_SHORTEST_KEYWORD = 3
"""Names shorter than this are names: two letters are near to too many keywords."""

Language = Literal["xquery", "xpath"]


class Cursor:
    """The current token, those after it on demand, and errors at it.

    Attributes:
        source: the module.
        text: its text.
        is_xquery: whether all of XQuery is allowed, or XPath alone.
        token: the current token, not yet taken.
        word: its text if it may be a keyword, else "".
        symbol: its text if it is punctuation, else "".
        consumed: the offset after the token taken last.
    """

    def __init__(self, source: Source, language: Language = "xquery") -> None:
        self.source = source
        self.text = source.text
        self.is_xquery = language == "xquery"
        self.consumed = 0
        self._scanner = Scanner(self.text)
        self._depth = 0
        self._last: Token | None = None
        self._ahead: Token | None = None
        stray = stray_character(self.text)
        if stray >= 0:
            code = f"U+{ord(self.text[stray]):04X}"
            raise self.error("XPST0003", f"found {code}, which is not a character of XML", stray)
        self.resume(0)

    # -- movement

    def resume(self, offset: int) -> None:
        """Makes the token at an offset the current one, after characters were read up to it."""
        self.consumed = offset
        self._ahead = None
        self._set(self._scanner.token(offset))

    def _set(self, token: Token) -> None:
        self.token = token
        self.word = token.text if token.kind is TokenKind.NAME else ""
        self.symbol = token.text if token.kind is TokenKind.SYMBOL else ""

    def advance(self) -> Token:
        """Takes the current token and returns it."""
        taken = self.token
        self._last = taken
        self.consumed = taken.end
        self._set(self._ahead or self._scanner.token(taken.end))
        self._ahead = None
        return taken

    def peek(self) -> Token:
        """Returns the token after the current one."""
        if self._ahead is None:
            self._ahead = self._scanner.token(self.token.end)
        return self._ahead

    def peek_twice(self) -> Token:
        """Returns the second token after the current one."""
        return self._scanner.token(self.peek().end)

    def next_symbol(self) -> str:
        """Returns the text of the next token if it is punctuation, else ""."""
        token = self.peek()
        return token.text if token.kind is TokenKind.SYMBOL else ""

    # -- what may stand here

    def take_word(self, *words: str) -> str:
        """Takes one of some keywords and returns it; returns "" if none is here."""
        word = self.word
        if word and word in words:
            self.advance()
            return word
        return ""

    def take_symbol(self, symbol: str) -> bool:
        """Takes a symbol if it is here."""
        if self.symbol == symbol:
            self.advance()
            return True
        return False

    # -- what must stand here

    def need_word(self, *words: str) -> str:
        """Takes one of some keywords and returns it."""
        if self.word and self.word in words:
            return self.advance().text
        raise self.unexpected(" or ".join(f'"{word}"' for word in words), words)

    def need_symbol(self, symbol: str) -> Token:
        """Takes a symbol."""
        if self.symbol != symbol:
            raise self.unexpected(f'"{symbol}"')
        return self.advance()

    # -- errors

    def error(
        self, code: str, message: str, at: int, end: int | None = None, *, hint: str | None = None
    ) -> QueryError:
        """Returns, to be raised, an error at an offset."""
        return query_error(self.source, code, message, at, end, hint=hint)

    def unexpected(self, expected: str, words: Iterable[str] = ()) -> QueryError:
        """Returns, to be raised, the syntax error of a token that may not stand here.

        Args:
            expected: what may, to be shown.
            words: keywords that may, one of which the token may misspell.
        """
        token = self.token
        found = token.text if token.kind in (TokenKind.END, TokenKind.BAD) else f'"{token.text}"'
        message = f"found {found}, expected {expected}"
        hint = self._misspelt(token, words)
        return self.error("XPST0003", message, token.at, token.end, hint=hint)

    def _misspelt(self, token: Token, words: Iterable[str]) -> str | None:
        if token.text in KEYWORDS:
            return None  # it may not stand here, or in XPath not at all
        if token.kind is TokenKind.NAME and (hint := did_you_mean(token.text, words)):
            return hint
        last = self._last
        if last is None or last.kind is not TokenKind.NAME or last.text in KEYWORDS:
            return None
        if len(last.text) < _SHORTEST_KEYWORD:
            return None
        return did_you_mean(last.text, KEYWORDS)

    # -- depth

    def deeper(self) -> None:
        """Notes that one more level of the query is open.

        Raises:
            QueryError: XPDY0130, the query nests too deep.
        """
        self._depth += 1
        if self._depth > MAX_DEPTH:
            at = self.token.at
            raise self.error("XPDY0130", f"nested deeper than {MAX_DEPTH:,} levels", at)

    def shallower(self) -> None:
        """Notes that a level is closed."""
        self._depth -= 1
