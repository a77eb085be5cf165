"""Whether two runs on disk are identical."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import Comparison, Engine
from jvmscope.queries import compare_runs as compare_engines

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compare_runs"]


def compare_runs(
    a: Path, b: Path, *, below: str | None = None, limit: int | None = None
) -> Comparison:
    """Compares two runs; see ``jvmscope.queries.compare_runs``.

    Raises:
        RunError: one of them is not a run, or does not have the context to compare below.
    """
    with Engine(a) as engine_a, Engine(b) as engine_b:
        return compare_engines(engine_a, engine_b, below, limit)
