"""The kinds of objections to a comparison, which ``--allow`` names."""

__all__ = ["KINDS", "PARTIAL"]

KINDS = {
    "failed-program": "a program failed, or may have",
    "empty-scope": "nothing was executed in the scope",
    "missing-benchmark": "a benchmark was not recorded",
    "unchecked": "a condition or a budget has no value to judge",
    "same-run": "A and B are one run",
    "other-program": "A and B have different main classes",
    "other-options": "A and B were recorded with different options",
}
"""What can be allowed, and what it is about."""

PARTIAL = "partial"
"""The kind of an objection that cannot be allowed: the counts are those of a part of a run."""
