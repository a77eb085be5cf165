"""Which table and column is which element and attribute of the XML view.

The rules, from which every name below follows:

- A row is an element. Rows that belong to a row of another table are inside its element, and the
  column that says so is not written.
- A column is an attribute of its name in camel case. A key is ``id``; a reference loses its
  ``_id`` (``super_id`` is ``super``), and is ``ref`` where the element has the name of what it
  refers to. An absent value is an absent attribute, and so is a false boolean.
- What was counted while the program ran is an element, as in the toolchain paper's Figure 4:
  ``n_executions`` is ``dcg:executionCount``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from jvmscope.schema.definitions import tables, word_sets

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "AGGREGATES",
    "CCT_ROOT",
    "CLASSES_ROOT",
    "DYNAMIC_TABLES",
    "NAMESPACE",
    "STATIC_TABLES",
    "USUAL_PREFIX",
    "Attribute",
    "Element",
    "elements",
]

NAMESPACE = "urn:jvmscope:dcg:1"
USUAL_PREFIX = "dcg"
CLASSES_ROOT = "classes"
CCT_ROOT = "cct"

AGGREGATES = ("thread_method", "thread_block")
"""Tables that are not written: sums of others, made again by the reader."""

_COUNTS = {
    "n_calls": "callCount",
    "n_bytecodes": "bytecodeCount",
    "n_executions": "executionCount",
    "n_receiver_misses": "receiverMissCount",
    "n_target_misses": "targetMissCount",
    "n_changes": "changeCount",
    "n_call_hits": "callHitCount",
    "n_call_misses": "callMissCount",
    "n_return_hits": "returnHitCount",
    "n_return_misses": "returnMissCount",
    "n_catch_hits": "catchHitCount",
    "n_catch_misses": "catchMissCount",
}

Kind = Literal["integer", "long", "text", "flag", "word"]


class Attribute(NamedTuple):
    """One column as an attribute; ``words`` are those that it may hold, if not any."""

    name: str
    column: str
    kind: Kind
    is_required: bool
    words: Mapping[str, None]  # a set that keeps its order


@dataclass(frozen=True)
class Element:
    """One table as an element.

    ``owner`` is the column that the enclosing element gives; ``counts`` are the child elements
    that hold counts, each with its column, in order. ``has_key`` says that the element's
    ``id`` is the table's dense key.
    """

    name: str
    table: str
    owner: str | None
    attributes: tuple[Attribute, ...]
    counts: tuple[tuple[str, str], ...]
    has_key: bool


# Table: its element, and the column that the enclosing element gives.
_STATIC: dict[str, tuple[str, str | None]] = {
    "class": ("class", None),
    "field": ("field", "class_id"),
    "method": ("method", "class_id"),
    "basic_block": ("basicBlock", "method_id"),
    "block_segment": ("blockSegment", "basic_block_id"),
    "instruction": ("instruction", "basic_block_id"),
    "call_site": ("callSite", "caller_id"),
    "exclusion": ("exclusion", None),
}
_DYNAMIC: dict[str, tuple[str, str | None]] = {
    "thread": ("thread", None),
    "call_order": ("callOrder", "thread_id"),
    "branch_order": ("branchOrder", "thread_id"),
    "context": ("context", "thread_id"),
    "context_block": ("basicBlock", "context_id"),
    "context_segment": ("blockSegment", "context_id"),
    "receiver": ("receiver", "context_id"),
    "method_cache": ("methodCache", "context_id"),
    "back_edge": ("backEdge", "context_id"),
}
STATIC_TABLES = tuple(_STATIC)
DYNAMIC_TABLES = tuple(_DYNAMIC)

_LISTS = frozenset({"interface_ids"})  # written as elements of their own


_KINDS: dict[str, Kind] = {"BOOLEAN": "flag", "INTEGER": "integer", "BIGINT": "long"}


@cache
def elements() -> Mapping[str, Element]:
    """Returns the element of every table that the XML view holds, by the table's name."""
    return {
        table: _element(table, name, owner) for table, (name, owner) in (_STATIC | _DYNAMIC).items()
    }


def _element(table: str, name: str, owner: str | None) -> Element:
    definition = tables()[table]
    key = f"{table}_id"
    attributes = []
    counts = []
    for column in definition.columns:
        if column.name == owner or column.name in _LISTS:
            continue
        if column.name in _COUNTS:
            counts.append((_COUNTS[column.name], column.name))
            continue
        label = "id" if column.name == key else _label(column.name)
        if label == name:
            label = "ref"
        names = word_sets()[column.sql_type].words if column.sql_type in word_sets() else ()
        kind = _kind(column.sql_type)
        required = not column.is_nullable and kind != "flag"
        attributes.append(Attribute(label, column.name, kind, required, dict.fromkeys(names)))
    has_key = any(attribute.column == key for attribute in attributes)
    return Element(name, table, owner, tuple(attributes), tuple(counts), has_key)


def _label(column: str) -> str:
    """Returns the attribute of a column.

    >>> _label("major_version"), _label("call_site_id"), _label("is_folded")
    ('majorVersion', 'callSite', 'isFolded')
    """
    return re.sub("_([a-z])", lambda found: found[1].upper(), column.removesuffix("_id"))


def _kind(sql_type: str) -> Kind:
    if sql_type in word_sets():
        return "word"
    return _KINDS.get(sql_type, "text")
