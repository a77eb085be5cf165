"""Quantifiers, conditionals, switches, try, validation, extensions (XQuery 3.1, 3.13 to 3.19)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    Binding,
    Case,
    CatchClause,
    Extension,
    If,
    Pragma,
    Quantified,
    Switch,
    SwitchCase,
    TryCatch,
    Typeswitch,
    Validate,
)
from jvmscope.queries.xquery.syntax.parsing.flwor import FlworParser

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__ = ["ControlParser"]

_SPACE = re.compile(r"[ \t\n]*")


class ControlParser(FlworParser):
    """Reads single expressions, which a keyword and a bracket may begin."""

    def single(self) -> Expression:
        """Takes an ExprSingle."""
        self.deeper()
        expression = (self._keyword_expression() if self.word else None) or self.operators()
        self.shallower()
        return expression

    def _keyword_expression(self) -> Expression | None:
        if self.is_flwor:
            return self.flwor()
        match self.word, self.next_symbol():
            case (("some" | "every"), "$"):
                return self._quantified()
            case "if", "(":
                return self._if()
            case "switch", "(" if self.is_xquery:
                return self._switch()
            case "typeswitch", "(" if self.is_xquery:
                return self._typeswitch()
            case "try", "{" if self.is_xquery:
                return self._try()
            case _:
                return None

    def _operand(self) -> Expression:
        self.need_symbol("(")
        operand = self.expression()
        self.need_symbol(")")
        return operand

    def _quantified(self) -> Expression:
        token = self.advance()
        bindings = [self._binding()]
        while self.take_symbol(","):
            bindings.append(self._binding())
        self.need_word("satisfies")
        condition = self.single()
        return Quantified(
            at=token.at,
            end=self.consumed,
            quantifier=token.text,
            bindings=tuple(bindings),
            condition=condition,
        )

    def _binding(self) -> Binding:
        at = self.token.at
        name, type_ = self._typed_variable()
        self.need_word("in")
        return Binding(at=at, name=name, type=type_, expression=self.single())

    def _if(self) -> Expression:
        at = self.advance().at
        condition = self._operand()
        self.need_word("then")
        then = self.single()
        self.need_word("else")
        otherwise = self.single()
        return If(at=at, end=self.consumed, condition=condition, then=then, otherwise=otherwise)

    def _switch(self) -> Expression:
        at = self.advance().at
        operand = self._operand()
        cases: list[SwitchCase] = []
        while self.word == "case" or not cases:
            operands: list[Expression] = []
            while self.word == "case" or not operands:
                self.need_word("case")
                operands.append(self.single())
            self.need_word("return")
            cases.append(SwitchCase(operands=tuple(operands), result=self.single()))
        self.need_word("default")
        self.need_word("return")
        default = self.single()
        return Switch(
            at=at, end=self.consumed, operand=operand, cases=tuple(cases), default=default
        )

    def _typeswitch(self) -> Expression:
        at = self.advance().at
        operand = self._operand()
        cases: list[Case] = []
        while self.word == "case" or not cases:
            cases.append(self._case())
        default_at = self.token.at
        self.need_word("default")
        name = self.variable_name() if self.symbol == "$" else None
        self.need_word("return")
        default = Case(at=default_at, name=name, types=(), result=self.single())
        return Typeswitch(
            at=at, end=self.consumed, operand=operand, cases=tuple(cases), default=default
        )

    def _case(self) -> Case:
        at = self.token.at
        self.need_word("case")
        name = None
        if self.symbol == "$":
            name = self.variable_name()
            self.need_word("as")
        types = [self.sequence_type()]
        while self.take_symbol("|"):
            types.append(self.sequence_type())
        self.need_word("return")
        return Case(at=at, name=name, types=tuple(types), result=self.single())

    def _try(self) -> Expression:
        at = self.advance().at
        body = self.enclosed()
        clauses: list[CatchClause] = []
        while self.word == "catch" or not clauses:
            clause_at = self.token.at
            self.need_word("catch")
            tests = [self._error_test()]
            while self.take_symbol("|"):
                tests.append(self._error_test())
            clauses.append(CatchClause(at=clause_at, tests=tuple(tests), body=self.enclosed()))
        return TryCatch(at=at, end=self.consumed, body=body, clauses=tuple(clauses))

    def _error_test(self) -> NodeTest:
        test = self.name_test()
        if test is None:
            raise self.unexpected("an error's name")
        return test

    # -- values

    def value(self) -> Expression:
        """Takes a ValueExpr."""
        if self.is_xquery:
            if self.symbol == "(#":
                return self._extension()
            if self.word == "validate" and self._is_validate:
                return self._validate()
        return self.simple_map()

    @property
    def _is_validate(self) -> bool:
        following = self.peek()
        return following.text in ("{", "lax", "strict", "type")

    def _validate(self) -> Expression:
        at = self.advance().at
        mode = self.take_word("lax", "strict", "type") or "strict"
        type_name = self.name("a type") if mode == "type" else None
        self.need_symbol("{")
        body = self.expression()
        self.need_symbol("}")
        return Validate(at=at, end=self.consumed, mode=mode, type_name=type_name, body=body)

    def _extension(self) -> Expression:
        at = self.token.at
        pragmas = []
        while self.symbol == "(#":
            pragmas.append(self._pragma())
        body = self.enclosed()
        return Extension(at=at, end=self.consumed, pragmas=tuple(pragmas), body=body)

    def _pragma(self) -> Pragma:
        start = self.token
        space = _SPACE.match(self.text, start.end)
        self.resume(space.end() if space else start.end)
        if not self.is_name:
            raise self.unexpected("the pragma's name")
        name_token = self.token
        name = self._to_name(name_token)
        stop = self.text.find("#)", name_token.end)
        if stop < 0:
            raise self.error("XPST0003", 'a pragma without "#)"', start.at, start.end)
        content = self.text[name_token.end : stop]
        if content and content[0] not in " \t\n":
            raise self.error("XPST0003", "expected a space after the name", name_token.end)
        self.resume(stop + 2)
        return Pragma(at=start.at, name=name, content=content.lstrip(" \t\n"))
