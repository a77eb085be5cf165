"""Which table and column is which element and attribute of the XML view.

The tables' definitions say the element and where it stands; the rules for the rest:

- A row is an element. Rows that belong to a row of another table are inside its element, and the
  column that says so is not written.
- A column is an attribute of its name in camel case. A key is ``id``; a reference loses its
  ``_id`` (``super_id`` is ``super``), and is ``ref`` where the element has the name of what it
  refers to. An absent value is an absent attribute, and so is a false boolean.
- What was counted while the program ran is an element, as in the toolchain paper's Figure 4:
  ``n_executions`` is ``dcg:executionCount``. These are the columns ``n_…`` of what lies in
  ``cct.xml``.
- A table that sums others is not written: the reader makes it again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from jvmscope.schema.definitions import ALWAYS, tables, tables_within, word_sets

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from jvmscope.schema.definitions import Table

__all__ = [
    "CCT_ROOT",
    "CLASSES_ROOT",
    "MAX_NESTED_DEPTH",
    "NAMESPACE",
    "SUMMED_COUNTS",
    "USUAL_PREFIX",
    "Attribute",
    "Element",
    "counted_as",
    "elements",
    "tables_in",
    "unrecorded_elements",
]

NAMESPACE = "urn:jvmscope:dcg:1"
USUAL_PREFIX = "dcg"
CLASSES_ROOT = "classes"
CCT_ROOT = "cct"

MAX_NESTED_DEPTH = 1_000_000
"""The deepest context that the nested form may hold; a parser needs memory for each level."""

SUMMED_COUNTS = {"method": ("callCount", "bytecodeCount"), "basic_block": ("executionCount",)}
"""The counts of ``classes.xml``: sums over the threads, which no column of the table holds."""

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

    ``within`` is the table whose elements hold it, or the document, and ``owner`` the column that
    the enclosing element gives; ``counts`` are the child elements that hold counts, each with its
    column, in order. ``has_key`` says that the element's ``id`` is the table's dense key.
    """

    name: str
    table: str
    within: str
    owner: str | None
    attributes: tuple[Attribute, ...]
    counts: tuple[tuple[str, str], ...]
    has_key: bool


_KINDS: dict[str, Kind] = {"BOOLEAN": "flag", "INTEGER": "integer", "BIGINT": "long"}


@cache
def tables_in(document: str) -> tuple[str, ...]:
    """Returns the tables whose rows a document holds, ``classes`` or ``cct``, in document order."""
    found: list[str] = []
    for table in tables_within(document):
        found += (table, *tables_in(table))
    return tuple(found)


@cache
def elements() -> Mapping[str, Element]:
    """Returns the element of every table that the XML view holds, by the table's name."""
    found = {name: _element(tables()[name], has_counts=False) for name in tables_in(CLASSES_ROOT)}
    found |= {name: _element(tables()[name], has_counts=True) for name in tables_in(CCT_ROOT)}
    return found


def unrecorded_elements(recorded: Collection[str]) -> dict[str, str]:
    """Returns the elements that a run has no table of, and the option that records each.

    Args:
        recorded: the names of the tables that the run has.

    >>> unrecorded_elements({"receiver"}).get("receiver"), unrecorded_elements(())["receiver"]
    (None, '--probes receivers')
    """
    options: dict[str, str] = {}
    present = set()
    for table, element in elements().items():
        option = tables()[table].recorded
        if table in recorded or option == ALWAYS:
            present.add(element.name)
        else:
            options[element.name] = option
    return {name: option for name, option in options.items() if name not in present}


def _element(definition: Table, *, has_counts: bool) -> Element:
    assert definition.place is not None  # noqa: S101 - it stands in a document
    table, name, within = definition.name, definition.place.element, definition.place.within
    owner = definition.owner.name if definition.owner else None
    key = f"{table}_id"
    attributes = []
    counts = []
    for column in definition.columns:
        if column.name == owner or column.list_of is not None:
            continue
        if has_counts and column.name.startswith("n_"):
            counts.append((counted_as(column.name), column.name))
            continue
        label = "id" if column.name == key else _label(column.name)
        if label == name:
            label = "ref"
        names = word_sets()[column.sql_type].words if column.sql_type in word_sets() else ()
        kind = _kind(column.sql_type)
        required = not column.is_nullable and kind != "flag"
        attributes.append(Attribute(label, column.name, kind, required, dict.fromkeys(names)))
    has_key = any(attribute.column == key for attribute in attributes)
    return Element(name, table, within, owner, tuple(attributes), tuple(counts), has_key)


def counted_as(column: str) -> str:
    """Returns the element of a counted column.

    >>> counted_as("n_executions"), counted_as("n_receiver_misses"), counted_as("n_entries")
    ('executionCount', 'receiverMissCount', 'entryCount')
    """
    plural = column.removeprefix("n_")
    for ending, of_one in (("sses", "ss"), ("ies", "y"), ("s", "")):
        if plural.endswith(ending):
            return f"{_label(plural.removesuffix(ending) + of_one)}Count"
    return f"{_label(plural)}Count"


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
