"""What a pair's constraints mean for the rows of its metric function, as a condition in SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.errors import did_you_mean
from jvmscope.reports.watched.constraints import AllOf, AnyOf, Focus
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS
from jvmscope.schema.watched import BINNED

if TYPE_CHECKING:
    from jvmscope.queries import Engine
    from jvmscope.reports.watched.constraints import Constraint
    from jvmscope.reports.watched.metric_functions import MetricFunction
    from jvmscope.reports.watched.pairs import Pair

__all__ = ["condition_of", "has_block", "is_binned", "reason_against", "unasked_reason"]

_METHODS = "SELECT vm_method_id FROM vm_method WHERE {}".format(
    "starts_with(class_name || '/' || name || '/', ${} || '/')"
)
_BLOCK = re.compile(r".*/block@\d+")
_BLOCKS = """
    SELECT f.stack_id FROM stack_frame AS f JOIN code_block AS b USING (vm_method_id)
    WHERE b.path = ${} AND f.bytecode_index BETWEEN b.first_offset AND b.last_offset
        AND (f.line IS NULL OR f.line BETWEEN b.first_line AND b.last_line)
"""
_ALL_BLOCKS = "SELECT DISTINCT path FROM code_block ORDER BY path"
_RECORDED = "name a recorded run of the same classes, which knows their blocks: --with RUN"
_NO_BLOCKS = "it is about whole methods"
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
        if _is_block(focus) and not _has_stack(metric.rows):
            return f"no values by blocks: {_NO_BLOCKS}"
    return unasked_reason(engine, metric)


def unasked_reason(engine: Engine, metric: MetricFunction) -> str | None:
    """Returns why a watch run knows nothing of a metric function; None if it does."""
    if metric.asked and not engine.manifest.options.get(metric.asked):
        option = "probe" if metric.asked == "probes" else metric.asked
        return f"the watch did not record it: --{option} was not given"
    if metric.unbinned and is_binned(engine, metric.unbinned):
        return f"the bins of {metric.unbinned} do not know which rows lie within another one"
    return None


def has_block(pair: Pair) -> bool:
    """Returns whether a pair names a basic block, so that it needs a recorded run."""
    return any(_is_block(focus) for focus in pair.foci)


def _is_block(focus: Focus) -> bool:
    """Returns whether a focus is a basic block, which the recorded run knows."""
    return focus.hierarchy == "APCode" and _BLOCK.fullmatch(focus.path) is not None


def _has_stack(rows: str) -> bool:
    """Returns whether rows of a metric function are charged to stacks, not to methods alone."""
    return "method_path" not in rows and "vm_method_id" not in rows


def is_binned(engine: Engine, table: str) -> bool:
    """Returns whether older rows of a table are in bins; an older jvmscope made none."""
    bins = engine.manifest.tables.get(f"{table}{BINNED}")
    return bins is not None and bins.rows > 0


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
        if _is_block(constraint):
            return f"stack_id IN ({_BLOCKS.format(name)})"
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
    if _is_block(focus) and engine.beside is None:
        raise focus.error(f"the watch run has no blocks: {focus}", _RECORDED)
    asked = "SELECT path FROM resource WHERE hierarchy = $hierarchy"
    rows = engine.connect().execute(asked, {"hierarchy": focus.hierarchy}).fetchall()
    paths = [row[0] for row in rows]
    if _is_block(focus):
        paths += [row[0] for row in engine.connect().execute(_ALL_BLOCKS).fetchall()]
    if focus.path not in paths:
        hint = did_you_mean(focus.path, paths)
        listing = f"all: SELECT path FROM resource WHERE hierarchy = '{focus.hierarchy}'"
        listing = f"all: {_ALL_BLOCKS}" if _is_block(focus) else listing
        message = f"the watch run has no resource {focus}"
        raise focus.error(message, f"{hint}  {listing}" if hint else listing)
