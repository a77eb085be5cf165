"""Functions on QNames (F&O 3.1, section 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.casts import cast_to, make_qname, qname
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname

if TYPE_CHECKING:
    from elementpath import datatypes as ep

    from jvmscope.queries.xquery.trees.node import Node

__all__ = [
    "in_scope_prefixes",
    "local_name",
    "make",
    "namespace_uri",
    "namespace_uri_for_prefix",
    "prefix",
    "resolve",
]


@builtin("fn:resolve-QName($qname as xs:string?, $element as element()) as xs:QName?")
def resolve(text: str | None, element: Node) -> Any:
    """Returns a QName whose prefix is resolved in the namespaces of an element."""
    if text is None:
        return None
    try:
        return make_qname(text, element.in_scope_namespaces())
    except DynamicError as error:
        code = "FOCA0002" if error.code == "FORG0001" else error.code
        raise DynamicError(str(code), error.message) from error


@builtin("fn:QName($paramURI as xs:string?, $paramQName as xs:string) as xs:QName")
def make(uri: str | None, text: str) -> Any:
    """Returns a QName of a namespace and a name; FOCA0002 if the name is none or has no place."""
    name = collapse(text)
    prefix_, colon, local = name.rpartition(":")
    if not is_ncname(local) or (colon and not is_ncname(prefix_)):
        raise DynamicError("FOCA0002", f"{text!r} is not a QName")
    if colon and not uri:
        raise DynamicError("FOCA0002", f"{text!r} has a prefix, but no namespace")
    return qname(str(uri or ""), name)


@builtin("fn:prefix-from-QName($arg as xs:QName?) as xs:NCName?")
def prefix(arg: ep.QName | None) -> Any:
    """Returns the prefix of a QName, or nothing."""
    return None if arg is None or not arg.prefix else cast_to(arg.prefix, "NCName")


@builtin("fn:local-name-from-QName($arg as xs:QName?) as xs:NCName?")
def local_name(arg: ep.QName | None) -> Any:
    """Returns the local part of a QName."""
    return None if arg is None else cast_to(arg.local_name, "NCName")


@builtin("fn:namespace-uri-from-QName($arg as xs:QName?) as xs:anyURI?")
def namespace_uri(arg: ep.QName | None) -> Any:
    """Returns the namespace of a QName, "" for none."""
    return None if arg is None else cast_to(arg.uri, "anyURI")


@builtin("fn:namespace-uri-for-prefix($prefix as xs:string?, $element as element()) as xs:anyURI?")
def namespace_uri_for_prefix(prefix_: str | None, element: Node) -> Any:
    """Returns the namespace that a prefix stands for in an element, or nothing."""
    uri = element.in_scope_namespaces().get(prefix_ or "")
    return cast_to(uri, "anyURI") if uri else None


@builtin("fn:in-scope-prefixes($element as element()) as xs:string*")
def in_scope_prefixes(element: Node) -> list[str]:
    """Returns the prefixes that an element may use, "" for a default namespace."""
    return [name for name, uri in element.in_scope_namespaces().items() if uri]
