"""Budgets: how large a quantity or a value may be, or may become, from one run to the next.

A budget is about a *quantity*, which is summed over the methods that it names, or about the rows of
a metric's measure, each of which must keep it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.errors import did_you_mean
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.queries import Result, ResultColumn
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.matched_values import AFTER
from jvmscope.reports.changes.nulls import is_in_neither, why_null
from jvmscope.reports.changes.vocabulary import named_columns, needs_execution, reads_a
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "EXECUTED",
    "QUANTITIES",
    "TOTALS",
    "Budget",
    "check_budgets",
    "describe_row",
    "has_subject",
    "keys_of",
    "unknown_subjects",
]

QUANTITIES = {
    "bytecodes": ("execution.methods", "n_bytecodes"),
    "calls": ("execution.methods", "n_executions"),
    "boxed": ("boxing.methods", "n_calls"),
    "allocated_bytes": ("allocations.methods", "n_bytes"),
    "allocated_objects": ("allocations.methods", "n_objects"),
}
"""What can be summed over methods: the metric and measure that have it for each method."""

EXECUTED = "execution.methods"
"""The metric that says which methods were executed, which quantities need."""

TOTALS = "execution.totals"
"""The metric that says how much was executed in all."""

_COLUMNS = (
    ResultColumn("budget", "VARCHAR"),
    ResultColumn("benchmark", "VARCHAR"),
    ResultColumn("row", "VARCHAR"),
    ResultColumn("a", "DOUBLE"),
    ResultColumn("b", "DOUBLE"),
    ResultColumn("limit", "VARCHAR"),
    ResultColumn("status", "VARCHAR"),
    ResultColumn("reason", "VARCHAR"),
)
_NUMBERS = ("a", "b")
_NO_KEYS = frozenset({"benchmark", "metric", "measure", "line", *(column.name for column in AFTER)})


@dataclass(frozen=True)
class Budget:
    """One entry of a budget file.

    Attributes:
        name: what it is called.
        line: its line in the file.
        quantity: a key of ``QUANTITIES``; None: it is about a metric.
        metric: a metric's id.
        measure: a measure of the metric.
        where: a condition on the metric's rows; None: all of them.
        method: a pattern of methods, CLASS.METHOD, where * stands for any text; None: all.
        benchmark: a pattern of the benchmarks of a suite; None: all.
        most: the largest value that b may have; None: any.
        most_growth: by how much b may be larger than a; None: by any.
        most_growth_pct: the same, in percent of a.
    """

    name: str
    line: int
    quantity: str | None = None
    metric: str | None = None
    measure: str | None = None
    where: str | None = None
    method: str | None = None
    benchmark: str | None = None
    most: float | None = None
    most_growth: float | None = None
    most_growth_pct: float | None = None

    @property
    def source(self) -> tuple[str, str]:
        """The metric and measure that it needs."""
        if self.quantity is not None:
            return QUANTITIES[self.quantity]
        return (self.metric or "", self.measure or "")

    @property
    def is_of_methods(self) -> bool:
        """Whether it names methods, or sums them up."""
        return (
            self.quantity is not None
            or self.method is not None
            or (self.where is not None and "method" in named_columns(self.where))
        )

    def exceeded(self, a: float | None, b: float) -> str | None:
        """Returns the limit that two values exceed; None: they keep the budget.

        Args:
            a: the first value; None: what only the second run has, and so has grown from nothing.
            b: the second value.
        """
        before = a or 0.0
        growth = (b - before) * 100
        if (limit := self.surpassed(b)) is not None:
            return limit
        if self.most_growth is not None and b - before > self.most_growth:
            return f"growth of at most {self.most_growth:,.15g}"
        if self.most_growth_pct is not None and growth > self.most_growth_pct * abs(before):
            return f"growth of at most {self.most_growth_pct:,.15g} %"
        return None

    def surpassed(self, b: float) -> str | None:
        """Returns the limit that a second value exceeds, whatever the first is; None: none."""
        return f"at most {self.most:,.15g}" if self.most is not None and b > self.most else None

    @property
    def needs_a(self) -> bool:
        """Whether it asks for the first value, too."""
        return self.most_growth is not None or self.most_growth_pct is not None


def check_budgets(
    budgets: Sequence[Budget], changes: pa.Table, benchmarks: Sequence[str | None]
) -> Result:
    """Returns whether budgets are kept: a row for each budget, benchmark and row that exceeds it.

    ``status`` is ``kept``, ``exceeded`` or ``unchecked``: there is no value, and ``reason`` says
    why. ``row`` is what the values are of, empty if that is all that the budget is about.

    Args:
        budgets: the budgets.
        changes: the changes of the metrics that they need; of quantities those of ``EXECUTED``,
            too.
        benchmarks: the names of the pairs that were compared.

    Raises:
        QueryError: the condition ``where`` of a budget fails.
        LimitReached: it needs more time than it may have.
    """
    found: list[dict[str, Any]] = []
    for budget in budgets:
        about = [name for name in benchmarks if _matches(name or "", budget.benchmark)]
        for benchmark in about:
            rows, unsure = _rows_of(budget, budget.source, changes, benchmark)
            if budget.quantity is not None:
                outcomes = [_of_quantity(budget, rows, _executed(budget, changes, benchmark))]
            elif all(map(is_in_neither, [*rows, *unsure])) and (
                why := _why_no_rows(budget, changes, benchmark)
            ):
                outcomes = [{"status": "unchecked", "reason": why}]
            else:
                outcomes = list(_of_rows(budget, rows, unsure))
            named = {"budget": budget.name, "benchmark": benchmark}
            found += [{**named, **outcome} for outcome in outcomes]
        if not about:
            reason = f"no benchmark matches {budget.benchmark}"
            found.append({"budget": budget.name, "status": "unchecked", "reason": reason})
    schema = pa.schema(
        [
            pa.field(column.name, pa.float64() if column.name in _NUMBERS else pa.string())
            for column in _COLUMNS
        ]
    )
    return Result.of_table(pa.Table.from_pylist(found, schema=schema), _COLUMNS)


def unknown_subjects(
    budget: Budget, names: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, str | None]]:
    """Yields what a budget is about that is in neither run: its key, what is wrong, and a hint.

    Args:
        budget: the budget.
        names: what exists in the runs, by ``method`` and ``benchmark``.
    """
    matchers = {"method": _is_of, "benchmark": _matches}
    for key, matches in matchers.items():
        pattern, known = getattr(budget, key), names.get(key)
        if pattern is None or known is None or any(matches(name, pattern) for name in known):
            continue
        plain = {name.partition("(")[0] for name in known} if key == "method" else set(known)
        hint = did_you_mean(pattern, plain) or (f"written like {known[-1]}" if known else None)
        yield key, f"neither side has a {key} that matches {pattern!r}", hint


def has_subject(budget: Budget, names: Mapping[str, Sequence[str]]) -> bool:
    """Returns whether there is what a budget is about, as ``unknown_subjects`` asks for it."""
    return not any(unknown_subjects(budget, names))


def _rows_of(
    budget: Budget, source: tuple[str, str], changes: pa.Table, benchmark: str | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns the changes of a metric's measure that a budget is about, and those it may be about.

    The latter are those for which its condition is null.
    """
    metric, measure = source
    table = changes.filter(pc.equal(changes["metric"], pa.scalar(metric)))
    table = table.filter(pc.equal(table["measure"], pa.scalar(measure)))
    if benchmark is not None:
        table = table.filter(pc.equal(table["benchmark"], pa.scalar(benchmark)))
    rows: list[dict[str, Any]] = table.to_pylist()
    if budget.method is not None:
        rows = _rows_about(budget.method, rows)
    sides = "b" if budget.where is not None and not reads_a(budget.where) else _NUMBERS
    if budget.where is None or _lacks_a_side(rows, sides):
        return rows, []
    holds = evaluate(budget.where, pa.Table.from_pylist(rows, schema=table.schema)).holds
    found = list(zip(rows, holds, strict=True))
    return [row for row, is_true in found if is_true], [
        row for row, is_true in found if is_true is None
    ]


def _rows_about(pattern: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the rows of the methods that match; where a run has none at all, one that says why.

    Methods that match may have rows in neither run because one of them recorded none.
    """
    found = [row for row in rows if _is_about(row, pattern)]
    if not found and _lacks_a_side(rows):
        # Of the side that has rows, none is about these methods.
        lacking = {name: value if name in _NO_KEYS else None for name, value in rows[0].items()}
        for side in _NUMBERS:
            if any(row[side] is not None or _is_new(row, side) for row in rows):
                lacking |= {side: None, f"reason_code_{side}": ReasonCode.NO_ROW}
        found = [lacking]
    return found


def _is_about(row: Mapping[str, Any], pattern: str) -> bool:
    """Tells whether a row is about a method that matches, or a reason why there are no rows.

    A row without a method that has a value is about what no method did.

    >>> _is_about({"method": None, "a": None, "b": None}, "x")
    True
    >>> _is_about({"method": None, "a": 1.0, "b": None}, "x")
    False
    """
    method = row.get("method")
    if method is None:
        return all(row[side] is None for side in _NUMBERS)
    return _is_of(method, pattern)


def _is_of(method: str, pattern: str) -> bool:
    """Tells whether a pattern matches a method, with its parameters or without.

    >>> _is_of("app/A.f(I)V", "app/*.f"), _is_of("app/A.f(I)V", "*(J)V")
    (True, False)
    >>> _is_of("app/A.sum (all)(I)V", "*.sum (all)"), _is_of("app/A.f()V", "app/A.?")
    (True, False)
    """
    return _matches(method, pattern) or _matches(method[: method.rfind("(")], pattern)


def _matches(name: str, pattern: str | None) -> bool:
    """Tells whether a pattern, where * stands for any text, matches a name; None: any does."""
    if pattern is None:
        return True
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    *between, last = rest
    at = len(first)
    for text in between:  # the first place of each is as good as any
        found = name.find(text, at)
        if found < 0:
            return False
        at = found + len(text)
    return name.startswith(first) and name.endswith(last) and at + len(last) <= len(name)


def _lacks_a_side(rows: Sequence[dict[str, Any]], sides: Iterable[str] = _NUMBERS) -> bool:
    """Tells whether a run has no value at all for a reason, so that no condition can tell rows."""
    return any(
        rows and all(row[side] is None and not _is_new(row, side) for row in rows) for side in sides
    )


def _of_quantity(
    budget: Budget, rows: Sequence[dict[str, Any]], executed: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Returns the outcome of a budget whose rows are summed up.

    Args:
        budget: the budget.
        rows: the changes of its quantity.
        executed: how often the methods that it is about were executed.
    """
    if reason := _why_unexecuted(budget, executed):
        return {"status": "unchecked", "reason": reason}
    sums: dict[str, float | None] = {}
    for side in _NUMBERS:
        is_known = all(row[side] is not None or _is_new(row, side) for row in rows)
        sums[side] = sum(row[side] or 0.0 for row in rows) if is_known else None
    if sums["b"] is not None and (sums["a"] is not None or _needs_no_a(budget, sums["b"])):
        return _outcome(budget, sums["a"], sums["b"])
    side = "b" if sums["b"] is None else "a"
    lacking = next(row for row in rows if row[side] is None and not _is_new(row, side))
    return {"status": "unchecked", "reason": lacking["reason"]}


def _executed(budget: Budget, changes: pa.Table, benchmark: str | None) -> Sequence[dict[str, Any]]:
    """Returns how often the methods that a budget is about were executed."""
    return _rows_of(replace(budget, where=None), (EXECUTED, "n_executions"), changes, benchmark)[0]


def _why_unexecuted(budget: Budget, executed: Sequence[dict[str, Any]]) -> str | None:
    """Returns why nothing is known of methods; None: some were executed, or none should be."""
    if budget.most == 0 or any(row["a"] or row["b"] for row in executed):
        return None
    lacking = next((row for row in executed if not _is_new(row, "b")), None)
    if budget.method is not None and lacking is None:
        return f"no method that matches {budget.method} was executed"
    return lacking["reason"] if lacking and lacking["b"] is None else "nothing was executed"


def _why_no_rows(budget: Budget, changes: pa.Table, benchmark: str | None) -> str | None:
    """Returns why there is no row of the methods that a budget names; None: they ran without."""
    if budget.most == 0:
        return None
    executed = _executed(budget, changes, benchmark)
    if budget.method is not None and (why := _why_unexecuted(budget, executed)):
        return why
    names = [row["method"] for row in executed if row["method"] and (row["a"] or row["b"])]
    if budget.where is not None and needs_execution(budget.where, names):
        return f"no method that where names was executed: {budget.where}"
    return None


def _needs_no_a(budget: Budget, b: float) -> bool:
    """Tells whether a budget is decided by the second value, where the first was not recorded."""
    return not budget.needs_a or budget.surpassed(b) is not None


def _of_rows(
    budget: Budget, rows: Sequence[dict[str, Any]], unsure: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yields the rows that exceed a budget; where none does, what became of all of them.

    Args:
        budget: the budget.
        rows: the changes that it is about.
        unsure: those that it may be about, which matter if they would not keep it.
    """
    outcomes = [outcome for row in rows if (outcome := _of_row(budget, row))]
    for row in unsure:
        outcome = _of_row(budget, row)
        if outcome and outcome["status"] != "kept":
            reason = f"where is null: {budget.where}: {why_null(row)}"
            outcomes.append({"status": "unchecked", "reason": reason, "row": outcome["row"]})
    exceeded = [outcome for outcome in outcomes if outcome["status"] == "exceeded"]
    unchecked = [outcome for outcome in outcomes if outcome["status"] == "unchecked"]
    if exceeded or unchecked:
        yield from exceeded
        yield from unchecked[:1]
    elif len(outcomes) == 1:
        yield outcomes[0]
    else:
        yield {"status": "kept", "row": counted(len(outcomes), "row")}


def _of_row(budget: Budget, row: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the outcome of a budget for one row; None: only A has it."""
    about = {"row": describe_row(row) or None}
    if row["b"] is not None and (
        row["a"] is not None or _is_new(row, "a") or _needs_no_a(budget, row["b"])
    ):
        return {**_outcome(budget, row["a"], row["b"]), **about}
    if _is_new(row, "b"):
        return None
    return {"status": "unchecked", "reason": row["reason"], **about}


def describe_row(row: Mapping[str, Any]) -> str:
    """Returns what a change is about: its keys and their values, empty for a whole run.

    >>> describe_row({"metric": "m", "n_targets": 3, "method": None, "a": 1.0})
    'n_targets=3'
    """
    return ", ".join(f"{name}={value}" for name, value in keys_of(row))


def keys_of(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the keys of a change and their values."""
    for name, value in row.items():
        if name not in _NO_KEYS and value is not None:
            yield name, value


def _is_new(row: dict[str, Any], side: str) -> bool:
    """Tells whether a value is null only since the run, which was measured, has no such row."""
    return row[f"reason_code_{side}"] in {ReasonCode.NO_ROW, ReasonCode.NOTHING}


def _outcome(budget: Budget, a: float | None, b: float) -> dict[str, Any]:
    limit = budget.exceeded(a, b)
    status = "kept" if limit is None else "exceeded"
    return {"a": a, "b": b, "limit": limit, "status": status}
