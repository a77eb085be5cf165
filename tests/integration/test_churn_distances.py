"""How far from where they were made objects die: by hand, beside the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from integration.lives import record
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCE = (PROGRAMS / "lifetimes" / "Distances.java").read_text(encoding="utf-8")
_DIED = """
    SELECT replace(type, 'Distances$', ''), distance, SUM(n_objects)::INTEGER
    FROM object_churn WHERE type LIKE 'Distances$%' GROUP BY ALL
"""
_TWICE = re.compile(r"Unwound|Deep")


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_each_object_dies_as_far_away_as_its_class_says(jdk: Jdk, tmp_path: Path) -> None:
    compile_java(jdk, tmp_path / "classes", Distances=_SOURCE)
    recorder = Recorder(tmp_path, brief_jdk(jdk, BUILD))

    with jvmscope.open(record(recorder, "Distances")) as run:
        died = {
            name: (distance, n)
            for name, distance, n in run.query(_DIED).rows()
            if name[-1].isdigit()
        }

    names = re.findall(r"static final class (\w+\d) \{\}", _SOURCE)
    assert len(names) > 20
    assert died == {name: (int(name[-1]), 2 if _TWICE.match(name) else 1) for name in names}
