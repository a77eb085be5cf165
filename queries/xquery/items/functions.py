"""Function items, and the maps and arrays that are functions too (XDM 3.1, section 2.8)."""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmscope.queries.xquery.items.entries import Entries
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.keys import same_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

    from jvmscope.queries.xquery.items.entries import Entry
    from jvmscope.queries.xquery.items.types import Atomic, Sequence
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

    _Turn: TypeAlias = Callable[[Sequence], Sequence]

__all__ = ["ArrayItem", "CallableItem", "FunctionItem", "MapItem"]


class CallableItem:
    """Whatever can be called: a function, a map, an array."""

    __slots__ = ()

    arity: int
    name: Name | None = None

    @abstractmethod
    def __call__(self, *arguments: Sequence) -> Sequence:
        """Returns the result of a call with one sequence for each parameter."""


class FunctionItem(CallableItem):
    """A function: named, inline, partially applied or coerced; compared by identity.

    Args:
        name: the expanded name, or None.
        parameters: the type of each parameter; None takes anything as it is.
        result: the type of the result, or None.
        implementation: takes a converted sequence for each parameter, returns a sequence.
        annotations: as declared.
    """

    __slots__ = (
        "_converters",
        "annotations",
        "arity",
        "implementation",
        "name",
        "parameters",
        "result",
    )

    def __init__(
        self,
        name: Name | None,
        parameters: tuple[SequenceType | None, ...],
        result: SequenceType | None,
        implementation: Callable[..., Sequence],
        annotations: tuple[Annotation, ...] = (),
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.result = result
        self.implementation = implementation
        self.arity = len(parameters)
        self.annotations = annotations
        self._converters: tuple[tuple[_Turn, ...], _Turn | None] | None = None

    def __call__(self, *arguments: Sequence) -> Sequence:
        """Returns the result of a call; arguments and result are converted to their types.

        Raises:
            DynamicError: XPTY0004, as many arguments or such values are not expected.
        """
        if len(arguments) != self.arity:
            shown = f"{self.name}#{self.arity}" if self.name else f"a function of {self.arity}"
            message = f"{shown} was called with {len(arguments)} arguments"
            raise DynamicError("XPTY0004", message)
        converters = self._converters
        if converters is None:
            converters = self._converters = self._compile()
        turns, turn_result = converters
        given: Iterable[Sequence] = arguments
        if turns:
            given = [turn(value) for turn, value in zip(turns, arguments, strict=True)]
        result = self.implementation(*given)
        return result if turn_result is None else turn_result(result)

    def _compile(self) -> tuple[tuple[_Turn, ...], _Turn | None]:
        """Returns what converts the arguments, () if nothing has to, and the result."""
        from jvmscope.queries.xquery.items.conversion import converter, is_converted

        turns = tuple(converter(kind) for kind in self.parameters)
        is_any_converted = any(map(is_converted, self.parameters))
        turn_result = converter(self.result) if is_converted(self.result) else None
        return turns if is_any_converted else (), turn_result


class MapItem(CallableItem):
    """A map; immutable, its entries in the order in which they were added.

    Args:
        entries: from the same-key of each key to the key and its value, a tuple of items.
    """

    __slots__ = ("_entries",)

    arity = 1

    def __init__(self, entries: dict[Hashable, Any] | Entries | None = None) -> None:
        self._entries = entries if isinstance(entries, Entries) else Entries(entries)

    @classmethod
    def from_entries(cls, entries: Iterable[tuple[Atomic, Sequence]]) -> MapItem:
        """Returns a map of keys and values; the last of equal keys counts.

        >>> MapItem.from_entries([("a", (1,)), ("b", ()), ("a", (2,))]).get("a")
        (2,)
        """
        return cls({same_key(key): (key, tuple(value)) for key, value in entries})

    def __len__(self) -> int:
        return len(self._entries)

    def __bool__(self) -> bool:
        return True

    def __contains__(self, key: Atomic) -> bool:
        return self._entries.get(same_key(key)) is not None

    def get(self, key: Atomic) -> tuple[Any, ...]:
        """Returns the value of a key, or () if the map has none."""
        return self.at(same_key(key)) or ()

    def at(self, identity: Hashable) -> tuple[Any, ...] | None:
        """Returns the value of the key with a same-key, or None."""
        entry = self._entries.get(identity)
        return None if entry is None else entry[1]

    def identities(self) -> list[Hashable]:
        """Returns the same-keys of the keys, in order."""
        return self._entries.identities()

    def keys(self) -> Iterator[Atomic]:
        """Returns the keys in order."""
        return iter([key for key, _ in self._entries.values()])

    def items(self) -> Collection[Entry]:
        """Returns the keys with their values, in order."""
        return self._entries.values()

    def put(self, key: Atomic, value: Sequence) -> MapItem:
        """Returns a map with one entry added or replaced."""
        return MapItem(self._entries.put(same_key(key), (key, tuple(value))))

    def remove(self, keys: Iterable[Atomic]) -> MapItem:
        """Returns a map without some keys."""
        return MapItem(reduce(Entries.without, map(same_key, keys), self._entries))

    def __call__(self, *arguments: Sequence) -> Sequence:
        """Returns the value of the key that is the only argument."""
        return self.get(_only_key(arguments, "a map"))


class ArrayItem(CallableItem):
    """An array; immutable.

    Args:
        members: each a tuple of items.
    """

    __slots__ = ("members",)

    arity = 1

    def __init__(self, members: tuple[tuple[Any, ...], ...] = ()) -> None:
        self.members = members

    def __len__(self) -> int:
        return len(self.members)

    def __bool__(self) -> bool:
        return True

    def get(self, position: int) -> tuple[Any, ...]:
        """Returns the member at a position from 1.

        Raises:
            DynamicError: FOAY0001, there is none.
        """
        if not 1 <= position <= len(self.members):
            message = f"there is no member {position} in an array of {len(self.members)}"
            raise DynamicError("FOAY0001", message)
        return self.members[position - 1]

    def __call__(self, *arguments: Sequence) -> Sequence:
        """Returns the member at the position that is the only argument."""
        from jvmscope.queries.xquery.items.conversion import convert_position

        if len(arguments) != 1:
            _only_key(arguments, "an array")
        return self.get(convert_position(arguments[0]))


def _only_key(arguments: tuple[Sequence, ...], what: str) -> Atomic:
    from jvmscope.queries.xquery.items.atomize import atomize

    if len(arguments) != 1:
        raise DynamicError("XPTY0004", f"{what} was called with {len(arguments)} arguments")
    keys = list(atomize(arguments[0]))
    if len(keys) != 1:
        raise DynamicError("XPTY0004", f"{what} was called with {len(keys)} keys")
    return keys[0]
