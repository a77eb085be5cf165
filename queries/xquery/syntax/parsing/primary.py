"""Primary expressions, calls, predicates and lookups (XQuery 3.1, sections 3.1, 3.2, 3.11.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    ContextItem,
    DynamicCall,
    Expression,
    FunctionCall,
    FunctionReference,
    InlineFunction,
    Lookup,
    Ordered,
    Parameter,
    Placeholder,
    Predicate,
    UnaryLookup,
    VariableReference,
)
from jvmscope.queries.xquery.syntax.parsing.computed import ComputedParser
from jvmscope.queries.xquery.syntax.parsing.keywords import RESERVED_FUNCTIONS
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["PrimaryParser"]


class PrimaryParser(ComputedParser):
    """Reads primaries and what may follow them."""

    def postfix(self) -> Expression | None:
        """Takes a primary with its predicates, argument lists and lookups; None: none is here."""
        base = self._primary()
        if base is None:
            return None
        at = base.at
        while True:
            match self.symbol:
                case "[":
                    predicate = self.predicate()
                    base = Predicate(at=at, end=self.consumed, base=base, predicate=predicate)
                case "(":
                    arguments = self.arguments()
                    base = DynamicCall(at=at, end=self.consumed, function=base, arguments=arguments)
                case "?":
                    self.advance()
                    key = self._lookup_key()
                    base = Lookup(at=at, end=self.consumed, base=base, key=key)
                case _:
                    return base

    def predicate(self) -> Expression:
        """Takes ``[ expression ]``."""
        self.need_symbol("[")
        predicate = self.expression()
        self.need_symbol("]")
        return predicate

    def arguments(self) -> tuple[Expression, ...]:
        """Takes an argument list; ``?`` alone is a :class:`Placeholder`."""
        self.need_symbol("(")
        found: list[Expression] = []
        if self.symbol != ")":
            found.append(self._argument())
            while self.take_symbol(","):
                found.append(self._argument())
        if self.symbol != ")":
            raise self.unexpected('"," or ")"')
        self.advance()
        return tuple(found)

    def _argument(self) -> Expression:
        if self.symbol == "?" and self.next_symbol() in (",", ")"):
            token = self.advance()
            return Placeholder(at=token.at, end=token.end)
        return self.single()

    def _lookup_key(self) -> str | int | Expression | None:
        if self.take_symbol("*"):
            return None
        if self.symbol == "(":
            return self.parenthesized()
        if self.token.kind is TokenKind.INTEGER:
            return self.integer()
        if not self.is_name or self.token.text.startswith("Q{"):
            raise self.unexpected('a key: a name, an integer, "*" or "("')
        return self._first_ncname()

    def _first_ncname(self) -> str:
        """Takes a name that ends before a colon: in a map ``{$m?a:b}`` has the key ``$m?a``."""
        text, colon, _ = self.token.text.partition(":")
        if not colon:
            return self.ncname()
        self.resume(self.token.at + len(text))
        return text

    def _primary(self) -> Expression | None:
        if self.is_literal:
            return self.literal()
        if self.is_name:
            return self._named_primary()
        token = self.token
        match self.symbol:
            case "$":
                name = self.variable_name()
                return VariableReference(at=token.at, end=self.consumed, name=name)
            case "(":
                return self.parenthesized()
            case ".":
                self.advance()
                return ContextItem(at=token.at, end=token.end)
            case "?":
                self.advance()
                return UnaryLookup(key=self._lookup_key(), at=token.at, end=self.consumed)
            case "[":
                return self.square_array()
            case "%" if self.is_xquery:
                return self._inline_function()
            case "``[" if self.is_xquery:
                return self.string_constructor()
            case _:
                return self.direct_constructor() if self.is_direct_constructor else None

    def _named_primary(self) -> Expression | None:
        """Takes a constructor, function, call or reference; None: the name is a name test."""
        constructor = self.computed_constructor()
        if constructor is not None:
            return constructor
        token = self.token
        following = self.next_symbol()
        if following == "{" and self.is_xquery and self.word in ("ordered", "unordered"):
            is_ordered = self.advance().text == "ordered"
            body = self.enclosed()
            return Ordered(at=token.at, end=self.consumed, is_ordered=is_ordered, body=body)
        if following == "(":
            if self.word == "function":
                return self._inline_function()
            name = self.function_name()
            arguments = self.arguments()
            return FunctionCall(at=token.at, end=self.consumed, name=name, arguments=arguments)
        if following == "#":
            name = self.function_name()
            self.advance()
            arity = self.integer()
            return FunctionReference(at=token.at, end=self.consumed, name=name, arity=arity)
        return None

    def function_name(self) -> Name:
        """Takes a function's name, which without a prefix must not be a reserved one."""
        token = self.token
        if self.word in RESERVED_FUNCTIONS:
            message = f'"{token.text}" is reserved and cannot name a function'
            raise self.error("XPST0003", message, token.at, token.end)
        return self.name("a function's name")

    def _inline_function(self) -> Expression:
        at = self.token.at
        annotations = self.annotations()
        self.need_word("function")
        parameters, result = self.signature()
        body = self.enclosed()
        return InlineFunction(
            at=at,
            end=self.consumed,
            parameters=parameters,
            result=result,
            body=body,
            annotations=annotations,
        )

    def signature(self) -> tuple[tuple[Parameter, ...], SequenceType | None]:
        """Takes ``(parameters) as type``."""
        self.need_symbol("(")
        parameters = []
        if self.symbol != ")":
            parameters.append(self._parameter())
            while self.take_symbol(","):
                parameters.append(self._parameter())
        self.need_symbol(")")
        return tuple(parameters), self.optional_type()

    def _parameter(self) -> Parameter:
        at = self.token.at
        name = self.variable_name()
        return Parameter(at=at, name=name, type=self.optional_type())
