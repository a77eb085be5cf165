"""What is given to a query before it is read: names that it may use without declaring them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from jvmscope.queries.records import Record, record
from jvmscope.queries.xquery.syntax.expanded_names import FN, PREDECLARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.source import Source
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Functions", "ModuleResolver", "StaticEnvironment"]

ModuleResolver: TypeAlias = "Callable[[str, tuple[str, ...]], Sequence[Source]]"
"""Returns the texts of a namespace's library modules, given the namespace and where the import
says that they are (made absolute where the base URI is known); none if it finds none."""


class Functions(Protocol):
    """A register of built-in functions."""

    def lookup(self, name: Name, arity: int) -> Any | None:
        """Returns the function of an expanded name and arity; None if there is none."""

    def names(self) -> Iterable[Name]:
        """Returns the names of all functions, for suggestions."""


@record
class StaticEnvironment(Record):
    """The static context that a module starts from.

    Attributes:
        namespaces: prefix to URI; the module may redeclare them.
        default_element_namespace: of unprefixed names of elements and types, "" for none.
        default_function_namespace: of unprefixed names of functions.
        variables: predefined external variables by name, with their types; None: any.
        functions: the built-in ones; None: those of jvmscope.
        modules: finds library modules beside the predefined ones; None: there are no others.
        base_uri: the static base URI, or None.
        default_collation: a URI, or None for codepoints.
        decimal_formats: properties by the format's name; None names the default one.
    """

    namespaces: Mapping[str, str] = field(default_factory=lambda: PREDECLARED)
    default_element_namespace: str = ""
    default_function_namespace: str = FN
    variables: Mapping[Name, SequenceType | None] = field(default_factory=dict)
    functions: Functions | None = None
    modules: ModuleResolver | None = None
    base_uri: str | None = None
    default_collation: str | None = None
    decimal_formats: Mapping[Name | None, Mapping[str, str]] = field(default_factory=dict)
