"""What ``jvmscope recover`` does: the run, and what there is to say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.actions.recording import tell_run
from jvmscope.collector.recovery import recover

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["recover_run"]


def recover_run(run: Path, console: Console) -> None:
    """Reads a recording again, and says what it lacks.

    Raises:
        AgentError: the agent's jar is missing.
        RunError: the recording cannot be read, or there is none.
    """
    with console.task("Reading the recording") as update:
        manifest = recover(run, update)
    console.wrote(run)
    for limit in manifest.limits:
        console.warn(f"{run}: {limit}")
    tell_run(run, console)
