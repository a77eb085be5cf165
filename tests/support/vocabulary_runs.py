"""Runs for queries over the vocabulary: with and without each probe, with nulls, and empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xml_runs import Shape, write_rows, write_run

from jvmscope.schema import ALWAYS, tables
from support.samples import write_empty

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Rows = dict[str, list[dict[str, Any]]]

__all__ = ["PROBES", "WRITERS"]

_OPTIONS = sorted({table.recorded for table in tables().values()} - {ALWAYS})

PROBES = {
    option.removeprefix("--probes ").removeprefix("--"): tuple(
        name for name, table in tables().items() if table.recorded == option and table.place
    )
    for option in _OPTIONS
}
"""The tables of each probe."""

_PLAIN = ("run", "<init>", "main", "full")  # nothing that XML escapes: SQL reads it, too
_TREE = frozenset({"parent_id", "method_id", "call_site_id", "ancestor_id"})  # null has a meaning


def _shape(**changes: Any) -> Shape:
    given = {"seed": 3, "n_classes": 3, "n_contexts": 14, "n_threads": 2, "n_blocks": 2}
    return Shape(**{**given, "names": _PLAIN, **changes})


def _plain(run: Path) -> None:
    write_run(run, _shape())


def _without_probes(run: Path) -> None:
    write_run(run, _shape(seed=4, probes=False))


def _odd_names(run: Path) -> None:
    write_run(run, _shape(names=Shape().names))


def _chain(run: Path) -> None:
    write_run(run, _shape(seed=5, chain=True, n_threads=1, n_contexts=9))


def _only(probe: str) -> Callable[[Path], None]:
    def write(run: Path) -> None:
        others = {name for other, names in PROBES.items() if other != probe for name in names}
        shape = _shape(seed=6)
        rows = write_run(run.with_suffix(".all"), shape)
        write_rows(run, {name: rows[name] for name in rows if name not in others}, shape)

    return write


def _nulls(run: Path) -> None:
    """Writes null in every other row wherever it may be, and rows that only their place tells."""
    shape = _shape(seed=7)
    rows = write_run(run.with_suffix(".all"), shape)
    for name, table in rows.items():
        for column in tables()[name].columns:
            if column.is_nullable and not (name == "context" and column.name in _TREE):
                for row in table[::2]:
                    row[column.name] = None
    _alike(rows)
    write_rows(run, rows, shape)


def _all_null(run: Path) -> None:
    """Writes null wherever it may be, and rows that only their place tells."""
    shape = _shape(seed=8)
    rows = write_run(run.with_suffix(".all"), shape)
    for name, table in rows.items():
        for column in tables()[name].columns:
            if column.is_nullable and not (name == "context" and column.name in _TREE):
                for row in table:
                    row[column.name] = None
    _alike(rows)
    write_rows(run, rows, shape)


def _alike(rows: Rows) -> None:
    """Adds rows that are alike in what would be their key, and in all that may be null."""
    rows["exclusion"] += [
        {"class_name": "p/Z", "method_name": method, "descriptor": None, "reason": reason}
        for method, reason in ((None, "late"), ("m", "late"), ("m", "early"), (None, "late"))
    ]
    targets = [row["context_id"] for row in rows["context"]][1:4]
    sites = [row["call_site_id"] for row in rows["call_site"]][:1]
    rows["back_edge"] = [
        {"context_id": key, "call_site_id": site, "target_context_id": target, "n_calls": calls}
        for key in targets
        for site in (*sites, None)
        for calls, target in enumerate(targets)
    ]
    rows["receiver"] = [
        {"context_id": key, "class_id": class_id, "n_calls": calls}
        for key in targets
        for calls, class_id in enumerate((1, 0, None, 2))
    ]


WRITERS: dict[str, Callable[[Path], Any]] = {
    "all probes": _plain,
    "no probe": _without_probes,
    **{f"only {probe}": _only(probe) for probe in PROBES},
    "nulls": _nulls,
    "all null": _all_null,
    "odd names": _odd_names,
    "chain": _chain,
    "empty": write_empty,
}
"""What writes each run."""
