"""How much of two runs differs: topmost nodes, all nodes, classes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.queries import Engine, compare_runs
from jvmscope.queries.identity.comparison import find_context
from jvmscope.queries.identity.digest import digest_tree
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.queries.identity.digest import TreeDigest

__all__ = ["Difference", "compare", "count_differing", "distinct"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two runs, outside the threads that serve the VM.

    Attributes:
        n_topmost: nodes that differ and are below no node that does; they stand for the sources.
        n_nodes: nodes of either run that the other lacks, and those whose counts differ.
        n_classes: classes that one run lacks, or whose content differs.
    """

    n_topmost: int
    n_nodes: int
    n_classes: int

    @property
    def is_none(self) -> bool:
        """Whether the runs are alike."""
        return not (self.n_topmost or self.n_nodes or self.n_classes)


def distinct(runs: list[Path]) -> int:
    """How many different sets of tables there are, by the SHA-256 of every table."""
    tables = (read_manifest(run).tables for run in runs)
    return len({json.dumps({k: facts.sha256 for k, facts in t.items()}) for t in tables})


def compare(a: Path, b: Path, *, below: str | None = None) -> Difference:
    """Compares two runs as `jvmscope check` does, and counts nodes besides."""
    with Engine(a) as engine_a, Engine(b) as engine_b:
        comparison = compare_runs(engine_a, engine_b, below)
        rows = comparison.differences.arrow().to_pylist()
        common = engine_a.manifest.tables.keys() & engine_b.manifest.tables.keys()
        trees = [
            digest_tree(engine, common, find_context(engine, below) if below else None)
            for engine in (engine_a, engine_b)
        ]
    rows = [row for row in rows if not row["is_vm_internal"]]
    n_classes = sum(str(row["where"]).startswith("class ") for row in rows)
    return Difference(
        n_topmost=sum(row["size_a"] is not None or row["size_b"] is not None for row in rows),
        n_nodes=count_differing(*trees),
        n_classes=n_classes,
    )


def count_differing(a: TreeDigest, b: TreeDigest) -> int:
    """The places that only one tree has, and those that both have with other counts."""
    places_a, places_b = a.place[~a.is_internal], b.place[~b.is_internal]
    contents_a, contents_b = a.content[~a.is_internal], b.content[~b.is_internal]
    common, in_a, in_b = np.intersect1d(places_a, places_b, return_indices=True)
    changed = np.count_nonzero(contents_a[in_a] != contents_b[in_b])
    return len(places_a) + len(places_b) - 2 * len(common) + int(changed)
