"""Says what a run lacks, so that answers from it may lack something."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["lacks_of"]


def lacks_of(run: Path) -> Iterator[str]:
    """Yields what a run lacks, as warnings say it; nothing if it is whole.

    It lacks what came after its end, if it is not whole, and paths, if the memory limit folded
    calls. Calls that were folded by choice are left out.

    Raises:
        RunError: the directory is not a run, or its table of folded calls cannot be read.
    """
    from jvmscope.actions.folding_notice import memory_folding
    from jvmscope.schema import read_manifest

    incompleteness = read_manifest(run).incompleteness
    for lack in (incompleteness, memory_folding(run)):
        if lack is not None:
            yield f"{run}: {lack}"
