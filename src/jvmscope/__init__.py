"""Record a JVM program once, with exact counts, and ask every question of the recording.

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
from jvmscope.run_warning import RunWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Any

    from jvmscope.api.recorded import Recording
    from jvmscope.api.run import Run
    from jvmscope.queries import Result
    from jvmscope.reports.explaining.model import Explanation
    from jvmscope.reports.model import Report
    from jvmscope.reports.study import StudyReport

__all__ = [
    "AgentError",
    "JvmscopeError",
    "LimitReached",
    "QueryError",
    "RunError",
    "RunWarning",
    "SuiteError",
    "__version__",
    "compare",
    "compare_trees",
    "explain",
    "measure",
    "open",
    "record",
    "recover",
    "report",
    "report_study",
    "report_watch",
    "write",
]


def __getattr__(name: str) -> str:
    """Returns ``__version__``, which is looked up late because that takes long."""
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

    The program's input, output and exit status do not change; messages go to stderr.

    Args:
        command: the words of the command.
        output: directory of the run, or parent directory of several runs; None: a new
            directory in ``runs``.
        quiet: print warnings only.
        options: options of ``jvmscope record``, with the same names, meanings and defaults:
            ``probes=["receivers"]``, ``max_memory="8GiB"``, ``exact_exceptions=True``,
            ``tag={"commit": "1f2a"}``, ``from_="app.Main.main"``.

    Raises:
        AgentError: nothing could be recorded; the message says why.
        TypeError: an option does not exist.
        ValueError: an option has an invalid value.
    """
    from jvmscope.api.recorded import record_command

    asked = {"output": output, **options} if output is not None else options
    return record_command(command, asked, is_quiet=quiet)


def recover(run: str | Path) -> Run:
    """Reads a recording that was not read when it ended, and opens the run.

    Args:
        run: a run with the status ``failed`` that has kept what its JVM left, or the directory
            NAME.partial of a recording that was killed.

    Raises:
        AgentError: the agent's jar is missing; or several JVMs were recorded, and ``open`` opens
            each of their runs.
        RunError: there is nothing to recover, JAVA_HOME and PATH do not lead to the JDK that was
            recorded, or the recording still cannot be read.
    """
    from pathlib import Path

    from jvmscope.actions.recovering import recover_runs
    from jvmscope.api.recorded import Recording
    from jvmscope.output.console import Console

    return Recording(0, tuple(recover_runs(Path(run), Console(verbosity=-1)))).open()


def open(  # noqa: A001  # read as jvmscope.open
    path: str | Path,
    *,
    allow_read: str | Path | Iterable[str | Path] = (),
    beside: str | Path | None = None,
    calibration: str | Path | None = None,
) -> Run:
    """Opens a run.

    Args:
        path: directory of the run.
        allow_read: directories whose files an XQuery may read, or one.
        beside: a recorded run of the program of a watch run, as ``--with`` names one.
        calibration: a file of what calls and objects cost in its VM (``--calibration``).

    Raises:
        RunError: the directory is not a run, not of its kind, or has another schema version.
        QueryError: a path of `allow_read` is not a directory.
    """
    from jvmscope.api.run import Run  # imports DuckDB and Arrow, which recording does without

    return Run(path, allow_read=allow_read, beside=beside, calibration=calibration)


def measure(
    runs: str | Path | Iterable[str | Path],
    *metrics: str,
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    cost_model: str | Path | None = None,
    timeout: float | None = None,
    beside: str | Path | None = None,
    calibration: str | Path | None = None,
) -> Result:
    """Returns the values of metrics on several runs, one per row, as ``jvmscope measure`` does.

    It warns with ``RunWarning`` of a run that is not whole, or in which memory folded calls.

    Args:
        runs: directories of the runs, or that of one.
        metrics: ids, globs of ids or ``tag:NAME``; none means all.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        params: values for the metrics' parameters.
        cost_model: a file of a cost model for cycles (``--cost-model``); None: the one that
            ``params`` names.
        timeout: stop a metric after this many seconds.
        beside: a recorded run beside each of the runs, which are watch runs (``--with``).
        calibration: a file of what calls and objects cost in their VM (``--calibration``).

    Raises:
        RunError: a directory is not a run, or not of its kind.
        QueryError: a metric, the scope or a parameter does not exist, the cost model has a mistake,
            or a metric failed.
        LimitReached: the timeout was reached.
    """
    from pathlib import Path

    from jvmscope.api.files import calibration_in, cost_model_in
    from jvmscope.api.one_or_several import paths_of
    from jvmscope.api.warned import warn_of_runs
    from jvmscope.metrics import measure as measure_runs
    from jvmscope.queries import parse_scope

    paths = paths_of(runs)
    part = parse_scope(scope)
    warn_of_runs(paths if beside is None else [*paths, Path(beside)])
    return measure_runs(
        paths,
        metrics=metrics,
        scope=part,
        params=params,
        timeout=timeout,
        cost_model=cost_model_in(cost_model),
        beside=None if beside is None else Path(beside),
        calibration=calibration_in(calibration),
    )


def compare(
    a: str | Path,
    b: str | Path,
    *metrics: str,
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    cost_model: str | Path | None = None,
    jvms: tuple[str, str] | None = None,
    timeout: float | None = None,
    beside: tuple[str | Path, str | Path] | None = None,
    calibration: str | Path | None = None,
) -> Result:
    """Returns the changes from one run or suite to another, as ``jvmscope compare`` does.

    There is a row for each value of either side, with the columns ``benchmark, metric, measure``,
    the keys of the value, and ``a, b, delta, delta_pct, unit, better, reason, reason_code_a,
    reason_code_b``. A null value has a reason, and a code of it.

    It warns with ``RunWarning`` of a run that is not whole, or in which memory folded calls.

    Args:
        a: the directory of a run or of a suite.
        b: the other one, of the same kind.
        metrics: ids, globs of ids or ``tag:NAME``; none means all, of watch runs those of times.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        params: values for the metrics' parameters.
        cost_model: a file of a cost model for cycles (``--cost-model``); None: the one that
            ``params`` names.
        jvms: compare these two JVMs of the suites (``--jvms``).
        timeout: stop a metric after this many seconds.
        beside: a recorded run beside each of two watch runs (``--with``).
        calibration: a file of what calls and objects cost in their VM (``--calibration``).

    Raises:
        RunError: a directory is not a run, or only one is a watch run.
        SuiteError: only one of them is a suite, its lock file is damaged, or it has no such JVM.
        QueryError: a metric, the scope or a parameter does not exist, the cost model has a mistake,
            or a metric failed.
        LimitReached: the timeout was reached.
    """
    from pathlib import Path

    from jvmscope.api.files import calibration_in, cost_model_in
    from jvmscope.api.warned import warn_of_runs
    from jvmscope.queries import parse_scope
    from jvmscope.reports.changes.measuring import Measuring, changes
    from jvmscope.reports.changes.open_runs import OpenRuns
    from jvmscope.reports.changes.pairs import pairs_of, recorded_beside, runs_of

    model = cost_model_in(cost_model)
    pairs = pairs_of(Path(a), Path(b), jvms)
    recorded = None if beside is None else (Path(beside[0]), Path(beside[1]))
    with OpenRuns(recorded_beside(pairs, recorded), calibration_in(calibration)) as runs:
        warn_of_runs([*runs_of(pairs), *runs.recorded])
        measuring = Measuring(
            scope=parse_scope(scope),
            params=params or {},
            timeout=timeout,
            cost_model=model,
            open_run=runs.open,
        )
        return changes(pairs, metrics, measuring)


def compare_trees(
    a: str | Path,
    b: str | Path,
    *,
    weight: str = "bytecodes",
    scope: str = "run",
    params: Mapping[str, Any] | None = None,
    cost_model: str | Path | None = None,
    jvms: tuple[str, str] | None = None,
    nodes: int = 20_000,
    timeout: float | None = None,
) -> Result:
    """Returns the differential tree of two runs or suites, as ``jvmscope compare --tree`` does.

    It warns with ``RunWarning`` of a run that is not whole, or in which memory folded calls.

    Args:
        a: the directory of a run or of a suite.
        b: the other one, of the same kind.
        weight: ``calls``, ``bytecodes``, ``cycles``, ``allocated_bytes``, ``allocated_objects``,
            ``native_calls`` or ``native_time``.
        scope: the part of the runs to compare.
        params: for cycles: parameters of the cost model, and ``cache``.
        cost_model: a file of a cost model for cycles (``--cost-model``); None: the one that
            ``params`` names.
        jvms: compare these two JVMs of the suites (``--jvms``).
        nodes: how many nodes to keep of each tree, those that change most; others are folded.
        timeout: stop the tree of two runs after this many seconds.

    Raises:
        RunError: a directory is not a run, or its recording failed.
        SuiteError: only one of them is a suite, its lock file is damaged, or it has no such JVM.
        QueryError: the weight or scope does not exist, `nodes` is too large, or the cost model has
            a mistake.
        LimitReached: the timeout was reached, or the database needs more memory than allowed.
    """
    from pathlib import Path

    from jvmscope.api.files import cost_model_in
    from jvmscope.api.warned import warn_of_runs
    from jvmscope.queries import parse_scope
    from jvmscope.reports.changes.pairs import pairs_of, runs_of
    from jvmscope.reports.changes.trees import compare_trees as compare_pairs

    model = cost_model_in(cost_model)
    pairs = pairs_of(Path(a), Path(b), jvms)
    warn_of_runs(runs_of(pairs))
    return compare_pairs(
        pairs,
        weight=weight,
        scope=parse_scope(scope),
        params=params,
        cost_model=model,
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
    """Returns a report that compares runs and suites, as ``jvmscope report`` shows it.

    It has plain values: metrics with ranks, minimum, median and maximum, curves, stacks, principal
    components, clusters and the smallest subset; see ``jvmscope.reports.model``.

    Args:
        paths: one or more directories of runs or suites.
        metrics: ids, globs of ids or ``tag:NAME``; none means all.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        features: ``METRIC.COLUMN``, separated by commas, by which to compare the subjects; None:
            their instruction mix.
        within: largest distance of near subjects, as a fraction of the typical distance of two
            subjects; None: half.

    Raises:
        RunError: a path is neither a run nor a suite, or a run is damaged.
        SuiteError: a suite's lock file is damaged.
        QueryError: a metric, a feature or the scope does not exist, or a metric failed.
        LimitReached: a metric needs more memory than allowed.
    """
    from jvmscope.api.one_or_several import paths_of
    from jvmscope.queries import parse_scope
    from jvmscope.reports.building import report_of

    return report_of(
        paths_of(paths), scope=parse_scope(scope), metrics=metrics, features=features, within=within
    )


def report_watch(
    run: str | Path,
    *pairs: str,
    beside: str | Path | None = None,
    refine: str | None = None,
    refine_threshold: float = 0.2,
    refine_budget: int = 200,
) -> Result:
    """Returns the values of a watch run, as ``jvmscope report RUN --format csv`` writes them.

    A row for each pair and bin, in order: ``pair``, ``start_ns``, ``value``, ``unit`` and
    ``reason``; a pair that has no values has one row with the reason why. With ``refine``, a row
    for each focus that the search finds: ``pair``, ``depth``, ``focus``, ``value``, ``unit``,
    ``share``, ``is_end`` and ``reason``.

    Args:
        run: the directory of the watch run.
        pairs: metric-focus pairs, such as ``lock_wait_time{/APCode/app/Service}``, or ``@FILE``,
            which has one on each line; none: those that the page begins with.
        beside: a recorded run of the program, for pairs with basic blocks.
        refine: the metric or pair whose bottlenecks are searched; empty: of several metrics.
        refine_threshold: the least share that matters to a search.
        refine_budget: how many foci a search looks at, for each metric.

    Raises:
        RunError: it is not a watch run, or the one beside it is not a recorded one.
        QueryError: a text is not a pair, or names a resource that the run does not have; or pairs
            are given to a search, or a recorded run that no pair needs.
        ValueError: the threshold is not above 0 and at most 1, or the budget is below 1.
    """
    from pathlib import Path

    from jvmscope.api.reported import values_of_pairs

    return values_of_pairs(
        Path(run),
        pairs,
        beside=None if beside is None else Path(beside),
        refine=refine,
        refine_threshold=refine_threshold,
        refine_budget=refine_budget,
    )


def report_study(study: str | Path, *, method: str | None = None) -> StudyReport:
    """Returns the report of a study of overhead, as ``jvmscope report STUDY`` shows it.

    It has ``facts``, ``notes``, ``answers``, ``questions`` with their answers and figures, and
    ``observed``. ``rows()`` has the numbers.

    Args:
        study: the directory of the study.
        method: the observed method of figure 8, or the end of its class and name; None: a usual
            one.

    Raises:
        RunError: it is not a study, or is damaged, or no cycle of it is finished.
        QueryError: the method was not observed, or several have its name.
    """
    from pathlib import Path

    from jvmscope.actions.study_reports import report_of

    return report_of(Path(study), method)


def explain(
    outcome: str,
    paths: str | Path | Iterable[str | Path],
    *,
    scope: str = "run",
    depth: int = 3,
    leave_out: str = "program",
    params: Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> Explanation:
    """Returns a rule that tells which objects have an outcome, as ``jvmscope explain`` shows it.

    It has ``text``, ``sql``, ``precision``, ``coverage`` and ``base_rate``, ``all_left_out`` with
    the same for programs that a rule was not made from, ``is_better``, and ``rows()``.

    Args:
        outcome: ``immutable``, ``zeroed``, ``short-lived``, ``unshared`` or ``boxed``.
        paths: directories of runs and suites, or that of one suite; of five programs or more.
        scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
            ``subtree:PATTERN``.
        depth: decisions on a path of the tree, at most.
        leave_out: what rules are tested on that they were not made from: ``program``, or
            ``benchmark``, of a suite, with all of its parameters.
        params: values for the outcome's parameters: ``{"nursery": 1 << 20}``.
        timeout: stop a query after this many seconds.

    Raises:
        RunError: a path is neither a run nor a suite.
        QueryError: there is no such outcome, parameter or scope.
        JvmscopeError: a probe was not recorded, there are too few programs, or scikit-learn is not
            installed.
        ValueError: the depth, or what to leave out, is none of those above.
        LimitReached: a query took too long, or needs more memory than allowed.
    """
    from jvmscope.api.one_or_several import paths_of
    from jvmscope.queries import parse_scope
    from jvmscope.reports.explaining.explaining import explain as explain_runs

    return explain_runs(
        outcome,
        paths_of(paths),
        scope=parse_scope(scope),
        depth=depth,
        left_out_by=leave_out,
        params=params or {},
        timeout=timeout,
    )


def write(
    result: Result,
    file: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - what the command line calls it
    force: bool = False,
) -> None:
    """Writes a result to a file, as ``-o`` does on the command line.

    Args:
        result: the answer to a query, values or changes.
        file: the file.
        format: a format of ``--format``, such as ``csv`` or ``parquet``;
            ``jvmscope.formats.FORMATS`` has all of them by name. None: the one that the ending of
            the file stands for.
        force: replace a file that exists.

    Raises:
        JvmscopeError: there is no such format, or the file exists or cannot be written.
        QueryError: the query is wrong.
        LimitReached: a limit was reached.
    """
    from pathlib import Path

    from jvmscope.actions.export_files import write_result

    write_result(result, Path(file), format, is_forced=force)
