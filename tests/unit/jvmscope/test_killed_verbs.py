"""Ended by a signal, no verb leaves anything half-written, and all say so in the same way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from support.killed_verbs import VERBS
from support.long import IS_LONG
from support.verbs import verbs

_TESTS = Path(__file__).parents[2]
_WRITES_NOTHING = {"completion", "show"}
_ELSEWHERE = {
    "calibrate": "tests/unit/watch/test_calibrating.py",
    "explain": "query, which writes through the same Output",
    "record": "test_record_endings.py",
    "recover": "test_recover.py",
    "study overhead": "test_study.py",
    "suite run": "test_killed.py",
    "watch": "test_watch.py",
}


def test_every_verb_that_writes_is_ended() -> None:
    declared = verbs().keys()
    ended = {verb for verb in declared for name in VERBS if f"{name} ".startswith(f"{verb} ")}

    assert ended | _WRITES_NOTHING | _ELSEWHERE.keys() == declared


def test_a_signal_leaves_nothing_half_written(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "support.killed_verbs", tmp_path, *(["whole"] * IS_LONG)]
    environment = {**os.environ, "PYTHONPATH": str(_TESTS)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [problem for verb in found for problem in verb["problems"]] == []
    assert {verb["verb"] for verb in found} == VERBS.keys()
