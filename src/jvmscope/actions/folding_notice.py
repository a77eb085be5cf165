"""Says that calls of a run were folded, and how many: once for each verb that reads the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.schema.folding import Folding

__all__ = ["memory_folding", "tell_folding"]


def tell_folding(run: Path, console: Console) -> None:
    """Warns that the memory limit folded calls of a run; says that a user's own choice did.

    Raises:
        RunError: the directory is not a run, or its table of folded calls cannot be read.
    """
    folding = _folding_of(run)
    if folding is None:
        return
    if folding.for_memory:
        console.warn(f"{run}: {_warning(folding)}")
    else:
        console.say(f"{run}: {folding}")


def memory_folding(run: Path) -> str | None:
    """Returns what a warning says of calls that the memory limit folded; None: it folded none.

    Raises:
        RunError: the directory is not a run, or its table of folded calls cannot be read.
    """
    folding = _folding_of(run)
    return None if folding is None or not folding.for_memory else _warning(folding)


def _folding_of(run: Path) -> Folding | None:
    from jvmscope.schema.folding import read_folding
    from jvmscope.schema.manifest import read_manifest

    return read_folding(run, read_manifest(run))


def _warning(folding: Folding) -> str:
    return f"{folding}; stack depths and recursion are unknown"
