"""The static context of a module's top level (XQuery 3.1, section 2.1.1)."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from jvmscope.queries.records import Record, record
from jvmscope.queries.xquery.syntax.expanded_names import FN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.source import Source
    from jvmscope.queries.xquery.syntax.types import ItemType

__all__ = ["StaticContext"]


@record
class StaticContext(Record):
    """What a module's prolog and its environment have set.

    Attributes:
        source: the module's text.
        language: ``xquery`` or ``xpath``.
        namespaces: prefix to URI, without the default namespace.
        default_element_namespace: of unprefixed names of elements and types, "" for none.
        default_function_namespace: of unprefixed names of functions, "" for none.
        base_uri: absolute, or None.
        default_collation: an absolute URI, or None for codepoints.
        copy_preserve: copied elements keep namespaces that they do not use.
        copy_inherit: copied elements take namespaces of their new parents.
        construction: ``preserve`` or ``strip``; without schemas both are the same.
        is_ordered: the ordering mode; paths are in document order in any case.
        empty_least: the empty sequence sorts before all values.
        keeps_boundary_space: what the parser has done with space in direct constructors.
        decimal_formats: properties as declared, by the format's name; None: the default one.
        serialization: parameters of ``declare option output:…``, by local name.
        context_item_type: of ``declare context item``, or None.
    """

    source: Source
    language: str = "xquery"
    namespaces: Mapping[str, str] = field(default_factory=dict)
    default_element_namespace: str = ""
    default_function_namespace: str = FN
    base_uri: str | None = None
    default_collation: str | None = None
    copy_preserve: bool = True
    copy_inherit: bool = True
    construction: str = "preserve"
    is_ordered: bool = True
    empty_least: bool = True
    keeps_boundary_space: bool = False
    decimal_formats: Mapping[Name | None, Mapping[str, str]] = field(default_factory=dict)
    serialization: Mapping[str, str] = field(default_factory=dict)
    context_item_type: ItemType | None = None
