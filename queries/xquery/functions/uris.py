"""URIs (F&O 3.1, section 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin, urlsplit

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from jvmscope.queries.xquery.functions.context import Context

__all__ = [
    "encode_for_uri",
    "escape_html_uri",
    "iri_to_uri",
    "resolve",
    "resolve_against",
    "resolve_against_static",
]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BAD = re.compile(r"[\s<>\"{}|\\^`]|%(?![0-9a-fA-F]{2})")
_IRI_SAFE = "!#$%&'()*+,-./:;=?@[]_~"
_HTML_SAFE = "".join(map(chr, range(32, 127)))


@builtin("fn:resolve-uri($relative as xs:string?) as xs:anyURI?")
def resolve_against_static(context: Context, relative: str | None) -> Any:
    """Returns a URI made absolute with the static base URI; FONS0005 if there is none."""
    if relative is None:
        return None
    base = context.static.base_uri
    if base is None:
        raise DynamicError("FONS0005", "there is no static base URI")
    return resolve(relative, base)


@builtin("fn:resolve-uri($relative as xs:string?, $base as xs:string) as xs:anyURI?")
def resolve(relative: str | None, base: str) -> Any:
    """Returns a URI made absolute with another."""
    if relative is None:
        return None
    return cast_to(resolve_against(relative, base), "anyURI")


def resolve_against(relative: str, base: str) -> str:
    """Returns an absolute URI as a string.

    Raises:
        DynamicError: FORG0002, one of the two is no URI, or `base` is not absolute.

    >>> resolve_against("../c", "http://example.com/a/b")
    'http://example.com/c'
    """
    if _BAD.search(relative) or relative.startswith(":") or relative.count("#") > 1:
        raise DynamicError("FORG0002", f"{relative!r} is not a URI")
    if _SCHEME.match(relative):
        return relative
    if _BAD.search(base) or not _SCHEME.match(base) or "#" in base:
        raise DynamicError("FORG0002", f"{base!r} is not an absolute URI")
    scheme, location, path, _, _ = urlsplit(base)
    if not location and not path.startswith("/"):
        raise DynamicError("FORG0002", f"{base!r} is not hierarchical")
    if not relative:
        return base
    # urljoin knows only some schemes as hierarchical.
    joined = urljoin(f"http{base[len(scheme) :]}", relative)
    return f"{base[: len(scheme)]}{joined.removeprefix('http')}"


@builtin("fn:encode-for-uri($uri-part as xs:string?) as xs:string")
def encode_for_uri(part: str | None) -> str:
    """Returns a text with every character but the unreserved escaped."""
    return quote(part or "", safe="-_.~")


@builtin("fn:iri-to-uri($iri as xs:string?) as xs:string")
def iri_to_uri(iri: str | None) -> str:
    """Returns an IRI with the characters escaped that a URI may not contain."""
    return quote(iri or "", safe=_IRI_SAFE)


@builtin("fn:escape-html-uri($uri as xs:string?) as xs:string")
def escape_html_uri(uri: str | None) -> str:
    """Returns a URI with the characters escaped that are not printable ASCII."""
    return quote(uri or "", safe=_HTML_SAFE)
