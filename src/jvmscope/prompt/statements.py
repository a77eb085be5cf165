"""Where a query that is typed line by line ends."""

from __future__ import annotations

import re

__all__ = ["is_complete"]

_PROLOG = re.compile(
    r"\s*(xquery\s+(version|encoding)|import\s+(module|schema)|declare\s+"
    r"(%|base-uri|boundary-space|construction|context|copy-namespaces|decimal-format|default"
    r"|function|namespace|option|ordering|variable))"
)
_STRINGS = r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|['"]"""
_TAG = r"(?<!\w)\$(?:[A-Za-z_]\w*)?\$"
_SQL_STRINGS = rf"(?<!\w)[eE]'(?:[^'\\]|''|\\.)*'|({_TAG}).*?\1|{_TAG}"
_PARTS = {
    "sql": re.compile(rf"{_SQL_STRINGS}|{_STRINGS}|--[^\n]*|/\*.*?\*/|/\*|[(\[{{}}\])]", re.DOTALL),
    "xquery": re.compile(rf"{_STRINGS}|\(:|[(\[{{}}\])]"),
}
_OPEN = re.compile(rf"['\"]|/\*|{_TAG}")
_TWO_EMPTY_LINES = re.compile(r"\n[ \t]*\n[ \t]*\Z")
_COMMENT = re.compile(r"\(:|:\)")


def is_complete(text: str, language: str) -> bool:
    r"""Tells whether a query ends with its last line, which ends in ``;`` or is empty.

    It does not within a string or a comment. A ``;`` does not end it within brackets either, nor
    behind a declaration of XQuery's prolog; an empty line does. A second empty line ends it
    whatever is open: a lone quote in an element of XQuery is none of a string.

    Args:
        text: what was typed so far.
        language: ``sql``, ``xquery`` or ``xpath``.

    >>> [is_complete(text, "xquery") for text in ("'a;", "'a';", "(: a;", "f(1;", "f(1;\n")]
    [False, True, False, False, True]
    >>> [is_complete(text, "xquery") for text in ("import module 'a';", "import module 'a'; 1;")]
    [False, True]
    >>> is_complete("(: don't :) 1;", "xquery"), is_complete("(: (: :) ;", "xquery")
    (True, False)
    >>> [is_complete(text, "sql") for text in ("SELECT ';", "SELECT 1 -- it's;", "SELECT 1 /*;")]
    [False, True, False]
    >>> [is_complete(text, "sql") for text in ("SELECT $$a';$$;", r"SELECT E'it\'s';", "$a$;")]
    [True, True, False]
    >>> [is_complete(text, "xquery") for text in ("<a>don't</a>\n", "<a>don't</a>\n\n")]
    [False, True]
    """
    if _TWO_EMPTY_LINES.search(text):
        return True
    bare, n_open = _outside(text, language)
    if bare is None:
        return False
    if not text.rpartition("\n")[2].strip():
        return True
    is_declared = _PROLOG.match(bare.rstrip("; \n").rpartition(";")[2]) is not None
    return n_open <= 0 and (language == "sql" or not is_declared)


def _outside(text: str, language: str) -> tuple[str | None, int]:
    """Returns a query without strings and comments, None if one is open, and the open brackets."""
    parts = _PARTS["sql" if language == "sql" else "xquery"]
    kept: list[str] = []
    end = n_open = 0
    while (found := parts.search(text, end)) is not None:
        kept.append(text[end : found.start()])
        part, end = found[0], found.end()
        if part == "(:":
            end = _end_of_comment(text, end)
        if _OPEN.fullmatch(part) or end < 0:
            return None, n_open
        n_open += (part in {"(", "[", "{"}) - (part in {")", "]", "}"})
    return "".join([*kept, text[end:]]), n_open


def _end_of_comment(text: str, start: int) -> int:
    """Returns where a comment of XQuery ends, in which others may be; -1 if it is open."""
    depth = 1
    for found in _COMMENT.finditer(text, start):
        depth += 1 if found[0] == "(:" else -1
        if depth == 0:
            return found.end()
    return -1
