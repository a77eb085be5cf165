"""Functions that are refused: loading modules and stylesheets (F&O 3.1, 14.8, 16.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from jvmscope.queries.xquery.items.functions import MapItem

__all__ = ["load_xquery_module", "transform"]


@builtin("fn:load-xquery-module($module-uri as xs:string) as map(*)")
@builtin("fn:load-xquery-module($module-uri as xs:string, $options as map(*)) as map(*)")
def load_xquery_module(module_uri: str, options: MapItem | None = None) -> MapItem:  # noqa: ARG001
    """Raises FOQM0006: modules are imported in the prolog."""
    raise DynamicError("FOQM0006", "modules cannot be loaded while a query runs")


@builtin("fn:transform($options as map(*)) as map(*)")
def transform(options: MapItem) -> MapItem:  # noqa: ARG001
    """Raises FOXT0004: there is no XSLT processor."""
    raise DynamicError("FOXT0004", "there is no XSLT processor")
