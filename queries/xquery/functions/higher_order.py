"""Functions on functions (F&O 3.1, section 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.ordering import sort_by
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import atomize
from jvmscope.queries.xquery.items.casts import qname
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementpath import datatypes as ep

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, FunctionItem
    from jvmscope.queries.xquery.items.types import Item, Sequence

__all__ = [
    "apply",
    "filter_items",
    "fold_left",
    "fold_right",
    "for_each",
    "for_each_pair",
    "function_arity",
    "function_lookup",
    "function_name",
    "sort",
]


@builtin(
    "fn:for-each($seq as item()*, $action as function(item()) as item()*) as item()*", lazy=True
)
def for_each(seq: Sequence, action: FunctionItem) -> Iterator[Item]:
    """Returns the results of a function of each item."""
    for item in seq:
        yield from action((item,))


@builtin("fn:filter($seq as item()*, $f as function(item()) as xs:boolean) as item()*", lazy=True)
def filter_items(seq: Sequence, f: FunctionItem) -> Iterator[Item]:
    """Returns the items for which a function is true."""
    for item in seq:
        if next(iter(f((item,)))):
            yield item


@builtin(
    "fn:fold-left($seq as item()*, $zero as item()*,"
    " $f as function(item()*, item()) as item()*) as item()*",
    lazy=True,
)
def fold_left(seq: Sequence, zero: Sequence, f: FunctionItem) -> Sequence:
    """Returns f(f(f(zero, 1), 2), 3) and so on."""
    result: Sequence = tuple(zero)
    for item in seq:
        result = tuple(f(result, (item,)))
    return result


@builtin(
    "fn:fold-right($seq as item()*, $zero as item()*,"
    " $f as function(item(), item()*) as item()*) as item()*"
)
def fold_right(seq: list[Item], zero: list[Item], f: FunctionItem) -> Sequence:
    """Returns f(1, f(2, f(3, zero))) and so on."""
    result: Sequence = zero
    for item in reversed(seq):
        result = tuple(f((item,), result))
    return result


@builtin(
    "fn:for-each-pair($seq1 as item()*, $seq2 as item()*,"
    " $action as function(item(), item()) as item()*) as item()*",
    lazy=True,
)
def for_each_pair(seq1: Sequence, seq2: Sequence, action: FunctionItem) -> Iterator[Item]:
    """Returns the results of a function of the items at the same positions."""
    for one, other in zip(seq1, seq2, strict=False):
        yield from action((one,), (other,))


@builtin("fn:sort($input as item()*) as item()*")
@builtin("fn:sort($input as item()*, $collation as xs:string?) as item()*")
@builtin(
    "fn:sort($input as item()*, $collation as xs:string?,"
    " $key as function(item()) as xs:anyAtomicType*) as item()*"
)
def sort(
    context: Context,
    items: list[Item],
    collation: str | None = None,
    key: FunctionItem | None = None,
) -> list[Item]:
    """Returns the items in the order of their keys."""

    def key_of(item: Item) -> Sequence:
        context.check()
        return atomize((item,)) if key is None else key((item,))

    return sort_by(items, key_of, collation_of(context, collation), context.timezone)


@builtin("fn:apply($function as function(*), $array as array(*)) as item()*")
def apply(function: CallableItem, array: ArrayItem) -> Sequence:
    """Returns the result of a function of an array's members; FOAP0001 if they are not as many."""
    if function.arity != len(array):
        message = f"a function of {function.arity} arguments was given {len(array)}"
        raise DynamicError("FOAP0001", message)
    return function(*array.members)


@builtin("fn:function-lookup($name as xs:QName, $arity as xs:integer) as function(*)?")
def function_lookup(context: Context, name: ep.QName, arity: int) -> Any:
    """Returns the function of a name and an arity, or nothing."""
    return context.lookup_function(Name(name.local_name, name.prefix or "", name.uri), arity)


@builtin("fn:function-name($func as function(*)) as xs:QName?")
def function_name(func: CallableItem) -> ep.QName | None:
    """Returns a function's name, or nothing."""
    name = func.name
    if name is None:
        return None
    return qname(name.uri or "", f"{name.prefix}:{name.local}" if name.prefix else name.local)


@builtin("fn:function-arity($func as function(*)) as xs:integer")
def function_arity(func: CallableItem) -> int:
    """Returns how many arguments a function takes."""
    return func.arity
