"""What a run of the suite amounts to."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from qt3.outcome import Outcome, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from qt3.catalog import Case

__all__ = ["Summary", "read_expected"]


def read_expected(path: Path) -> dict[str, str]:
    """Returns the tests that are known to fail, with their reasons.

    The file has one table a mode, and in it patterns of ``set/name`` with a reason each.
    """
    return dict(tomllib.loads(path.read_text(encoding="utf-8")))


@dataclass
class Summary:
    """Counts of outcomes, and failures by whether they were expected.

    Attributes:
        expected: patterns of tests that are known to fail, with reasons.
        counts: by group, then by verdict.
        failures: (identity, outcome) of failures that were not expected.
        fixed: identities that passed and were expected to fail.
    """

    expected: dict[str, str]
    counts: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[tuple[str, Outcome]] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    n_expected: int = 0

    def add(self, case: Case, outcome: Outcome) -> None:
        """Counts one outcome."""
        self.counts[outcome.group][outcome.verdict] += 1
        is_known = any(fnmatchcase(case.identity, pattern) for pattern in self.expected)
        if outcome.verdict in (Verdict.FAILED, Verdict.CRASHED):
            if is_known:
                self.n_expected += 1
            else:
                self.failures.append((case.identity, outcome))
        elif outcome.verdict is Verdict.PASSED and is_known:
            self.fixed.append(case.identity)

    @property
    def is_as_expected(self) -> bool:
        """Whether every failure was known, and every known one failed."""
        return not self.failures and not self.fixed

    def table(self) -> str:
        """Returns one line a group: passed, run, share, and what was left out."""
        lines = [f"{'':24}{'passed':>8}{'run':>8}{'share':>10}{'omitted':>9}"]
        for group, counts in sorted(self.counts.items()):
            n_run = sum(counts.values()) - counts[Verdict.OMITTED]
            passed = counts[Verdict.PASSED]
            share = f"{passed / n_run:.3%}" if n_run else "-"
            lines.append(f"{group:24}{passed:>8}{n_run:>8}{share:>10}{counts[Verdict.OMITTED]:>9}")
        lines.append(f"{self.n_expected} failures were expected, {len(self.failures)} were not")
        lines += [f"passes, though expected to fail: {identity}" for identity in self.fixed]
        return "\n".join(lines)
