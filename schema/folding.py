"""Folding: calls that were counted in a context that exists, and why.

With ``--recursion fold`` a recursive call counts in the context of its method above; where the
memory for contexts is full, so does every call that would need a new one, or in one context for
all calls of its method. No count is lost, but the paths that led to them are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import RunError
from jvmscope.schema.limits import MEMORY_LIMIT
from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.manifest import Manifest

__all__ = ["Folding", "is_folded", "read_folding", "why_folded"]

_BY_REQUEST = "recursive calls are folded (--recursion fold)"
_FOR_MEMORY = "the memory limit was reached, and calls are folded"
_KEEP = "record again with --recursion keep"
_MORE = "record again with more --max-memory"


@dataclass(frozen=True)
class Folding:
    """What was folded in a run.

    Attributes:
        n_calls: the calls that count in another context than their own, at least 1 [call].
        for_memory: whether the memory for contexts was full.
        by_request: whether recursion was folded because ``--recursion fold`` was given.
    """

    n_calls: int
    for_memory: bool
    by_request: bool

    @property
    def cause(self) -> str:
        """Why, in a word or two: ``memory``, ``request`` or both."""
        causes = (("memory", self.for_memory), ("request", self.by_request))
        return ", ".join(word for word, holds in causes if holds)

    def __str__(self) -> str:
        """Returns a sentence without a full stop.

        >>> str(Folding(1234, for_memory=True, by_request=False))
        '1,234 calls are folded into other contexts: the memory limit was reached'
        """
        causes = ((MEMORY_LIMIT, self.for_memory), ("--recursion fold was given", self.by_request))
        why = " and ".join(text for text, holds in causes if holds)
        calls = "1 call is" if self.n_calls == 1 else f"{self.n_calls:,} calls are"
        return f"{calls} folded into other contexts: {why}"


def is_folded(manifest: Manifest) -> bool:
    """Returns whether any call was folded."""
    back_edges = manifest.tables.get("back_edge")
    return back_edges is not None and back_edges.rows > 0


def read_folding(run: Path, manifest: Manifest) -> Folding | None:
    """Returns what was folded in a run; None: nothing.

    Raises:
        RunError: the table of folded calls cannot be read.
    """
    if not is_folded(manifest):
        return None
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    path = run / "tables" / "back_edge.parquet"
    try:
        calls = pq.read_table(local(path), columns=["n_calls"])["n_calls"]
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"{path}: not a readable Parquet file: {error}") from None
    for_memory, by_request = _causes(manifest)
    return Folding(pc.sum(calls).as_py(), for_memory, by_request)


def why_folded(manifest: Manifest) -> str:
    """Returns why calls of a run were folded, and how to record it without."""
    for_memory, by_request = _causes(manifest)
    if for_memory and by_request:
        return f"{_FOR_MEMORY}, recursive ones anyway; {_KEEP} and more --max-memory"
    return f"{_FOR_MEMORY}; {_MORE}" if for_memory else f"{_BY_REQUEST}; {_KEEP}"


def _causes(manifest: Manifest) -> tuple[bool, bool]:
    """Returns whether memory was full, and whether folding was asked for; at least one is true."""
    for_memory = "memory" in manifest.limit_codes
    return for_memory, manifest.options.get("recursion") == "fold" or not for_memory
