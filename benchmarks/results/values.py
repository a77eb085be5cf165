"""Reads what the tables of docs/results.md need from each run of the suite of languages."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.metrics.measure import measure
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["BOXES", "SCOPE", "Key", "Values", "median", "read_languages", "read_programs"]

SCOPE = "subtree:languages/Work.measured"
"""What of a program is measured: its algorithm, the second time."""

Key = tuple[str, str]
"""Language and algorithm."""

Values = dict[str, float | None]
"""The values of one run by name; None: undefined there."""

BOXES = (
    *(f"java/lang/{name}" for name in ("Boolean", "Byte", "Character", "Short", "Integer")),
    *(f"java/lang/{name}" for name in ("Long", "Float", "Double")),
    *("org/jruby/RubyFixnum", "org/jruby/RubyFloat"),
    *("org/python/core/PyInteger", "org/python/core/PyLong", "org/python/core/PyFloat"),
)
"""The classes whose objects hold a primitive value: the JDK's, JRuby's and Jython's."""

_REQUESTS = (
    *(f"{name}.valueOf" for name in BOXES[:8]),
    *("org/jruby/RubyFixnum.newFixnum", "org/jruby/RubyFloat.newFloat"),
    *("org/python/core/Py.newInteger", "org/python/core/Py.newFloat"),
)
"""The methods that return such an object for a primitive value, a new one or one that is kept."""

_METRICS = (
    *("execution.totals", "size.executed", "recursion.depth", "polymorphism.targets"),
    *("hotness.methods", "hotness.blocks", "invocations.calls"),
)
_BOXING = """
    WITH called AS (
        SELECT c.name AS class_name, m.name, SUM(call.n_calls)::BIGINT AS n_calls
        FROM call
        JOIN run.method AS m USING (method_id)
        JOIN run.class AS c USING (class_id)
        WHERE NOT (m.name = 'valueOf' AND m.descriptor LIKE '(Ljava/lang/String;%')
        GROUP BY ALL
    )
    SELECT COALESCE(SUM(n_calls) FILTER (
               list_contains($requests, class_name || '.' || name)), 0)::BIGINT AS n_requests,
           COALESCE(SUM(n_calls) FILTER (
               name = '<init>' AND list_contains($boxes, class_name)), 0)::BIGINT AS n_boxes,
           COALESCE(SUM(n_calls) FILTER (
               name = '<init>' AND class_name IN (
                   'java/lang/Float', 'java/lang/Double', 'org/jruby/RubyFloat',
                   'org/python/core/PyFloat')), 0)::BIGINT AS n_floating_boxes
    FROM called
"""
# The JDK computes with doubles to write numbers down; those are not values of the language.
_FLOATING_OPERATIONS = """
    WITH block AS (
        SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM thread_block
        GROUP BY basic_block_id
    )
    SELECT COALESCE(SUM(block.n_executions), 0)::BIGINT AS n_operations
    FROM run.instruction AS i
    JOIN block USING (basic_block_id)
    JOIN run.basic_block USING (basic_block_id)
    JOIN run.method AS m USING (method_id)
    JOIN run.class AS c USING (class_id)
    WHERE regexp_full_match(i.opcode, '[df](add|sub|mul|div|rem|neg)')
          AND c.loader NOT IN ('boot', 'platform')
"""


@dataclass(frozen=True, slots=True)
class _Tidy:
    """The tidy rows of one run."""

    rows: tuple[Mapping[str, Any], ...]

    def of(self, metric: str, measure: str, **keys: object) -> list[float]:
        """Returns the values that are not null, of the rows with these keys."""
        return [
            row["value"]
            for row in self.rows
            if row["metric"] == metric
            and row["measure"] == measure
            and row["value"] is not None
            and all(row[key] == value for key, value in keys.items())
        ]

    def one(self, metric: str, measure: str, **keys: object) -> float | None:
        return next(iter(self.of(metric, measure, **keys)), None)


def read_languages(folder: Path) -> dict[Key, Values]:
    """Returns the values of each recorded algorithm of a suite, by language and algorithm."""
    rows = [row for row in open_suite(folder).rows if "algorithm" in row.tags]
    return {
        (row.benchmark, str(row.parameters["algorithm"])): _values(row.run, SCOPE)
        for row in rows
        if row.run
    }


def read_programs(folder: Path) -> dict[str, Values]:
    """Returns the values of each recorded real program, whole, by its name."""
    rows = [row for row in open_suite(folder).rows if "program" in row.tags]
    return {str(row.parameters["program"]): _values(row.run, "run") for row in rows if row.run}


def _values(run: Path, scope: str) -> Values:
    with Engine(run) as engine:
        tidy = _Tidy(
            tuple(measure([engine], metrics=_METRICS, scope=parse_scope(scope)).arrow().to_pylist())
        )
        part = parse_scope(scope)
        names = {"boxes": list(BOXES), "requests": list(_REQUESTS)}
        boxing_of_names = Question(_BOXING, params=names, scope=part)
        (boxing,) = engine.query(boxing_of_names).arrow().to_pylist()
        floating_operations = Question(_FLOATING_OPERATIONS, scope=part)
        (floating,) = engine.query(floating_operations).arrow().to_pylist()
    bytecodes = tidy.one("execution.totals", "n_bytecodes") or 0
    calls = tidy.one("execution.totals", "n_executions") or 0
    methods = tidy.one("size.executed", "n_methods") or 0
    unrecursive = tidy.one("recursion.depth", "share", n_activations=1)
    sites = tidy.of("polymorphism.targets", "n_call_sites")
    return {
        "bytecodes": bytecodes,
        "calls": calls,
        "bytecodes_per_call": _ratio(bytecodes, calls),
        "methods": methods,
        "bytecodes_per_method": _ratio(tidy.one("size.executed", "n_bytecodes"), methods),
        "recursive_calls": None if unrecursive is None else 1 - unrecursive,
        "n_requested": boxing["n_requests"],
        "requested": _ratio(1000 * boxing["n_requests"], bytecodes),
        "boxes": _ratio(1000 * boxing["n_boxes"], bytecodes),
        "floating_boxes": boxing["n_floating_boxes"],
        "floating_operations": floating["n_operations"],
        "monomorphic_sites": _ratio(
            tidy.one("polymorphism.targets", "n_call_sites", n_targets=1), sum(sites)
        ),
        "monomorphic_calls": tidy.one("polymorphism.targets", "calls_share", n_targets=1),
        "megamorphic_calls": _megamorphic(tidy),
        "interface_calls": tidy.one("invocations.calls", "share", instruction="invokeinterface"),
        "hot_methods": tidy.one("hotness.methods", "bytecodes_share"),
        "hot_blocks": tidy.one("hotness.blocks", "bytecodes_share"),
    }


def _megamorphic(tidy: _Tidy) -> float | None:
    """Returns the share of the dispatched calls made through sites with three targets or more."""
    few = [tidy.one("polymorphism.targets", "calls_share", n_targets=n) for n in (1, 2)]
    if few == [None, None]:
        return None
    return max(0.0, 1 - sum(value for value in few if value is not None))


def _ratio(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole


def median(values: Iterable[float | None]) -> float | None:
    """Returns the median of what is not None; None of nothing.

    >>> median([3, None, 1])
    2.0
    """
    known = [value for value in values if value is not None]
    return float(statistics.median(known)) if known else None
