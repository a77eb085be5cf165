"""What metrics require of a run."""

from __future__ import annotations

from jvmscope.metrics import catalogue
from jvmscope.metrics.requirements import UNFOLDED, needs_watch


def test_values_of_contexts_need_whole_paths() -> None:
    """Where calls were folded, a context stands for others, and its subtree is not its own."""
    found = [
        query
        for query in catalogue().values()
        if query.grain == "context" and not needs_watch(query)  # whose relation has that reason
    ]

    assert found
    assert [query.id for query in found if UNFOLDED not in query.requires] == []
