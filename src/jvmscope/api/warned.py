"""Warnings of the Python API, each at the line outside jvmscope that asked."""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING

from jvmscope.actions.lack_notice import lacks_of
from jvmscope.run_warning import RunWarning

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["warn", "warn_of_runs"]


def warn(notice: str, category: type[Warning] = UserWarning) -> None:
    """Warns of a notice, at the line outside jvmscope that asked."""
    level = 1
    frame = inspect.currentframe()
    while frame is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(notice, category, stacklevel=level)


def warn_of_runs(runs: Iterable[Path]) -> None:
    """Warns of runs that are not whole or in which memory folded calls, as commands do.

    Raises:
        RunError: one of them is not a run.
    """
    for run in dict.fromkeys(runs):
        for lack in lacks_of(run):
            warn(lack, RunWarning)


def _is_ours(module: str) -> bool:
    return module == "jvmscope" or module.startswith("jvmscope.")
