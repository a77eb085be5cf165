"""FLWOR expressions (XQuery 3.1, section 3.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    Assignment,
    CountClause,
    Flwor,
    ForBinding,
    ForClause,
    GroupByClause,
    GroupingKey,
    LetClause,
    OrderByClause,
    OrderKey,
    WhereClause,
    WindowClause,
    WindowCondition,
)
from jvmscope.queries.xquery.syntax.parsing.operators import OPERATOR_WORDS, OperatorParser

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Clause, Expression
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["FlworParser"]

_CLAUSES = ("for", "let", "where", "group", "stable", "order", "count", "return")


class FlworParser(OperatorParser):
    """Reads FLWOR expressions."""

    @property
    def is_flwor(self) -> bool:
        """Whether ``for`` or ``let`` and a binding are here."""
        if self.word == "let":
            return self.next_symbol() == "$"
        if self.word != "for":
            return False
        following = self.peek().text
        return following == "$" or (self.is_xquery and following in ("tumbling", "sliding"))

    def flwor(self) -> Expression:
        """Takes a FLWOR expression; in XPath one ``for`` or ``let`` with its bindings."""
        at = self.token.at
        clauses = list(self._initial_clause())
        while self.is_xquery:
            more = self._clause()
            if not more:
                break
            clauses += more
        if self.word != "return":
            expected = 'a clause or "return"' if self.is_xquery else '"return"'
            raise self.unexpected(expected, (*_CLAUSES, *OPERATOR_WORDS))
        self.advance()
        result = self.single()
        return Flwor(at=at, end=self.consumed, clauses=tuple(clauses), result=result)

    def _initial_clause(self) -> list[Clause]:
        if self.take_word("let"):
            return self._let()
        self.need_word("for")
        return self._for()

    def _clause(self) -> list[Clause]:
        """Takes a clause, each binding of which is one; none is here if the list is empty."""
        at = self.token.at
        match self.word:
            case "for" | "let":
                return self._initial_clause()
            case "where":
                self.advance()
                return [WhereClause(condition=self.single())]
            case "group":
                return [self._group_by()]
            case "stable" | "order":
                return [self._order_by()]
            case "count":
                self.advance()
                return [CountClause(at=at, name=self.variable_name())]
            case _:
                return []

    def _for(self) -> list[Clause]:
        if self.is_xquery and self.word in ("tumbling", "sliding"):
            return [self._window()]
        clauses: list[Clause] = [ForClause(binding=self._for_binding())]
        while self.take_symbol(","):
            clauses.append(ForClause(binding=self._for_binding()))
        return clauses

    def _for_binding(self) -> ForBinding:
        at = self.token.at
        name, type_ = self._typed_variable()
        allows_empty = False
        position = None
        if self.is_xquery:
            if self.take_word("allowing"):
                self.need_word("empty")
                allows_empty = True
            position = self._variable_after("at")
        self.need_word("in")
        return ForBinding(
            at=at,
            name=name,
            type=type_,
            allows_empty=allows_empty,
            position=position,
            expression=self.single(),
        )

    def _typed_variable(self) -> tuple[Name, SequenceType | None]:
        name = self.variable_name()
        return name, self.optional_type() if self.is_xquery else None

    def _variable_after(self, word: str) -> Name | None:
        return self.variable_name() if self.take_word(word) else None

    def _let(self) -> list[Clause]:
        clauses: list[Clause] = []
        while not clauses or self.take_symbol(","):
            at = self.token.at
            name, type_ = self._typed_variable()
            self.need_symbol(":=")
            expression = self.single()
            assignment = Assignment(at=at, name=name, type=type_, expression=expression)
            clauses.append(LetClause(assignment=assignment))
        return clauses

    def _window(self) -> Clause:
        is_sliding = self.advance().text == "sliding"
        self.need_word("window")
        at = self.token.at
        name, type_ = self._typed_variable()
        self.need_word("in")
        expression = self.single()
        self.need_word("start")
        start = self._window_condition()
        only_end = bool(self.take_word("only"))
        end = None
        if only_end or is_sliding or self.word == "end":
            self.need_word("end")
            end = self._window_condition()
        return WindowClause(
            at=at,
            is_sliding=is_sliding,
            name=name,
            type=type_,
            expression=expression,
            start=start,
            window_end=end,
            only_end=only_end,
        )

    def _window_condition(self) -> WindowCondition:
        at = self.token.at
        item = self.variable_name() if self.symbol == "$" else None
        position = self._variable_after("at")
        previous = self._variable_after("previous")
        following = self._variable_after("next")
        self.need_word("when")
        return WindowCondition(
            at=at,
            item=item,
            position=position,
            previous=previous,
            next=following,
            when=self.single(),
        )

    def _group_by(self) -> Clause:
        at = self.advance().at
        self.need_word("by")
        keys = [self._grouping_key()]
        while self.take_symbol(","):
            keys.append(self._grouping_key())
        return GroupByClause(at=at, keys=tuple(keys))

    def _grouping_key(self) -> GroupingKey:
        at = self.token.at
        name, type_ = self._typed_variable()
        expression = None
        if type_ is not None or self.symbol == ":=":
            self.need_symbol(":=")
            expression = self.single()
        return GroupingKey(
            at=at, name=name, type=type_, expression=expression, collation=self._collation()
        )

    def _collation(self) -> str | None:
        return self.uri("a collation's URI") if self.take_word("collation") else None

    def _order_by(self) -> Clause:
        at = self.token.at
        is_stable = bool(self.take_word("stable"))
        self.need_word("order")
        self.need_word("by")
        keys = [self._order_key()]
        while self.take_symbol(","):
            keys.append(self._order_key())
        return OrderByClause(at=at, is_stable=is_stable, keys=tuple(keys))

    def _order_key(self) -> OrderKey:
        expression = self.single()
        is_descending = self.take_word("ascending", "descending") == "descending"
        empty_least = None
        if self.take_word("empty"):
            empty_least = self.need_word("greatest", "least") == "least"
        return OrderKey(
            expression=expression,
            is_descending=is_descending,
            empty_least=empty_least,
            collation=self._collation(),
        )
