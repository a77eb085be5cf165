"""Suites: many benchmarks recorded by one file, resumably.

What reads runs is imported when it is asked for: a benchmark's recorder imports this package, too,
and must start no threads of Arrow's before the benchmark starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jvmscope.schema.suite import Row, RowStatus, Suite, is_suite, open_suite, write_suite

__all__ = ["Row", "RowStatus", "Suite", "is_suite", "open_suite", "write_suite"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jvmscope.schema import suite

    return getattr(suite, name)
