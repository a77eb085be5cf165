"""Documents, collections, texts and the environment (F&O 3.1, sections 14.6 and 14.7).

Everything comes from the resolver in the context; without one, all reading is refused.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.casts import cast_to
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import first_invalid
from jvmscope.queries.xquery.trees.parsing import XmlError, parse_document, parse_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.queries.xquery.functions.context import Context, Documents
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.trees.node import Node

__all__ = [
    "available_environment_variables",
    "collection",
    "document",
    "document_available",
    "environment_variable",
    "parse_xml",
    "parse_xml_fragment",
    "read_text",
    "unparsed_text",
    "unparsed_text_available",
    "unparsed_text_lines",
    "uri_collection",
]

_NOT_IN_URI = re.compile(r"[\s<>\"{}|\\^`]|%(?![0-9a-fA-F]{2})|^:")


def _resolver(context: Context, code: str) -> Documents:
    if context.documents is None:
        raise DynamicError(code, "reading is not allowed here")
    return context.documents


def _absolute(context: Context, uri: str, code: str) -> str:
    from jvmscope.queries.xquery.functions.uris import resolve_against

    if _NOT_IN_URI.search(uri):
        raise DynamicError(code, f"{uri!r} is not a URI")
    base = context.static.base_uri
    try:
        return resolve_against(uri, base) if base else uri
    except DynamicError as error:
        raise DynamicError(code, error.message) from error


@builtin("fn:doc($uri as xs:string?) as document-node()?")
def document(context: Context, uri: str | None) -> Node | None:
    """Returns the document of a URI, the same node each time; FODC0002 if there is none."""
    if uri is None:
        return None
    absolute = _absolute(context, uri, "FODC0005")
    try:
        return _resolver(context, "FODC0002").document(absolute)
    except (OSError, ValueError) as error:
        raise DynamicError("FODC0002", f"cannot read the document {uri}: {error}") from error


@builtin("fn:doc-available($uri as xs:string?) as xs:boolean")
def document_available(context: Context, uri: str | None) -> bool:
    """Tells whether fn:doc would return a document."""
    try:
        return document(context, uri) is not None
    except DynamicError:
        return False


@builtin("fn:collection() as item()*")
@builtin("fn:collection($arg as xs:string?) as item()*")
def collection(context: Context, arg: str | None = None) -> list[Item]:
    """Returns the items of a collection, of the default one without a URI."""
    uri = None if arg is None else _absolute(context, arg, "FODC0004")
    try:
        return list(_resolver(context, "FODC0002").collection(uri))
    except (OSError, ValueError) as error:
        shown = "the default collection" if uri is None else f"the collection {arg}"
        raise DynamicError("FODC0002", f"cannot read {shown}: {error}") from error


@builtin("fn:uri-collection() as xs:anyURI*")
@builtin("fn:uri-collection($arg as xs:string?) as xs:anyURI*")
def uri_collection(context: Context, arg: str | None = None) -> list[Any]:
    """Returns the URIs of the documents in a collection."""
    uri = None if arg is None else _absolute(context, arg, "FODC0004")
    try:
        found = list(_resolver(context, "FODC0002").uri_collection(uri))
    except (OSError, ValueError) as error:
        raise DynamicError("FODC0002", f"cannot read the collection: {error}") from error
    return [cast_to(each, "anyURI") for each in found]


def read_text(
    context: Context, uri: str, encoding: str | None = None, *, is_xml: bool = True
) -> str:
    """Returns the text of a resource.

    Args:
        context: where the resolver is.
        uri: absolute, or relative to the static base URI.
        encoding: where the resource does not tell it.
        is_xml: whether characters that XML does not allow are refused.

    Raises:
        DynamicError: FOUT1170 (there is none), FOUT1190 (bad encoding or characters).
    """
    absolute = _absolute(context, uri, "FOUT1170")
    if "#" in uri:
        raise DynamicError("FOUT1170", f"{uri} has a fragment identifier")
    if encoding is not None and not _is_encoding(encoding):
        raise DynamicError("FOUT1190", f"the encoding {encoding} is not known")
    try:
        text = _resolver(context, "FOUT1170").text(absolute, encoding)
    except (UnicodeError, LookupError) as error:
        code = "FOUT1190" if encoding else "FOUT1200"
        raise DynamicError(code, f"cannot decode {uri}: {error}") from error
    except (OSError, ValueError) as error:
        raise DynamicError("FOUT1170", f"cannot read {uri}: {error}") from error
    if is_xml and (character := first_invalid(text)) is not None:
        message = f"{uri} contains U+{ord(character):04X}, which is not a character of XML"
        raise DynamicError("FOUT1190", message)
    return text.removeprefix("\ufeff")


def _is_encoding(name: str) -> bool:
    try:
        codecs.lookup(name.strip())
    except LookupError:
        return False
    return True


@builtin("fn:unparsed-text($href as xs:string?) as xs:string?")
@builtin("fn:unparsed-text($href as xs:string?, $encoding as xs:string) as xs:string?")
def unparsed_text(context: Context, href: str | None, encoding: str | None = None) -> str | None:
    """Returns the text of a resource."""
    return None if href is None else read_text(context, href, encoding)


@builtin("fn:unparsed-text-available($href as xs:string?) as xs:boolean")
@builtin("fn:unparsed-text-available($href as xs:string?, $encoding as xs:string) as xs:boolean")
def unparsed_text_available(
    context: Context, href: str | None, encoding: str | None = None
) -> bool:
    """Tells whether fn:unparsed-text would return a text."""
    try:
        return unparsed_text(context, href, encoding) is not None
    except DynamicError:
        return False


@builtin("fn:unparsed-text-lines($href as xs:string?) as xs:string*")
@builtin("fn:unparsed-text-lines($href as xs:string?, $encoding as xs:string) as xs:string*")
def unparsed_text_lines(
    context: Context, href: str | None, encoding: str | None = None
) -> list[str]:
    """Returns the lines of a text resource, without their ends."""
    if href is None:
        return []
    lines = re.split("\r\n|\r|\n", read_text(context, href, encoding))
    return lines if lines[-1] else lines[:-1]


@builtin("fn:environment-variable($name as xs:string) as xs:string?")
def environment_variable(context: Context, name: str) -> str | None:
    """Returns an environment variable; nothing where the environment is not given."""
    return None if context.environment is None else context.environment.get(name)


@builtin("fn:available-environment-variables() as xs:string*")
def available_environment_variables(context: Context) -> Iterator[str]:
    """Returns the names of the environment variables that are given."""
    return iter(context.environment or ())


@builtin("fn:parse-xml($arg as xs:string?) as document-node(element(*, xs:untyped))?")
def parse_xml(context: Context, arg: str | None) -> Node | None:
    """Returns the document that a text is; FODC0006 if it is not well-formed."""
    if arg is None:
        return None
    try:
        return parse_document(arg, None, _entities(context), base_uri=context.static.base_uri)
    except (OSError, XmlError) as error:  # OSError: an external entity is not there
        raise DynamicError("FODC0006", str(error)) from error


def _entities(context: Context) -> Callable[[str], bytes] | None:
    """Returns what reads external entities; None where reading is refused: they are left out."""
    documents = context.documents
    if documents is None:
        return None
    base = context.static.base_uri or ""
    return lambda uri: documents.text(urljoin(base, uri), None).encode()


@builtin("fn:parse-xml-fragment($arg as xs:string?) as document-node()?")
def parse_xml_fragment(context: Context, arg: str | None) -> Node | None:
    """Returns a document of what a text contains; FODC0006 if it is not well-formed."""
    if arg is None:
        return None
    try:
        return parse_fragment(arg, context.static.base_uri)
    except XmlError as error:
        raise DynamicError("FODC0006", str(error)) from error
