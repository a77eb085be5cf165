"""Expanded names, and the namespaces that every query knows."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ARRAY",
    "DCG",
    "ERR",
    "FN",
    "FUNCTX",
    "LOCAL",
    "MAP",
    "MATH",
    "OUTPUT",
    "PREDECLARED",
    "XML",
    "XMLNS",
    "XS",
    "XSI",
    "Name",
]

FN = "http://www.w3.org/2005/xpath-functions"
MATH = "http://www.w3.org/2005/xpath-functions/math"
MAP = "http://www.w3.org/2005/xpath-functions/map"
ARRAY = "http://www.w3.org/2005/xpath-functions/array"
XS = "http://www.w3.org/2001/XMLSchema"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
LOCAL = "http://www.w3.org/2005/xquery-local-functions"
ERR = "http://www.w3.org/2005/xqt-errors"
OUTPUT = "http://www.w3.org/2010/xslt-xquery-serialization"
DCG = "urn:jvmscope:dcg:1"
FUNCTX = "http://www.functx.com"

PREDECLARED = {
    "xml": XML,
    "xs": XS,
    "xsi": XSI,
    "fn": FN,
    "local": LOCAL,
    "math": MATH,
    "map": MAP,
    "array": ARRAY,
    "err": ERR,
    "output": OUTPUT,
    "dcg": DCG,
    "functx": FUNCTX,
}
"""Prefixes that a query may use without declaring them: those of XQuery 3.1, section 4.14 of
its appendix C and of serialization, and the two of the toolchain paper's queries."""


@dataclass(frozen=True, slots=True)
class Name:
    """A QName as written, and expanded once the analysis has resolved its prefix.

    Attributes:
        local: the local part.
        prefix: as written; "" without one; None in the form ``Q{uri}local``.
        uri: the namespace, "" for no namespace; None as long as the prefix is not resolved.

    Names are equal if they expand to the same name: the prefix does not count.

    >>> Name("a", "p", "urn:x") == Name("a", "q", "urn:x")
    True
    >>> str(Name("a", "p", "urn:x"))
    'p:a'
    """

    local: str
    prefix: str | None = ""
    uri: str | None = None

    @property
    def expanded(self) -> str:
        """The name in the form ``Q{uri}local``."""
        return f"Q{{{self.uri or ''}}}{self.local}"

    def __eq__(self, other: object) -> bool:
        """Tells whether both names expand to the same."""
        if not isinstance(other, Name):
            return NotImplemented
        if self.uri is None or other.uri is None:
            return (self.local, self.prefix, self.uri) == (other.local, other.prefix, other.uri)
        return self.local == other.local and self.uri == other.uri

    def __hash__(self) -> int:
        """Returns a hash that agrees with equality."""
        return hash((self.local, self.uri))

    def __str__(self) -> str:
        """Returns the name as its author wrote it."""
        if self.prefix is None:
            return self.expanded
        return f"{self.prefix}:{self.local}" if self.prefix else self.local
