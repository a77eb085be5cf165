"""Computed text, comment, processing-instruction and namespace constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import Code, Frame, atomic_operand
from jvmscope.queries.xquery.evaluator.primaries import space_separated
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname
from jvmscope.queries.xquery.items.types import local_type
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import XML, XMLNS, Name
from jvmscope.queries.xquery.trees.builder import lone_namespace, lone_text
from jvmscope.queries.xquery.trees.content import ContentBuilder, ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.trees.node import Node

__all__: list[str] = []


@compiles(ast.TextConstructor)
def _text(compiler: Compiler, expression: ast.TextConstructor) -> Code:
    """No node at all for the empty sequence; a text node of no length stands alone only."""
    values = compiler.compile(expression.content).items
    place = compiler.placer(expression)
    base_uri = compiler.static.base_uri

    def text(frame: Frame, item: Item) -> str | None:
        try:
            found = list(values(frame, item))
            return space_separated(found) if found else None
        except DynamicError as error:
            place(error)
            raise

    def one(frame: Frame, item: Item) -> Node | None:
        value = text(frame, item)
        return None if value is None else lone_text(value, base_uri)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        value = text(frame, item)
        if value is not None:
            content.characters(value)

    return Code(one=one, emit=emit, kind="node")


@compiles(ast.CommentConstructor)
def _comment(compiler: Compiler, expression: ast.CommentConstructor) -> Code:
    values = compiler.compile(expression.content).items

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        text = space_separated(values(frame, item))
        if "--" in text or text.endswith("-"):
            raise DynamicError("XQDY0072", "a comment cannot contain -- or end with -")
        content.comment(text)

    return _alone(compiler, expression, emit)


@compiles(ast.ProcessingInstructionConstructor)
def _instruction(compiler: Compiler, expression: ast.ProcessingInstructionConstructor) -> Code:
    values = compiler.compile(expression.content).items
    target_of = _target(compiler, expression.target)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        target = target_of(frame, item)
        text = space_separated(values(frame, item)).lstrip(" \t\r\n")
        if target.lower() == "xml":
            raise DynamicError("XQDY0064", "a processing instruction cannot be called xml")
        if "?>" in text:
            raise DynamicError("XQDY0026", "a processing instruction cannot contain ?>")
        content.processing_instruction(Name(target, "", ""), text)

    return _alone(compiler, expression, emit)


def _target(compiler: Compiler, target: str | ast.Expression) -> Callable[[Frame, Item], str]:
    if isinstance(target, str):
        return lambda _frame, _item: target
    operand = atomic_operand(compiler.compile(target))

    def name(frame: Frame, item: Item) -> str:
        value = operand(frame, item)
        if value is None or local_type(value) not in _NCNAMES:
            raise DynamicError("XPTY0004", f"a target is a string, found {_shown(value)}")
        text = collapse(atomic_to_string(value))
        if not is_ncname(text):
            raise DynamicError(
                "XQDY0041", f"{text!r} is not a valid target of a processing instruction"
            )
        return text

    return name


_NCNAMES = {
    "untypedAtomic", "string", "normalizedString", "token", "Name", "NMTOKEN", "NCName", "ID",
    "IDREF", "ENTITY", "language",
}  # fmt: skip


def _shown(value: Item) -> str:
    return "the empty sequence" if value is None else describe(value)


@compiles(ast.NamespaceConstructor)
def _namespace(compiler: Compiler, expression: ast.NamespaceConstructor) -> Code:
    prefix_of = _prefix(compiler, expression.prefix)
    values = compiler.compile(expression.content).items
    place = compiler.placer(expression)

    def parts(frame: Frame, item: Item) -> tuple[str, str]:
        try:
            prefix = prefix_of(frame, item)
            uri = space_separated(values(frame, item))
            _check_namespace(prefix, uri)
        except DynamicError as error:
            place(error)
            raise
        return prefix, uri

    def one(frame: Frame, item: Item) -> Node:
        prefix, uri = parts(frame, item)
        return lone_namespace(Name(prefix, "", "") if prefix else None, uri)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        try:
            content.namespace(*parts(frame, item))
        except ContentError as error:
            raise place(DynamicError(error.code, str(error))) from None

    return Code(one=one, emit=emit, kind="node")


def _prefix(compiler: Compiler, prefix: str | ast.Expression) -> Callable[[Frame, Item], str]:
    if isinstance(prefix, str):
        return lambda _frame, _item: prefix
    operand = atomic_operand(compiler.compile(prefix))

    def name(frame: Frame, item: Item) -> str:
        value = operand(frame, item)
        if value is None:
            return ""
        if local_type(value) not in _NCNAMES:
            raise DynamicError("XPTY0004", f"a prefix is a string, found {describe(value)}")
        text = collapse(atomic_to_string(value))
        if text and not is_ncname(text):
            raise DynamicError("XQDY0074", f"{text!r} is not a prefix")
        return text

    return name


def _check_namespace(prefix: str, uri: str) -> None:
    is_wrong = prefix == "xmlns" or uri == XMLNS or (prefix == "xml") != (uri == XML) or not uri
    if is_wrong:
        raise DynamicError("XQDY0101", f"the prefix {prefix!r} cannot be bound to {uri!r}")


def _alone(
    compiler: Compiler,
    expression: ast.Expression,
    emit: Callable[[Frame, Item, ContentBuilder], None],
) -> Code:
    place: Callable[[QueryError], QueryError] = compiler.placer(expression)
    base_uri = compiler.static.base_uri

    def placed(frame: Frame, item: Item, content: ContentBuilder) -> None:
        try:
            emit(frame, item, content)
        except DynamicError as error:
            place(error)
            raise

    def one(frame: Frame, item: Item) -> Node:
        content = ContentBuilder(base_uri)
        placed(frame, item, content)
        return content.finish()

    return Code(one=one, emit=placed, kind="node")
