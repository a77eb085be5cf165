"""Types of constructed nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.bounds import (
    allows_empty,
    with_bounds,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.types import (
    ItemSequence,
    KindTest,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []


@types(ast.DirectElement)
def _direct_element(found: Types, node: ast.DirectElement, focus: _Focus) -> SequenceType:
    for attribute in node.attributes:
        found.find_all(attribute.parts, focus)
    found.find_all(node.content, focus)
    return ItemSequence(KindTest("element", node.name))


@types(ast.ElementConstructor, ast.AttributeConstructor)
def _named(
    found: Types, node: ast.ElementConstructor | ast.AttributeConstructor, focus: _Focus
) -> SequenceType:
    found.find(node.content, focus)
    kind = "element" if isinstance(node, ast.ElementConstructor) else "attribute"
    if isinstance(node.name, Name):
        return ItemSequence(KindTest(kind, node.name))
    found.find(node.name, focus)
    return ItemSequence(KindTest(kind))


@types(ast.DocumentConstructor)
def _document(found: Types, node: ast.DocumentConstructor, focus: _Focus) -> SequenceType:
    found.find(node.content, focus)
    return ItemSequence(KindTest("document-node"))


@types(ast.TextConstructor)
def _text(found: Types, node: ast.TextConstructor, focus: _Focus) -> SequenceType:
    empty = allows_empty(found.find(node.content, focus))
    return with_bounds(KindTest("text"), empty=empty, many=False)


@types(ast.CommentConstructor)
def _comment(found: Types, node: ast.CommentConstructor, focus: _Focus) -> SequenceType:
    found.find(node.content, focus)
    return ItemSequence(KindTest("comment"))
