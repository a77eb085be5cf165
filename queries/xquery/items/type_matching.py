"""Whether items and sequences belong to a type (XPath 3.1, section 2.5.5)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, FunctionItem, MapItem
from jvmscope.queries.xquery.items.hierarchy import ancestors, is_known, xs
from jvmscope.queries.xquery.items.subtypes import is_subtype, unwrap
from jvmscope.queries.xquery.items.types import ANY_ITEMS, CLASSES
from jvmscope.queries.xquery.syntax.expanded_names import XS
from jvmscope.queries.xquery.syntax.types import (
    AnyArray,
    AnyFunction,
    AnyItem,
    AnyMap,
    ArrayTest,
    AtomicType,
    EmptySequence,
    FunctionTest,
    ItemSequence,
    ItemType,
    KindTest,
    MapTest,
    Occurrence,
    SequenceType,
)
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.items.types import Item, Sequence
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["classes_of", "instance_of", "item_matcher", "kind_matcher"]

_KINDS = {
    "document-node": Kind.DOCUMENT,
    "element": Kind.ELEMENT,
    "attribute": Kind.ATTRIBUTE,
    "text": Kind.TEXT,
    "comment": Kind.COMMENT,
    "processing-instruction": Kind.PROCESSING_INSTRUCTION,
    "namespace-node": Kind.NAMESPACE,
}
_UNTYPED = {
    Kind.ELEMENT: {"anyType", "untyped"},
    Kind.ATTRIBUTE: {"anyType", "anySimpleType", "anyAtomicType", "untypedAtomic"},
}
_KEY = ItemSequence(AtomicType(xs("anyAtomicType")))
_POSITION = ItemSequence(AtomicType(xs("integer")))


def instance_of(sequence: Sequence, kind: SequenceType) -> bool:
    """Tells whether a sequence belongs to a sequence type."""
    items = iter(sequence)
    first = next(items, None)
    if isinstance(kind, EmptySequence):
        return first is None
    if first is None:
        return kind.occurrence in {Occurrence.OPTIONAL, Occurrence.ANY}
    matches = item_matcher(kind.item)
    if not matches(first):
        return False
    if kind.occurrence in {Occurrence.ONE, Occurrence.OPTIONAL}:
        return next(items, None) is None
    return all(map(matches, items))


@lru_cache(4096)
def classes_of(name: Name) -> frozenset[type[Any]]:
    """Returns the classes of the values of an atomic type; none if the type is not known."""
    if name.uri != XS or not is_known(name.local):
        return frozenset()
    return frozenset(kind for local, kind in CLASSES.items() if name.local in ancestors(local))


@lru_cache(4096)
def item_matcher(kind: ItemType) -> Callable[[Item], bool]:
    """Returns the function that tells whether an item belongs to a type with expanded names."""
    kind = unwrap(kind)
    match kind:
        case AnyItem():
            return lambda _: True
        case AtomicType(name):
            classes = classes_of(name)
            return lambda item: type(item) in classes
        case KindTest():
            return kind_matcher(kind)
        case AnyFunction():
            return lambda item: isinstance(item, CallableItem)
        case AnyMap():
            return lambda item: isinstance(item, MapItem)
        case AnyArray():
            return lambda item: isinstance(item, ArrayItem)
        case _:
            return _function_matcher(kind)


def _function_matcher(kind: ItemType) -> Callable[[Item], bool]:
    match kind:
        case MapTest(key, value):
            is_key = item_matcher(key)
            return lambda item: (
                isinstance(item, MapItem)
                and all(
                    is_key(name) and instance_of(content, value) for name, content in item.items()
                )
            )
        case ArrayTest(member):
            return lambda item: (
                isinstance(item, ArrayItem)
                and all(instance_of(content, member) for content in item.members)
            )
        case FunctionTest():
            return lambda item: isinstance(item, CallableItem) and _has_signature(item, kind)
        case _:
            raise TypeError(kind)


def _has_signature(item: CallableItem, kind: FunctionTest) -> bool:
    if item.arity != len(kind.parameters):
        return False
    if isinstance(item, MapItem):
        values = [*(value for _, value in item.items()), ()]
        return is_subtype(kind.parameters[0], _KEY) and all(
            instance_of(value, kind.result) for value in values
        )
    if isinstance(item, ArrayItem):
        return is_subtype(kind.parameters[0], _POSITION) and all(
            instance_of(member, kind.result) for member in item.members
        )
    assert isinstance(item, FunctionItem)  # noqa: S101 - for the type checker
    return all(map(is_subtype, kind.parameters, item.parameters)) and is_subtype(
        item.result or ANY_ITEMS, kind.result
    )


def kind_matcher(test: KindTest) -> Callable[[Item], bool]:
    """Returns the function that tells whether an item is a node of a kind."""
    if test.kind == "node":
        return lambda item: isinstance(item, Node)
    kind = _KINDS.get(test.kind)
    if kind is None or not _is_possible(kind, test):
        return lambda _: False
    if test.inside is not None:
        inside = kind_matcher(test.inside)
        return lambda item: (
            isinstance(item, Node) and item.kind == kind and _only_element(item, inside)
        )
    if kind is Kind.PROCESSING_INSTRUCTION and test.target is not None:
        target = " ".join(test.target.split())
        return lambda item: isinstance(item, Node) and item.kind == kind and _local(item) == target
    if test.name is not None:
        name = test.name
        return lambda item: isinstance(item, Node) and item.kind == kind and item.name == name
    return lambda item: isinstance(item, Node) and item.kind == kind


def _is_possible(kind: Kind, test: KindTest) -> bool:
    """Tells whether an untyped node can pass the type that a test asks for."""
    return test.type_name is None or test.type_name.local in _UNTYPED.get(kind, ())


def _local(node: Node) -> str:
    return "" if node.name is None else node.name.local


def _only_element(document: Node, matches: Callable[[Item], bool]) -> bool:
    """Tells whether a document holds one element, which matches, and no text."""
    children = [child for child in document.children() if child.kind in {Kind.ELEMENT, Kind.TEXT}]
    return len(children) == 1 and matches(children[0])
