"""The beginning of a recorded run as a run of its own, small enough to be exported and queried."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from jvmscope.schema import TableWriter, read_manifest, tables, write_manifest
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_beginning"]

_KEYS = {"class_id": "class", "caller_id": "method", "context_id": "context"}
_MANY = ("exclusion", "call_order", "branch_order")  # rows of the root and of a thread
_AGGREGATES = {"thread_method": "method_id", "thread_block": "basic_block_id"}


def write_beginning(run: Path, target: Path, *, n_classes: int, n_contexts: int) -> Path:
    """Writes the first classes and contexts of a run, with what they hold, as a run.

    Keys are given out in document order, so each table's first rows are kept, and the first
    contexts are closed under callers. What rows refer to, but are not held by, may be missing.
    """
    manifest = read_manifest(run)
    kept = {name: pq.read_table(run / "tables" / f"{name}.parquet") for name in manifest.tables}
    kept["class"] = kept["class"].slice(0, n_classes)
    kept["context"] = _closed(kept["context"].slice(0, n_contexts))
    kept["thread"] = _below(kept["thread"], "root_context_id", n_contexts)
    for name, element in elements().items():
        if name in kept and element.owner and name != "context":
            owner = _KEYS.get(element.owner) or element.owner.removesuffix("_id")
            kept[name] = _below(kept[name], element.owner, kept[owner].num_rows)
    for name in _MANY:
        if name in kept:
            kept[name] = kept[name].slice(0, n_contexts)
    for name, column in _AGGREGATES.items():
        rows = _below(kept[name], "thread_id", kept["thread"].num_rows)
        kept[name] = _below(rows, column, kept[column.removesuffix("_id")].num_rows)
    (target / "tables").mkdir(parents=True)
    facts = {}
    for name, table in kept.items():
        with TableWriter(target / "tables" / f"{name}.parquet", tables()[name].arrow_schema) as to:
            to.write(table.cast(tables()[name].arrow_schema))
            facts[name] = to.close()
    write_manifest(target, replace(manifest, tables=facts, files={}))
    return target


def _below(table: Any, column: str, limit: int) -> Any:
    return table.filter(pc.less(table.column(column), limit))


def _closed(contexts: Any) -> Any:
    """Returns contexts whose subtrees end where the table does."""
    left = pc.subtract(contexts.num_rows, contexts.column("context_id"))
    sizes = pc.min_element_wise(contexts.column("size"), left)
    place = contexts.column_names.index("size")
    return contexts.set_column(place, "size", sizes)
