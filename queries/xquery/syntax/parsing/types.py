"""Sequence types (XQuery 3.1, section 2.5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.characters import is_ncname
from jvmscope.queries.xquery.syntax.parsing.keywords import KIND_TESTS
from jvmscope.queries.xquery.syntax.parsing.literals import LiteralParser
from jvmscope.queries.xquery.syntax.parsing.references import collapse
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind
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
    KindTest,
    MapTest,
    Occurrence,
    ParenthesizedType,
    SingleType,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

__all__ = ["TypeParser"]

_OCCURRENCES = {"?": Occurrence.OPTIONAL, "*": Occurrence.ANY, "+": Occurrence.MANY}


class TypeParser(LiteralParser):
    """Reads types and kind tests."""

    def optional_type(self) -> SequenceType | None:
        """Takes ``as type``; returns None if no ``as`` is here."""
        return self.sequence_type() if self.take_word("as") else None

    def sequence_type(self) -> SequenceType:
        """Takes a sequence type; an occurrence indicator here always belongs to it."""
        if self.word == "empty-sequence" and self.next_symbol() == "(":
            self._no_arguments()
            return EmptySequence()
        item = self.item_type()
        occurrence = _OCCURRENCES.get(self.symbol, Occurrence.ONE)
        if occurrence is not Occurrence.ONE:
            self.advance()
        return ItemSequence(item, occurrence)

    def single_type(self) -> SingleType:
        """Takes the type of a cast."""
        return SingleType(self.name("a type"), self.take_symbol("?"))

    def item_type(self) -> ItemType:
        """Takes an item type."""
        self.deeper()
        item = self._item_type()
        self.shallower()
        return item

    def _item_type(self) -> ItemType:
        if self.symbol == "%" and self.is_xquery:
            return self._function_test(self.annotations())
        if self.take_symbol("("):
            inner = self.item_type()
            self.need_symbol(")")
            return ParenthesizedType(inner)
        if self.word and self.next_symbol() == "(":
            if self.word in KIND_TESTS:
                return self.kind_test()
            match self.word:
                case "item":
                    self._no_arguments()
                    return AnyItem()
                case "function":
                    return self._function_test(())
                case "map":
                    return self._map_test()
                case "array":
                    return self._array_test()
                case _:
                    pass
        return AtomicType(self.name("a type"))

    def _no_arguments(self) -> None:
        self.advance()
        self.need_symbol("(")
        self.need_symbol(")")

    def _function_test(self, annotations: tuple[Annotation, ...]) -> ItemType:
        self.need_word("function")
        self.need_symbol("(")
        if self.take_symbol("*"):
            self.need_symbol(")")
            return AnyFunction(annotations)
        parameters = []
        if self.symbol != ")":
            parameters.append(self.sequence_type())
            while self.take_symbol(","):
                parameters.append(self.sequence_type())
        self.need_symbol(")")
        self.need_word("as")
        return FunctionTest(tuple(parameters), self.sequence_type(), annotations)

    def _map_test(self) -> ItemType:
        self.advance()
        self.need_symbol("(")
        if self.take_symbol("*"):
            self.need_symbol(")")
            return AnyMap()
        key = AtomicType(self.name("the keys' type"))
        self.need_symbol(",")
        value = self.sequence_type()
        self.need_symbol(")")
        return MapTest(key, value)

    def _array_test(self) -> ItemType:
        self.advance()
        self.need_symbol("(")
        if self.take_symbol("*"):
            self.need_symbol(")")
            return AnyArray()
        member = self.sequence_type()
        self.need_symbol(")")
        return ArrayTest(member)

    def kind_test(self) -> KindTest:
        """Takes a kind test, whose name and parenthesis are known to be here."""
        kind = self.advance().text
        self.need_symbol("(")
        test = KindTest(kind)
        if kind in ("schema-element", "schema-attribute"):
            test = KindTest(kind, self.name(f"the {kind}'s name"))
        elif self.symbol != ")":
            match kind:
                case "element" | "attribute":
                    test = self._named_test(kind)
                case "document-node":
                    test = KindTest(kind, inside=self._document_element())
                case "processing-instruction":
                    test = KindTest(kind, target=self._target())
                case _:
                    pass
        self.need_symbol(")")
        return test

    def _named_test(self, kind: str) -> KindTest:
        name = None if self.take_symbol("*") else self.name('a name or "*"')
        type_name: Name | None = None
        nillable = False
        if self.take_symbol(","):
            type_name = self.name("a type")
            nillable = kind == "element" and self.take_symbol("?")
        return KindTest(kind, name, type_name, nillable)

    def _document_element(self) -> KindTest:
        if self.word not in ("element", "schema-element") or self.next_symbol() != "(":
            raise self.unexpected("an element test", ("element", "schema-element"))
        return self.kind_test()

    def _target(self) -> str:
        if self.token.kind is not TokenKind.STRING:
            return self.ncname("a target's name")
        token = self.token
        target = collapse(self.string())
        if not is_ncname(target):
            raise self.error("XPTY0004", f'"{target}" is not a valid target', token.at, token.end)
        return target
