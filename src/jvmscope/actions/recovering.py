"""What ``jvmscope recover`` does: the runs, and what there is to say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.actions.recording import messages_of, tell_run
from jvmscope.collector.killed import is_partial, make_runs
from jvmscope.collector.recovery import recover
from jvmscope.errors import RunError
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["recover_runs"]


def recover_runs(path: Path, console: Console) -> list[Path]:
    """Reads a recording again, or for the first time, and says what it lacks.

    Args:
        path: a run without tables, or NAME.partial of a recording that was killed.
        console: where progress and messages go.

    Returns:
        The runs that can be read now, in the order in which their JVMs started.

    Raises:
        AgentError: the agent's jar is missing.
        RunError: a recording cannot be read, or there is none; the others are read all the same.
    """
    runs = make_runs(path, messages_of(console)) if is_partial(path) else [path]
    failures = []
    for run in runs:
        try:
            if run == path or read_manifest(run).status == "failed":
                _recover(run, console)
        except RunError as error:
            failures.append(error)
    for failure in failures[1:]:
        console.warn(str(failure))
    if failures:
        raise failures[0]
    return runs


def _recover(run: Path, console: Console) -> None:
    with console.task("Reading the recording") as update:
        manifest = recover(run, update)
    console.wrote(run)
    for limit in manifest.limits:
        console.warn(f"{run}: {limit}")
    tell_run(run, console)
