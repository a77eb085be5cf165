"""Maps (F&O 3.1, section 17.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import ArrayItem, MapItem
from jvmscope.queries.xquery.items.keys import same_key

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Atomic, Item, Sequence

__all__ = [
    "contains",
    "duplicates_option",
    "entry",
    "find",
    "for_each",
    "get",
    "keys",
    "merge",
    "merge_entries",
    "put",
    "remove",
    "size",
]


@builtin("map:merge($maps as map(*)*) as map(*)")
@builtin("map:merge($maps as map(*)*, $options as map(*)) as map(*)")
def merge(maps: list[MapItem], options: MapItem | None = None) -> MapItem:
    """Returns a map of the entries of some; `duplicates` says what equal keys give."""
    policy = "use-first" if options is None else duplicates_option(options, "use-first")
    if policy == "use-any":
        policy = "use-first"
    return merge_entries((pair for each in maps for pair in each.items()), policy, "FOJS0003")


_POLICIES = {"use-first", "use-last", "use-any", "combine", "reject"}


def duplicates_option(options: MapItem, default: str) -> str:
    """Returns the option `duplicates` of map:merge; FOJS0005 if it is unknown."""
    if "duplicates" not in options:
        return default
    value = options.get("duplicates")
    if len(value) == 1 and str(value[0]) in _POLICIES:
        return str(value[0])
    raise DynamicError("FOJS0005", "duplicates must be one of " + ", ".join(sorted(_POLICIES)))


def merge_entries(
    pairs: Iterable[tuple[Atomic, tuple[Any, ...]]], policy: str, code: str
) -> MapItem:
    """Returns a map of entries, in the order in which their keys come first.

    Args:
        pairs: keys and values.
        policy: what a key that was there already does: ``use-first``, ``use-last``, ``combine``
            the values, or ``reject``.
        code: the error that ``reject`` raises.
    """
    entries: dict[Hashable, Any] = {}
    combined: dict[Any, list[Any]] = {}
    for key, value in pairs:
        identity = same_key(key)
        known = entries.get(identity)
        if known is None or policy == "use-last":
            entries[identity] = (key, value)
        elif policy == "combine":
            combined.setdefault(identity, list(known[1])).extend(value)
        elif policy == "reject":
            raise DynamicError(code, f"the key {key!s} occurs twice")
    for identity, values in combined.items():
        entries[identity] = (entries[identity][0], tuple(values))
    return MapItem(entries)


@builtin("map:size($map as map(*)) as xs:integer")
def size(map_: MapItem) -> int:
    """Returns the number of entries."""
    return len(map_)


@builtin("map:keys($map as map(*)) as xs:anyAtomicType*")
def keys(map_: MapItem) -> Iterator[Atomic]:
    """Returns the keys, in the order in which they were added."""
    return map_.keys()


@builtin("map:contains($map as map(*), $key as xs:anyAtomicType) as xs:boolean")
def contains(map_: MapItem, key: Atomic) -> bool:
    """Tells whether a map has a key."""
    return key in map_


@builtin("map:get($map as map(*), $key as xs:anyAtomicType) as item()*")
def get(map_: MapItem, key: Atomic) -> Sequence:
    """Returns the value of a key, or nothing."""
    return map_.get(key)


@builtin("map:find($input as item()*, $key as xs:anyAtomicType) as array(*)")
def find(items: list[Item], key: Atomic) -> ArrayItem:
    """Returns the values of a key in maps at any depth of maps and arrays."""
    found: list[tuple[Any, ...]] = []
    wanted = same_key(key)
    pending: list[Iterator[Any]] = [iter(items)]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
        elif isinstance(item, ArrayItem):
            pending.append(content for member in item.members for content in member)
        elif isinstance(item, MapItem):
            if (value := item.at(wanted)) is not None:
                found.append(value)
            pending.append(content for _, value in item.items() for content in value)
    return ArrayItem(tuple(found))


@builtin("map:put($map as map(*), $key as xs:anyAtomicType, $value as item()*) as map(*)")
def put(map_: MapItem, key: Atomic, value: list[Item]) -> MapItem:
    """Returns a map with an entry added or replaced."""
    return map_.put(key, value)


@builtin("map:entry($key as xs:anyAtomicType, $value as item()*) as map(*)")
def entry(key: Atomic, value: list[Item]) -> MapItem:
    """Returns a map of one entry."""
    return MapItem({same_key(key): (key, tuple(value))})


@builtin("map:remove($map as map(*), $keys as xs:anyAtomicType*) as map(*)")
def remove(map_: MapItem, keys_: list[Atomic]) -> MapItem:
    """Returns a map without some keys."""
    return map_.remove(keys_)


@builtin(
    "map:for-each($map as map(*), $action as function(xs:anyAtomicType, item()*) as item()*)"
    " as item()*"
)
def for_each(map_: MapItem, action: FunctionItem) -> Iterator[Item]:
    """Returns the results of a function of each key and value."""
    for key, value in map_.items():
        yield from action((key,), value)
