"""Suites of the tests: files that a stand-in for the recorder runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["STAND_IN", "write_suite_file"]

STAND_IN = (sys.executable, "-IS", str(Path(__file__).with_name("stand_in_recorder.py")))
"""The command to put in the place of ``execution.RECORDER``."""


def write_suite_file(folder: Path, words: Mapping[str, str], more: str = "") -> Path:
    """Writes a suite of benchmarks that say hello.

    Args:
        folder: where to write ``suite.toml``.
        words: what each benchmark does, by name: the words of the stand-in.
        more: further lines of ``[defaults]``.
    """
    lines = ["schema = 1", 'name = "small"', "[defaults]", "expect = { stdout_matches = 'hello' }"]
    lines.append(more)
    for name, word in words.items():
        lines += ["[[benchmark]]", f'name = "{name}"', f'command = ["Main", "{word}"]']
    path = folder / "suite.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
