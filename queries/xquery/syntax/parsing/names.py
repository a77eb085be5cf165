"""Names and name tests (XQuery 3.1, sections 2.4.6 and 3.3.2.2), and string literals."""

from __future__ import annotations

import re

from jvmscope.queries.xquery.syntax.characters import name_end
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parsing.cursor import Cursor
from jvmscope.queries.xquery.syntax.parsing.references import collapse, resolve_references, unquote
from jvmscope.queries.xquery.syntax.parsing.scanner import Token, TokenKind
from jvmscope.queries.xquery.syntax.types import NameTest

__all__ = ["NameParser"]

_NO_URI = re.compile(r"%(?![0-9A-Fa-f]{2})|#.*#")


class NameParser(Cursor):
    """Reads names and strings."""

    @property
    def is_name(self) -> bool:
        """Whether a name, with or without a prefix, is here."""
        return self.token.kind in (TokenKind.NAME, TokenKind.QNAME)

    def name(self, what: str = "a name") -> Name:
        """Takes an EQName; without a prefix its prefix is "", whatever namespace that means."""
        if not self.is_name:
            raise self.unexpected(what)
        return self._to_name(self.advance())

    def ncname(self, what: str = "a name without prefix") -> str:
        """Takes a name without a prefix."""
        if self.token.kind is not TokenKind.NAME:
            raise self.unexpected(what)
        return self.advance().text

    def variable_name(self) -> Name:
        """Takes ``$name``."""
        if self.symbol != "$":
            raise self.unexpected("a variable")
        self.advance()
        return self.name("the variable's name")

    def _to_name(self, token: Token) -> Name:
        text = token.text
        if text.startswith("Q{"):
            uri, local = text[2:].split("}")
            return Name(local, None, self._braced_uri(uri, token))
        prefix, colon, local = text.partition(":")
        return Name(local, prefix) if colon else Name(text)

    def _braced_uri(self, uri: str, token: Token) -> str:
        if self.is_xquery:
            uri = resolve_references(uri, self.source, token.at + 2)
        uri = collapse(uri)
        if uri == "http://www.w3.org/2000/xmlns/":
            raise self.error("XQST0070", "no name is in this namespace", token.at, token.end)
        return uri

    def name_test(self) -> NameTest | None:
        """Takes a name test; returns None if none is here."""
        token = self.token
        if token.kind is TokenKind.WILDCARD:
            self.advance()
            return NameTest(self._to_name(token))
        if self.symbol == "*":
            local = token.end + 1
            end = name_end(self.text, local)
            if end > local and self.text[token.end] == ":":
                self.resume(end)
                return NameTest(Name(self.text[local:end], "*"))
            self.advance()
            return NameTest(Name("*", "*"))
        return NameTest(self.name()) if self.is_name else None

    def string(self, what: str = "a string") -> str:
        """Takes a string literal and returns its value; XPath knows no references."""
        if self.token.kind is not TokenKind.STRING:
            raise self.unexpected(what)
        token = self.advance()
        if self.is_xquery and "&" in token.text:
            # With the quotes still on, so that offsets in errors are right.
            quote = token.text[0]
            inner = token.text[1:-1]
            parts = inner.split(quote + quote)
            at = token.at + 1
            resolved = []
            for part in parts:
                resolved.append(resolve_references(part, self.source, at))
                at += len(part) + 2
            return quote.join(resolved)
        return unquote(token.text)

    def uri(self, what: str = "a URI in quotes") -> str:
        """Takes a URI literal.

        Raises:
            QueryError: XQST0046, it has a wrong escape or two fragments.
        """
        token = self.token
        uri = collapse(self.string(what))
        if _NO_URI.search(uri):
            raise self.error("XQST0046", f"{uri} is not a URI", token.at, token.end)
        return uri
