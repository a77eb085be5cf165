"""Says that calls of a run were folded, and how many: once for each verb that reads the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["tell_folding"]


def tell_folding(run: Path, console: Console) -> None:
    """Warns that the memory limit folded calls of a run; says that a user's own choice did.

    Raises:
        RunError: the directory is not a run, or its table of folded calls cannot be read.
    """
    from jvmscope.schema.folding import read_folding
    from jvmscope.schema.manifest import read_manifest

    folding = read_folding(run, read_manifest(run))
    if folding is None:
        return
    if folding.for_memory:
        console.warn(f"{run}: {folding}; stack depths and recursion are unknown")
    else:
        console.say(f"{run}: {folding}")
