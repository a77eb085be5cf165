"""Functions on regular expressions (F&O 3.1, sections 5.6.2 to 5.6.6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse
from jvmscope.queries.xquery.notations.regex import compile_regex
from jvmscope.queries.xquery.syntax.expanded_names import FN, XML, Name
from jvmscope.queries.xquery.trees.builder import TreeBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.notations.searching import Regex
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["analyze_string", "matches", "replace", "tokenize", "tokenize_words"]


@builtin("fn:matches($input as xs:string?, $pattern as xs:string) as xs:boolean")
@builtin(
    "fn:matches($input as xs:string?, $pattern as xs:string, $flags as xs:string) as xs:boolean"
)
def matches(context: Context, text: str | None, pattern: str, flags: str = "") -> bool:
    """Tells whether part of a string matches."""
    return compile_regex(pattern, flags).search(context, text or "") is not None


def _never_empty(context: Context, pattern: str, flags: str) -> Regex:
    regex = compile_regex(pattern, flags)
    if regex.search(context, "") is not None:
        raise DynamicError("FORX0003", f"{pattern!r} matches the empty string")
    return regex


@builtin(
    "fn:replace($input as xs:string?, $pattern as xs:string, $replacement as xs:string)"
    " as xs:string"
)
@builtin(
    "fn:replace($input as xs:string?, $pattern as xs:string, $replacement as xs:string,"
    " $flags as xs:string) as xs:string"
)
def replace(
    context: Context, text: str | None, pattern: str, replacement: str, flags: str = ""
) -> str:
    """Returns a string with each match replaced; FORX0003 if the empty string matches."""
    regex = _never_empty(context, pattern, flags)
    parts: list[str | int] = [replacement]
    if "q" not in flags:
        parts = _replacement_parts(replacement, len(regex.parents))
    return "".join(_replaced(text or "", regex.matches(context, text or ""), parts))


def _replaced(text: str, found: Iterator[re.Match[str]], parts: list[str | int]) -> Iterator[str]:
    at = 0
    for match in found:
        yield text[at : match.start()]
        for part in parts:
            yield part if isinstance(part, str) else match[part] or ""
        at = match.end()
    yield text[at:]


_REPLACEMENT = re.compile(r"\\([\\$])|\$([0-9]+)|([^\\$]+)")


def _replacement_parts(text: str, n_groups: int) -> list[str | int]:
    """Returns texts and group numbers; FORX0004 for a stray backslash or dollar sign.

    >>> _replacement_parts("$12-", 1)
    [1, '2', '-']
    """
    parts: list[str | int] = []
    at = 0
    while at < len(text):
        found = _REPLACEMENT.match(text, at)
        if found is None:
            raise DynamicError("FORX0004", f"\\ and $ must be escaped in {text!r}")
        escaped, digits, plain = found.groups()
        if digits is None:
            parts.append(escaped or plain)
        else:
            parts += _group_reference(digits, n_groups)
        at = found.end()
    return parts


def _group_reference(digits: str, n_groups: int) -> list[str | int]:
    """Returns the longest number that is a group's and the digits left; a group too many is ""."""
    end = len(digits)
    while end > 1 and int(digits[:end]) > n_groups:
        end -= 1
    number = int(digits[:end])
    group: str | int = number if number <= n_groups else ""
    return [group, digits[end:]] if digits[end:] else [group]


@builtin("fn:tokenize($input as xs:string?) as xs:string*")
def tokenize_words(text: str | None) -> list[str]:
    """Returns the words between white space."""
    return [word for word in collapse(text or "").split(" ") if word]


@builtin("fn:tokenize($input as xs:string?, $pattern as xs:string) as xs:string*")
@builtin(
    "fn:tokenize($input as xs:string?, $pattern as xs:string, $flags as xs:string) as xs:string*"
)
def tokenize(context: Context, text: str | None, pattern: str, flags: str = "") -> Iterator[str]:
    """Returns what is between the matches; FORX0003 if the empty string matches."""
    regex = _never_empty(context, pattern, flags)
    return _between(text, regex.matches(context, text)) if text else iter(())


def _between(text: str, found: Iterator[re.Match[str]]) -> Iterator[str]:
    at = 0
    for match in found:
        yield text[at : match.start()]
        at = match.end()
    yield text[at:]


_NAMES = {
    local: Name(local, "fn", FN)
    for local in ("analyze-string-result", "match", "non-match", "group")
}
_NUMBER = Name("nr", "", "")
_NAMESPACES = {"xml": XML, "fn": FN}


@builtin(
    "fn:analyze-string($input as xs:string?, $pattern as xs:string)"
    " as element(fn:analyze-string-result)"
)
@builtin(
    "fn:analyze-string($input as xs:string?, $pattern as xs:string, $flags as xs:string)"
    " as element(fn:analyze-string-result)"
)
def analyze_string(context: Context, text: str | None, pattern: str, flags: str = "") -> Node:
    """Returns an element that tells matches, their groups, and what is between them."""
    regex = _never_empty(context, pattern, flags)
    builder = TreeBuilder()
    builder.start_element(_NAMES["analyze-string-result"], _NAMESPACES)
    at = 0
    for match in regex.matches(context, text or ""):
        _element(builder, "non-match", match.string[at : match.start()])
        builder.start_element(_NAMES["match"])
        _groups(builder, match, regex.parents)
        builder.end_element()
        at = match.end()
    _element(builder, "non-match", (text or "")[at:])
    builder.end_element()
    return builder.finish()


def _element(builder: TreeBuilder, local: str, text: str) -> None:
    if text:
        builder.start_element(_NAMES[local])
        builder.text(text)
        builder.end_element()


def _groups(builder: TreeBuilder, match: re.Match[str], parents: tuple[int, ...]) -> None:
    """Adds the text of a match, with an element for each group that took part in it."""
    at = match.start()
    ends: list[int] = []
    open_groups = [0]
    for group, parent in enumerate(parents, 1):
        start, end = match.span(group)
        is_inside = parent == 0 or (match.start(parent) <= start and end <= match.end(parent))
        if start < at or not is_inside:  # took no part, or in an earlier repetition only
            continue
        while open_groups[-1] != parent and open_groups[-1]:
            builder.text(match.string[at : ends[-1]])
            at = max(at, ends.pop())
            open_groups.pop()
            builder.end_element()
        if start < at or open_groups[-1] != parent:
            continue
        builder.text(match.string[at:start])
        builder.start_element(_NAMES["group"])
        builder.attribute(_NUMBER, str(group))
        at = start
        ends.append(end)
        open_groups.append(group)
    for end in reversed(ends):
        builder.text(match.string[at:end])
        at = max(at, end)
        builder.end_element()
    builder.text(match.string[at : match.end()])
