"""Entity and character references, and what quotes enclose (XQuery 3.1, section 3.1.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.characters import is_xml_character
from jvmscope.queries.xquery.syntax.diagnostics import query_error

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["collapse", "resolve_references", "unquote"]

_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]+)|#x([0-9a-fA-F]+));|&")
_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_MAX_DIGITS = 12


def resolve_references(text: str, source: Source, at: int) -> str:
    """Returns a text with its entity and character references replaced.

    Args:
        text: as written.
        source: the module, for errors.
        at: the offset of the text in the module.

    Raises:
        QueryError: XPST0003, an ampersand without a reference; XQST0090, an invalid character
            .
    """
    if "&" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        name, decimal, hexadecimal = match.groups()
        if name:
            return _PREDEFINED[name]
        start, end = at + match.start(), at + match.end()
        digits = (decimal or hexadecimal or "").lstrip("0")
        if not decimal and not hexadecimal:
            raise query_error(
                source,
                "XPST0003",
                'found "&" that does not begin a reference',
                start,
                end,
                hint='write "&amp;"',
            )
        code = int(digits or "0", 10 if decimal else 16) if len(digits) < _MAX_DIGITS else -1
        if code < 0 or not is_xml_character(code):
            raise query_error(
                source, "XQST0090", f"{match[0]} is not a character of XML", start, end
            )
        return chr(code)

    return _REFERENCE.sub(replace, text)


def unquote(literal: str) -> str:
    """Returns what stands between a literal's quotes, doubled quotes made single.

    >>> unquote("'it''s'")
    "it's"
    """
    quote = literal[0]
    return literal[1:-1].replace(quote + quote, quote)


def collapse(text: str) -> str:
    """Returns a text without outer spaces and with single inner ones, as a URI is read.

    >>> collapse(" a  b ")
    'a b'
    """
    return " ".join(text.split())
