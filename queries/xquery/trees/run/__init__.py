"""A run's tables as two virtual documents, the same as the exported XML."""

from jvmscope.queries.xquery.trees.run.run_tree import RunTree

__all__ = ["RunTree"]
