"""Sequence types, as written in a query (XQuery 3.1, section 2.5.4)."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.records import Record, record

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = [
    "AnyArray",
    "AnyFunction",
    "AnyItem",
    "AnyMap",
    "ArrayTest",
    "AtomicType",
    "EmptySequence",
    "FunctionTest",
    "ItemSequence",
    "ItemType",
    "KindTest",
    "MapTest",
    "NameTest",
    "NodeTest",
    "Occurrence",
    "ParenthesizedType",
    "SequenceType",
    "SingleType",
]


class Occurrence(Enum):
    """How many items a sequence type allows."""

    ONE = ""
    OPTIONAL = "?"
    ANY = "*"
    MANY = "+"


@record
class NameTest(Record):
    """A name test of a step or of an element, attribute test.

    Attributes:
        name: the name; its local part is ``*`` for ``p:*`` and ``*``, its prefix ``*`` for
            ``*:local`` and ``*``. In ``Q{uri}*`` the prefix is None and uri is set.
    """

    name: Name


@record
class KindTest(Record):
    """A test for a node's kind.

    Attributes:
        kind: ``node``, ``document-node``, ``element``, ``attribute``, ``text``, ``comment``,
            ``processing-instruction``, ``namespace-node``, ``schema-element`` or
            ``schema-attribute``.
        name: of an element or attribute; None for any (also when written ``*``).
        type_name: the type annotation asked for, or None.
        nillable: ``?`` follows the type.
        target: a processing instruction's, as an NCName or string literal, or None.
        inside: a document node's element test, or None.
    """

    kind: str
    name: Name | None = None
    type_name: Name | None = None
    nillable: bool = False
    target: str | None = None
    inside: KindTest | None = None


NodeTest: TypeAlias = NameTest | KindTest


@record
class AtomicType(Record):
    """An atomic or union type by name."""

    name: Name


@record
class AnyItem(Record):
    """``item()``."""


@record
class AnyFunction(Record):
    """``function(*)``; annotations say nothing that we know, so equality ignores them."""

    annotations: tuple[Annotation, ...] = field(default=(), compare=False)


@record
class FunctionTest(Record):
    """``function(parameter types) as result``; equality ignores annotations."""

    parameters: tuple[SequenceType, ...]
    result: SequenceType
    annotations: tuple[Annotation, ...] = field(default=(), compare=False)


@record
class AnyMap(Record):
    """``map(*)``."""


@record
class MapTest(Record):
    """``map(key type, value type)``."""

    key: AtomicType
    value: SequenceType


@record
class AnyArray(Record):
    """``array(*)``."""


@record
class ArrayTest(Record):
    """``array(member type)``."""

    member: SequenceType


@record
class ParenthesizedType(Record):
    """An item type in parentheses."""

    item: ItemType


ItemType: TypeAlias = (
    KindTest
    | AtomicType
    | AnyItem
    | AnyFunction
    | FunctionTest
    | AnyMap
    | MapTest
    | AnyArray
    | ArrayTest
    | ParenthesizedType
)


@record
class EmptySequence(Record):
    """``empty-sequence()``."""


@record
class ItemSequence(Record):
    """An item type with an occurrence indicator."""

    item: ItemType
    occurrence: Occurrence = Occurrence.ONE


SequenceType: TypeAlias = EmptySequence | ItemSequence


@record
class SingleType(Record):
    """The target of ``cast`` and ``castable``: an atomic type, optional with ``?``."""

    name: Name
    is_optional: bool = False
