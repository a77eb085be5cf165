"""The declared types of variables: matched without conversion, as ``treat as`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.subtypes import show_type
from jvmscope.queries.xquery.items.type_matching import item_matcher
from jvmscope.queries.xquery.syntax.types import EmptySequence, Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.evaluator.closures import Compiler
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["checked_binding", "checked_item", "treated"]


def treated(
    kind: SequenceType, code: str = "XPDY0050"
) -> Callable[[Iterable[Item]], Iterator[Item]]:
    """Returns the function that passes on the items of a sequence of a type, and no others.

    Args:
        kind: the type, with expanded names.
        code: of the error that is raised at the item that does not belong to it.
    """
    expected = show_type(kind)
    matches = _nothing if isinstance(kind, EmptySequence) else item_matcher(kind.item)
    occurrence = Occurrence.ANY if isinstance(kind, EmptySequence) else kind.occurrence
    is_one = occurrence in {Occurrence.ONE, Occurrence.OPTIONAL}
    needs_one = occurrence in {Occurrence.ONE, Occurrence.MANY}

    def treat(items: Iterable[Item]) -> Iterator[Item]:
        number = 0
        for number, item in enumerate(items, 1):
            if not matches(item):
                raise DynamicError(code, f"{expected} expected, found {describe(item)}")
            if is_one and number > 1:
                raise DynamicError(code, f"{expected} expected, found several items")
            yield item
        if needs_one and not number:
            raise DynamicError(code, f"{expected} expected, found the empty sequence")

    return treat


def _nothing(_item: Item) -> bool:
    return False


def checked_binding(
    compiler: Compiler, kind: SequenceType | None, expression: Any
) -> Callable[[Iterable[Item]], Iterable[Item]]:
    """Returns the function that checks the sequence that a variable is bound to (XPTY0004)."""
    if kind is None:
        return lambda items: items
    treat = treated(kind, "XPTY0004")
    place = compiler.placer(expression)

    def check(items: Iterable[Item]) -> Iterator[Item]:
        try:
            yield from treat(items)
        except DynamicError as error:
            place(error)
            raise

    return check


def checked_item(
    compiler: Compiler, kind: SequenceType | None, expression: Any
) -> Callable[[Item], Item] | None:
    """Returns the function that checks an item that a variable is bound to; None: any passes."""
    if kind is None:
        return None
    check = checked_binding(compiler, kind, expression)

    def checked(item: Item) -> Item:
        for _ in check((item,)):
            pass
        return item

    return checked
