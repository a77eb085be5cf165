"""The register of built-in functions: what they are called, take and return."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.queries.xquery.functions import index
from jvmscope.queries.xquery.functions.signatures import expanded_name, parse_type, split_signature
from jvmscope.queries.xquery.items.conversion import converter
from jvmscope.queries.xquery.items.functions import FunctionItem
from jvmscope.queries.xquery.syntax.types import ItemSequence, Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.items.types import Sequence
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Builtin", "all_builtins", "as_sequence", "builtin", "lookup", "names"]

_F = TypeVar("_F", bound="Callable[..., Any]")


class Builtin:
    """One built-in function of one arity.

    Args:
        signature: as in the specification, ``fn:head($arg as item()*) as item()?``; ``, ...``
            after the last parameter lets it repeat.
        implementation: takes an item or None for a parameter of type ``T`` or ``T?``, else a list;
            the dynamic context first if its first parameter is called ``context``. It returns an
            item, None, a list, a tuple or an iterator.
        is_lazy: parameters of type ``item()*`` and the like come as they are, not as lists.
        arity: how many parameters a function with ``, ...`` has; None: as many as are written.
    """

    def __init__(
        self,
        signature: str,
        implementation: Callable[..., Any],
        *,
        is_lazy: bool = False,
        arity: int | None = None,
    ) -> None:
        name, names, types, self._result = split_signature(signature)
        more = 0 if arity is None else arity - len(names)
        self._signature = signature
        self._types = types + types[-1:] * more
        self.name: Name = expanded_name(name)
        self.parameter_names = names + tuple(f"arg{len(names) + n + 1}" for n in range(more))
        self.arity = len(self.parameter_names)
        self.is_variadic = ", ..." in signature
        self.implementation = implementation
        self.is_lazy = is_lazy
        first = next(iter(inspect.signature(implementation).parameters), None)
        self.needs_context = first == "context"

    @cached_property
    def parameters(self) -> tuple[SequenceType, ...]:
        """The parameters' types."""
        return tuple(map(parse_type, self._types))

    @cached_property
    def result(self) -> SequenceType:
        """The result's type."""
        return parse_type(self._result)

    @cached_property
    def adapters(self) -> tuple[Callable[[Sequence], Any], ...]:
        """For each parameter the function from a sequence to what the implementation takes."""
        return tuple(_adapter(kind, is_lazy=self.is_lazy) for kind in self.parameters)

    def call(self, context: Context, *sequences: Sequence) -> Any:
        """Returns what the implementation returns for sequences, which are converted first."""
        adapters = self.adapters
        arguments = [adapt(value) for adapt, value in zip(adapters, sequences, strict=True)]
        if self.needs_context:
            return self.implementation(context, *arguments)
        return self.implementation(*arguments)

    def with_arity(self, arity: int) -> Builtin:
        """Returns a function whose last parameter is repeated to reach an arity."""
        return Builtin(self._signature, self.implementation, is_lazy=self.is_lazy, arity=arity)

    def as_item(self, context: Context) -> FunctionItem:
        """Returns the function as an item, closed over a dynamic context."""

        def run(*sequences: Sequence) -> Sequence:
            return as_sequence(self.call(context, *sequences))

        return FunctionItem(self.name, self.parameters, self.result, run)


def as_sequence(result: Any) -> Sequence:
    """Returns what a built-in function returned as a list, tuple, range or iterator."""
    if result is None:
        return ()
    if isinstance(result, (list, tuple, range, Iterator)):
        return result
    return (result,)


def _adapter(kind: SequenceType, *, is_lazy: bool) -> Callable[[Sequence], Any]:
    convert = converter(kind)
    if not isinstance(kind, ItemSequence):
        return lambda sequence: list(convert(sequence))
    if kind.occurrence is Occurrence.ONE:
        return lambda sequence: convert(sequence)[0]
    if kind.occurrence is Occurrence.OPTIONAL:
        return lambda sequence: next(iter(convert(sequence)), None)
    if is_lazy:
        return convert
    return lambda sequence: _as_list(convert(sequence))


def _as_list(sequence: Sequence) -> list[Any] | range:
    """Returns a sequence as a list; a range, which may be long, as it is."""
    return sequence if isinstance(sequence, (list, range)) else list(sequence)


_REGISTER: dict[Name, dict[int, Builtin]] = {}


def builtin(signature: str, *, lazy: bool = False) -> Callable[[_F], _F]:
    """Returns a decorator that registers an implementation under a signature.

    One implementation may have several: a parameter that a shorter one lacks has a default.
    """

    def register(implementation: _F) -> _F:
        entry = Builtin(signature, implementation, is_lazy=lazy)
        _REGISTER.setdefault(entry.name, {})[entry.arity] = entry
        return implementation

    return register


def all_builtins() -> dict[Name, dict[int, Builtin]]:
    """Returns the register: all functions by name and arity, after importing them."""
    for module in index.MODULES:
        import_module(f"jvmscope.queries.xquery.functions.{module}")
    return _REGISTER


def names() -> Iterable[Name]:
    """Returns the names of the built-in functions."""
    return index.names()


def lookup(name: Name, arity: int) -> Builtin | None:
    """Returns the built-in function of an expanded name and an arity, or None.

    The module that defines the function is imported when it is looked up first.
    """
    entry = index.lookup(name, arity)
    if entry is None:
        return None
    import_module(f"jvmscope.queries.xquery.functions.{entry.module}")
    by_arity = _REGISTER[name]
    if arity not in by_arity:
        by_arity[arity] = by_arity[entry.arities[0]].with_arity(arity)
    return by_arity[arity]
