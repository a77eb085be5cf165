"""Whether two runs are identical, and where not."""

from jvmscope.queries.identity.comparison import Comparison, compare_runs, find_context

__all__ = ["Comparison", "compare_runs", "find_context"]
