"""Reads what docs/results.md says of objects from each run of the suite of languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.results.values import SCOPE
from jvmscope.metrics.measure import measure
from jvmscope.queries import Engine, parse_scope
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from benchmarks.results.values import Key, Values

__all__ = ["ALGORITHM", "PROGRAM", "read_objects", "read_objects_of_programs"]

PROGRAM = "of classes outside the JDK, in the whole run"
ALGORITHM = "in the measured part"

_OF_CLASSES = ("immutability.objects", "immutability.fields", "zeroing.fields")
_OF_RUN = ("locking.objects", "sharing.needless", "hashcodes.types", "allocations.run")


def read_objects(folder: Path) -> dict[Key, Values]:
    """Returns the values of each recorded algorithm, by language and algorithm."""
    rows = [row for row in open_suite(folder).rows if "algorithm" in row.tags]
    return {
        (row.benchmark, str(row.parameters["algorithm"])): _values(row.run, SCOPE)
        for row in rows
        if row.run
    }


def read_objects_of_programs(folder: Path) -> dict[str, Values]:
    """Returns the values of each recorded real program, whole, by its name."""
    rows = [row for row in open_suite(folder).rows if "program" in row.tags]
    return {str(row.parameters["program"]): _values(row.run, "run") for row in rows if row.run}


def _values(run: Path, scope: str) -> Values:
    asked = (("application", _OF_CLASSES), ("run", _OF_RUN), (scope, ("allocations.run",)))
    with Engine(run) as engine:
        inner, whole, part = (
            measure([engine], metrics=ids, scope=parse_scope(each)).arrow().to_pylist()
            for each, ids in asked
        )
    n_objects = _sum(whole, "allocations.run", "n_objects")
    n_asked = sum(
        _sum(whole, "hashcodes.types", f"n_{kind}_objects") for kind in ("identity", "default")
    )
    return {
        "immutable_objects": _one(inner, "immutability.objects", "immutable_share"),
        "immutable_fields": _one(inner, "immutability.fields", "immutable_share"),
        "immutable_classes": _one(inner, "immutability.objects", "immutable_classes_share"),
        "needless_zeros": _one(inner, "zeroing.fields", "needless_share", type="all"),
        "locked_objects": _one(whole, "locking.objects", "n_objects"),
        "lock_operations": _one(whole, "locking.objects", "mean_operations"),
        "shared_locks": _one(whole, "locking.objects", "shared_share"),
        "needless_locks": _one(whole, "sharing.needless", "needless_share"),
        "identity_hashes": n_asked / n_objects if n_objects else None,
        "overridden_hashes": (
            _sum(whole, "hashcodes.types", "n_overridden_objects") / n_objects
            if n_objects
            else None
        ),
        "objects": _one(part, "allocations.run", "n_objects"),
        "bytes": _one(part, "allocations.run", "n_bytes"),
        "mean_size": _one(part, "allocations.run", "average_size"),
    }


def _one(rows: Iterable[Mapping[str, Any]], metric: str, name: str, **keys: object) -> float | None:
    """Returns the value of the first row with these keys; None: there is none."""
    return next(
        (
            row["value"]
            for row in rows
            if (row["metric"], row["measure"]) == (metric, name)
            and all(row[key] == value for key, value in keys.items())
        ),
        None,
    )


def _sum(rows: Iterable[Mapping[str, Any]], metric: str, name: str) -> float:
    return sum(
        row["value"] or 0 for row in rows if (row["metric"], row["measure"]) == (metric, name)
    )
