"""Expressions evaluated here and by SaxonC, in a form in which the answers can be compared."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from saxonche import PySaxonApiError, PySaxonProcessor

from jvmscope.errors import QueryError
from support.evaluation import items

__all__ = ["here", "in_saxon"]

_JOINED = "string-join(({}) ! string(), '|')"
_PROLOG = 'declare option output:method "text"; '
_CODE = re.compile(r"\b[A-Z]{4}\d{4}\b")


@cache
def _processor() -> Any:
    return PySaxonProcessor(license=False).new_xquery_processor()


def in_saxon(expression: str) -> str:
    """Returns the strings of the items by SaxonC, or ``error`` and the code."""
    joined = _run(_JOINED.format(expression))
    # SaxonC 13.1 gives nothing for the mapping of an expression that it knows to fail.
    return joined or _run(f"({expression})[2]")


def _run(query: str) -> str:
    processor = _processor()
    try:
        processor.set_query_content(_PROLOG + query)
        return str(processor.run_query_to_string() or "")
    except PySaxonApiError as error:
        found = _CODE.search(str(error))
        return f"error {found.group() if found else error}"


def here(expression: str) -> str:
    """Returns the strings of the items by this project, or ``error`` and the code."""
    try:
        return "".join(map(str, items(_JOINED.format(expression))))
    except QueryError as error:
        return f"error {error.code}"
