"""Operators, casts and type tests (XQuery 3.1, sections 3.4 to 3.8 and 3.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.types import SequenceType, SingleType

__all__ = [
    "Arithmetic",
    "Binary",
    "Cast",
    "Castable",
    "Comparison",
    "InstanceOf",
    "Logical",
    "Range",
    "StringConcatenation",
    "Treat",
    "Unary",
]


@keyword_record
class Logical(Expression):
    """``and`` and ``or`` of two operands or more."""

    operator: str
    operands: tuple[Expression, ...]


@keyword_record
class Comparison(Expression):
    """A value (``eq`` …), general (``=`` …) or node (``is``, ``<<``, ``>>``) comparison."""

    operator: str
    left: Expression
    right: Expression


@keyword_record
class StringConcatenation(Expression):
    """``||`` of two operands or more."""

    operands: tuple[Expression, ...]


@keyword_record
class Range(Expression):
    """``first to last``."""

    first: Expression
    last: Expression


@keyword_record
class Arithmetic(Expression):
    """``+ - * div idiv mod``."""

    operator: str
    left: Expression
    right: Expression


@keyword_record
class Binary(Expression):
    """``union`` (also written ``|``), ``intersect``, ``except`` of node sequences."""

    operator: str
    left: Expression
    right: Expression


@keyword_record
class Unary(Expression):
    """``-e`` or ``+e``; several signs are folded: is_negative tells the result."""

    is_negative: bool
    operand: Expression


@keyword_record
class InstanceOf(Expression):
    """``e instance of type``."""

    operand: Expression
    type: SequenceType


@keyword_record
class Treat(Expression):
    """``e treat as type``."""

    operand: Expression
    type: SequenceType


@keyword_record
class Cast(Expression):
    """``e cast as type``."""

    operand: Expression
    type: SingleType


@keyword_record
class Castable(Expression):
    """``e castable as type``."""

    operand: Expression
    type: SingleType
