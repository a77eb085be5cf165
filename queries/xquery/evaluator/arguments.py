"""Arguments and results: closures that convert by the function conversion rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.queries.xquery.evaluator.code import Code, Frame, atomic_operand
from jvmscope.queries.xquery.evaluator.sequences import held
from jvmscope.queries.xquery.items.conversion import converter, item_converter
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.subtypes import show_type, unwrap
from jvmscope.queries.xquery.syntax.types import AtomicType, ItemSequence, Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Argument", "argument", "is_single_type"]

_SINGLE = {Occurrence.ONE, Occurrence.OPTIONAL}


class Argument(NamedTuple):
    """A closure for an argument.

    Attributes:
        value: returns the item or None where single, else a sequence to be read again.
        is_single: its type allows one item at most.
    """

    value: Callable[[Frame, Item], Any]
    is_single: bool


def is_single_type(kind: SequenceType | None) -> bool:
    """Tells whether a type allows one item at most, and perhaps none."""
    return isinstance(kind, ItemSequence) and kind.occurrence in _SINGLE


def argument(code: Code, kind: SequenceType | None, *, is_lazy: bool = False) -> Argument:
    """Returns the closure that evaluates an expression as an argument of a type.

    Args:
        code: the expression.
        kind: the parameter's type, or None.
        is_lazy: a sequence may be read once only.
    """
    if isinstance(kind, ItemSequence) and kind.occurrence in _SINGLE:
        return Argument(_single(code, kind), is_single=True)
    items = code.items
    convert = converter(kind)
    if is_lazy:
        return Argument(lambda frame, item: convert(items(frame, item)), is_single=False)
    return Argument(lambda frame, item: held(convert(items(frame, item))), is_single=False)


def _single(code: Code, kind: ItemSequence) -> Callable[[Frame, Item], Any]:
    turn = item_converter(kind.item)
    is_atomic = isinstance(unwrap(kind.item), AtomicType)
    operand = atomic_operand(code) if is_atomic else code.one
    is_optional = kind.occurrence is Occurrence.OPTIONAL

    def value(frame: Frame, item: Item) -> Any:
        found = operand(frame, item)
        if found is not None:
            return turn(found)
        if is_optional:
            return None
        expected = show_type(kind)
        raise DynamicError("XPTY0004", f"{expected} expected, found the empty sequence")

    return value
