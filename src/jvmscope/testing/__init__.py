"""Query tests: folders with a query, frozen runs, and the answers that are expected.

layout ──▶ QueryTest ──▶ execution ──▶ Outcome
              │ settings, programs (runs recorded on demand), empty      │ expected (diff, accept)
"""

from jvmscope.testing.execution import Outcome, QueryTester
from jvmscope.testing.layout import QueryTest, find_tests

__all__ = ["Outcome", "QueryTest", "QueryTester", "find_tests"]
