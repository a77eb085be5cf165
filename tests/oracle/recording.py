"""Records a program as a user does: with the command `jvmscope record`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from oracle.oracles import Outcome, run_bare

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["record"]


def record(
    jdk: Jdk, classes: Path, main_class: str, *, run: Path, options: tuple[str, ...] = ()
) -> Outcome:
    """Records into `run`, and returns what the program printed and how it ended."""
    command = [sys.executable, "-m", "jvmscope", "record", "-q", "-o", str(run), *options, "--"]
    return run_bare([*command, jdk.java, "-cp", str(classes), main_class], run.parent)
