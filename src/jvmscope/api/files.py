"""What the files say that the Python API takes beside runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.queries import load_cost_model
from jvmscope.schema.calibration import read_calibration

if TYPE_CHECKING:
    from jvmscope.queries import CostModel
    from jvmscope.schema.calibration import Calibration

__all__ = ["calibration_in", "cost_model_in"]


def calibration_in(file: str | Path | None) -> Calibration | None:
    """Returns what calls and objects cost by a file of ``jvmscope calibrate``; None without one.

    Raises:
        RunError: it cannot be read, or has no calibration.
    """
    return None if file is None else read_calibration(Path(file))


def cost_model_in(file: str | Path | CostModel | None) -> CostModel | None:
    """Returns the cost model of a file, or one that was read; None without one.

    Raises:
        QueryError: the file cannot be read, or has a mistake.
    """
    return load_cost_model(file) if isinstance(file, str | Path) else file
