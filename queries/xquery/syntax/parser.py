"""From a query's text to its abstract syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.depth import MAX_DEPTH, MAX_HEIGHT, deep_stack
from jvmscope.queries.xquery.syntax.diagnostics import query_error
from jvmscope.queries.xquery.syntax.parsing.modules import ModuleParser
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.syntax.walk import height

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Module
    from jvmscope.queries.xquery.syntax.parsing.cursor import Language

__all__ = ["parse"]


def parse(source: Source | str, *, language: Language = "xquery") -> Module:
    """Returns the syntax of a module; names are as written.

    Args:
        source: the module's text.
        language: ``xquery`` for XQuery 3.1, ``xpath`` for XPath 3.1, whose whole text is one
            expression: the module's body.

    Raises:
        QueryError: XPST0003 for an error of syntax; XQST0022, XQST0031, XQST0046, XQST0057,
            XQST0070, XQST0071, XQST0087, XQST0090, XQST0118 and XPTY0004 for the mistakes that
            these name; FOAR0002 for an integer, XPDY0130 for a nesting beyond our limits.
    """
    source = Source(source) if isinstance(source, str) else source
    with deep_stack():
        module = ModuleParser(source, language).module()
    _check_height(module)
    return module


def _check_height(module: Module) -> None:
    """Refuses what the parser did without recursion, and what walks over it need it for.

    An operator at each level of parentheses, ``((1)+1+1)+1+1`` and so on, makes a tree higher
    than the parser ever was deep. No tree is higher than its text is long.
    """
    if len(module.source.text) <= MAX_DEPTH:
        return
    if height((module.declarations, module.body)) > MAX_HEIGHT:
        message = f"nested deeper than {MAX_DEPTH:,} levels"
        raise query_error(module.source, "XPDY0130", message, 0)
