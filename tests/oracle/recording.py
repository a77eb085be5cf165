"""Records a program as a user does: with the command `jvmscope record`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.forked import run_jvmscope
from support.warm_dump import warm_dump

from oracle.oracles import Outcome, clean_environment

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["record"]

_TIMEOUT_S = 300


def record(
    jdk: Jdk, classes: Path, main_class: str, *, run: Path, options: tuple[str, ...] = ()
) -> Outcome:
    """Records into `run`, and returns what the program printed and how it ended."""
    words = ["record", "-q", "-o", str(run), *options, "--"]
    done = run_jvmscope(
        [*words, jdk.java, "-cp", str(classes), main_class],
        directory=run.parent,
        environment=clean_environment(),
        timeout_s=_TIMEOUT_S,
        dump=warm_dump(jdk),
    )
    return Outcome(done.stdout, done.stderr, done.returncode)
