"""Copies of elements: which namespaces they keep and get (XQuery 3.1, section 3.9.1.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.builder import TreeBuilder

__all__ = ["copy_element"]


def copy_element(
    top: Node, builder: TreeBuilder, above: Mapping[str, str] | None, *, preserves: bool
) -> None:
    """Adds a copy of an element and of all below it to a tree, without recursion.

    Args:
        top: the element.
        builder: where the copy goes.
        above: the namespaces of its new parent that it and its descendants inherit, or None.
        preserves: keep namespaces that no name uses.
    """
    scopes = _Scopes(above, preserves=preserves)
    pending: list[Iterator[Node]] = [iter((top,))]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            if pending:
                builder.end_element()
        elif node.kind is Kind.ELEMENT:
            _start(node, builder, scopes)
            pending.append(iter(node.children()))
        elif node.kind is Kind.TEXT:
            builder.text(node.string_value)
        elif node.kind is Kind.COMMENT:
            builder.comment(node.string_value)
        else:
            assert node.name is not None
            builder.processing_instruction(node.name, node.string_value)


def _start(element: Node, builder: TreeBuilder, scopes: _Scopes) -> None:
    name, attributes = element.name, list(element.attributes())
    assert name is not None
    builder.start_element(name, scopes.of(element, name, attributes))
    for attribute in attributes:
        assert attribute.name is not None
        id_type = "ID" if attribute.is_id else ("IDREF" if attribute.is_idref else "")
        builder.attribute(attribute.name, attribute.string_value, id_type)


class _Scopes:
    """The namespaces of copies; elements that share a mapping share its copy."""

    def __init__(self, above: Mapping[str, str] | None, *, preserves: bool) -> None:
        self._above = above
        self._preserves = preserves
        self._known: dict[int, tuple[Mapping[str, str], Mapping[str, str]]] = {}

    def of(self, element: Node, name: Name, attributes: list[Node]) -> Mapping[str, str]:
        """Returns the namespaces of an element's copy."""
        original, above = element.in_scope_namespaces(), self._above
        if not self._preserves:
            used = {name.prefix, "xml", *(_prefix(node) for node in attributes)}
            original = {prefix: uri for prefix, uri in original.items() if prefix in used}
        if above is None or original is above:
            return original
        is_shared = self._preserves and (bool(name.uri) or "" not in above)
        if is_shared and id(original) in self._known:
            return self._known[id(original)][1]
        merged = above if original.items() <= above.items() else {**above, **original}
        if not name.uri and "" in merged:
            merged = {prefix: uri for prefix, uri in merged.items() if prefix}
        if is_shared:
            self._known[id(original)] = original, merged  # the original keeps its id
        return merged


def _prefix(node: Node) -> str | None:
    return None if node.name is None else node.name.prefix
