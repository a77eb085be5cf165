"""How a test ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Outcome", "Verdict"]


class Verdict(Enum):
    """Whether a test passed."""

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    OMITTED = "omitted"


@dataclass(frozen=True)
class Outcome:
    """A verdict, the group that it is counted in, and what happened."""

    verdict: Verdict
    group: str
    text: str = ""
