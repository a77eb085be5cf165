"""The types of a whole program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.bounds import ANY, item_of
from jvmscope.queries.xquery.analysis.typing.found import Types
from jvmscope.queries.xquery.syntax.depth import deep_stack
from jvmscope.queries.xquery.syntax.types import ItemSequence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.analysis.environment import Functions
    from jvmscope.queries.xquery.analysis.program import Program
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

__all__ = ["infer"]


def infer(
    program: Program,
    functions: Functions | None = None,
    *,
    given: Mapping[Name, SequenceType] | None = None,
) -> Types:
    """Returns the types of a program's expressions.

    Args:
        program: an analysed program.
        functions: the built-in functions that it was analysed with; None: those of jvmscope.
        given: types of external variables, by name, that are known to hold.
    """
    found = Types(program, functions)
    with deep_stack():
        focus = _focus(program.context.context_item_type)
        for declaration, context in program.variables:
            own = _focus(context.context_item_type)
            value = found.find(declaration.expression, own)
            if declaration.is_external:
                value = (given or {}).get(declaration.name, ANY)
            found.bind(declaration.variable, value)
        for function in program.functions.values():
            found.find(function.declaration.body, None)
        found.find(program.main.body, focus)
    return found


def _focus(type_: ItemType | None) -> SequenceType | None:
    return None if type_ is None else ItemSequence(item_of(ItemSequence(type_)))
