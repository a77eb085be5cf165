"""Primary expressions, calls, functions, maps, arrays and lookups (XQuery 3.1, 3.1 and 3.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression, Syntax

if TYPE_CHECKING:
    from decimal import Decimal

    from jvmscope.queries.xquery.syntax.ast.base import Variable
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = [
    "Annotation",
    "ArrayConstructor",
    "ArrowCall",
    "ContextItem",
    "DynamicCall",
    "FunctionCall",
    "FunctionReference",
    "InlineFunction",
    "Literal",
    "Lookup",
    "MapConstructor",
    "Parameter",
    "Parenthesized",
    "Placeholder",
    "Sequence",
    "StringConstructor",
    "UnaryLookup",
    "VariableReference",
]


@keyword_record
class Literal(Expression):
    """A string, xs:integer (int), xs:decimal (Decimal) or xs:double (float) literal."""

    value: str | int | Decimal | float


@keyword_record
class VariableReference(Expression):
    """``$name``."""

    name: Name
    variable: Variable | None = None


@keyword_record
class ContextItem(Expression):
    """``.``."""


@keyword_record
class Parenthesized(Expression):
    """``( inner )``; kept since it ends a path's step and hides positions; inner None for ()."""

    inner: Expression | None


@keyword_record
class Sequence(Expression):
    """The comma operator."""

    items: tuple[Expression, ...]


@keyword_record
class Placeholder(Expression):
    """``?`` as an argument: the call is a partial application."""


@keyword_record
class FunctionCall(Expression):
    """A static call; an argument may be a :class:`Placeholder`."""

    name: Name
    arguments: tuple[Expression, ...]


@keyword_record
class DynamicCall(Expression):
    """``function(arguments)`` of a function item, map or array."""

    function: Expression
    arguments: tuple[Expression, ...]


@keyword_record
class ArrowCall(Expression):
    """``first => function(arguments)``: function is a Name, or an expression (variable, parens)."""

    first: Expression
    function: Name | Expression
    arguments: tuple[Expression, ...]


@keyword_record
class FunctionReference(Expression):
    """``name#arity``."""

    name: Name
    arity: int


@keyword_record
class Parameter(Syntax):
    """A function's parameter."""

    at: int
    name: Name
    type: SequenceType | None = None
    variable: Variable | None = None


@keyword_record
class Annotation(Syntax):
    """``%name(literals)``."""

    at: int
    name: Name
    values: tuple[Literal, ...] = ()


@keyword_record
class InlineFunction(Expression):
    """``function($x as …) as … { body }``; body None for ``{}``."""

    parameters: tuple[Parameter, ...]
    result: SequenceType | None
    body: Expression | None
    annotations: tuple[Annotation, ...] = ()


@keyword_record
class MapConstructor(Expression):
    """``map { key : value, … }``."""

    entries: tuple[tuple[Expression, Expression], ...]


@keyword_record
class ArrayConstructor(Expression):
    """``[a, b]``: a member an expression (is_curly False); ``array { e }``: a member an item."""

    members: tuple[Expression, ...]
    is_curly: bool


@keyword_record
class StringConstructor(Expression):
    """```` ``[text `{e}` text]`` ````: parts are strings and expressions; None is an empty one."""

    parts: tuple[str | Expression | None, ...]


@keyword_record
class UnaryLookup(Expression):
    """``?key`` on the context item; see :class:`Lookup`."""

    key: str | int | Expression | None


@keyword_record
class Lookup(Expression):
    """``base?key``: key an NCName (str), an integer or an expression; None is ``*``."""

    base: Expression
    key: str | int | Expression | None
