"""Killed at any moment, a suite loses nothing and records nothing twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

_TESTS = Path(__file__).parents[2]
_N_MOMENTS = 20


def test_a_suite_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "support.killed_suite", tmp_path, str(_N_MOMENTS), "20261121"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )

    found = json.loads(done.stdout.splitlines()[-1])
    assert found["problems"] == []
    assert found["killed"] >= _N_MOMENTS
    # The moments are spread: some rows are finished at one and left alone after it.
    assert found["finished"] > 0
