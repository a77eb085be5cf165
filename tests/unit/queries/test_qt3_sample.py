"""300 tests of the W3C QT3 suite; the whole of it runs with ``python -m qt3``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from qt3.catalog import read_cases
from qt3.execution import check_execution
from qt3.outcome import Outcome, Verdict
from qt3.selection import why_not

if TYPE_CHECKING:
    from qt3.catalog import Case

_SAMPLE = Path(__file__).parents[2] / "qt3" / "sample"
_CASES = list(read_cases(_SAMPLE))


def test_the_sample_is_whole() -> None:
    assert len(_CASES) == 300
    assert not [case.identity for case in _CASES if why_not(case, "xquery")]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.identity)
def test_a_case_gives_what_the_suite_expects(case: Case) -> None:
    outcome = check_execution(case)
    assert outcome == Outcome(Verdict.PASSED, outcome.group), case.query
