"""Rules of constructors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.rules import operands_of, rule
from jvmscope.queries.xquery.analysis.static_errors import error_at
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import XML, XMLNS, Name

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.scope import Scope
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["check_binding"]

rule(ast.DocumentConstructor, ast.TextConstructor, ast.CommentConstructor)(operands_of("content"))
rule(ast.NamespaceConstructor)(operands_of("prefix", "content"))
rule(ast.ProcessingInstructionConstructor)(operands_of("target", "content"))


def check_binding(prefix: str, uri: str, source: Source, node: object) -> None:
    """Checks that a prefix may stand for a namespace.

    Raises:
        QueryError: XQST0070, one of both is reserved for the other.
    """
    if prefix == "xmlns" or uri == XMLNS:
        raise error_at(source, "XQST0070", "xmlns and its namespace cannot be declared", node)
    if (prefix == "xml") != (uri == XML):
        message = f"the prefix xml can only stand for {XML}, and no other prefix can"
        raise error_at(source, "XQST0070", message, node)


@rule(ast.DirectElement)
def _direct_element(scope: Scope, node: ast.DirectElement) -> ast.Expression:
    for prefix, uri in node.namespaces:
        check_binding(prefix, uri, scope.context.source, node)
        if prefix and not uri:
            message = f'the prefix "{prefix}" cannot be undeclared'
            raise scope.error("XQST0085", message, node)
    with scope.inside(node.namespaces):
        return replace(
            node,
            name=scope.namespaces.expand_element(node.name, node.at),
            attributes=_attributes(scope, node),
            content=scope.rewrite_all(node.content),
        )


def _attributes(scope: Scope, node: ast.DirectElement) -> tuple[ast.DirectAttribute, ...]:
    expanded = []
    names = set()
    for attribute in node.attributes:
        name = scope.namespaces.expand(attribute.name, attribute.at)
        if name in names:
            message = f"the attribute {name} occurs twice"
            raise scope.error_of_name("XQST0040", message, attribute.name, attribute.at)
        names.add(name)
        parts = scope.rewrite_all(attribute.parts)
        expanded.append(replace(attribute, name=name, parts=parts))
    return tuple(expanded)


@rule(ast.ElementConstructor)
def _element(scope: Scope, node: ast.ElementConstructor) -> ast.Expression:
    name: Name | ast.Expression
    if isinstance(node.name, Name):
        name = scope.namespaces.expand_element(node.name, node.at + len("element"))
    else:
        name = scope.rewrite(node.name)
    return replace(node, name=name, content=scope.rewrite(node.content))


@rule(ast.AttributeConstructor)
def _attribute(scope: Scope, node: ast.AttributeConstructor) -> ast.Expression:
    name: Name | ast.Expression
    if isinstance(node.name, Name):
        name = scope.namespaces.expand(node.name, node.at + len("attribute"))
    else:
        name = scope.rewrite(node.name)
    return replace(node, name=name, content=scope.rewrite(node.content))
