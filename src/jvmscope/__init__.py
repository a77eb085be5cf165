"""Record a JVM program once, exactly; ask every question of the recording.

import jvmscope

with jvmscope.open("app.run") as run:
    run.query("SELECT name, kind FROM thread").arrow()
    run.measure("hotness.methods", scope="application").df()
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from jvmscope.errors import (
    AgentError,
    JvmscopeError,
    LimitReached,
    QueryError,
    RunError,
    SuiteError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.run import Run

__all__ = [
    "AgentError",
    "JvmscopeError",
    "LimitReached",
    "QueryError",
    "RunError",
    "SuiteError",
    "__version__",
    "open",
]

__version__ = version("jvmscope")


def open(path: str | Path) -> Run:  # noqa: A001  # read as jvmscope.open
    """Opens a run for questions.

    Args:
        path: the run's directory.

    Raises:
        RunError: it is no run, or of another schema version.
    """
    from jvmscope.run import Run  # imports DuckDB and Arrow, which recording does without

    return Run(path)
