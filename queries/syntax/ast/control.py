"""Conditionals, quantifiers, switches, try, ordering and extensions (XQuery 3.1, 3.13 to 3.21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.queries.syntax.ast.base import Expression, Syntax

if TYPE_CHECKING:
    from jvmscope.queries.syntax.ast.base import Variable
    from jvmscope.queries.syntax.names import Name
    from jvmscope.queries.syntax.types import NodeTest, SequenceType

__all__ = [
    "Binding",
    "Case",
    "CatchClause",
    "Extension",
    "If",
    "Ordered",
    "Pragma",
    "Quantified",
    "Switch",
    "SwitchCase",
    "TryCatch",
    "Typeswitch",
    "Validate",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class If(Expression):
    """``if (condition) then … else …``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SwitchCase(Syntax):
    """``case a case b return result``: operands in order."""

    operands: tuple[Expression, ...]
    result: Expression


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Switch(Expression):
    """``switch (operand) case … default return …``."""

    operand: Expression
    cases: tuple[SwitchCase, ...]
    default: Expression


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Case(Syntax):
    """``case $variable as type | type return result``; the default case has no types."""

    at: int
    name: Name | None
    types: tuple[SequenceType, ...]
    result: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Typeswitch(Expression):
    """``typeswitch (operand) case … default …``."""

    operand: Expression
    cases: tuple[Case, ...]
    default: Case


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CatchClause(Syntax):
    """``catch tests { body }``; err:code and its kin are variables in scope, by local name."""

    at: int
    tests: tuple[NodeTest, ...]
    body: Expression | None
    variables: tuple[tuple[str, Variable], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TryCatch(Expression):
    """``try { body } catch …``."""

    body: Expression | None
    clauses: tuple[CatchClause, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Binding(Syntax):
    """``$name as type in expression`` of a quantified expression."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Quantified(Expression):
    """``some`` or ``every`` … ``satisfies``."""

    quantifier: str
    bindings: tuple[Binding, ...]
    condition: Expression


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ordered(Expression):
    """``ordered { e }`` and ``unordered { e }``."""

    is_ordered: bool
    body: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Validate(Expression):
    """``validate …``: an optional feature that is not there; the analysis says so."""

    mode: str
    type_name: Name | None
    body: Expression


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Pragma(Syntax):
    """``(# name content #)``."""

    at: int
    name: Name
    content: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Extension(Expression):
    """Pragmas before an expression."""

    pragmas: tuple[Pragma, ...]
    body: Expression | None
