"""Computed constructors, maps, arrays and string constructors (XQuery 3.1, 3.9.3, 3.10, 3.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    ArrayConstructor,
    AttributeConstructor,
    CommentConstructor,
    DocumentConstructor,
    ElementConstructor,
    MapConstructor,
    NamespaceConstructor,
    ProcessingInstructionConstructor,
    StringConstructor,
    TextConstructor,
)
from jvmscope.queries.xquery.syntax.parsing.direct import DirectParser
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["ComputedParser"]

_UNNAMED = {
    "document": DocumentConstructor,
    "text": TextConstructor,
    "comment": CommentConstructor,
}
_NAMED = {"element": ElementConstructor, "attribute": AttributeConstructor}
_NCNAMED = ("processing-instruction", "namespace")
_NAMES = {TokenKind.NAME, TokenKind.QNAME}


class ComputedParser(DirectParser):
    """Reads what a keyword and a brace begin, and brackets and string constructors."""

    def computed_constructor(self) -> Expression | None:
        """Takes a constructor that the current word begins; returns None if it begins none."""
        word = self.word
        if word in ("map", "array"):
            if self.next_symbol() != "{":
                return None
            return self._map() if word == "map" else self._curly_array()
        if not self.is_xquery:
            return None
        if word in _UNNAMED:
            return self._unnamed(word) if self.next_symbol() == "{" else None
        if word in _NAMED or word in _NCNAMED:
            return self._named(word)
        return None

    def _unnamed(self, word: str) -> Expression:
        at = self.advance().at
        content = self.enclosed()
        return _UNNAMED[word](at=at, end=self.consumed, content=content)

    def _named(self, word: str) -> Expression | None:
        following = self.peek()
        is_computed = following.text == "{" and following.kind is TokenKind.SYMBOL
        if not is_computed and (following.kind not in _NAMES or self.peek_twice().text != "{"):
            return None
        at = self.advance().at
        if word in _NAMED:
            name = self._computed_name() if is_computed else self.name()
            content = self.enclosed()
            return _NAMED[word](at=at, end=self.consumed, name=name, content=content)
        target = self._computed_name() if is_computed else self.ncname()
        content = self.enclosed()
        if word == "namespace":
            return NamespaceConstructor(at=at, end=self.consumed, prefix=target, content=content)
        return ProcessingInstructionConstructor(
            at=at, end=self.consumed, target=target, content=content
        )

    def _computed_name(self) -> Expression:
        self.need_symbol("{")
        name = self.expression()
        self.need_symbol("}")
        return name

    def _map(self) -> Expression:
        at = self.advance().at
        self.need_symbol("{")
        entries: list[tuple[Expression, Expression]] = []
        while self.symbol != "}" or entries:
            key = self.single()
            self.need_symbol(":")
            entries.append((key, self.single()))
            if not self.take_symbol(","):
                break
        self.need_symbol("}")
        return MapConstructor(at=at, end=self.consumed, entries=tuple(entries))

    def _curly_array(self) -> Expression:
        at = self.advance().at
        content = self.enclosed()
        members = () if content is None else (content,)
        return ArrayConstructor(at=at, end=self.consumed, members=members, is_curly=True)

    def square_array(self) -> Expression:
        """Takes ``[member, …]``."""
        at = self.need_symbol("[").at
        members = []
        if self.symbol != "]":
            members.append(self.single())
            while self.take_symbol(","):
                members.append(self.single())
        self.need_symbol("]")
        return ArrayConstructor(at=at, end=self.consumed, members=tuple(members), is_curly=False)

    def string_constructor(self) -> Expression:
        """Takes a string constructor."""
        text = self.text
        at = self.token.at
        offset = self.token.end
        parts: list[str | Expression | None] = []
        while True:
            stop = text.find("]``", offset)
            opening = text.find("`{", offset)
            if stop < 0:
                raise self.error("XPST0003", 'a string constructor without "]``"', at, at + 3)
            if opening < 0 or stop < opening:
                break
            if opening > offset:
                parts.append(text[offset:opening])
            body, offset = self.enclosed_in_text(opening + 1)
            if text[offset : offset + 1] != "`":
                raise self.error("XPST0003", 'expected "}`" at the expression\'s end', offset)
            parts.append(body)
            offset += 1
        if stop > offset:
            parts.append(text[offset:stop])
        self.resume(stop + 3)
        return StringConstructor(at=at, end=stop + 3, parts=tuple(parts))
