"""Static types where they are known: an upper bound for each expression of a program.

A bound is safe: every value that an expression has without an error is of that type. Where
nothing is known it is ``item()*``. Nothing is refused here: the rules of static typing, an
optional feature of XQuery, are not those of this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from jvmscope.queries.analysis.bounds import ANY, EMPTY, item_of
from jvmscope.queries.items.subtypes import is_subtype
from jvmscope.queries.syntax.depth import deep_stack
from jvmscope.queries.syntax.types import ItemSequence
from jvmscope.queries.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.analysis.environment import Functions
    from jvmscope.queries.analysis.program import Program
    from jvmscope.queries.syntax.ast import Expression, Variable
    from jvmscope.queries.syntax.types import ItemType, SequenceType

__all__ = ["Types", "infer", "types"]

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
            from jvmscope.queries.functions import registry

            functions = registry
        self.functions = functions
        self._expressions: dict[int, SequenceType] = {}
        self._variables: dict[Variable, SequenceType] = {}

    def of(self, expression: Expression) -> SequenceType:
        """Returns an expression's type."""
        return self._expressions.get(id(expression), ANY)

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


def infer(program: Program, functions: Functions | None = None) -> Types:
    """Returns the types of a program's expressions.

    Args:
        program: an analysed program.
        functions: the built-in functions that it was analysed with; None: those of jvmscope.
    """
    from jvmscope.queries.analysis import typing_flwor, typing_rules  # noqa: F401 - they register

    found = Types(program, functions)
    with deep_stack():
        focus = _focus(program.context.context_item_type)
        for declaration, context in program.variables:
            own = _focus(context.context_item_type)
            value = found.find(declaration.expression, own)
            is_given = declaration.is_external
            found.bind(declaration.variable, ANY if is_given else value)
        for function in program.functions.values():
            found.find(function.declaration.body, None)
        found.find(program.main.body, focus)
    return found


def _focus(type_: ItemType | None) -> SequenceType | None:
    return None if type_ is None else ItemSequence(item_of(ItemSequence(type_)))
