"""Paths and steps (XQuery 3.1, section 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import AxisStep, Path, RootStep
from jvmscope.queries.xquery.syntax.parsing.keywords import KIND_TESTS
from jvmscope.queries.xquery.syntax.parsing.primary import PrimaryParser
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind
from jvmscope.queries.xquery.syntax.types import KindTest

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__ = ["AXES", "PathParser"]

AXES = frozenset(
    {
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "namespace",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    }
)
_ANY_NODE = KindTest("node")
_AXIS_OF_KIND = {
    "attribute": "attribute",
    "schema-attribute": "attribute",
    "namespace-node": "namespace",
}
_STEP_SYMBOLS = frozenset(["@", "..", "*", ".", "$", "(", "?", "%", "[", "``["])
_STEP_KINDS = {
    TokenKind.NAME,
    TokenKind.QNAME,
    TokenKind.WILDCARD,
    TokenKind.STRING,
    TokenKind.INTEGER,
    TokenKind.DECIMAL,
    TokenKind.DOUBLE,
}


class PathParser(PrimaryParser):
    """Reads paths."""

    def path(self) -> Expression:
        """Takes a path, or the one step that is all of it."""
        at = self.token.at
        steps: list[Expression] = []
        if self.symbol == "/":
            end = self.advance().end
            steps.append(RootStep(at=at, end=end))
            # A slash is the whole path only if what follows it cannot begin a step.
            if not self._is_step:
                return steps[0]
        elif self.symbol == "//":
            end = self.token.end
            steps += [RootStep(at=at, end=end), self._any_descendant()]
        steps.append(self._step())
        while self.symbol in ("/", "//"):
            if self.symbol == "//":
                steps.append(self._any_descendant())
            else:
                self.advance()
            steps.append(self._step())
        return steps[0] if len(steps) == 1 else Path(at=at, end=self.consumed, steps=tuple(steps))

    def _any_descendant(self) -> Expression:
        token = self.advance()
        return AxisStep(
            at=token.at,
            end=token.end,
            axis="descendant-or-self",
            test=_ANY_NODE,
            is_abbreviated=True,
        )

    @property
    def _is_step(self) -> bool:
        return (
            self.token.kind in _STEP_KINDS
            or self.symbol in _STEP_SYMBOLS
            or (self.symbol == "<" and self.is_xquery)
        )

    def _step(self) -> Expression:
        at = self.token.at
        if self.take_symbol(".."):
            return self._with_predicates(at, "parent", _ANY_NODE, is_abbreviated=True)
        if self.take_symbol("@"):
            return self._with_predicates(at, "attribute", self._node_test(), is_abbreviated=True)
        if self.word and self.next_symbol() == "::":
            return self._axis_step()
        if self.word in KIND_TESTS and self.next_symbol() == "(":
            test = self.kind_test()
            axis = _AXIS_OF_KIND.get(test.kind, "child")
            return self._with_predicates(at, axis, test, is_abbreviated=True)
        postfix = self.postfix()
        if postfix is not None:
            return postfix
        name = self.name_test()
        if name is None:
            raise self.unexpected("an expression")
        return self._with_predicates(at, "child", name, is_abbreviated=True)

    def _axis_step(self) -> Expression:
        if self.word not in AXES:
            raise self.unexpected("an axis", AXES)
        token = self.advance()
        self.advance()
        if token.text == "namespace" and self.is_xquery:
            message = "XQuery has no namespace axis"
            raise self.error("XPST0003", message, token.at, token.end)
        return self._with_predicates(token.at, token.text, self._node_test(), is_abbreviated=False)

    def _node_test(self) -> NodeTest:
        if self.word in KIND_TESTS and self.next_symbol() == "(":
            return self.kind_test()
        test = self.name_test()
        if test is None:
            raise self.unexpected("a node test")
        return test

    def _with_predicates(
        self, at: int, axis: str, test: NodeTest, *, is_abbreviated: bool
    ) -> Expression:
        predicates = []
        while self.symbol == "[":
            predicates.append(self.predicate())
        return AxisStep(
            at=at,
            end=self.consumed,
            axis=axis,
            test=test,
            predicates=tuple(predicates),
            is_abbreviated=is_abbreviated,
        )
