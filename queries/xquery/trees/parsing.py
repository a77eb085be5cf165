"""XML text to a tree in memory, at any depth, by expat; nothing it refers to is opened."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING
from xml.parsers import expat

from jvmscope.queries.xquery.syntax.expanded_names import XML, Name
from jvmscope.queries.xquery.trees.bounds import Bounds, TooMuch
from jvmscope.queries.xquery.trees.builder import TreeBuilder
from jvmscope.queries.xquery.trees.memory import NO_NAMESPACES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["XmlError", "parse_document", "parse_element", "parse_fragment"]

_WRAPPER = "fragment"


class XmlError(ValueError):
    """Text is no well-formed XML, or holds too much; the message says where."""


def parse_document(
    text: str | bytes,
    uri: str | None = None,
    resolve: Callable[[str], bytes] | None = None,
    *,
    base_uri: str | None = None,
) -> Node:
    """Returns the document node of an XML document.

    Args:
        text: the document; of a string, the encoding that it declares does not count.
        uri: its document URI, and its base URI.
        resolve: returns an external entity by its system identifier; without, they are skipped.
        base_uri: its base URI where it has no document URI.

    Raises:
        XmlError: it is not well-formed with namespaces.
    """
    return _Reader(uri or base_uri, uri, resolve).read(text)


def parse_element(text: str | bytes, base_uri: str | None = None) -> Node:
    """Returns the only element of a document as a tree of its own.

    Raises:
        XmlError: it is not well-formed with namespaces.
    """
    return _Reader(base_uri, None, None).read(text, has_document=False)


def parse_fragment(text: str, base_uri: str | None = None) -> Node:
    """Returns a document node with the content of an external parsed entity.

    So there may be several elements, or text alone, after an optional text declaration.

    Raises:
        XmlError: it is not well-formed with namespaces.
    """
    declaration, body = _split_declaration(text.removeprefix("\ufeff"))
    if declaration is not None:
        _check_text_declaration(declaration)
    if "<!DOCTYPE" in body:
        _refuse_doctype(body)
    return _Reader(base_uri, None, None).read(f"<{_WRAPPER}>{body}</{_WRAPPER}>", unwrap=True)


def _split_declaration(text: str) -> tuple[str | None, str]:
    if text.startswith("<?xml") and text[5:6].isspace():
        declaration, end, body = text.partition("?>")
        if end:
            return declaration[5:], body
    return None, text


def _check_text_declaration(declaration: str) -> None:
    probe = f"<?xml version='1.0'{declaration}?><a/>"
    if "version" in declaration:
        probe = f"<?xml{declaration}?><a/>"
    if "standalone" in declaration or "encoding" not in declaration:
        raise XmlError("the text declaration of a fragment needs an encoding and nothing else")
    try:
        expat.ParserCreate("utf-8").Parse(probe, True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise XmlError(f"text declaration: {expat.ErrorString(error.code)}") from None


def _refuse_doctype(body: str) -> None:
    """Expat would refuse it inside the wrapper with a message about a wrong token."""
    if body.lstrip().startswith("<!DOCTYPE"):
        raise XmlError("a fragment has no document type declaration")


class _Reader:
    """Feeds a builder from expat."""

    def __init__(
        self,
        base_uri: str | None,
        document_uri: str | None,
        resolve: Callable[[str], bytes] | None,
    ) -> None:
        self._builder = TreeBuilder(base_uri, document_uri)
        self._bounds = Bounds()
        self._resolve = resolve
        self._names: dict[str, tuple[Name, str]] = {}
        self._scopes: list[Mapping[str, str]] = [NO_NAMESPACES]
        self._declared: dict[str, str] = {}
        self._id_types: dict[tuple[str, str], str] = {}
        self._depth = 0
        self._top = 0

    def read(self, text: str | bytes, *, unwrap: bool = False, has_document: bool = True) -> Node:
        """Returns the tree; unwrap leaves the outermost element out, not the document node."""
        self._top = 1 if unwrap else 0
        encoding = "utf-8" if isinstance(text, str) else None
        parser = expat.ParserCreate(encoding, namespace_separator=" ", intern={})
        self._attach(parser)
        if has_document:
            self._builder.start_document()
        was_collecting = gc.isenabled()
        gc.disable()  # nothing of what is made here is garbage
        try:
            octets = text.encode() if isinstance(text, str) else text
            parser.Parse(octets, True)  # noqa: FBT003
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise XmlError(f"line {error.lineno}, column {error.offset + 1}: {reason}") from None
        except TooMuch as error:
            raise XmlError(f"line {parser.CurrentLineNumber}: {error}") from None
        except (UnicodeEncodeError, LookupError) as error:
            raise XmlError(str(error)) from None
        finally:
            if was_collecting:
                gc.enable()
        if has_document:
            self._builder.end_document()
        return self._builder.finish()

    def _attach(self, parser: expat.XMLParserType) -> None:
        parser.namespace_prefixes = True
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.buffer_size = 65536
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartNamespaceDeclHandler = self._declare
        parser.AttlistDeclHandler = self._attribute_type
        parser.StartDoctypeDeclHandler = self._start_doctype
        parser.EndDoctypeDeclHandler = self._end_doctype
        if self._resolve is not None:
            parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE)
        parser.ExternalEntityRefHandler = lambda *entity: self._external(parser, *entity)

    def _name(self, raw: str) -> tuple[Name, str]:
        """Returns the name of expat's ``uri local prefix``, ``uri local`` or ``local``."""
        parts = raw.split(" ")
        if len(parts) == 1:
            name = Name(raw, "", "")
        else:
            prefix = parts[2] if len(parts) == 3 else ("xml" if parts[0] == XML else "")
            name = Name(parts[1], prefix, parts[0])
        known = name, sys.intern(name.expanded)
        self._names[raw] = known
        return known

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        self._declared[prefix or ""] = uri or ""

    def _start(self, raw: str, attributes: list[str]) -> None:
        self._depth += 1
        if self._depth <= self._top:
            return
        scope = self._scopes[-1]
        if self._declared:
            scope = {**scope, **self._declared}
            scope = {prefix: uri for prefix, uri in scope.items() if uri}
            self._declared = {}
            self._bounds.add(len(scope), 0)
        self._scopes.append(scope)
        name, tag = self._names.get(raw) or self._name(raw)
        builder = self._builder
        builder.start_element(name, scope, tag)
        self._bounds.add(1 + len(attributes) // 2, sum(map(len, attributes[1::2])))
        if attributes:
            types = self._id_types
            for at in range(0, len(attributes), 2):
                key = attributes[at]
                own, own_tag = self._names.get(key) or self._name(key)
                id_type = types.get((str(name), str(own)), "") if types else ""
                builder.attribute(own, attributes[at + 1], id_type, own_tag)

    def _end(self, _raw: str) -> None:
        self._depth -= 1
        if self._depth >= self._top:
            self._scopes.pop()
            self._builder.end_element()

    def _characters(self, text: str) -> None:
        self._bounds.add(0, len(text))
        self._builder.text(text)

    def _comment(self, text: str) -> None:
        if self._depth >= 0:
            self._bounds.add(1, len(text))
            self._builder.comment(text)

    def _instruction(self, target: str, text: str) -> None:
        if self._depth >= 0:
            self._bounds.add(1, len(text))
            self._builder.processing_instruction(Name(target, "", ""), text)

    def _start_doctype(self, *_declaration: object) -> None:
        """Shuts out the comments of the internal subset: they are not nodes."""
        self._depth -= 1

    def _end_doctype(self) -> None:
        self._depth += 1

    def _attribute_type(
        self, element: str, attribute: str, kind: str, _default: str | None, _required: bool
    ) -> None:
        if kind in {"ID", "IDREF", "IDREFS"}:
            self._id_types[element, attribute] = kind

    def _external(
        self,
        parser: expat.XMLParserType,
        context: str | None,
        _base: str | None,
        system_id: str | None,
        _public_id: str | None,
    ) -> int:
        if self._resolve is None or system_id is None:
            return 1
        child = parser.ExternalEntityParserCreate(context)
        child.Parse(self._resolve(system_id), True)  # noqa: FBT003
        return 1
