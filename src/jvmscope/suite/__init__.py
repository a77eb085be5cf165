"""Suites: many benchmarks recorded by one file, resumably."""

from jvmscope.schema.suite import Row, RowStatus, Suite, is_suite, open_suite, write_suite

__all__ = ["Row", "RowStatus", "Suite", "is_suite", "open_suite", "write_suite"]
