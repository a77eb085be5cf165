"""Operators, by precedence (XQuery 3.1, section A.4)."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    Arithmetic,
    ArrowCall,
    Binary,
    Cast,
    Castable,
    Comparison,
    Expression,
    InstanceOf,
    Logical,
    Range,
    SimpleMap,
    StringConcatenation,
    Treat,
    Unary,
    VariableReference,
)
from jvmscope.queries.xquery.syntax.parsing.paths import PathParser

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["OPERATOR_WORDS", "OperatorParser"]

_LEVELS = (
    ("or",),
    ("and",),
    ["eq", "ne", "lt", "le", "gt", "ge", "is", "=", "!=", "<", "<=", ">", ">=", "<<", ">>"],
    ("||",),
    ("to",),
    ("+", "-"),
    ("*", "div", "idiv", "mod"),
    ("union", "|"),
    ("intersect", "except"),
    ("instance",),
    ("treat",),
    ("castable",),
    ("cast",),
)
_LEVEL = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_FLAT = {"or", "and", "||"}  # operators whose operands are a list, however many there are
# Levels where one operator may follow another: the rest stand alone between their operands.
_CHAINED = {_LEVEL[operator] for operator in ("or", "and", "||", "+", "*", "union", "intersect")}
_SECOND_WORDS = {"instance": "of", "treat": "as", "castable": "as", "cast": "as"}

OPERATOR_WORDS = tuple(operator for operator in _LEVEL if operator.isalpha())
"""Keywords that may follow an operand."""


class OperatorParser(PathParser):
    """Reads operators and their operands."""

    @abstractmethod
    def value(self) -> Expression:
        """Takes a ValueExpr: an extension, a validation or a simple map."""

    def operators(self, weakest: int = 0) -> Expression:
        """Takes an operand with the operators after it that bind at least as strongly as asked."""
        left = self._arrow()
        strongest = len(_LEVELS)
        n_chained = 0
        while True:
            operator = self.symbol or self.word
            level = _LEVEL.get(operator, -1) if operator else -1
            if not weakest <= level <= strongest:
                break
            # A chain leans to the left, so that each operator makes the tree one level deeper.
            self.deeper()
            n_chained += 1
            if operator in _FLAT:
                left = self._flat(operator, left)
            else:
                self.advance()
                if operator in _SECOND_WORDS:
                    left = self._type_operator(operator, left)
                else:
                    left = _combine(operator, left, self.operators(level + 1))
            strongest = level if level in _CHAINED else level - 1
        for _ in range(n_chained):
            self.shallower()
        return left

    def _flat(self, operator: str, first: Expression) -> Expression:
        operands = [first]
        while operator in (self.symbol, self.word):
            self.advance()
            operands.append(self.operators(_LEVEL[operator] + 1))
        at, end, all_operands = first.at, operands[-1].end, tuple(operands)
        if operator == "||":
            return StringConcatenation(at=at, end=end, operands=all_operands)
        return Logical(at=at, end=end, operator=operator, operands=all_operands)

    def _type_operator(self, operator: str, operand: Expression) -> Expression:
        self.need_word(_SECOND_WORDS[operator])
        at = operand.at
        if operator in ("cast", "castable"):
            target = self.single_type()
            kind = Cast if operator == "cast" else Castable
            return kind(at=at, end=self.consumed, operand=operand, type=target)
        type_ = self.sequence_type()
        if operator == "instance":
            return InstanceOf(at=at, end=self.consumed, operand=operand, type=type_)
        return Treat(at=at, end=self.consumed, operand=operand, type=type_)

    def _arrow(self) -> Expression:
        first = self._unary()
        n_chained = 0
        while self.take_symbol("=>"):
            self.deeper()
            n_chained += 1
            function: Name | Expression
            if self.symbol == "$":
                at = self.token.at
                name = self.variable_name()
                function = VariableReference(at=at, end=self.consumed, name=name)
            elif self.symbol == "(":
                function = self.parenthesized()
            else:
                function = self.function_name()
            arguments = self.arguments()
            first = ArrowCall(
                at=first.at,
                end=self.consumed,
                first=first,
                function=function,
                arguments=arguments,
            )
        for _ in range(n_chained):
            self.shallower()
        return first

    def _unary(self) -> Expression:
        at = self.token.at
        signs = ""
        while self.symbol in ("+", "-"):
            signs += self.advance().text
        operand = self.value()
        if not signs:
            return operand
        is_negative = signs.count("-") % 2 == 1
        return Unary(at=at, end=self.consumed, is_negative=is_negative, operand=operand)

    def simple_map(self) -> Expression:
        """Takes paths with ``!`` between them."""
        left = self.path()
        n_chained = 0
        while self.take_symbol("!"):
            self.deeper()
            n_chained += 1
            right = self.path()
            left = SimpleMap(at=left.at, end=self.consumed, left=left, right=right)
        for _ in range(n_chained):
            self.shallower()
        return left


def _combine(operator: str, left: Expression, right: Expression) -> Expression:
    at, end = left.at, right.end
    match operator:
        case "to":
            return Range(at=at, end=end, first=left, last=right)
        case "+" | "-" | "*" | "div" | "idiv" | "mod":
            return Arithmetic(at=at, end=end, operator=operator, left=left, right=right)
        case "union" | "|":
            return Binary(at=at, end=end, operator="union", left=left, right=right)
        case "intersect" | "except":
            return Binary(at=at, end=end, operator=operator, left=left, right=right)
        case _:
            return Comparison(at=at, end=end, operator=operator, left=left, right=right)
