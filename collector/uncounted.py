"""What a recording could not count since the JVM's limits left no room in a class or a method.

A method that grows beyond them would seem to execute nothing, and who reads a total has no reason
to look into the table that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from jvmscope.schema.limits import Limit
from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["uncounted"]

_OF_JDK = ("java.", "jdk.")  # modules
_ON_PURPOSE = ("excluded by", "empty:")  # as reasons begin: the user's own, and a finalizer's


def uncounted(tables: Path) -> list[Limit]:
    """Returns the limit that the program's own methods met; none, if none did as far as is known.

    Methods whose calls are counted, and whose blocks are not, met it if they were called. Where
    not even calls are counted nobody knows; these may have been. What nobody can count in the
    class library is the same in each recording, and listed in the table ``exclusion`` alone.

    Args:
        tables: the directory of a run's tables.
    """
    names = _methods(tables)
    if not names:
        return []
    first, reason = next(iter(names.items()))
    others = len(names) - 1
    more = f", and of {others:,} more, as in table exclusion" if others else ""
    return [Limit("uncounted", f"no bytecodes were counted of {first} ({reason}){more}")]


def _methods(tables: Path) -> dict[str, str]:
    """Returns methods with reasons, in the order of the table."""
    classes = {
        row["class_id"]: row["name"]
        for row in _rows(tables, "class", "class_id", "name", "module")
        if not (row["module"] or "").startswith(_OF_JDK)
    }
    methods = [
        row
        for row in _rows(
            tables, "method", "method_id", "class_id", "name", "descriptor", "coverage", "is_native"
        )
        if row["coverage"] not in ("full", "leaf")
        and row["class_id"] in classes
        and not row["is_native"]
    ]
    if not methods:
        return {}
    called = {row["method_id"] for row in _rows(tables, "thread_method", "method_id")}
    reasons = {
        (row["class_name"], row["method_name"], row["descriptor"]): row["reason"]
        for row in _rows(tables, "exclusion", "class_name", "method_name", "descriptor", "reason")
    }
    found = {}
    for row in methods:
        class_name, name = classes[row["class_id"]], (row["name"], row["descriptor"])
        reason = reasons.get((class_name, *name)) or reasons.get((class_name, None, None), "")
        is_known = row["coverage"] == "none" or row["method_id"] in called
        if is_known and not reason.startswith(_ON_PURPOSE):
            found[f"{class_name}.{''.join(name)}"] = reason or "for an unknown reason"
    return found


def _rows(tables: Path, table: str, *columns: str) -> list[dict[str, Any]]:
    return pq.read_table(local(tables / f"{table}.parquet"), columns=[*columns]).to_pylist()
