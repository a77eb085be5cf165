"""The names of runs that are made of their programs'."""

from __future__ import annotations

import os

import pytest

from jvmscope.collector.record_options import RecordOptions
from jvmscope.collector.run_name import run_name


@pytest.mark.parametrize("letter", ["x", "ß", "語", "\U0001d4b3", ".", "-", " ", "\udcff"])
@pytest.mark.parametrize("command", ["java LETTERS", "java -jar LETTERS.jar", "./LETTERS.sh"])
def test_any_program_gives_a_name_that_a_file_can_have(command: str, letter: str) -> None:
    for n in (1, 50, 255, 1000):
        words = [word.replace("LETTERS", letter * n) for word in command.split()]
        name = run_name(words, RecordOptions())
        assert len(os.fsencode(f"{name}-1000.run.partial")) <= 255
        assert name.isprintable()
        assert not name.startswith((".", "-"))
