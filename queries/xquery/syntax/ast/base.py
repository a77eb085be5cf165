"""What all syntax has: fields, and places in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.queries.records import Record, keyword_record

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = [
    "Expression",
    "Syntax",
    "Variable",
]


class Syntax(Record):
    """A node of the abstract syntax; places are compared, too."""

    __slots__ = ()


@keyword_record
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
