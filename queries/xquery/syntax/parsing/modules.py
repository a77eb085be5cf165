"""Modules (XQuery 3.1, sections 4.1 and 4.2)."""

from __future__ import annotations

import re

from jvmscope.queries.xquery.syntax.ast import Module
from jvmscope.queries.xquery.syntax.parsing.operators import OPERATOR_WORDS
from jvmscope.queries.xquery.syntax.parsing.prolog import PrologParser
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind

__all__ = ["ModuleParser"]

_VERSIONS = ("1.0", "3.0", "3.1")
_ENCODING = re.compile(r"[A-Za-z][-A-Za-z0-9._]*")


class ModuleParser(PrologParser):
    """Reads whole texts."""

    def module(self) -> Module:
        """Takes a main or library module, which must be all of the text."""
        if not self.is_xquery:
            expression = self.expression()
            self._need_end()
            return Module(source=self.source, body=expression)
        version, encoding = self._version()
        prefix = namespace = None
        if self.word == "module" and self.peek().text == "namespace":
            prefix, namespace = self._module_declaration()
        declarations = self.prolog()
        body = None
        if namespace is None:
            body = self.expression()
        elif self.token.kind is not TokenKind.END:
            raise self.unexpected("a declaration or the end of the library", ("declare", "import"))
        self._need_end()
        return Module(
            source=self.source,
            version=version,
            encoding=encoding,
            prefix=prefix,
            namespace=namespace,
            declarations=declarations,
            body=body,
        )

    def _need_end(self) -> None:
        if self.token.kind is not TokenKind.END:
            raise self.unexpected("an operator or the end of the query", OPERATOR_WORDS)

    def _version(self) -> tuple[str | None, str | None]:
        if self.word != "xquery" or self.peek_twice().kind is not TokenKind.STRING:
            return None, None
        if self.peek().text not in ("version", "encoding"):
            return None, None
        self.advance()
        version = encoding = None
        if self.take_word("version"):
            token = self.token
            version = self.string()
            if version not in _VERSIONS:
                message = f'version "{version}" of XQuery is not one of {", ".join(_VERSIONS)}'
                raise self.error("XQST0031", message, token.at, token.end)
        if self.take_word("encoding"):
            token = self.token
            encoding = self.string()
            if not _ENCODING.fullmatch(encoding):
                raise self.error("XQST0087", "this is not an encoding", token.at, token.end)
        self.need_symbol(";")
        return version, encoding

    def _module_declaration(self) -> tuple[str, str]:
        self.advance()
        self.advance()
        found = self._prefix_and_uri()
        self.need_symbol(";")
        return found
