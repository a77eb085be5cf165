"""The names of computed elements and attributes, given or computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementpath.datatypes import QName, UntypedAtomic

from jvmscope.queries.xquery.evaluator.code import Frame, atomic_operand
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname
from jvmscope.queries.xquery.syntax.expanded_names import XML, XMLNS, Name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.evaluator.closures import Compiler
    from jvmscope.queries.xquery.items.types import Atomic, Item
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["attribute_name", "element_name"]

_ELEMENT, _ATTRIBUTE = "XQDY0096", "XQDY0044"


def element_name(compiler: Compiler, name: Name | Expression) -> Callable[[Frame, Item], Name]:
    """Returns the closure for an element's name.

    It raises DynamicError: XPTY0004 (no name), XQDY0074 (no such prefix, no QName), XQDY0096
    (a reserved namespace).
    """
    return _computed(compiler, name, compiler.default_namespace, _ELEMENT)


def attribute_name(compiler: Compiler, name: Name | Expression) -> Callable[[Frame, Item], Name]:
    """Returns the closure for an attribute's name.

    It raises DynamicError: XPTY0004 (no name), XQDY0074 (no such prefix, no QName), XQDY0044
    (a reserved namespace or name).
    """
    return _computed(compiler, name, "", _ATTRIBUTE)


def _computed(
    compiler: Compiler, name: Name | Expression, default: str, code: str
) -> Callable[[Frame, Item], Name]:
    if isinstance(name, Name):
        known = Name(name.local, name.prefix or "", name.uri or "")
        return lambda _frame, _item: _checked(known, code)
    operand = atomic_operand(compiler.compile(name))
    namespaces = compiler.namespaces

    def name_of(frame: Frame, item: Item) -> Name:
        value = operand(frame, item)
        return _checked(_name(value, default, namespaces), code)

    return name_of


def _name(value: Atomic, default: str, namespaces: Mapping[str, str]) -> Name:
    if isinstance(value, QName):
        return Name(value.local_name, value.prefix or "", value.uri or "")
    if not isinstance(value, (str, UntypedAtomic)):
        found = "the empty sequence" if value is None else describe(value)
        raise DynamicError("XPTY0004", f"a name is expected, found {found}")
    text = collapse(str(value))
    if text.startswith("Q{"):
        uri, _, local = text[2:].partition("}")
        if is_ncname(local) and "{" not in uri:
            return Name(local, "", collapse(uri))
    prefix, colon, local = text.rpartition(":")
    if not is_ncname(local) or (colon and not is_ncname(prefix)):
        raise DynamicError("XQDY0074", f"{text!r} is not a name")
    if not colon:
        return Name(local, "", default)
    if prefix not in namespaces:
        raise DynamicError("XQDY0074", f"the prefix {prefix!r} is not declared")
    return Name(local, prefix, namespaces[prefix])


def _checked(name: Name, code: str) -> Name:
    is_wrong = (
        name.prefix == "xmlns"
        or name.uri == XMLNS
        or (name.prefix == "xml" and name.uri != XML)
        or (name.prefix not in {"", "xml"} and name.uri == XML)
        or (code == _ATTRIBUTE and not name.prefix and not name.uri and name.local == "xmlns")
    )
    if is_wrong:
        raise DynamicError(code, f"the name {name} is reserved")
    if name.prefix or not name.uri:
        return name
    if name.uri == XML:
        return Name(name.local, "xml", XML)
    return Name(name.local, "ns0", name.uri) if code == _ATTRIBUTE else name
