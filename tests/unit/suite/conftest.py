"""Fixtures of the tests of suites."""

from __future__ import annotations

import pytest
from support.suites import STAND_IN

from jvmscope.suite import execution


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a stand-in record, which writes runs without tables."""
    monkeypatch.setattr(execution, "RECORDER", STAND_IN)
