"""A reader that has enough, as ``head -1``, changes nothing but what is written to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from support.broken_pipes import VERBS
from support.long import IS_LONG
from support.verbs import verbs

_TESTS = Path(__file__).parents[2]


def test_every_verb_is_tried() -> None:
    tried = {verb for verb in verbs() for line in VERBS if f"{line} ".startswith(f"{verb} ")}

    assert tried == verbs().keys()


def test_no_verb_depends_on_who_reads(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "support.broken_pipes", tmp_path, *(["whole"] * IS_LONG)]
    environment = {**os.environ, "PYTHONPATH": str(_TESTS)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [problem for verb in found for problem in verb["problems"]] == []
    assert [verb["verb"] for verb in found] == [*VERBS]
