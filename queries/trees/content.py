"""The content of constructed nodes (XQuery 3.1, sections 3.9.1.3 and 3.9.3).

A constructor opens a node here, adds the items of its content and closes it; constructors inside
one another write to the same builder, so that nothing is copied twice. The start of an element
waits until its first child or its end, since attributes and namespaces may come until then.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jvmscope.queries.syntax.names import XML, Name
from jvmscope.queries.trees.builder import TreeBuilder
from jvmscope.queries.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["ContentBuilder", "ContentError", "copy_tree"]

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
            self._copy_element(node)
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
        else:
            self._copy_aside(node)

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
        scope = _Scope(pending.surrounding, pending.declared)
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

    # -- copies

    def _copy_aside(self, node: Node) -> None:
        if node.kind is Kind.COMMENT:
            self.comment(node.string_value)
        else:
            assert node.name is not None
            self.processing_instruction(node.name, node.string_value)

    def _copy_element(self, top: Node) -> None:
        """Copies an element with all below it, without recursion."""
        known: dict[int, Mapping[str, str]] = {}
        pending: list[Iterator[Node]] = [iter((top,))]
        builder = self._builder
        while pending:
            node = next(pending[-1], None)
            if node is None:
                pending.pop()
                if pending:
                    builder.end_element()
            elif node.kind is Kind.ELEMENT:
                self._copy_start(node, known)
                pending.append(iter(node.children()))
            elif node.kind is Kind.TEXT:
                builder.text(node.string_value)
            else:
                self._copy_aside(node)

    def _copy_start(self, element: Node, known: dict[int, Mapping[str, str]]) -> None:
        name, builder = element.name, self._builder
        assert name is not None
        attributes = list(element.attributes())
        builder.start_element(name, self._copied_scope(element, name, attributes, known))
        for attribute in attributes:
            assert attribute.name is not None
            id_type = "ID" if attribute.is_id else ("IDREF" if attribute.is_idref else "")
            builder.attribute(attribute.name, attribute.string_value, id_type)

    def _copied_scope(
        self,
        element: Node,
        name: Name,
        attributes: list[Node],
        known: dict[int, Mapping[str, str]],
    ) -> Mapping[str, str]:
        """Returns the namespaces of a copied element.

        Elements that share a mapping share its copy, which ``known`` has by the original's id.
        """
        original = element.in_scope_namespaces()
        above = self._scopes[-1][0] if self._scopes and self._inherits else None
        if not self._preserves:
            used = {name.prefix, "xml", *(_prefix(node) for node in attributes)}
            original = {prefix: uri for prefix, uri in original.items() if prefix in used}
        if above is None or original is above:
            return original
        is_shared = self._preserves and (bool(name.uri) or "" not in above)
        if is_shared and id(original) in known:
            return known[id(original)]
        merged = above if original.items() <= above.items() else {**above, **original}
        if not name.uri and "" in merged:
            merged = {prefix: uri for prefix, uri in merged.items() if prefix}
        if is_shared:
            known[id(original)] = merged
        return merged


def _prefix(node: Node) -> str | None:
    return None if node.name is None else node.name.prefix


class _Scope:
    """The namespaces of an element under construction, fitted to the names it uses."""

    def __init__(self, surrounding: Mapping[str, str], declared: Mapping[str, str]) -> None:
        self.namespaces = surrounding
        self._fixed = declared
        if declared:
            merged = {**surrounding, **declared}
            self.namespaces = {prefix: uri for prefix, uri in merged.items() if uri}

    def fit_element(self, name: Name) -> Name:
        """Returns the name with a prefix that is bound to its namespace."""
        uri, prefix = name.uri or "", name.prefix or ""
        if self.namespaces.get(prefix, "") == uri:
            return name
        if not uri:  # in no namespace: the default namespace of the surroundings ends here
            if prefix:
                return Name(name.local, "", "")
            self._replace({key: value for key, value in self.namespaces.items() if key})
            return name
        if self._fixed.get(prefix, uri) != uri:
            prefix = self._free(prefix, uri)
        self._bind(prefix, uri)
        return name if prefix == name.prefix else Name(name.local, prefix, uri)

    def fit_attribute(self, name: Name) -> Name:
        """Returns the name with a prefix that is bound to its namespace; none has a default."""
        uri, prefix = name.uri or "", name.prefix or ""
        if not uri:
            return name if not prefix else Name(name.local, "", "")
        if prefix and self.namespaces.get(prefix) == uri:
            return name
        bound = next((key for key, value in self.namespaces.items() if key and value == uri), None)
        if bound is None or (prefix and prefix not in self.namespaces):
            bound = self._free(prefix, uri)
            self._bind(bound, uri)
        return Name(name.local, bound, uri)

    def _free(self, prefix: str, uri: str) -> str:
        """Returns the prefix, or one like it that is not bound to another namespace."""
        candidate, number = prefix, 0
        while not candidate or self.namespaces.get(candidate, uri) != uri:
            candidate = f"{prefix or 'ns'}{number}"
            number += 1
        return candidate

    def _bind(self, prefix: str, uri: str) -> None:
        self._replace({**self.namespaces, prefix: uri})

    def _replace(self, namespaces: dict[str, str]) -> None:
        self.namespaces = namespaces


def copy_tree(nodes: Iterable[Node], base_uri: str | None) -> Node:
    """Returns a new document with copies of nodes as its children."""
    content = ContentBuilder(base_uri)
    content.start_document()
    for node in nodes:
        content.copy(node)
    return content.end_document()
