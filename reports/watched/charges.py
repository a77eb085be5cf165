"""What a pair's constraints mean for the rows of its metric function, as a condition in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import did_you_mean
from jvmscope.reports.watched.constraints import AllOf, AnyOf, Focus
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

if TYPE_CHECKING:
    from jvmscope.queries import Engine
    from jvmscope.reports.watched.constraints import Constraint
    from jvmscope.reports.watched.metric_functions import MetricFunction
    from jvmscope.reports.watched.pairs import Pair

__all__ = ["condition_of", "reason_against", "unasked_reason"]

_METHODS = "SELECT vm_method_id FROM vm_method WHERE {}".format(
    "starts_with(class_name || '/' || name || '/', ${} || '/')"
)
_BELOW = "starts_with({} || '/', ${} || '/')"


def reason_against(engine: Engine, pair: Pair) -> str | None:
    """Returns why a pair has no values; None if it has.

    Raises:
        QueryError: a focus names a resource that the watch run does not have.
    """
    metric = METRIC_FUNCTIONS[pair.metric]
    foci = [focus for focus in pair.foci if focus.path]
    for focus in foci:
        _expect_resource(engine, focus)
    for focus in foci:
        if focus.hierarchy in metric.absent:
            return f"no values by {focus.hierarchy}: {metric.absent[focus.hierarchy]}"
    return unasked_reason(engine, metric)


def unasked_reason(engine: Engine, metric: MetricFunction) -> str | None:
    """Returns why a watch run knows nothing of a metric function; None if it does."""
    if metric.asked and not engine.manifest.options.get(metric.asked):
        option = "probe" if metric.asked == "probes" else metric.asked
        return f"the watch did not record it: --{option} was not given"
    return None


def condition_of(pair: Pair) -> tuple[str, dict[str, Any]]:
    """Returns what is true of the rows that count, empty if all do, and its parameters."""
    given: dict[str, Any] = {}
    if pair.constraint is None:
        return "", given
    return _condition(pair.constraint, METRIC_FUNCTIONS[pair.metric].rows, given) or "", given


def _condition(constraint: Constraint, rows: str, given: dict[str, Any]) -> str | None:
    """Returns a condition; None if it is met by all rows, as that of a root."""
    if isinstance(constraint, Focus):
        if not constraint.path:
            return None
        name = f"focus_{len(given)}"
        given[name] = constraint.path
        return _charged(constraint.hierarchy, name, rows)
    inner = dict(given)
    parts = [_condition(part, rows, inner) for part in constraint.parts]
    met = [f"({part})" for part in parts if part is not None]
    if isinstance(constraint, AnyOf) and len(met) < len(parts):
        return None
    given |= inner
    return (" AND " if isinstance(constraint, AllOf) else " OR ").join(met) or None


def _charged(hierarchy: str, name: str, rows: str) -> str:
    """Returns what is true of the rows that are charged to a resource, which a parameter names."""
    if hierarchy == "APThreads":
        return f"thread_id IN (SELECT vm_thread_id FROM vm_thread WHERE name = ${name})"
    if hierarchy == "APSyncObj":
        return _BELOW.format("sync", name)
    if hierarchy == "Code":
        return _BELOW.format("code", name)
    if "method_path" in rows:
        return _BELOW.format("method_path", name)
    methods = _METHODS.format(name)
    if "vm_method_id" in rows:
        return f"vm_method_id IN ({methods})"
    return f"stack_id IN (SELECT stack_id FROM stack_frame WHERE vm_method_id IN ({methods}))"


def _expect_resource(engine: Engine, focus: Focus) -> None:
    """Raises an error if the watch run has no such resource: nothing would not be a value."""
    asked = "SELECT path FROM resource WHERE hierarchy = $hierarchy"
    rows = engine.connect().execute(asked, {"hierarchy": focus.hierarchy}).fetchall()
    paths = [row[0] for row in rows]
    if focus.path not in paths:
        hint = did_you_mean(focus.path, paths)
        listing = f"all: SELECT path FROM resource WHERE hierarchy = '{focus.hierarchy}'"
        message = f"the watch run has no resource {focus}"
        raise focus.error(message, f"{hint}  {listing}" if hint else listing)
