"""The catalogue's own query tests, run as users run theirs: ``jvmscope test tests/metrics``."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

import pytest
from oracle.laboratory import BUILD
from oracle.toolchain import Jdk
from support.small_jdk import brief_jdk

from jvmscope.collector import agent_jar
from jvmscope.collector.launch.injection import default_jdk
from jvmscope.errors import AgentError
from jvmscope.testing import QueryTest, QueryTester, find_tests

_FOLDER = Path(__file__).parent


def _by_run() -> dict[str, list[QueryTest]]:
    """Returns the tests by the name of their run, which is recorded once for all of them."""

    def run(test: QueryTest) -> str:
        return test.name.partition("@")[0]

    return {
        name: list(tests) for name, tests in groupby(sorted(find_tests([_FOLDER]), key=run), run)
    }


_TESTS = _by_run()


def _can_record() -> bool:
    try:
        agent_jar()
    except AgentError:
        return False
    return default_jdk(os.environ) is not None


def _brief_home() -> Path:
    """Returns the JDK that records, or one of its release for which other tests prepare, too."""
    jdk = default_jdk(os.environ)
    assert jdk is not None
    return brief_jdk(Jdk(jdk.major, Path(jdk.home)), BUILD).home


@pytest.mark.parametrize("name", _TESTS)
def test_metrics_are_worth_what_was_worked_out_by_hand(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = _TESTS[name]
    if any(test.is_recorded for test in tests):
        if not _can_record() and "CI" not in os.environ:
            pytest.skip("no JDK, or no agent")
        monkeypatch.setenv("JAVA_HOME", str(_brief_home()))

    with QueryTester() as tester:
        bad = [outcome for outcome in tester.outcomes(tests) if not outcome.is_good]

    report = [f"{o.status}: {o.test}\n" + "\n".join(o.lines) for o in bad]
    assert not bad, "\n" + "\n".join(report)
