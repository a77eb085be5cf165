"""Measures runs: every selected metric on each of them, and those that are about all of them."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, RunError
from jvmscope.metrics import tidy
from jvmscope.metrics.catalogue import catalogue, select
from jvmscope.metrics.evaluation import Evaluation
from jvmscope.metrics.parameters import bind_all
from jvmscope.metrics.processes import in_processes, n_workers
from jvmscope.metrics.progress import Progress, size_of
from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.metrics.requirements import needs_watch
from jvmscope.metrics.side_by_side import side_by_side
from jvmscope.metrics.steps import feature_metrics, measure_over_runs
from jvmscope.metrics.tidy_rows import Spool, TidyRows
from jvmscope.metrics.values import Values
from jvmscope.queries import WHOLE_RUN, Engine, Result
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import pyarrow as pa

    from jvmscope.queries import CostModel, QueryFile, Scope
    from jvmscope.schema.calibration import Calibration

__all__ = ["Failure", "measure", "measure_query", "run_names", "selected"]


@dataclass(frozen=True)
class Failure:
    """A metric that failed on a run; its values are null, with the error as their reason.

    ``metric`` is None where all of them failed: the run is damaged, or does not have the scope.
    """

    run_id: str
    metric: str | None
    error: JvmscopeError

    def __str__(self) -> str:
        """Returns the error, and whose it is in its first line."""
        return ": ".join(filter(None, (self.run_id, self.metric, str(self.error))))


def measure(
    runs: Sequence[Engine | Path],
    *,
    metrics: Sequence[str] = (),
    scope: Scope = WHOLE_RUN,
    params: Mapping[str, Any] | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    is_cached: bool = True,
    cost_model: CostModel | None = None,
    on_failure: Callable[[Failure], None] | None = None,
    on_progress: Callable[[float], None] | None = None,
    jobs: int | None = 1,
    has_codes: bool = False,
    beside: Path | None = None,
    calibration: Calibration | None = None,
) -> Values:
    """Returns tidy values: run by run, metric by metric, in the metric's own order.

    Metrics about several runs together come last.

    Args:
        runs: the runs, open or as directories, of which one at a time is opened.
        metrics: ids, globs of ids or ``tag:NAME``; none means every metric, or of watch runs those
            that are about times.
        scope: the part of the runs that the metrics are about.
        params: values for the parameters that the metrics declare.
        limit: deliver at most this many rows.
        timeout: stop each metric after this many seconds.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        cost_model: the user's own, for metrics that use costs; None: the one they name.
        on_failure: told of each metric that fails on a run, while the others go on; None: the
            first one that fails ends it all.
        on_progress: called with the percentage done, now and then.
        jobs: how many directories are measured at a time, in processes of their own; None: as
            many as there are processors, where there are runs enough. Programs that ask for more
            than one must bear to be imported.
        has_codes: whether the last column is ``reason_code``, one of ``ReasonCode``.
        beside: a recorded run of the same program, for each of the runs, which are watch runs and
            given as directories.
        calibration: what calls and objects cost in the VM of the runs, for estimates.

    Raises:
        RunError: a directory is not a run, or not of its kind.
        QueryError: a metric, the scope or a parameter does not exist, or a metric failed.
        LimitReached: the time is over.
    """
    plan = _plan(selected(metrics, runs), params or {})
    bound = bind_all([*plan.queries, *plan.on_each], params or {}, cost_model)
    spool = Spool()
    measuring = _Measuring(
        plan.on_each,
        bound,
        Evaluation(scope, timeout, is_cached, cost_model),
        n_runs=len(runs),
        goes_on=on_failure is not None,
        spool=spool.folder,
        beside=beside,
        calibration=calibration,
    )
    measured = list(measuring.values(runs, jobs, on_failure, on_progress))
    values: list[tuple[str | None, TidyRows]] = [
        (name, rows) for name, query, rows in measured if query in plan.queries
    ]
    for query, features in plan.over_runs:
        chosen = [
            (name, feature, rows.table()) for name, feature, rows in measured if feature in features
        ]
        over_runs = measure_over_runs(query, bound[query.id], chosen)
        values.append((None, TidyRows(over_runs)))
    schema = tidy.combined_schema(plan.queries, has_codes=has_codes)
    columns = tidy.describe(plan.queries, has_codes=has_codes)
    return Values(plan.queries, columns, schema, _batches(values, schema, spool), limit)


def measure_query(
    engine: Engine,
    query: QueryFile,
    scope: Scope,
    params: Mapping[str, Any],
    *,
    timeout: float | None = None,
) -> Result:
    """Returns the values of any query with measures on one run, wide: its keys and measures.

    Values that are null have their reason in the column ``reason``; nothing is cached.

    Raises:
        QueryError: the query, the scope or a parameter is wrong.
        LimitReached: the time is over.
    """
    bound = bind_all([query], params)[query.id]
    values = Evaluation(scope, timeout).values(engine, query, bound)
    wide = tidy.widen(tidy.combine([(engine.run_id, values)], [query]), query)
    return Result.of_table(wide.arrow().drop_columns(["run_id"]), wide.columns[1:])


@dataclass(frozen=True)
class _Plan:
    """What is asked for, what is measured on each run, and what over them, with its features."""

    queries: Sequence[QueryFile]
    on_each: Sequence[QueryFile]
    over_runs: Sequence[tuple[QueryFile, Sequence[QueryFile]]]


def _plan(queries: Sequence[QueryFile], params: Mapping[str, Any]) -> _Plan:
    over_runs = []
    for query in queries:
        if query.step:
            default = next(param.default for param in query.params if param.name == "features")
            over_runs.append((query, feature_metrics(str(params.get("features", default)))))
    on_each = [query for query in queries if not query.step]
    for _, features in over_runs:
        on_each += [query for query in features if query not in on_each]
    return _Plan(queries, on_each, over_runs)


@dataclass(frozen=True)
class _Measured:
    """The values of each metric on one run, and what failed of it."""

    rows: Sequence[TidyRows]
    failures: Sequence[Failure] = ()


@dataclass(frozen=True)
class _Measuring:
    """How every run is measured; it goes to other processes, too.

    Attributes:
        queries: the metrics.
        params: the parameters of each, by its id.
        evaluation: how each is evaluated.
        n_runs: how many runs are measured.
        goes_on: whether a failure ends only its metric, or its run where there are others.
        spool: where many rows are written that are not kept.
        beside: the recorded run beside each of them, or None.
        calibration: what calls and objects cost, or None.
    """

    queries: Sequence[QueryFile]
    params: Mapping[str, Mapping[str, Any]]
    evaluation: Evaluation
    n_runs: int
    goes_on: bool
    spool: Path
    beside: Path | None = None
    calibration: Calibration | None = None

    def values(
        self,
        runs: Sequence[Engine | Path],
        jobs: int | None,
        on_failure: Callable[[Failure], None] | None,
        on_progress: Callable[[float], None] | None,
    ) -> Iterator[tuple[str, QueryFile, TidyRows]]:
        """Yields the run's name, the metric and its values, run by run."""
        names = run_names(runs)
        progress = Progress(
            [size_of(run.run if isinstance(run, Engine) else run) for run in runs], on_progress
        )
        n_processes = n_workers(len(runs), jobs)
        asked = list(zip(names, runs, strict=True))
        if n_processes > 1 and not any(isinstance(run, Engine) for run in runs):
            measured = in_processes(self.of_run, asked, n_processes)
        else:
            measured = (self.of_run(each, progress.within) for each in asked)
        for name, found in zip(names, measured, strict=True):
            for failure in found.failures:
                if on_failure is not None:
                    on_failure(failure)
            for query, rows in zip(self.queries, found.rows, strict=True):
                yield name, query, rows
            progress.step()

    def of_run(
        self,
        asked: tuple[str, Engine | Path],
        on_progress: Callable[[float], None] | None = None,
    ) -> _Measured:
        """Returns the values of a run, given with its name."""
        name, run = asked
        try:
            with _opened(run, self.beside, self.calibration) as engine:
                self._check_scope(engine)
                return self._values_of_run(name, engine, on_progress)
        except _NotMeasurableError as error:
            if self.n_runs == 1 or not self.goes_on:
                raise error.cause from None
            reason = _failed(error.cause)
            absent = [TidyRows(tidy.explain_absence(query, reason)) for query in self.queries]
            return _Measured(absent, [Failure(name, None, error.cause)])

    def _values_of_run(
        self, name: str, engine: Engine, on_progress: Callable[[float], None] | None
    ) -> _Measured:
        told = engine.on_progress
        rows: list[TidyRows] = []
        failures = []

        def tell(percentage: float) -> None:
            if on_progress is not None:
                on_progress((100 * len(rows) + max(percentage, 0.0)) / len(self.queries))

        engine.on_progress = tell
        try:
            for query, found in zip(self.queries, self._found(engine), strict=True):
                if isinstance(found, JvmscopeError):
                    if not self.goes_on:
                        raise found
                    failures.append(Failure(name, query.id, found))
                    rows.append(TidyRows(tidy.explain_absence(query, _failed(found))))
                else:
                    rows.append(found)
                tell(0.0)
        finally:
            engine.on_progress = told
        return _Measured(rows, failures)

    def _found(self, engine: Engine) -> Iterator[TidyRows | JvmscopeError]:
        """Yields the values of each metric, or why it failed."""

        def values(query: QueryFile) -> TidyRows | JvmscopeError:
            try:
                return self.evaluation.rows(engine, query, self.params[query.id], self.spool)
            except JvmscopeError as error:
                return error

        return side_by_side(engine, self.queries, values)

    def _check_scope(self, engine: Engine) -> None:
        """Raises an error if the run has not the scope; not asked if all values are cached."""
        if engine.manifest.kind == "watch" and any(map(needs_watch, self.queries)):
            self._check_watch(engine)
            return
        try:
            engine.manifest.expect_recording(engine.run)
            if not self.evaluation.scope.is_whole:
                engine.manifest.expect_tree(engine.run)
        except RunError as error:
            raise _NotMeasurableError(error) from None
        if "context" not in engine.manifest.tables:
            return  # each metric says what it lacks
        asked = ((query, self.params[query.id]) for query in self.queries)
        if self.evaluation.has_kept(engine, asked):
            return
        try:
            if engine.scopes.lost_calls(self.evaluation.scope) is None:  # else each metric says why
                engine.scopes.bind(self.evaluation.scope)
        except JvmscopeError as error:
            raise _NotMeasurableError(error) from None

    def _check_watch(self, engine: Engine) -> None:
        """Raises an error for what a watch run has no parts for."""
        if not self.evaluation.scope.is_whole:
            message = f"{engine.run}: a watch run has no parts: leave out the scope"
            raise _NotMeasurableError(RunError(message))


class _NotMeasurableError(Exception):
    """A run that no metric can be computed on, and why."""

    def __init__(self, cause: JvmscopeError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def selected(metrics: Sequence[str], runs: Sequence[Engine | Path]) -> list[QueryFile]:
    """Returns the metrics that are asked for; none means all, or of watch runs those of times.

    Args:
        metrics: ids, globs of ids or ``tag:NAME``.
        runs: the runs that are to be measured.

    Raises:
        QueryError: a metric does not exist.
    """
    if not metrics and runs and all(map(_is_watch, runs)):
        return [query for query in catalogue().values() if needs_watch(query)]
    return select(metrics)


def _is_watch(run: Engine | Path) -> bool:
    try:
        manifest = run.manifest if isinstance(run, Engine) else read_manifest(run)
    except RunError:  # whoever opens it says what is wrong
        return False
    return manifest.kind == "watch"


def _opened(
    run: Engine | Path, beside: Path | None, calibration: Calibration | None
) -> AbstractContextManager[Engine]:
    if isinstance(run, Engine):
        return nullcontext(run.untouched())
    try:
        return Engine(run, beside=beside, calibration=calibration)
    except RunError as error:
        raise _NotMeasurableError(error) from None


def run_names(runs: Sequence[Engine | Path]) -> list[str]:
    """Returns how results call the runs: by their directories, as far up as tells them apart."""
    paths = [(run.run if isinstance(run, Engine) else run).absolute() for run in runs]
    parts = [(*path.parts[1:-1], path.name.removesuffix(".run")) for path in paths]
    depths = [1] * len(parts)
    while True:
        names = ["/".join(part[-depth:]) for part, depth in zip(parts, depths, strict=True)]
        shared = {name for name, n in Counter(names).items() if n > 1}
        longer = [
            depth + (name in shared and depth < len(part))
            for name, depth, part in zip(names, depths, parts, strict=True)
        ]
        if longer == depths:
            return names
        depths = longer


def _failed(error: JvmscopeError) -> Reason:
    first_line = str(error).partition("\n")[0]
    return Reason(ReasonCode.FAILED, f"failed: {first_line}")


def _batches(
    values: Sequence[tuple[str | None, TidyRows]],
    schema: pa.Schema,
    spool: Spool,  # noqa: ARG001 - the files are there as long as it is
) -> Iterator[pa.RecordBatch]:
    for run_id, rows in values:
        for part in rows.parts():
            yield from tidy.combined(run_id, part, schema).to_batches()
