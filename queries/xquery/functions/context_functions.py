"""Functions that ask the context (F&O 3.1, section 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.calendar import day_time
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.collations import CODEPOINT
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context

__all__ = [
    "current_date",
    "current_date_time",
    "current_time",
    "default_collation",
    "default_language",
    "implicit_timezone",
    "last",
    "position",
    "static_base_uri",
]


@builtin("fn:position() as xs:integer")
def position(context: Context) -> int:
    """Returns the position of the context item from 1."""
    if context.position is None:
        raise DynamicError("XPDY0002", "there is no context position")
    return context.position


@builtin("fn:last() as xs:integer")
def last(context: Context) -> int:
    """Returns the number of items in the context's sequence."""
    if context.size is None:
        raise DynamicError("XPDY0002", "there is no context size")
    return context.size


@builtin("fn:current-dateTime() as xs:dateTimeStamp")
def current_date_time(context: Context) -> Any:
    """Returns the date and time when the query began."""
    return cast_to(context.now, "dateTimeStamp")


@builtin("fn:current-date() as xs:date")
def current_date(context: Context) -> Any:
    """Returns the date when the query began."""
    return cast_to(context.now, "date")


@builtin("fn:current-time() as xs:time")
def current_time(context: Context) -> Any:
    """Returns the time when the query began."""
    return cast_to(context.now, "time")


@builtin("fn:implicit-timezone() as xs:dayTimeDuration")
def implicit_timezone(context: Context) -> Any:
    """Returns the timezone of dates that have none."""
    return day_time(context.timezone * 60_000_000)


@builtin("fn:default-collation() as xs:string")
def default_collation(context: Context) -> str:
    """Returns the URI of the default collation."""
    return context.static.default_collation or CODEPOINT


@builtin("fn:default-language() as xs:language")
def default_language() -> Any:
    """Returns the language of formatted numbers and dates: English."""
    return cast_to("en", "language")


@builtin("fn:static-base-uri() as xs:anyURI?")
def static_base_uri(context: Context) -> Any:
    """Returns the static base URI."""
    uri = context.static.base_uri
    return None if uri is None else cast_to(uri, "anyURI")
