"""Names in sequence types, and whether there are such types (XQuery 3.1, section 2.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.static_errors import error_of_name
from jvmscope.queries.xquery.items.hierarchy import BASES, is_known
from jvmscope.queries.xquery.syntax.expanded_names import XS
from jvmscope.queries.xquery.syntax.types import (
    AnyFunction,
    ArrayTest,
    AtomicType,
    FunctionTest,
    ItemSequence,
    KindTest,
    MapTest,
    ParenthesizedType,
    SingleType,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.source import Source
    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

__all__ = ["TypeResolver"]

_NOT_ATOMIC = {"anyType", "anySimpleType", "untyped"}
_LISTS = {"ENTITIES", "IDREFS", "NMTOKENS"}
_ABSTRACT = {"anyAtomicType", "anySimpleType", "NOTATION"}


class TypeResolver:
    """Expands the names of types at one place of a module."""

    def __init__(self, source: Source, namespaces: Namespaces) -> None:
        self._source = source
        self._namespaces = namespaces

    def sequence(self, type_: SequenceType, at: int) -> SequenceType:
        """Returns a sequence type with its names expanded.

        Raises:
            QueryError: XPST0051 (no such atomic type), XPST0008 (no such declaration in a
                schema), XPST0081.
        """
        if isinstance(type_, ItemSequence):
            item = self.item(type_.item, at)
            return type_ if item is type_.item else ItemSequence(item, type_.occurrence)
        return type_

    def optional(self, type_: SequenceType | None, at: int) -> SequenceType | None:
        """Returns the same for a type that may be missing."""
        return None if type_ is None else self.sequence(type_, at)

    def item(self, type_: ItemType, at: int) -> ItemType:
        """Returns an item type with its names expanded."""
        match type_:
            case AtomicType(name):
                return AtomicType(self._atomic(name, at))
            case KindTest():
                return self.kind(type_, at)
            case AnyFunction(annotations):
                return AnyFunction(self._annotations(annotations))
            case FunctionTest(parameters, result, annotations):
                expanded = tuple([self.sequence(parameter, at) for parameter in parameters])
                return FunctionTest(
                    expanded, self.sequence(result, at), self._annotations(annotations)
                )
            case MapTest(key, value):
                return MapTest(AtomicType(self._atomic(key.name, at)), self.sequence(value, at))
            case ArrayTest(member):
                return ArrayTest(self.sequence(member, at))
            case ParenthesizedType(inner):
                return ParenthesizedType(self.item(inner, at))
            case _:
                return type_

    def _annotations(self, annotations: tuple[Annotation, ...]) -> tuple[Annotation, ...]:
        from jvmscope.queries.xquery.analysis.annotations import expand_annotations

        return expand_annotations(annotations, self._namespaces, self._source)

    def kind(self, test: KindTest, at: int) -> KindTest:
        """Returns a kind test with its names expanded."""
        if test.kind in ("schema-element", "schema-attribute") and test.name is not None:
            self._namespaces.expand_element(test.name, at)
            message = f"no schema declares {test.name}: schemas cannot be imported"
            raise error_of_name(self._source, "XPST0008", message, test.name, at)
        name = test.name
        if name is not None:
            default = "" if test.kind == "attribute" else self._namespaces.element
            name = self._namespaces.expand(name, at, default)
        type_name = test.type_name
        if type_name is not None:
            type_name = self._namespaces.expand_element(type_name, at)
            if not _is_any_type(type_name):
                raise self._unknown("XPST0008", type_name, at)
        inside = self.kind(test.inside, at) if test.inside is not None else None
        return replace(test, name=name, type_name=type_name, inside=inside)

    def single(self, type_: SingleType, at: int) -> SingleType:
        """Returns the target of a cast with its name expanded.

        Raises:
            QueryError: XQST0052 (no such simple type), XPST0080 (an abstract one), XPST0081.
        """
        name = self._namespaces.expand_element(type_.name, at)
        if name.uri == XS and name.local in _ABSTRACT:
            message = f"nothing can be cast to {name}, which is abstract"
            raise error_of_name(self._source, "XPST0080", message, type_.name, at)
        if name.uri != XS or not (is_known(name.local) or name.local in _LISTS):
            raise self._unknown("XQST0052", name, at)
        return SingleType(name, type_.is_optional)

    def _atomic(self, name: Name, at: int) -> Name:
        expanded = self._namespaces.expand_element(name, at)
        if expanded.uri != XS or not is_known(expanded.local):
            raise self._unknown("XPST0051", expanded, at)
        return expanded

    def _unknown(self, code: str, name: Name, at: int) -> Exception:
        known = [f"xs:{local}" for local in BASES]
        hint = did_you_mean(str(name), known)
        if hint is None and not name.prefix:
            hint = did_you_mean(f"xs:{name.local}", known)
        if name.uri == XS and name.local in (_NOT_ATOMIC | _LISTS):
            message = f"{name} is not an atomic type"
            hint = None
        else:
            message = f"there is no type {name}"
        return error_of_name(self._source, code, message, name, at, hint=hint)


def _is_any_type(name: Name) -> bool:
    return name.uri == XS and (is_known(name.local) or name.local in (_NOT_ATOMIC | _LISTS))
