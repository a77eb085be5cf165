"""Frozen classes of values, like frozen dataclasses but faster to import.

``dataclass(frozen=True)`` compiles six methods for each class, whenever its module is imported. Of
a record it compiles ``__init__`` only: the other methods are the same for all records, and that
nobody changes one is checked with the types. A query in XQuery imports more than 100 such classes.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

__all__ = ["Record", "keyword_record", "record"]

_R = TypeVar("_R", bound="Record")


class Record:
    """Equality, hash and text of all records, by their fields."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __eq__(self, other: object) -> bool:
        """Tells whether both are of one class and all fields that are compared are equal."""
        if type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        """Returns a hash that agrees with equality."""
        return hash(tuple(self._values()))

    def __repr__(self) -> str:
        """Returns the class with its fields, as a call that makes the same."""
        shown = [f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _values(self) -> list[Any]:
        fields = self.__dataclass_fields__.items()
        return [getattr(self, name) for name, field in fields if field.compare]


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def record(kind: type[_R]) -> type[_R]:
    """Makes a class of records, whose fields are its annotations, as ``dataclass`` does.

    >>> @record
    ... class Place(Record):
    ...     line: int
    ...     column: int = 1
    >>> Place(3), Place(3) == Place(3, 1), Place(3) == Place(4)
    (Place(line=3, column=1), True, False)
    """
    return dataclass(slots=True, eq=False, repr=False)(kind)


@dataclass_transform(
    eq_default=False, frozen_default=True, kw_only_default=True, field_specifiers=(field,)
)
def keyword_record(kind: type[_R]) -> type[_R]:
    """Makes a class of records whose fields are given by name."""
    return dataclass(slots=True, eq=False, repr=False, kw_only=True)(kind)
