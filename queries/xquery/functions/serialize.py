"""fn:serialize (F&O 3.1, section 14.8.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.atomize import describe
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.serialization import (
    Parameters,
    parameters_from_element,
    parameters_from_map,
)
from jvmscope.queries.xquery.serialization import serialize as to_text
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["serialize"]

_DEFAULTS = Parameters(omit_xml_declaration=True)


@builtin("fn:serialize($arg as item()*) as xs:string")
@builtin("fn:serialize($arg as item()*, $params as item()?) as xs:string")
def serialize(arg: list[Item], params: Any = None) -> str:
    """Returns a sequence as text; the parameters come in an element or a map."""
    if params is None:
        return to_text(arg, _DEFAULTS)
    if isinstance(params, MapItem):
        return to_text(arg, parameters_from_map(params, _DEFAULTS))
    if isinstance(params, Node) and params.kind is Kind.ELEMENT:
        return to_text(arg, parameters_from_element(params, _DEFAULTS))
    raise DynamicError("XPTY0004", f"{describe(params)} has no serialization parameters")
