"""Record a JVM program once, exactly; ask every question of the recording.

import jvmscope

jvmscope.record(["java", "-cp", "classes", "app.Main"], output="app.run")

with jvmscope.open("app.run") as run:
    run.query("SELECT name, kind FROM thread").arrow()
    run.measure("hotness.methods", scope="application").df()

jvmscope.measure(["app.run", "other.run", "third.run"], "instructions.pca*").df()
"""

from __future__ import annotations

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
    from os import PathLike
    from pathlib import Path
    from typing import Any

    from jvmscope.queries import Result
    from jvmscope.recorded import Recording
    from jvmscope.reports.model import Report
    from jvmscope.run import Run

__all__ = [
    "AgentError",
    "JvmscopeError",
    "LimitReached",
    "QueryError",
    "RunError",
    "SuiteError",
    "__version__",
    "compare",
    "compare_trees",
    "measure",
    "open",
    "record",
    "report",
]


def __getattr__(name: str) -> str:
    """Returns ``__version__``, which takes longer to look up than most of what a verb says."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("jvmscope")


def record(
    command: Sequence[str | PathLike[str]],
    output: str | Path | None = None,
    *,
    quiet: bool = False,
    **options: Any,
) -> Recording:
    """Runs a command and writes a run of every JVM that it starts, as ``jvmscope record`` does.

    The program's input, output and exit status stay its own; messages go to stderr.

    Args:
        command: the command's words.
        output: the run's directory, or the parent of several; None: a new name in ``runs``.
        quiet: print warnings only.
        options: the options of ``jvmscope record`` by their names, with the same meanings and
            defaults: ``probes=["receivers"]``, ``max_memory="8GiB"``, ``exact_exceptions=True``,
            ``tag={"commit": "1f2a"}``, ``from_="app.Main.main"``.

    Raises:
        AgentError: nothing could be recorded; the message says why.
        TypeError: there is no such option.
        ValueError: an option cannot have such a value.
    """
    from jvmscope.recorded import record_command

    asked = {"output": output, **options} if output is not None else options
    return record_command(command, asked, is_quiet=quiet)


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
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
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


def compare(
    a: str | Path,
    b: str | Path,
    *metrics: str,
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> Result:
    """Returns what changed from one run, or suite, to another, as ``jvmscope compare`` does.

    There is a row for each value of either side: ``benchmark, metric, measure``, what the value is
    of, ``a, b, delta, delta_pct, unit, better, reason``. A null has its reason.

    Args:
        a: the directory of a run or of a suite.
        b: another of the same kind.
        metrics: ids, globs of ids or ``tag:NAME``; none means all.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        params: values for the metrics' parameters.
        timeout: stop a metric after this many seconds.

    Raises:
        RunError: a directory is no run.
        SuiteError: one is a suite and the other is none, or its lock file is damaged.
        QueryError: a metric, the scope or a parameter does not exist, or a metric failed.
        LimitReached: the time is over.
    """
    from pathlib import Path

    from jvmscope.reports.changes.measuring import Measuring, changes
    from jvmscope.reports.changes.pairs import pairs_of

    measuring = Measuring(scope=scope, params=params or {}, timeout=timeout)
    return changes(pairs_of(Path(a), Path(b)), metrics, measuring)


def compare_trees(
    a: str | Path,
    b: str | Path,
    *,
    weight: str = "bytecodes",
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    nodes: int = 20_000,
    timeout: float | None = None,
) -> Result:
    """Returns the differential tree of two runs or suites, as ``jvmscope compare --tree`` does.

    Args:
        a: the directory of a run or of a suite.
        b: another of the same kind.
        weight: ``calls``, ``bytecodes`` or ``cycles``.
        scope: the part of the runs whose contexts weigh anything.
        params: of cycles, parameters of the cost model, and ``cache``.
        nodes: how many nodes to show of each tree, those that change most; the rest is folded.
        timeout: stop the tree of two runs after this many seconds.

    Raises:
        RunError: a directory is no run, or its recording failed.
        SuiteError: one is a suite and the other is none, or its lock file is damaged.
        QueryError: there is no such weight or scope, or too many nodes are asked for.
        LimitReached: the time is over, or the database needs more memory than it may have.
    """
    from pathlib import Path

    from jvmscope.reports.changes.pairs import pairs_of
    from jvmscope.reports.changes.trees import compare_trees as compare_pairs

    return compare_pairs(
        pairs_of(Path(a), Path(b)),
        weight=weight,
        scope=scope,
        params=params,
        most_nodes=nodes,
        timeout=timeout,
    )


def report(
    paths: str | Path | Iterable[str | Path],
    *metrics: str,
    scope: str = "run",
    features: str | None = None,
    within: float | None = None,
) -> Report:
    """Returns what runs and suites executed, side by side, as ``jvmscope report`` shows it.

    It is plain values: the metrics with ranks, minimum, median and maximum, curves, stacks,
    principal components, clusters and the smallest subset; ``jvmscope.reports.model`` says all.

    Args:
        paths: a directory of a run or of a suite, or several.
        metrics: ids, globs of ids or ``tag:NAME``; none means all.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        features: ``METRIC.COLUMN``, several separated by commas: what the subjects are compared
            by; None: their instruction mix.
        within: what is near, as a fraction of the typical distance of two subjects; None: half.

    Raises:
        RunError: a path is neither a run nor a suite, or a run is damaged.
        SuiteError: a suite's lock file is damaged.
        QueryError: a metric, a feature or the scope does not exist, or a metric failed.
        LimitReached: a metric needs more memory than it may have.
    """
    from pathlib import Path

    from jvmscope.reports.building import report_of

    several = [paths] if isinstance(paths, str | Path) else paths
    asked = [Path(path) for path in several]
    return report_of(asked, scope=scope, metrics=metrics, features=features, within=within)
