"""Record a JVM program once, exactly; ask every question of the recording.

import jvmscope

with jvmscope.open("app.run") as run:
    run.query("SELECT name, kind FROM thread").arrow()
    run.measure("hotness.methods", scope="application").df()

jvmscope.measure(["app.run", "other.run", "third.run"], "instructions.pca*").df()
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
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from jvmscope.queries import Result
    from jvmscope.run import Run

__all__ = [
    "AgentError",
    "JvmscopeError",
    "LimitReached",
    "QueryError",
    "RunError",
    "SuiteError",
    "__version__",
    "measure",
    "open",
]

__version__ = version("jvmscope")


def open(  # noqa: A001  # read as jvmscope.open
    path: str | Path, *, allow_read: Sequence[str | Path] = ()
) -> Run:
    """Opens a run for questions.

    Args:
        path: the run's directory.
        allow_read: directories whose files an XQuery may read.

    Raises:
        RunError: it is no run, or of another schema version.
        QueryError: what may be read is no directory.
    """
    from jvmscope.run import Run  # imports DuckDB and Arrow, which recording does without

    return Run(path, allow_read=allow_read)


def measure(
    runs: Iterable[str | Path],
    *metrics: str,
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> Result:
    """Returns the values of metrics on several runs, one a row, as ``jvmscope measure`` does.

    Args:
        runs: the runs' directories.
        metrics: ids, globs of ids or ``tag:NAME``; none means all.
        scope: ``run``, ``application``, ``thread:NAME`` or ``subtree:PATTERN``.
        params: values for the metrics' parameters.
        timeout: stop a metric after this many seconds.

    Raises:
        RunError: a directory is no run.
        QueryError: a metric, the scope or a parameter does not exist, or a metric failed.
        LimitReached: the time is over.
    """
    from pathlib import Path

    from jvmscope.metrics import measure as measure_runs

    paths = [Path(run) for run in runs]
    return measure_runs(paths, metrics=metrics, scope=scope, params=params, timeout=timeout)
