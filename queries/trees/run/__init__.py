"""A run's tables as two virtual documents, the same as the exported XML."""

from jvmscope.queries.trees.run.tree import RunTree

__all__ = ["RunTree"]
