"""From abstract syntax back to a query's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import Module
from jvmscope.queries.xquery.syntax.depth import deep_stack
from jvmscope.queries.xquery.syntax.unparsing import (  # noqa: F401 - each registers what it writes
    constructors,
    control,
    expressions,
)
from jvmscope.queries.xquery.syntax.unparsing.levels import Level, write
from jvmscope.queries.xquery.syntax.unparsing.modules import module_text

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["unparse"]


def unparse(syntax: Module | Expression) -> str:
    """Returns the text of a module or an expression: XQuery that parses to the same syntax.

    Comments and spaces are not kept, parentheses are, and come where they are needed. Names are
    written with their prefixes, those without one as ``Q{uri}local`` only if they were written so.

    >>> from jvmscope.queries.xquery.syntax.parser import parse
    >>> unparse(parse("for $x in 1 to 3 (: all :) return $x+1"))
    'for $x in 1 to 3 return $x + 1'
    """
    with deep_stack():
        if isinstance(syntax, Module):
            return module_text(syntax)
        return write(syntax, Level.SEQUENCE)
