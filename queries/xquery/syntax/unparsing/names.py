"""Texts of names and literals."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["literal_text", "name_test_text", "name_text", "quoted"]


_IN_URI = re.compile(r"[&{}]")


def _reference(match: re.Match[str]) -> str:
    return f"&#x{ord(match[0]):X};"


def name_text(name: Name) -> str:
    """Returns a name as it is written.

    >>> from jvmscope.queries.xquery.syntax.expanded_names import Name
    >>> name_text(Name("a", "p")), name_text(Name("a", None, "urn:x"))
    ('p:a', 'Q{urn:x}a')
    """
    if name.prefix is None:
        return f"Q{{{_IN_URI.sub(_reference, name.uri or '')}}}{name.local}"
    return f"{name.prefix}:{name.local}" if name.prefix else name.local


def name_test_text(name: Name) -> str:
    """Returns a name test: a name, ``*``, ``p:*`` or ``*:local``."""
    return "*" if (name.prefix, name.local) == ("*", "*") else name_text(name)


def quoted(text: str) -> str:
    """Returns a string literal.

    >>> quoted("a & b")
    '"a &amp; b"'
    """
    inner = text.replace("&", "&amp;").replace('"', '""').replace("\r", "&#xD;")
    return f'"{inner}"'


def literal_text(value: str | int | Decimal | float) -> str:
    """Returns a literal of the type that the value has.

    >>> literal_text(1), literal_text(Decimal(1)), literal_text(1.0)
    ('1', '1.0', '1.0e0')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text if "." in text else f"{text}.0"
    if isinstance(value, float):
        text = "1e999" if value == float("inf") else repr(value)
        return text if "e" in text else f"{text}e0"
    return str(value)
