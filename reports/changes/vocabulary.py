"""Checks the names in a condition: one that matches no row would let everything pass.

Before anything is measured it is evaluated on what every row of the metrics has, metric, measure,
unit and better; the parts that read other columns are unknown. Each part that OR joins must be able
to hold: the others would hide that it never does. The codes of reasons are known then, too. Once
names are known, parts about a name must match one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import catalogue
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.reports.changes.condition import parsed_condition
from jvmscope.reports.changes.condition_limits import contradiction, missing_column
from jvmscope.reports.changes.condition_parts import (
    alternatives,
    at_best,
    columns_of,
    nodes,
    only,
    parts,
    reduced,
    texts_of,
    weakened,
)
from jvmscope.reports.changes.condition_results import truths
from jvmscope.reports.changes.condition_text import error_at
from jvmscope.reports.changes.measuring import why_not_comparable
from jvmscope.reports.changes.names_of_keys import key_columns
from jvmscope.reports.changes.quoted_numbers import refuse_quoted_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jvmscope.queries import QueryFile
    from jvmscope.reports.changes.condition_parts import Node, Part

__all__ = [
    "DEFINED",
    "OF_VALUES",
    "asks_for_null",
    "asks_for_reasons_alone",
    "check_names",
    "check_reach",
    "concerned",
    "has_names",
    "named_columns",
    "needs_execution",
    "reads_a",
    "sides_of",
]

DEFINED = ("metric", "measure", "unit", "better")
"""The columns whose values the definitions of metrics decide."""

OF_VALUES = frozenset(
    {"a", "b", "delta", "delta_pct", "reason", "reason_code_a", "reason_code_b", "line"}
)
"""The columns that say what a value is, or why there is none, not what it is about."""

_CODES = ("reason_code_a", "reason_code_b")
_REASONS = frozenset({"reason", *_CODES})
_NULLS = ("OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL")
_ONE_OF = ("COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM", "COMPARE_IN")
_RATIOS = ("_gini", "_per_path")
"""What the names of other measures without a unit end in that are never negative."""
_SHOWN = 12
_SHOWN_METRICS = 5


def check_reach(condition: str, metrics: Iterable[str], measure: str | None = None) -> None:
    """Refuses a condition that no row of some metrics can meet, or a part of it that OR joins.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        metrics: the ids of the metrics that are compared.
        measure: the only measure of them that it is about; None: all.

    Raises:
        QueryError: it cannot be met; with the place of what does not exist, and the nearest name.
    """
    expression = parsed_condition(condition)
    if not columns_of(expression):
        raise error_at("a condition is about columns, and this names none", condition, expression)
    refuse_quoted_numbers(condition, expression)
    why = contradiction(expression)
    if why is not None:
        raise error_at(f"no value can meet this condition: {why}", condition, expression)
    _check_codes(condition, expression)
    every = _definitions(catalogue().values())
    for column in DEFINED:
        for name, node in texts_of(expression, column):
            if name not in every[column].to_pylist():
                raise _unknown(condition, column, name, node, _near_by(expression, column, every))
    defined = [
        part
        for part in parts(expression)
        if part.is_positive and columns_of(part.node) and columns_of(part.node) <= set(DEFINED)
    ]
    choices = list(alternatives(expression))
    of_definitions = [reduced(choice, weakened(DEFINED)) for choice in choices]
    found = truths(condition, every, [*map(only, defined), *of_definitions])
    for part, is_true in zip(defined, found, strict=False):
        if not any(is_true):
            message = _no_definition(columns_of(part.node))
            raise error_at(message, condition, part.node)
    chosen = frozenset(metrics)
    rows = every.to_pylist()
    errors = []
    for choice, holds in zip(choices, found[len(defined) :], strict=True):
        able = [row for row, may in zip(rows, holds, strict=True) if may is not False]
        error = _unreachable(choice, able, chosen, measure)
        if error is not None:
            errors.append((choice, *error))
    if len(errors) == len(choices):
        _, message, hint = errors[0]
        raise error_at(f"no value can meet this condition{message}", condition, expression, hint)
    for choice, message, hint in errors:
        raise error_at(f"no value can meet this part{message}", condition, choice, hint)


def _check_codes(condition: str, expression: Node) -> None:
    """Refuses a condition that names a code of reasons which does not exist, or matches none."""
    codes = [code.value for code in ReasonCode]
    for column in _CODES:
        for name, node in texts_of(expression, column):
            if name not in codes:
                raise _unknown(condition, column, name, node, codes)
        about = [
            part
            for part in parts(expression)
            if part.is_positive and columns_of(part.node) == {column}
        ]
        if not about:
            continue
        table = pa.table({column: pa.array([*codes, None], pa.string())})
        found = truths(condition, table, [*map(only, about)])
        for part, is_true in zip(about, found, strict=True):
            if not any(is_true):
                raise error_at(f"there is no such {column}", condition, part.node, _known(codes))


def _unreachable(
    choice: Node, able: Sequence[Mapping[str, str]], chosen: frozenset[str], measure: str | None
) -> tuple[str, str | None] | None:
    """Returns why no row can meet an alternative, with a hint; None: one may.

    Args:
        choice: one of a condition's alternatives.
        able: the definitions of values that it may be about.
        chosen: the metrics that are compared.
        measure: the only measure that counts; None: all.
    """
    comparable = {id_ for id_ in chosen if why_not_comparable(catalogue()[id_]) is None}
    about = [
        row for row in able if row["metric"] in comparable and measure in (None, row["measure"])
    ]
    if not about:
        return "", _why_unreachable(choice, chosen, able)
    metrics = sorted({row["metric"] for row in about})
    filled = {_columns_of(id_): None for id_ in metrics}
    if lacking := _missing_in_all(choice, filled):
        has_not = f"{metrics[0]} has no" if len(metrics) == 1 else "no such metric has a"
        return f": {has_not} column {lacking}", None
    may_be_negative = any(_may_be_negative(row["metric"], row["measure"]) for row in about)
    why = contradiction(choice, may_be_negative=may_be_negative)
    return None if why is None else (f": {why}", None)


def _missing_in_all(choice: Node, filled: Iterable[frozenset[str]]) -> str | None:
    """Returns a column that an alternative needs, if each of some sets of columns lacks one."""
    lacking = None
    for columns in filled:
        found = missing_column(choice, columns)
        if found is None:
            return None
        lacking = lacking or found
    return lacking


@cache
def _may_be_negative(id_: str, name: str) -> bool:
    """Tells whether a measure is not known for values that are counts, times, sizes or shares.

    An estimate has an interval, which may reach below 0.
    """
    query = catalogue()[id_]
    measure = next(each for each in query.measures if each.name == name)
    is_ratio = measure.unit == "1" and name not in query.shares
    return (
        measure.unit is None
        or name.startswith("estimated_")
        or (is_ratio and not name.endswith(_RATIOS))
    )


@cache
def _columns_of(id_: str) -> frozenset[str]:
    """Returns the columns of changes that may be filled in the rows of a metric."""
    keys = {key.name.lower() for key in key_columns([catalogue()[id_]])}
    return frozenset({*keys, *OF_VALUES, *DEFINED, "benchmark"})


def _why_unreachable(
    expression: Node, chosen: Iterable[str], able: Sequence[Mapping[str, str]]
) -> str | None:
    """Returns why no value that is compared meets a condition, if any value of metrics could."""
    metrics = list(dict.fromkeys(row["metric"] for row in able))
    for id_ in metrics:
        if id_ in chosen:
            return f"{id_} is not compared: {why_not_comparable(catalogue()[id_])}"
    if metrics:
        shown = " ".join(f"-m {id_}" for id_ in metrics[:_SHOWN_METRICS])
        n_more = len(metrics) - _SHOWN_METRICS
        more = f", and {n_more} more" if n_more > 0 else ""
        return f"metrics that it could be about are not compared: {shown}{more}"
    return _measures_of([name for name, _ in texts_of(expression, "metric")])


def _measures_of(metrics: Sequence[str]) -> str | None:
    """Returns which measures metrics have, a line each."""
    queries = [catalogue()[id_] for id_ in dict.fromkeys(metrics)]
    lines = [f"{q.id} has the measures {', '.join(m.name for m in q.measures)}" for q in queries]
    return "\n".join(lines) or None


def check_names(condition: str, names: Mapping[str, Sequence[str]]) -> None:
    """Refuses a condition that names something which exists in neither run.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        names: what exists, by column; columns that are not in it are not checked. Two runs have no
            benchmark; no other column is checked if nothing exists.

    Raises:
        QueryError: a part of it matches no name, or no name all of its parts; with its place, and
            the nearest name.
    """
    expression = parsed_condition(condition)
    for part in parts(expression):
        columns = columns_of(part.node)
        (column,) = columns if len(columns) == 1 else (None,)
        if column is None or not part.is_positive:
            continue
        known = names.get(column)
        if not known and (known is None or column != "benchmark"):
            continue
        if part.node["type"] in _ONE_OF:
            for name, node in texts_of(part.node, column):
                if name not in known:
                    hint = _meant(name, known) or _example(column, known)
                    message = f"neither side has {_one(column)} {name!r}"
                    raise error_at(message, condition, node, hint)
            if any(texts_of(part.node, column)):
                continue
        table = pa.table({column: pa.array([*known, None], pa.string())})
        if not any(*truths(condition, table, [only(part)])):
            raise _matches_nothing(condition, column, part, known)
    for choice in alternatives(expression):
        _check_together(condition, choice, names)


def has_names(condition: str, names: Mapping[str, Sequence[str]]) -> bool:
    """Returns whether there is what a condition names, as ``check_names`` asks for it.

    >>> has_names("class = 'A'", {"class": ["A"]}), has_names("class = 'A'", {"class": ["B"]})
    (True, False)
    """
    try:
        check_names(condition, names)
    except QueryError:
        return False
    return True


def _meant(name: str, known: Sequence[str]) -> str | None:
    """Returns which name is meant, which may be written as Java does, and without types.

    >>> _meant("shop.Words.count", ["shop/Words.<init>()V", "shop/Words.count([I)V"])
    'did you mean "shop/Words.count([I)V"?'
    """
    in_java = {_as_in_java(candidate, name): candidate for candidate in reversed(known)}
    meant = in_java.get(_as_in_java(name, name))
    return did_you_mean(name, known) if meant is None else f'did you mean "{meant}"?'


def _as_in_java(name: str, written: str) -> str:
    """Returns a name with dots, and without the types of parameters if none are written."""
    return (name if "(" in written else name.partition("(")[0]).replace("/", ".")


def _check_together(condition: str, choice: Node, names: Mapping[str, Sequence[str]]) -> None:
    """Refuses an alternative if no name of a column meets all that it asks of that column.

    What it only leaves out may be all that exists.
    """
    asked = [columns_of(part.node) for part in parts(choice) if part.is_positive]
    for column in sorted(frozenset().union(*(found for found in asked if len(found) == 1))):
        known = names.get(column)
        if not known:
            continue
        table = pa.table({column: pa.array([*known, None], pa.string())})
        if not any(*truths(condition, table, [reduced(choice, at_best([column]))])):
            message = f"neither side has {_one(column)} that meets all of this"
            raise error_at(message, condition, choice, _example(column, known))


def named_columns(condition: str) -> frozenset[str]:
    """Returns the columns that a condition compares by themselves with something."""
    found = [columns_of(part.node) for part in parts(parsed_condition(condition))]
    return frozenset().union(*(columns for columns in found if len(columns) == 1))


def needs_execution(condition: str, executed: Sequence[str]) -> bool:
    """Returns whether a condition names methods, none of which was executed.

    Args:
        condition: its text, which ``parse_condition`` has accepted.
        executed: the methods that were; without any, nothing is known of them.
    """
    if not executed:
        return False
    table = pa.table({"method": pa.array([*executed, None], pa.string())})
    named = [
        part
        for part in parts(parsed_condition(condition))
        if part.is_positive and columns_of(part.node) == {"method"}
    ]
    return bool(named) and not all(map(any, truths(condition, table, [*map(only, named)])))


def concerned(condition: str, changes: pa.Table) -> list[bool]:
    """Returns for each change whether a condition is about it, whatever its values are."""
    known = set(map(str.lower, changes.column_names)) - OF_VALUES
    (holds,) = truths(condition, changes, [weakened(known)])
    return [is_true is not False for is_true in holds]


def sides_of(condition: str) -> str:
    """Returns the runs whose values a condition reads, of ``ab``; one that reads none asks of both.

    >>> sides_of("b > 1000"), sides_of("metric = 'x' AND delta > 0"), sides_of("metric = 'x'")
    ('b', 'ab', 'ab')
    """
    read = columns_of(parsed_condition(condition))
    return "".join(side for side in "ab" if read & {side, "delta", "delta_pct"}) or "ab"


def reads_a(condition: str) -> bool:
    """Returns whether a condition reads what the first run has, or why it has nothing.

    >>> reads_a("n_targets > 2 AND b > 0"), reads_a("delta > 0"), reads_a("a IS NULL")
    (False, True, True)
    """
    read = columns_of(parsed_condition(condition))
    return bool(read & {"a", "delta", "delta_pct", "reason", "reason_code_a"})


def asks_for_null(condition: str) -> bool:
    """Returns whether a condition asks itself where a value is null, or why."""
    expression = parsed_condition(condition)
    return bool(columns_of(expression) & _REASONS) or any(
        node.get("type") in _NULLS and columns_of(node) & OF_VALUES for node in nodes(expression)
    )


def asks_for_reasons_alone(condition: str) -> bool:
    """Returns whether a condition reads why a value is null, and no value.

    Where there is a value, there is no reason, and such a condition is null.
    """
    read = columns_of(parsed_condition(condition)) & OF_VALUES
    return bool(read) and read <= _REASONS


def _definitions(queries: Iterable[QueryFile]) -> pa.Table:
    """Returns a row for each measure of some metrics, with what all its values have."""
    rows = [
        {"metric": q.id, "measure": m.name, "unit": m.unit, "better": q.better}
        for q in queries
        for m in q.measures
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema([(name, pa.string()) for name in DEFINED]))


def _near_by(expression: Node, column: str, every: pa.Table) -> list[str]:
    """Returns what a column may hold: of the metrics that are named, if any."""
    named = {name for name, _ in texts_of(expression, "metric")} if column != "metric" else set()
    rows = [row for row in every.to_pylist() if not named or row["metric"] in named]
    return list(dict.fromkeys(row[column] for row in rows if row[column] is not None))


def _unknown(
    condition: str, column: str, name: str, node: Node, known: Sequence[str]
) -> QueryError:
    hint = did_you_mean(name, known)
    if hint is None and len(known) <= _SHOWN:
        hint = _known(known)
    return error_at(f"there is no {column} {name!r}", condition, node, hint or _ALL[column])


def _known(names: Sequence[str]) -> str:
    return f"known: {', '.join(names)}"


_ALL = {
    "metric": "All metrics: jvmscope list metrics",
    "measure": "The measures of a metric: jvmscope show METRIC",
    "unit": "The units of a metric: jvmscope show METRIC",
    "better": "known: higher, lower, none",
}


def _matches_nothing(condition: str, column: str, part: Part, known: Sequence[str]) -> QueryError:
    message = f"neither side has such {_one(column)}"
    texts = [str(node["literal"]["text"]) for node in _literals(part.node)]
    hint = next(filter(None, (did_you_mean(text, known) for text in texts)), None)
    return error_at(message, condition, part.node, hint or _example(column, known))


def _said(column: str) -> str:
    return column.removesuffix("_name").replace("_", " ")


def _example(column: str, known: Sequence[str]) -> str:
    if not known:
        return "only suites have benchmarks, and two runs are compared"
    return f"{_one(column)} is written like {known[-1]}"


def _one(column: str) -> str:
    """Names one thing that a column has.

    >>> _one("method"), _one("opcode"), _one("call_site")
    ('a method', 'an opcode', 'a call site')
    """
    said = _said(column)
    return f"an {said}" if said[0] in "aeio" else f"a {said}"


def _no_definition(columns: Collection[str]) -> str:
    """Says that nothing in the definitions of metrics is what a condition asks of columns.

    >>> _no_definition({"unit"}), _no_definition({"metric"})
    ('no metric has such a unit', 'there is no such metric')
    >>> _no_definition({"metric", "measure"})
    'no metric has such a measure'
    """
    asked = sorted({*columns} - {"metric"})
    return f"no metric has such a {' and '.join(asked)}" if asked else "there is no such metric"


def _literals(node: Node) -> Iterable[dict[str, Any]]:
    return [each for each in nodes(node) if each.get("literal", {}).get("kind") == "STRING"]
