"""Booleans (F&O 3.1, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import effective_boolean_value

if TYPE_CHECKING:
    from jvmscope.queries.xquery.items.types import Sequence

__all__ = ["boolean", "false", "negation", "true"]


@builtin("fn:true() as xs:boolean")
def true() -> bool:
    """Returns true."""
    return True


@builtin("fn:false() as xs:boolean")
def false() -> bool:
    """Returns false."""
    return False


@builtin("fn:boolean($arg as item()*) as xs:boolean", lazy=True)
def boolean(arg: Sequence) -> bool:
    """Returns the effective boolean value of a sequence."""
    return effective_boolean_value(arg)


@builtin("fn:not($arg as item()*) as xs:boolean", lazy=True)
def negation(arg: Sequence) -> bool:
    """Returns the negated effective boolean value of a sequence."""
    return not effective_boolean_value(arg)
