"""The content of constructed nodes (XQuery 3.1, sections 3.9.1.3 and 3.9.3).

A constructor opens a node here, adds the items of its content and closes it; constructors inside
one another write to the same builder, so that nothing is copied twice. The start of an element
waits until its first child or its end, since attributes and namespaces may come until then.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.expanded_names import XML, Name
from jvmscope.queries.xquery.trees.builder import TreeBuilder
from jvmscope.queries.xquery.trees.copying import copy_element
from jvmscope.queries.xquery.trees.namespaces import ElementScope
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ContentBuilder", "ContentError"]

_XML_ID = f"Q{{{XML}}}id"


class ContentError(ValueError):
    """Content that a constructor must refuse; ``code`` is the W3C error code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Pending:
    """An element whose start tag is still open."""

    __slots__ = ("attributes", "declared", "name", "surrounding")

    def __init__(self, name: Name, surrounding: Mapping[str, str], declared: dict[str, str]):
        self.name = name
        self.surrounding = surrounding
        self.declared = declared
        self.attributes: dict[str, tuple[Name, str]] = {}


class ContentBuilder:
    """Builds one constructed tree by the rules of constructors.

    Args:
        base_uri: the static base URI.
        preserves: copied elements keep namespaces that their names do not use.
        inherits: copied elements get the namespaces of their new parent.
    """

    def __init__(
        self, base_uri: str | None = None, *, preserves: bool = True, inherits: bool = True
    ) -> None:
        self._builder = TreeBuilder(base_uri)
        self._preserves = preserves
        self._inherits = inherits
        self._pending: _Pending | None = None
        self._scopes: list[tuple[Mapping[str, str], Mapping[str, str]]] = []
        self._in_document = False
        self._is_after_atomic = False
        self._has_content = False

    # -- opening and closing

    def start_document(self) -> None:
        """Begins the document node that is constructed."""
        self._builder.start_document()
        self._in_document = True

    def end_document(self) -> Node:
        """Ends the document and returns it."""
        self._builder.end_document()
        return self._builder.finish()

    def start_element(
        self, name: Name, surrounding: Mapping[str, str], declared: dict[str, str]
    ) -> None:
        """Begins an element.

        Args:
            name: its expanded name.
            surrounding: the namespaces of enclosing direct constructors, ``xml`` included.
            declared: those of its own namespace declarations; "" as a URI undeclares.
        """
        self._close_start()
        self._pending = _Pending(name, surrounding, declared)
        self._is_after_atomic = False

    def end_element(self) -> None:
        """Ends the innermost element."""
        self._close_start()
        self._scopes.pop()
        self._builder.end_element()
        self._is_after_atomic = False

    def finish(self) -> Node:
        """Returns the constructed tree's top node."""
        return self._builder.finish()

    # -- content

    def part(self) -> None:
        """Says that another enclosed expression begins: no space joins it to the one before."""
        self._is_after_atomic = False

    def characters(self, text: str) -> None:
        """Adds literal text."""
        self._is_after_atomic = False
        if text:
            self._close_start()
            self._builder.text(text)

    def atomic(self, text: str) -> None:
        """Adds an atomic value as text, after a space if an atomic value is before it."""
        if self._is_after_atomic:
            text = " " + text
        if text:
            self._close_start()
            self._builder.text(text)
        self._is_after_atomic = True

    def attribute(self, name: Name, value: str) -> None:
        """Adds an attribute.

        Raises:
            ContentError: there is content already, or an attribute of that name.
        """
        pending = self._open_start("an attribute")
        tag = sys.intern(name.expanded)
        if tag in pending.attributes:
            raise ContentError("XQDY0025", f"two attributes are named {name}")
        pending.attributes[tag] = (name, value)

    def namespace(self, prefix: str, uri: str) -> None:
        """Adds a namespace node.

        Raises:
            ContentError: there is content already, or it contradicts another declaration.
        """
        pending = self._open_start("a namespace node")
        if pending.declared.get(prefix, uri) != uri:
            raise ContentError("XQDY0102", f"two namespaces for the prefix {prefix!r}")
        if not prefix and uri and not pending.name.uri:
            raise ContentError("XQDY0102", "a default namespace for an element in no namespace")
        pending.declared[prefix] = uri

    def comment(self, text: str) -> None:
        """Adds a comment."""
        self._close_start()
        self._is_after_atomic = False
        self._builder.comment(text)

    def processing_instruction(self, target: Name, text: str) -> None:
        """Adds a processing instruction."""
        self._close_start()
        self._is_after_atomic = False
        self._builder.processing_instruction(target, text)

    def copy(self, node: Node) -> None:
        """Adds a copy of a node; of a document node, its children.

        Raises:
            ContentError: it is an attribute or namespace node where none may be.
        """
        self._is_after_atomic = False
        kind = node.kind
        if kind is Kind.ELEMENT:
            self._close_start()
            above = self._scopes[-1][0] if self._scopes and self._inherits else None
            copy_element(node, self._builder, above, preserves=self._preserves)
        elif kind is Kind.TEXT:
            self.characters(node.string_value)
        elif kind is Kind.ATTRIBUTE:
            assert node.name is not None
            self.attribute(node.name, node.string_value)
        elif kind is Kind.DOCUMENT:
            for child in node.children():
                self.copy(child)
        elif kind is Kind.NAMESPACE:
            self.namespace("" if node.name is None else node.name.local, node.string_value)
        elif kind is Kind.COMMENT:
            self.comment(node.string_value)
        else:
            assert node.name is not None
            self.processing_instruction(node.name, node.string_value)

    # -- the start of an element

    def _open_start(self, what: str) -> _Pending:
        self._is_after_atomic = False
        if self._pending is not None:
            return self._pending
        if self._in_document and not self._scopes:
            raise ContentError("XPTY0004", f"{what} cannot be the child of a document")
        raise ContentError("XQTY0024", f"{what} comes after other content")

    def _close_start(self) -> None:
        pending = self._pending
        if pending is None:
            return
        self._pending = None
        scope = ElementScope(pending.surrounding, pending.declared)
        declared = self._joined(scope.namespaces, pending.name, pending.declared)
        name = scope.fit_element(pending.name)
        attributes = [
            (scope.fit_attribute(attribute), value, tag)
            for tag, (attribute, value) in pending.attributes.items()
        ]
        namespaces = self._joined(scope.namespaces, name, pending.declared)
        self._builder.start_element(name, namespaces)
        self._scopes.append((namespaces, declared))
        for attribute, value, tag in attributes:
            self._builder.attribute(attribute, value.strip() if tag == _XML_ID else value, tag=tag)

    def _joined(
        self, own: Mapping[str, str], name: Name, declared: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Returns the namespaces of an element that becomes a child.

        From the constructors around it, it has what they declare; what these need for their own
        names, copied nodes alone inherit (so QT3, and other processors).
        """
        if not self._scopes:
            return own
        if not self._preserves:
            used = {name.prefix, *(prefix for prefix in own if prefix in declared)}
            own = {prefix: uri for prefix, uri in own.items() if prefix in used or prefix == "xml"}
        above = self._scopes[-1][1]
        if not self._inherits or own is above:
            return own
        merged = above if own.items() <= above.items() else {**above, **own}
        if "" in merged and not name.uri:
            merged = {prefix: uri for prefix, uri in merged.items() if prefix}
        undeclared = [prefix for prefix, uri in declared.items() if not uri and prefix in merged]
        if undeclared:
            merged = {prefix: uri for prefix, uri in merged.items() if prefix not in undeclared}
        return merged
