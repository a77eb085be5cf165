"""Direct constructors (XQuery 3.1, section 3.9.1), read character by character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    CommentConstructor,
    DirectAttribute,
    DirectElement,
    Literal,
    ProcessingInstructionConstructor,
)
from jvmscope.queries.xquery.syntax.characters import name_end, qname_end
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parsing.content import Content
from jvmscope.queries.xquery.syntax.parsing.expressions import ExpressionParser
from jvmscope.queries.xquery.syntax.parsing.references import collapse, resolve_references

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["DirectParser"]

_SPACE = re.compile(r"[ \t\n]*")
_EQUALS = re.compile(r"[ \t\n]*=[ \t\n]*")
_VALUE_TEXT = {quote: re.compile(f"[^{quote}{{}}<&]+") for quote in "\"'"}
_REFERENCE = re.compile(r"&[^;<{}\"'&]*;?")
_TEXT = re.compile(r"[^<{}&]+")
_NORMALIZED = str.maketrans("\t\n", "  ")


class DirectParser(ExpressionParser):
    """Reads direct elements, comments and processing instructions.

    Attributes:
        keeps_boundary_space: what the prolog has declared; false without a declaration.
    """

    keeps_boundary_space = False

    @property
    def is_direct_constructor(self) -> bool:
        """Whether a constructor is here, given that an operand is due."""
        if self.symbol[:1] != "<" or not self.is_xquery:
            return False
        at = self.token.at
        return self.text.startswith(("!--", "?"), at + 1) or qname_end(self.text, at + 1) > at + 1

    def direct_constructor(self) -> Expression:
        """Takes a direct constructor; the token after it is the current one."""
        node, end = self._constructor(self.token.at)
        self.resume(end)
        return node

    def _constructor(self, at: int) -> tuple[Expression, int]:
        if self.text.startswith("<!--", at):
            return self._comment(at)
        if self.text.startswith("<?", at):
            return self._instruction(at)
        self.deeper()
        found = self._element(at)
        self.shallower()
        return found

    def _comment(self, at: int) -> tuple[Expression, int]:
        hyphens = self.text.find("--", at + 4)
        if hyphens < 0:
            raise self.error("XPST0003", 'a comment without "-->"', at, at + 4)
        end = hyphens + 3
        if self.text[hyphens:end] != "-->":
            raise self.error("XPST0003", 'found "--" in a comment', hyphens, hyphens + 2)
        content = Literal(at=at + 4, end=hyphens, value=self.text[at + 4 : hyphens])
        return CommentConstructor(at=at, end=end, content=content), end

    def _instruction(self, at: int) -> tuple[Expression, int]:
        name_at, stop = at + 2, self.text.find("?>", at)
        end = name_end(self.text, name_at)
        space = _SPACE.match(self.text, end)
        start = space.end() if space else end
        if stop < 0 or end == name_at or (end == start and end != stop):
            raise self.error("XPST0003", "found no processing instruction", at, at + 2)
        target = self.text[name_at:end]
        if target.lower() == "xml":
            message = f'a processing instruction cannot be called "{target}"'
            raise self.error("XPST0003", message, at, end)
        content = Literal(at=start, end=stop, value=self.text[start:stop])
        node = ProcessingInstructionConstructor(at=at, end=stop + 2, target=target, content=content)
        return node, stop + 2

    def _element(self, at: int) -> tuple[Expression, int]:
        name, offset = self._qname(at + 1)
        attributes = []
        namespaces: list[tuple[str, str]] = []
        while True:
            space = _SPACE.match(self.text, offset)
            after_space = space.end() if space else offset
            if self.text.startswith(("/", ">"), after_space):
                break
            if after_space == offset:
                raise self._wrong(offset, 'a space, ">" or "/>"')
            attribute, offset = self._attribute(after_space)
            if isinstance(attribute, tuple):
                self._declare(attribute, namespaces, after_space)
            else:
                attributes.append(attribute)
        content: tuple[str | Expression | None, ...] = ()
        if self.text.startswith("/>", after_space):
            end = after_space + 2
        elif self.text.startswith(">", after_space):
            content, end = self._content(after_space + 1)
            end = self._end_tag(end, name, at)
        else:
            raise self._wrong(after_space, '"/>"')
        node = DirectElement(
            at=at,
            end=end,
            name=name,
            namespaces=tuple(namespaces),
            attributes=tuple(attributes),
            content=content,
        )
        return node, end

    def _qname(self, offset: int) -> tuple[Name, int]:
        end = qname_end(self.text, offset)
        if end == offset:
            raise self._wrong(offset, "a name")
        prefix, colon, local = self.text[offset:end].partition(":")
        return (Name(local, prefix) if colon else Name(prefix)), end

    def _attribute(self, at: int) -> tuple[DirectAttribute | tuple[str, str], int]:
        """Reads an attribute; a declaration of a namespace is returned as (prefix, uri)."""
        name, offset = self._qname(at)
        equals = _EQUALS.match(self.text, offset)
        if equals is None:
            raise self._wrong(offset, '"="')
        parts, end = self._value(equals.end())
        if name.prefix != "xmlns" and (name.prefix or name.local != "xmlns"):
            return DirectAttribute(at=at, name=name, parts=parts), end
        if any(not isinstance(part, str) for part in parts):
            message = "a namespace cannot be computed in a direct constructor"
            raise self.error("XQST0022", message, at, end)
        prefix = name.local if name.prefix else ""
        return (prefix, collapse("".join(str(part) for part in parts))), end

    def _declare(
        self, declared: tuple[str, str], namespaces: list[tuple[str, str]], at: int
    ) -> None:
        if any(prefix == declared[0] for prefix, _ in namespaces):
            which = f'the prefix "{declared[0]}"' if declared[0] else "the default namespace"
            raise self.error("XQST0071", f"{which} is declared twice", at, at + 5)
        namespaces.append(declared)

    def _value(self, at: int) -> tuple[tuple[str | Expression | None, ...], int]:
        text = self.text
        quote = text[at : at + 1]
        if quote not in _VALUE_TEXT:
            raise self._wrong(at, "a value in quotes")
        content = Content(keeps_boundary_space=True)
        offset = at + 1
        while True:
            if match := _VALUE_TEXT[quote].match(text, offset):
                content.text(match[0].translate(_NORMALIZED))
                offset = match.end()
            character = text[offset : offset + 1]
            if character == quote:
                if text[offset + 1 : offset + 2] != quote:
                    return content.finish(), offset + 1
                content.text(quote)
                offset += 2
            elif character in ("{", "}", "&"):
                offset = self._brace_or_reference(content, offset)
            elif not character:
                raise self.error("XPST0003", "a value without its closing quote", at, at + 1)
            else:
                raise self._wrong(offset, 'a value without "<"')

    def _content(self, offset: int) -> tuple[tuple[str | Expression | None, ...], int]:
        """Reads content up to the end tag, whose offset it returns."""
        text = self.text
        content = Content(keeps_boundary_space=self.keeps_boundary_space)
        while True:
            if match := _TEXT.match(text, offset):
                content.text(match[0])
                offset = match.end()
            if text.startswith("</", offset):
                return content.finish(), offset
            if text.startswith("<![CDATA[", offset):
                end = text.find("]]>", offset)
                if end < 0:
                    raise self.error(
                        "XPST0003", 'a CDATA section without "]]>"', offset, offset + 9
                    )
                content.literal(text[offset + 9 : end])
                offset = end + 3
            elif text.startswith("<", offset):
                node, offset = self._constructor(offset)
                content.expression(node)
            elif offset < len(text):
                offset = self._brace_or_reference(content, offset)
            else:
                raise self._wrong(offset, "an end tag")

    def _brace_or_reference(self, content: Content, offset: int) -> int:
        text = self.text
        if text.startswith(("{{", "}}"), offset):
            content.literal(text[offset])
            return offset + 2
        if text[offset] == "{":
            body, offset = self.enclosed_in_text(offset)
            content.expression(body)
            return offset
        if text[offset] == "&":
            match = _REFERENCE.match(text, offset)
            reference = match[0] if match else "&"
            content.literal(resolve_references(reference, self.source, offset))
            return offset + len(reference)
        message = 'found "}" in text'
        raise self.error("XPST0003", message, offset, hint='write "}}" for a brace')

    def _end_tag(self, offset: int, name: Name, start: int) -> int:
        ending, end = self._qname(offset + 2)
        if str(ending) != str(name):
            line, _ = self.source.line_and_column(start)
            message = f"found the end of {ending}, expected that of {name}, begun in line {line}"
            raise self.error("XQST0118", message, offset, end)
        space = _SPACE.match(self.text, end)
        end = space.end() if space else end
        if not self.text.startswith(">", end):
            raise self._wrong(end, '">"')
        return end + 1

    def _wrong(self, offset: int, expected: str) -> Exception:
        self.resume(offset)
        at_end = offset >= len(self.text)
        found = "the end of the query" if at_end else f'"{self.text[offset]}"'
        return self.error("XPST0003", f"found {found}, expected {expected}", offset)
