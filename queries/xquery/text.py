"""The items of an XQuery as text, by its own serialization options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.serialized import Serialized
from jvmscope.queries.xquery.serialization import Parameters, serialize
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.xquery.analysis.context import StaticContext

__all__ = ["are_nodes", "declared_parameters", "serialized"]

_NO_DECLARATION = Parameters(omit_xml_declaration=True)
_NODES = replace(_NO_DECLARATION, item_separator="\n")
_ANYTHING = replace(_NO_DECLARATION, method="adaptive")
_NEVER_ALONE = frozenset({Kind.ATTRIBUTE, Kind.NAMESPACE})


def declared_parameters(context: StaticContext) -> Parameters | None:
    """Returns what a query's ``declare option output:…`` ask for; None without any.

    What they leave open is as the specification has it, but for the XML declaration, which is
    written only if it is asked for.

    Raises:
        QueryError: a value is not allowed, or the options are in a document.
    """
    options = dict(context.serialization)
    if not options:
        return None
    if "parameter-document" in options:
        message = "a query reads no files, so it has no output:parameter-document"
        raise QueryError(message, code="SEPM0016", path=_path(context))
    return _NO_DECLARATION.with_options(options, _expanded)


def are_nodes(items: Sequence[Any]) -> bool:
    """Tells whether there are items, and all of them are nodes that can stand alone."""
    return bool(items) and all(
        isinstance(item, Node) and item.kind not in _NEVER_ALONE for item in items
    )


def serialized(
    items: Sequence[Any],
    declared: Parameters | None,
    *,
    is_truncated: bool,
    refusals: Sequence[str] = (),
) -> Serialized:
    """Returns items as text: as declared, else nodes as XML, a line each, and others adaptively.

    Raises:
        QueryError: the method has no text for an item.
    """
    parameters = declared or (_NODES if are_nodes(items) else _ANYTHING)
    return Serialized(
        serialize(items, parameters),
        parameters.method,
        parameters.encoding,
        is_truncated=is_truncated,
        refusals=refusals,
    )


def _expanded(text: str) -> Name:
    """Returns the name that ``Q{uri}local`` writes."""
    uri, brace, local = text.removeprefix("Q{").partition("}")
    return Name(local, None, uri) if brace else Name(text, "", "")


def _path(context: StaticContext) -> str | None:
    return None if context.source.path is None else str(context.source.path)
