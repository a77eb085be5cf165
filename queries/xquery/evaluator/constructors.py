"""Direct and computed constructors (XQuery 3.1, section 3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import Code, Frame
from jvmscope.queries.xquery.evaluator.computed_names import attribute_name, element_name
from jvmscope.queries.xquery.evaluator.primaries import space_separated
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.trees.builder import lone_attribute
from jvmscope.queries.xquery.trees.content import ContentBuilder, ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["constructor"]


def constructor(
    compiler: Compiler,
    expression: ast.Expression,
    emit: Callable[[Frame, Item, ContentBuilder], None],
) -> Code:
    """Returns the code of a constructor that writes one node to a builder.

    Inside another constructor it writes to that one's builder, unless namespaces are lost or
    gained by copying, which only a copy tells.
    """
    static = compiler.static
    base_uri, preserves, inherits = static.base_uri, static.copy_preserve, static.copy_inherit
    place = compiler.placer(expression)

    def placed(frame: Frame, item: Item, content: ContentBuilder) -> None:
        try:
            emit(frame, item, content)
        except DynamicError as error:
            place(error)
            raise
        except ContentError as error:
            raise place(DynamicError(error.code, str(error))) from None

    def one(frame: Frame, item: Item) -> Node:
        content = ContentBuilder(base_uri, preserves=preserves, inherits=inherits)
        placed(frame, item, content)
        return content.finish()

    def emit_copy(frame: Frame, item: Item, content: ContentBuilder) -> None:
        content.copy(one(frame, item))

    return Code(one=one, emit=placed if preserves and inherits else emit_copy, kind="node")


@compiles(ast.DirectElement)
def _direct_element(compiler: Compiler, expression: ast.DirectElement) -> Code:
    declared = dict(expression.namespaces)
    name = expression.name
    with compiler.declaring(declared):
        surrounding = compiler.surrounding
        attributes = [
            (attribute.name, _attribute_value(compiler, attribute))
            for attribute in expression.attributes
        ]
        content_parts = _content(compiler, expression.content)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        content.start_element(name, surrounding, declared)
        for attribute, value in attributes:
            content.attribute(attribute, value(frame, item))
        for part in content_parts:
            part(frame, item, content)
        content.end_element()

    return constructor(compiler, expression, emit)


def _attribute_value(
    compiler: Compiler, attribute: ast.DirectAttribute
) -> Callable[[Frame, Item], str]:
    parts = attribute.parts
    if all(isinstance(part, str) for part in parts):
        text = "".join(part for part in parts if isinstance(part, str))
        return lambda _frame, _item: text
    compiled = [part if isinstance(part, str) else compiler.compile(part).items for part in parts]

    def value(frame: Frame, item: Item) -> str:
        return "".join(
            [
                part if isinstance(part, str) else space_separated(part(frame, item))
                for part in compiled
            ]
        )

    return value


def _content(
    compiler: Compiler, parts: tuple[str | ast.Expression | None, ...]
) -> list[Callable[[Frame, Item, ContentBuilder], None]]:
    return [
        _characters(part) if isinstance(part, str) else _enclosed(compiler, part)
        for part in parts
        if part is not None
    ]


def _characters(text: str) -> Callable[[Frame, Item, ContentBuilder], None]:
    return lambda _frame, _item, content: content.characters(text)


def _enclosed(
    compiler: Compiler, expression: ast.Expression | None
) -> Callable[[Frame, Item, ContentBuilder], None]:
    inner = compiler.compile(expression).emit

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        content.part()
        inner(frame, item, content)
        content.part()

    return emit


@compiles(ast.ElementConstructor)
def _element(compiler: Compiler, expression: ast.ElementConstructor) -> Code:
    name_of = element_name(compiler, expression.name)
    content_of = _enclosed(compiler, expression.content)
    surrounding = compiler.surrounding

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        content.start_element(name_of(frame, item), surrounding, {})
        content_of(frame, item, content)
        content.end_element()

    return constructor(compiler, expression, emit)


@compiles(ast.DocumentConstructor)
def _document(compiler: Compiler, expression: ast.DocumentConstructor) -> Code:
    content_of = _enclosed(compiler, expression.content)
    static = compiler.static
    base_uri, preserves, inherits = static.base_uri, static.copy_preserve, static.copy_inherit
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> Node:
        content = ContentBuilder(base_uri, preserves=preserves, inherits=inherits)
        content.start_document()
        try:
            content_of(frame, item, content)
        except DynamicError as error:
            place(error)
            raise
        except ContentError as error:
            raise place(DynamicError(error.code, str(error))) from None
        return content.end_document()

    return Code(one=one, kind="node")


@compiles(ast.AttributeConstructor)
def _attribute(compiler: Compiler, expression: ast.AttributeConstructor) -> Code:
    name_of = attribute_name(compiler, expression.name)
    values = compiler.compile(expression.content).items
    place = compiler.placer(expression)

    def parts(frame: Frame, item: Item) -> tuple[Name, str]:
        try:
            name = name_of(frame, item)
            text = space_separated(values(frame, item))
        except DynamicError as error:
            place(error)
            raise
        is_id = name.local == "id" and name.prefix == "xml"
        return name, " ".join(text.split()) if is_id else text

    def one(frame: Frame, item: Item) -> Node:
        return lone_attribute(*parts(frame, item))

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        try:
            content.attribute(*parts(frame, item))
        except ContentError as error:
            raise place(DynamicError(error.code, str(error))) from None

    return Code(one=one, emit=emit, kind="node")
