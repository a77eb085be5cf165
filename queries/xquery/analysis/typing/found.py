"""The types found so far, and the rules by which they are found, one for a class of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from jvmscope.queries.xquery.analysis.bounds import ANY, EMPTY
from jvmscope.queries.xquery.items.subtypes import is_subtype
from jvmscope.queries.xquery.syntax.ast import AxisStep
from jvmscope.queries.xquery.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.analysis.environment import Functions
    from jvmscope.queries.xquery.analysis.program import Program
    from jvmscope.queries.xquery.syntax.ast import Expression, Variable
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Types", "types"]

_Rule: TypeAlias = "Callable[[Types, Any, SequenceType | None], SequenceType]"

_RULES: dict[type, _Rule] = {}


def types(*kinds: type) -> Callable[[_Rule], _Rule]:
    """Returns a decorator that registers the rule of some classes of expressions.

    A rule gets the types found so far, the expression and its focus, and finds the types of all
    its parts.
    """

    def register(rule: _Rule) -> _Rule:
        _RULES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


class Types:
    """The types of a program's expressions and variables."""

    def __init__(self, program: Program, functions: Functions | None = None) -> None:
        self.program = program
        if functions is None:
            from jvmscope.queries.xquery.functions import registry

            functions = registry
        self.functions = functions
        self._expressions: dict[int, SequenceType] = {}
        self._variables: dict[Variable, SequenceType] = {}
        self._foci: dict[int, SequenceType | None] = {}

    def of(self, expression: Expression) -> SequenceType:
        """Returns an expression's type."""
        return self._expressions.get(id(expression), ANY)

    def focus_of(self, step: AxisStep) -> SequenceType | None:
        """Returns the type of the nodes that a step starts from, None if nothing is known."""
        return self._foci.get(id(step))

    def of_variable(self, variable: Variable | None) -> SequenceType:
        """Returns a variable's type."""
        if variable is None:
            return ANY
        return self._variables.get(variable, variable.type or ANY)

    def bind(self, variable: Variable | None, type_: SequenceType) -> None:
        """Notes what a variable is bound to; a declared type counts if it says more."""
        if variable is None:
            return
        declared = variable.type
        if declared is not None and not is_subtype(type_, declared):
            type_ = declared
        self._variables[variable] = type_

    def find(self, expression: Expression | None, focus: SequenceType | None) -> SequenceType:
        """Finds the types of an expression and its parts, and returns the expression's.

        Args:
            expression: what is typed; None is the empty sequence.
            focus: the type of the context item, None if nothing is known of it.
        """
        if expression is None:
            return EMPTY
        rule = _RULES.get(type(expression))
        found = self._parts(expression, focus) if rule is None else rule(self, expression, focus)
        self._expressions[id(expression)] = found
        if isinstance(expression, AxisStep):
            self._foci[id(expression)] = focus
        return found

    def find_all(self, parts: tuple[Any, ...], focus: SequenceType | None) -> list[SequenceType]:
        """Finds the types of several expressions; strings and None among them are left out."""
        return [
            self.find(part, focus) for part in parts if part is not None and type(part) is not str
        ]

    def _parts(self, node: Any, focus: SequenceType | None) -> SequenceType:
        """Finds the types of what an expression without a rule holds."""
        for child in children(node):
            self.find(child, focus)
        return ANY
