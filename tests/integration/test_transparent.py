"""A recorded program prints and returns what it does on a bare VM with the same flags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from oracle.laboratory import cases, classes_of, recording_of
from oracle.oracles import run_bare

from jvmscope.collector.launch.flags import UserSettings, chosen_flags

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.laboratory import Case

_TOO_LARGE = re.compile(rb"warning: \S+: no bytecodes were counted of HandHuge\.[^\n]*\n")
_HAVE_TOO_LARGE = {"HugeMethods", "LateClass"}
"""Programs of whose methods the recording warns."""


@pytest.mark.parametrize("case", cases("", "exits"))
def test_output_and_status_are_those_of_a_bare_vm(case: Case, tmp_path: Path) -> None:
    flags = chosen_flags(UserSettings([]), intrinsics="")
    command = [case.found_jdk.java, *flags, "-cp", str(classes_of(case)), case.program.main_class]
    bare = run_bare(command, tmp_path)
    recorded = recording_of(case).outcome
    said, n_warnings = _TOO_LARGE.subn(b"", recorded.stderr)
    assert said == bare.stderr
    assert n_warnings == (case.program.main_class in _HAVE_TOO_LARGE)
    assert recorded.stdout == bare.stdout
    assert recorded.status == bare.status
