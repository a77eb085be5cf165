"""lxml documents as trees: copied once, since lxml knows neither text nodes nor document order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from jvmscope.queries.syntax.names import Name
from jvmscope.queries.trees.builder import TreeBuilder
from jvmscope.queries.trees.memory import NO_NAMESPACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.trees.node import Node

__all__ = ["from_lxml"]


def from_lxml(document: etree._ElementTree | etree._Element) -> Node:
    """Returns a document node (of an ElementTree) or an element as a tree of its own.

    The copy takes time once, about as long as parsing, and later changes do not show in it.

    Args:
        document: an ElementTree; or an element, which is copied without what surrounds it.
    """
    if isinstance(document, etree._Element):  # noqa: SLF001 - lxml has no public name
        copier = _Copier(document.getroottree().docinfo.URL)
        copier.copy(document)
        return copier.builder.finish()
    root = document.getroot()
    copier = _Copier(document.docinfo.URL)
    copier.builder.start_document()
    for node in (*reversed(list(root.itersiblings(preceding=True))), root, *root.itersiblings()):
        copier.copy(node)
    copier.builder.end_document()
    return copier.builder.finish()


class _Copier:
    """Walks lxml elements in document order."""

    def __init__(self, uri: str | None) -> None:
        self.builder = TreeBuilder(uri, uri)
        self._namespaces: dict[frozenset[tuple[str | None, str]], Mapping[str, str]] = {}

    def copy(self, top: etree._Element) -> None:
        """Copies a node with what is below it."""
        if not isinstance(top.tag, str):
            self._aside(top)
            return
        for event, node in etree.iterwalk(top, events=("start", "end", "comment", "pi")):
            if event == "start":
                self._start(node)
            elif event == "end":
                self.builder.end_element()
            else:
                self._aside(node)
            if event != "start" and node is not top and node.tail:
                self.builder.text(node.tail)

    def _start(self, element: etree._Element) -> None:
        namespaces = self._scope(element)
        self.builder.start_element(_name(str(element.tag), element.prefix, namespaces), namespaces)
        for tag, value in element.attrib.items():
            self.builder.attribute(_name(str(tag), None, namespaces), str(value))
        if element.text:
            self.builder.text(element.text)

    def _scope(self, element: etree._Element) -> Mapping[str, str]:
        if not element.nsmap:
            return NO_NAMESPACES
        key = frozenset(element.nsmap.items())
        if key not in self._namespaces:
            named = {prefix or "": uri for prefix, uri in element.nsmap.items() if uri}
            self._namespaces[key] = {**NO_NAMESPACES, **named}
        return self._namespaces[key]

    def _aside(self, node: etree._Element) -> None:
        if node.tag is etree.Comment:
            self.builder.comment(node.text or "")
        elif isinstance(node, etree._ProcessingInstruction):  # noqa: SLF001 - as above
            self.builder.processing_instruction(Name(str(node.target), "", ""), node.text or "")


def _name(tag: str, prefix: str | None, namespaces: Mapping[str, str]) -> Name:
    if not tag.startswith("{"):
        return Name(tag, "", "")
    uri, _, local = tag[1:].partition("}")
    if prefix is None:
        prefix = next((known for known, bound in namespaces.items() if known and bound == uri), "")
    return Name(local, prefix, uri)
