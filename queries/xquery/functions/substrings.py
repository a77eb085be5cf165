"""Functions based on substring matching (F&O 3.1, sections 5.5 and 5.6.5), and two of FunctX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.context import collation_of
from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context

__all__ = [
    "contains",
    "contains_token",
    "ends_with",
    "starts_with",
    "substring_after",
    "substring_after_last",
    "substring_before",
    "substring_before_last",
]


@builtin("fn:contains($arg1 as xs:string?, $arg2 as xs:string?) as xs:boolean")
@builtin(
    "fn:contains($arg1 as xs:string?, $arg2 as xs:string?, $collation as xs:string) as xs:boolean"
)
def contains(
    context: Context, text: str | None, part: str | None, collation: str | None = None
) -> bool:
    """Tells whether a string contains another."""
    used = collation_of(context, collation)
    if used is None:
        return (part or "") in (text or "")
    return used.find(text or "", part or "") is not None


@builtin("fn:starts-with($arg1 as xs:string?, $arg2 as xs:string?) as xs:boolean")
@builtin(
    "fn:starts-with($arg1 as xs:string?, $arg2 as xs:string?, $collation as xs:string)"
    " as xs:boolean"
)
def starts_with(
    context: Context, text: str | None, part: str | None, collation: str | None = None
) -> bool:
    """Tells whether a string begins with another."""
    used = collation_of(context, collation)
    if used is None:
        return (text or "").startswith(part or "")
    return used.starts(text or "", part or "")


@builtin("fn:ends-with($arg1 as xs:string?, $arg2 as xs:string?) as xs:boolean")
@builtin(
    "fn:ends-with($arg1 as xs:string?, $arg2 as xs:string?, $collation as xs:string) as xs:boolean"
)
def ends_with(
    context: Context, text: str | None, part: str | None, collation: str | None = None
) -> bool:
    """Tells whether a string ends with another."""
    used = collation_of(context, collation)
    if used is None:
        return (text or "").endswith(part or "")
    return used.ends(text or "", part or "")


def _find(context: Context, text: str, part: str, collation: str | None) -> tuple[int, int] | None:
    """Returns where the first match begins and ends, or None."""
    used = collation_of(context, collation)
    if used is not None:
        return used.find(text, part)
    at = text.find(part)
    return None if at < 0 else (at, at + len(part))


@builtin("fn:substring-before($arg1 as xs:string?, $arg2 as xs:string?) as xs:string")
@builtin(
    "fn:substring-before($arg1 as xs:string?, $arg2 as xs:string?, $collation as xs:string)"
    " as xs:string"
)
def substring_before(
    context: Context, text: str | None, part: str | None, collation: str | None = None
) -> str:
    """Returns what precedes the first match, "" if there is none."""
    found = _find(context, text or "", part or "", collation)
    return "" if found is None else (text or "")[: found[0]]


@builtin("fn:substring-after($arg1 as xs:string?, $arg2 as xs:string?) as xs:string")
@builtin(
    "fn:substring-after($arg1 as xs:string?, $arg2 as xs:string?, $collation as xs:string)"
    " as xs:string"
)
def substring_after(
    context: Context, text: str | None, part: str | None, collation: str | None = None
) -> str:
    """Returns what follows the first match, "" if there is none."""
    found = _find(context, text or "", part or "", collation)
    return "" if found is None else (text or "")[found[1] :]


@builtin("functx:substring-before-last($arg as xs:string?, $delim as xs:string) as xs:string")
def substring_before_last(text: str | None, part: str) -> str:
    """Returns what precedes the last match, "" if there is none.

    >>> substring_before_last("java/util/List", "/"), substring_before_last("Main", "/")
    ('java/util', '')
    """
    found = _find_last(text or "", part)
    return "" if found < 0 else (text or "")[:found]


@builtin("functx:substring-after-last($arg as xs:string?, $delim as xs:string) as xs:string")
def substring_after_last(text: str | None, part: str) -> str:
    """Returns what follows the last match, the whole string if there is none.

    >>> substring_after_last("java/util/List", "/"), substring_after_last("Main", "/")
    ('List', 'Main')
    """
    found = _find_last(text or "", part)
    return (text or "") if found < 0 else (text or "")[found + len(part) :]


def _find_last(text: str, part: str) -> int:
    """Returns where the last match begins, -1 if there is none.

    FunctX defines both functions by regular expressions, which may not match the empty string.
    """
    if not part:
        raise DynamicError("FORX0003", "expected a delimiter, found the empty string")
    return text.rfind(part)


@builtin("fn:contains-token($input as xs:string*, $token as xs:string) as xs:boolean")
@builtin(
    "fn:contains-token($input as xs:string*, $token as xs:string, $collation as xs:string)"
    " as xs:boolean"
)
def contains_token(
    context: Context, texts: list[str], token: str, collation: str | None = None
) -> bool:
    """Tells whether one of the words of some strings is equal to a word."""
    used = collation_of(context, collation)
    wanted = collapse(token)
    words = (word for text in texts for word in collapse(text).split(" ") if word)
    if not wanted:
        return False
    if used is None:
        return wanted in words
    return any(used.equal(word, wanted) for word in words)
