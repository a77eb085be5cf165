"""Collations that a query names."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.items.collations import collation

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.scope import Scope

__all__ = ["absolute_collation", "is_collation"]


def is_collation(uri: str) -> bool:
    """Tells whether there is a collation of an absolute URI.

    >>> is_collation("http://www.w3.org/2005/xpath-functions/collation/codepoint")
    True
    """
    try:
        collation(uri)
    except QueryError:
        return False
    return True


def absolute_collation(scope: Scope, uri: str | None, node: object) -> str | None:
    """Returns a collation's absolute URI; None for None.

    Raises:
        QueryError: XQST0076, there is no such collation.
    """
    if uri is None:
        return None
    absolute = urljoin(scope.context.base_uri or "", uri)
    if not is_collation(absolute):
        raise scope.error("XQST0076", f"there is no collation {absolute}", node)
    return absolute
