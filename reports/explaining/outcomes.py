"""What can be explained: outcomes of objects, and the features that they are explained by.

``queries/lib/features`` has the rows of each, as a macro that any query can read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OUTCOMES", "Outcome", "outcome_of"]

_TYPE = ("type", "type_package", "type_loader", "is_array", "is_hidden", "size_bytes")
_FIELDS = ("n_fields", "n_reference_fields", "n_final_fields")
_SITE = ("opcode", "method", "package", "loader", "language", "code_bytes")
_CODE = ("calls_pct", "fields_pct", "arrays_pct", "arithmetic_pct", "branches_pct")
_CALLERS = (
    *("caller", "caller_package", "caller_language", "second_caller", "second_caller_package"),
    *(f"caller_{name}" for name in _CODE),
)
_CONTEXT = ("depth", "is_recursive", *_CALLERS)
_CLASS = (
    *("type_package", "type_loader", "type_language", "superclass", "is_hidden", "n_interfaces"),
    *(*_FIELDS, "size_bytes", "n_sites", "mean_depth", "package"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome.

    Attributes:
        name: what the command line calls it.
        macro: its table of features.
        count: the column with how many of a row's objects have the outcome.
        summary: what the help says of it.
        meaning: what is said of an object that has it.
        unit: what is counted.
        row: what a row of the features is about.
        requires: the tables that have to be recorded.
        features: the columns by which it is explained. What the outcome is defined by is none.
        params: the macro's parameters, with their defaults.
        unknown: why a row may have no outcome; "": all have one.
    """

    name: str
    macro: str
    count: str
    summary: str
    meaning: str
    unit: str
    row: str
    requires: tuple[str, ...]
    features: tuple[str, ...]
    params: Mapping[str, int] = field(default_factory=dict)
    unknown: str = ""

    def call(self, params: Mapping[str, int]) -> str:
        """Returns the SQL of its table.

        >>> OUTCOMES["short-lived"].call({"nursery": 1024})
        'features.short_lived(1024)'
        """
        return f"{self.macro}({', '.join(str(params[name]) for name in self.params)})"

    def with_defaults(self, params: Mapping[str, Any]) -> dict[str, int]:
        """Returns a value for every parameter.

        Raises:
            QueryError: there is no such parameter, or a value is not a positive whole number.
        """
        values = dict(self.params)
        for name, value in params.items():
            if name not in self.params:
                hint = ", ".join(self.params) or "none"
                message = f"{self.name} has no parameter {name!r}; parameters: {hint}"
                raise QueryError(message, path="--param")
            values[name] = _positive(name, value)
        return values


def _positive(name: str, value: Any) -> int:
    """Returns a parameter's value, which may be a text.

    >>> _positive("nursery", "1024")
    1024
    """
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if number < 1 or str(number) != str(value):
        message = f"{name}: expected a whole number of at least 1, found {value!r}"
        raise QueryError(message, path="--param")
    return number


_ALL = (
    Outcome(
        "immutable",
        "features.immutable",
        "n_immutable",
        "all fields are immutable (--probes allocations,immutability)",
        "all fields are immutable",
        "object",
        "class",
        ("allocation", "object_immutability", "watched_class"),
        _CLASS,
    ),
    Outcome(
        "zeroed",
        "features.zeroed",
        "n_zeroed",
        "fields that are written before they are read (--probes allocations,zeroing)",
        "it is a field that was written before it was read, so that its zero was needless",
        "field",
        "field",
        ("allocation", "field_zeroing"),
        ("field_type", "is_final", "is_private", "is_volatile", *_CLASS),
    ),
    Outcome(
        "short-lived",
        "features.short_lived",
        "n_short_lived",
        "the object dies within a nursery (--probes allocations,lifetimes)",
        "it lived no longer than the nursery takes to fill",
        "object",
        "allocating instruction, type and context",
        ("allocation", "object_lifetime"),
        (*_TYPE, *_FIELDS, *_SITE, *_CODE, *_CONTEXT),
        {"nursery": 4 << 20},
    ),
    Outcome(
        "unshared",
        "features.unshared",
        "n_unshared",
        "no field is shared by threads (--probes allocations,sharing)",
        "no field is read-shared or write-shared",
        "object",
        "class",
        ("allocation", "object_sharing", "watched_class"),
        _CLASS,
        unknown="some objects of their class are partially read-shared and some partially "
        "write-shared, and whether these are the same was not recorded",
    ),
    Outcome(
        "boxed",
        "features.boxed",
        "n_boxed",
        "the object is a boxed primitive (--probes allocations)",
        "it is a boxed primitive, such as a java.lang.Integer",
        "object",
        "allocating instruction, type and context",
        ("allocation",),
        _CONTEXT,
    ),
)

OUTCOMES: Mapping[str, Outcome] = {outcome.name: outcome for outcome in _ALL}
"""By name."""


def outcome_of(name: str) -> Outcome:
    """Returns an outcome.

    Raises:
        QueryError: there is none of this name.
    """
    if name not in OUTCOMES:
        hint = did_you_mean(name, OUTCOMES) or f"outcomes: {', '.join(OUTCOMES)}"
        raise QueryError(f"there is no outcome {name!r}", path="explain", hint=hint)
    return OUTCOMES[name]
