"""Texts of node and string constructors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.unparsing.levels import Level, enclosed, write, writes
from jvmscope.queries.xquery.syntax.unparsing.names import name_text

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__: list[str] = []

_Text = tuple[Level, str]
_IN_TEXT = re.compile(r"[{}<&\r]")
_IN_VALUE = re.compile(r'[{}<&"\t\n\r]')
_ESCAPES = {"{": "{{", "}": "}}", "<": "&lt;", "&": "&amp;", '"': "&quot;"}


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or _reference(match[0])


def _reference(character: str) -> str:
    return f"&#x{ord(character):X};"


@writes(ast.DirectElement)
def _direct_element(node: ast.DirectElement) -> _Text:
    name = name_text(node.name)
    parts = [f"<{name}"]
    for prefix, uri in node.namespaces:
        parts.append(f' xmlns{f":{prefix}" if prefix else ""}="{_IN_VALUE.sub(_escape, uri)}"')
    for attribute in node.attributes:
        value = "".join([_value_part(part) for part in attribute.parts])
        parts.append(f' {name_text(attribute.name)}="{value}"')
    if not node.content:
        return Level.PRIMARY, f"{''.join(parts)}/>"
    content = "".join([_content_part(part) for part in node.content])
    return Level.PRIMARY, f"{''.join(parts)}>{content}</{name}>"


def _value_part(part: str | Expression | None) -> str:
    return _IN_VALUE.sub(_escape, part) if isinstance(part, str) else enclosed(part)


def _content_part(part: str | Expression | None) -> str:
    if isinstance(part, ast.DirectElement):
        return write(part)
    if not isinstance(part, str):
        return enclosed(part)
    if not part.strip(" \t\n"):
        # As it stands, this would be boundary space; a reference never is.
        return _reference(part[0]) + part[1:]
    return _IN_TEXT.sub(_escape, part)


@writes(ast.ElementConstructor)
def _element(node: ast.ElementConstructor) -> _Text:
    return Level.PRIMARY, f"element {_name(node.name)} {enclosed(node.content)}"


@writes(ast.AttributeConstructor)
def _attribute(node: ast.AttributeConstructor) -> _Text:
    return Level.PRIMARY, f"attribute {_name(node.name)} {enclosed(node.content)}"


@writes(ast.NamespaceConstructor)
def _namespace(node: ast.NamespaceConstructor) -> _Text:
    return Level.PRIMARY, f"namespace {_name(node.prefix)} {enclosed(node.content)}"


@writes(ast.ProcessingInstructionConstructor)
def _instruction(node: ast.ProcessingInstructionConstructor) -> _Text:
    target = _name(node.target)
    return Level.PRIMARY, f"processing-instruction {target} {enclosed(node.content)}"


def _name(name: Name | str | Expression) -> str:
    if isinstance(name, str):
        return name
    return name_text(name) if isinstance(name, Name) else enclosed(name)


@writes(ast.DocumentConstructor)
def _document(node: ast.DocumentConstructor) -> _Text:
    return Level.PRIMARY, f"document {enclosed(node.content)}"


@writes(ast.TextConstructor)
def _text(node: ast.TextConstructor) -> _Text:
    return Level.PRIMARY, f"text {enclosed(node.content)}"


@writes(ast.CommentConstructor)
def _comment(node: ast.CommentConstructor) -> _Text:
    return Level.PRIMARY, f"comment {enclosed(node.content)}"


@writes(ast.StringConstructor)
def _string(node: ast.StringConstructor) -> _Text:
    parts = [part if isinstance(part, str) else f"`{enclosed(part)}`" for part in node.parts]
    return Level.PRIMARY, f"``[{''.join(parts)}]``"
