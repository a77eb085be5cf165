"""The recursion limit holds for the neediest and comes back, whoever ends first."""

from __future__ import annotations

import sys

from jvmscope.queries.limits.recursion_limit import frames_allowed


def test_the_first_may_end_first() -> None:
    before = sys.getrecursionlimit()
    first, second = frames_allowed(before + 1000), frames_allowed(before + 500)
    first.__enter__()
    second.__enter__()
    assert sys.getrecursionlimit() == before + 1000
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before + 500
    second.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before


def test_nobody_lowers_it() -> None:
    before = sys.getrecursionlimit()
    with frames_allowed(1):
        assert sys.getrecursionlimit() == before
    assert sys.getrecursionlimit() == before
