"""Conditionals, quantifiers, switches, try, ordering and extensions (XQuery 3.1, 3.13 to 3.21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression, Syntax

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast.base import Variable
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import NodeTest, SequenceType

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


@keyword_record
class If(Expression):
    """``if (condition) then … else …``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@keyword_record
class SwitchCase(Syntax):
    """``case a case b return result``: operands in order."""

    operands: tuple[Expression, ...]
    result: Expression


@keyword_record
class Switch(Expression):
    """``switch (operand) case … default return …``."""

    operand: Expression
    cases: tuple[SwitchCase, ...]
    default: Expression


@keyword_record
class Case(Syntax):
    """``case $variable as type | type return result``; the default case has no types."""

    at: int
    name: Name | None
    types: tuple[SequenceType, ...]
    result: Expression
    variable: Variable | None = None


@keyword_record
class Typeswitch(Expression):
    """``typeswitch (operand) case … default …``."""

    operand: Expression
    cases: tuple[Case, ...]
    default: Case


@keyword_record
class CatchClause(Syntax):
    """``catch tests { body }``; err:code and its kin are variables in scope, by local name."""

    at: int
    tests: tuple[NodeTest, ...]
    body: Expression | None
    variables: tuple[tuple[str, Variable], ...] = ()


@keyword_record
class TryCatch(Expression):
    """``try { body } catch …``."""

    body: Expression | None
    clauses: tuple[CatchClause, ...]


@keyword_record
class Binding(Syntax):
    """``$name as type in expression`` of a quantified expression."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression
    variable: Variable | None = None


@keyword_record
class Quantified(Expression):
    """``some`` or ``every`` … ``satisfies``."""

    quantifier: str
    bindings: tuple[Binding, ...]
    condition: Expression


@keyword_record
class Ordered(Expression):
    """``ordered { e }`` and ``unordered { e }``."""

    is_ordered: bool
    body: Expression | None


@keyword_record
class Validate(Expression):
    """``validate …``: an optional feature that is not there; the analysis says so."""

    mode: str
    type_name: Name | None
    body: Expression


@keyword_record
class Pragma(Syntax):
    """``(# name content #)``."""

    at: int
    name: Name
    content: str


@keyword_record
class Extension(Expression):
    """Pragmas before an expression."""

    pragmas: tuple[Pragma, ...]
    body: Expression | None
