"""What all syntax has: equality, and places in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jvmscope.queries.syntax.names import Name
    from jvmscope.queries.syntax.types import SequenceType

__all__ = [
    "Expression",
    "Syntax",
    "Variable",
]


class Syntax:
    """Equality, hash and text of all classes of syntax, by their fields.

    The classes have them from here rather than from ``dataclass``, which would compile three
    methods for each of 72 classes whenever the module is imported.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Tells whether both are of one class and all fields are equal, places included."""
        if type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        """Returns a hash that agrees with equality."""
        return hash(tuple(self._values()))

    def __repr__(self) -> str:
        """Returns the class with its fields, as a call that makes the same."""
        names = self.__dataclass_fields__  # type: ignore[attr-defined]
        shown = [f"{name}={getattr(self, name)!r}" for name in names]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _values(self) -> list[Any]:
        return [getattr(self, name) for name in self.__dataclass_fields__]  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Expression(Syntax):
    """Anything that has a value."""

    at: int
    end: int


@dataclass(frozen=True, eq=False)
class Variable:
    """What a variable's binding and its references share after analysis; equal by identity.

    Attributes:
        name: the expanded name.
        type: the declared type, or None.
        is_global: declared in a prolog (or external), not bound by an expression.
    """

    name: Name
    type: SequenceType | None = None
    is_global: bool = False
