"""Arrays (F&O 3.1, section 17.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.ordering import sort_by
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import atomize
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Item, Sequence

__all__ = [
    "append",
    "filter_members",
    "flatten",
    "fold_left",
    "fold_right",
    "for_each",
    "for_each_pair",
    "get",
    "head",
    "insert_before",
    "join",
    "put",
    "remove",
    "reverse",
    "size",
    "sort",
    "subarray",
    "tail",
]


@builtin("array:size($array as array(*)) as xs:integer")
def size(array: ArrayItem) -> int:
    """Returns the number of members."""
    return len(array)


@builtin("array:get($array as array(*), $position as xs:integer) as item()*")
def get(array: ArrayItem, position: int) -> Sequence:
    """Returns the member at a position; FOAY0001 if there is none."""
    return array.get(position)


@builtin("array:put($array as array(*), $position as xs:integer, $member as item()*) as array(*)")
def put(array: ArrayItem, position: int, member: list[Item]) -> ArrayItem:
    """Returns an array with one member replaced."""
    array.get(position)
    members = list(array.members)
    members[position - 1] = tuple(member)
    return ArrayItem(tuple(members))


@builtin("array:append($array as array(*), $appendage as item()*) as array(*)")
def append(array: ArrayItem, appendage: list[Item]) -> ArrayItem:
    """Returns an array with one member more."""
    return ArrayItem((*array.members, tuple(appendage)))


@builtin("array:subarray($array as array(*), $start as xs:integer) as array(*)")
@builtin(
    "array:subarray($array as array(*), $start as xs:integer, $length as xs:integer) as array(*)"
)
def subarray(array: ArrayItem, start: int, length: int | None = None) -> ArrayItem:
    """Returns the members from a position on; FOAY0001, FOAY0002 if there are not as many."""
    n = len(array) - start + 1 if length is None else length
    if not 1 <= start <= len(array) + 1:
        raise DynamicError("FOAY0001", f"there is no member {start} in an array of {len(array)}")
    if n < 0:
        raise DynamicError("FOAY0002", f"a length of {n} is negative")
    if start + n > len(array) + 1:
        raise DynamicError("FOAY0001", f"there are no {n} members from {start} on")
    return ArrayItem(array.members[start - 1 : start - 1 + n])


@builtin("array:remove($array as array(*), $positions as xs:integer*) as array(*)")
def remove(array: ArrayItem, positions: list[int]) -> ArrayItem:
    """Returns an array without the members at some positions."""
    for position in positions:
        array.get(position)
    left_out = set(positions)
    return ArrayItem(
        tuple(member for at, member in enumerate(array.members, 1) if at not in left_out)
    )


@builtin(
    "array:insert-before($array as array(*), $position as xs:integer, $member as item()*)"
    " as array(*)"
)
def insert_before(array: ArrayItem, position: int, member: list[Item]) -> ArrayItem:
    """Returns an array with a member inserted."""
    if position != len(array) + 1:
        array.get(position)
    members = array.members
    return ArrayItem((*members[: position - 1], tuple(member), *members[position - 1 :]))


@builtin("array:head($array as array(*)) as item()*")
def head(array: ArrayItem) -> Sequence:
    """Returns the first member."""
    return array.get(1)


@builtin("array:tail($array as array(*)) as array(*)")
def tail(array: ArrayItem) -> ArrayItem:
    """Returns all members but the first."""
    array.get(1)
    return ArrayItem(array.members[1:])


@builtin("array:reverse($array as array(*)) as array(*)")
def reverse(array: ArrayItem) -> ArrayItem:
    """Returns the members in reverse order."""
    return ArrayItem(array.members[::-1])


@builtin("array:join($arrays as array(*)*) as array(*)")
def join(arrays: list[ArrayItem]) -> ArrayItem:
    """Returns the members of some arrays in one."""
    return ArrayItem(tuple(member for array in arrays for member in array.members))


@builtin("array:for-each($array as array(*), $action as function(item()*) as item()*) as array(*)")
def for_each(array: ArrayItem, action: FunctionItem) -> ArrayItem:
    """Returns an array of the results of a function of each member."""
    return ArrayItem(tuple(tuple(action(member)) for member in array.members))


@builtin(
    "array:filter($array as array(*), $function as function(item()*) as xs:boolean) as array(*)"
)
def filter_members(array: ArrayItem, function: FunctionItem) -> ArrayItem:
    """Returns the members for which a function is true."""
    return ArrayItem(tuple(member for member in array.members if next(iter(function(member)))))


@builtin(
    "array:fold-left($array as array(*), $zero as item()*,"
    " $function as function(item()*, item()*) as item()*) as item()*"
)
def fold_left(array: ArrayItem, zero: list[Item], function: FunctionItem) -> Sequence:
    """Returns f(f(f(zero, 1), 2), 3) and so on."""
    result: Sequence = zero
    for member in array.members:
        result = tuple(function(result, member))
    return result


@builtin(
    "array:fold-right($array as array(*), $zero as item()*,"
    " $function as function(item()*, item()*) as item()*) as item()*"
)
def fold_right(array: ArrayItem, zero: list[Item], function: FunctionItem) -> Sequence:
    """Returns f(1, f(2, f(3, zero))) and so on."""
    result: Sequence = zero
    for member in reversed(array.members):
        result = tuple(function(member, result))
    return result


@builtin(
    "array:for-each-pair($array1 as array(*), $array2 as array(*),"
    " $function as function(item()*, item()*) as item()*) as array(*)"
)
def for_each_pair(array1: ArrayItem, array2: ArrayItem, function: FunctionItem) -> ArrayItem:
    """Returns an array of the results of a function of the members at the same positions."""
    pairs = zip(array1.members, array2.members, strict=False)
    return ArrayItem(tuple(tuple(function(one, other)) for one, other in pairs))


@builtin("array:sort($array as array(*)) as array(*)")
@builtin("array:sort($array as array(*), $collation as xs:string?) as array(*)")
@builtin(
    "array:sort($array as array(*), $collation as xs:string?,"
    " $key as function(item()*) as xs:anyAtomicType*) as array(*)"
)
def sort(
    context: Context,
    array: ArrayItem,
    collation: str | None = None,
    key: FunctionItem | None = None,
) -> ArrayItem:
    """Returns the members in the order of their keys."""

    def key_of(member: tuple[Any, ...]) -> Sequence:
        return atomize(member) if key is None else key(member)

    used = collation_of(context, collation)
    return ArrayItem(tuple(sort_by(array.members, key_of, used, context.timezone)))


@builtin("array:flatten($input as item()*) as item()*", lazy=True)
def flatten(items: Sequence) -> Iterator[Item]:
    """Returns items with every array, at any depth, replaced by the items in it."""
    pending = [iter(items)]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
        elif isinstance(item, ArrayItem):
            pending.append(content for member in item.members for content in member)
        else:
            yield item
