"""Programs that call C through JNA, which finds natives by reflection, do so recorded too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java, jdks
from oracle.toolchain import PROGRAMS
from support.battery import run_both
from support.libraries import library

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_TIME = re.compile(r"^\w+ \d+, \d+.* [AP]M", re.MULTILINE)


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_program_with_jna_prints_what_it_prints_on_a_bare_vm(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN natives registered by JNA, proxies, call backs and errors, THEN nothing differs."""
    jna = library("net.java.dev.jna:jna:5.18.1")
    source = (PROGRAMS / "jna" / "Foreign.java").read_text(encoding="utf-8")
    compile_java(jdk, tmp_path / "classes", ("-cp", str(jna)), Foreign=source)
    outcomes = run_both(jdk, tmp_path, "Foreign", options=["-cp", f"classes:{jna}"])
    bare, recorded = (
        (status, printed, _TIME.sub("at", errors))
        for status, printed, errors in (outcomes.bare, outcomes.recorded)
    )
    assert bare[0] == 0
    assert "static native int Foreign$Direct.abs(int)" in bare[1]
    assert "direct[1, 3, 5, 9]" in bare[1]
    assert recorded == bare
