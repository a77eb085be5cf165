"""Texts of sequence types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.types import (
    AnyArray,
    AnyFunction,
    AnyItem,
    AnyMap,
    ArrayTest,
    AtomicType,
    EmptySequence,
    FunctionTest,
    KindTest,
    MapTest,
    NameTest,
    ParenthesizedType,
)
from jvmscope.queries.xquery.syntax.unparsing.names import literal_text, name_test_text, name_text

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.types import ItemType, NodeTest, SequenceType, SingleType

__all__ = ["annotation_text", "as_type", "item_text", "single_text", "test_text", "type_text"]


def type_text(type_: SequenceType) -> str:
    """Returns a sequence type.

    >>> from jvmscope.queries.xquery.syntax.types import ItemSequence, Occurrence
    >>> type_text(ItemSequence(AnyItem(), Occurrence.ANY))
    'item()*'
    """
    if isinstance(type_, EmptySequence):
        return "empty-sequence()"
    item = item_text(type_.item)
    if isinstance(type_.item, FunctionTest) and type_.occurrence.value:
        # Without parentheses the indicator would belong to the function's result.
        item = f"({item})"
    return item + type_.occurrence.value


def as_type(type_: SequenceType | None) -> str:
    """Returns `` as type`` for a declaration, "" for None."""
    return "" if type_ is None else f" as {type_text(type_)}"


def single_text(type_: SingleType) -> str:
    """Returns the target of a cast."""
    return name_text(type_.name) + ("?" if type_.is_optional else "")


def item_text(type_: ItemType) -> str:
    """Returns an item type."""
    match type_:
        case AnyItem():
            return "item()"
        case AtomicType(name):
            return name_text(name)
        case KindTest():
            return test_text(type_)
        case AnyFunction(annotations):
            return f"{annotation_text(annotations)}function(*)"
        case FunctionTest(parameters, result, annotations):
            inner = ", ".join([type_text(parameter) for parameter in parameters])
            return f"{annotation_text(annotations)}function({inner}) as {type_text(result)}"
        case AnyMap():
            return "map(*)"
        case MapTest(key, value):
            return f"map({name_text(key.name)}, {type_text(value)})"
        case AnyArray():
            return "array(*)"
        case ArrayTest(member):
            return f"array({type_text(member)})"
        case ParenthesizedType(item):
            return f"({item_text(item)})"


def test_text(test: NodeTest) -> str:
    """Returns a node test."""
    if isinstance(test, NameTest):
        return name_test_text(test.name)
    inner = ""
    if test.inside is not None:
        inner = test_text(test.inside)
    elif test.target is not None:
        inner = test.target
    elif test.name is not None or test.type_name is not None:
        inner = "*" if test.name is None else name_text(test.name)
        if test.type_name is not None:
            inner += f", {name_text(test.type_name)}{'?' if test.nillable else ''}"
    return f"{test.kind}({inner})"


def annotation_text(annotations: tuple[Annotation, ...]) -> str:
    """Returns annotations, each with a space after it."""
    texts = []
    for annotation in annotations:
        values = ", ".join([literal_text(literal.value) for literal in annotation.values])
        texts.append(f"%{name_text(annotation.name)}{f'({values})' if values else ''} ")
    return "".join(texts)
