"""Suites as tables: what a suite file asks for, and what came of it."""

from __future__ import annotations

import dataclasses
import json
import shlex
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.queries import Result, ResultColumn, arrow_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jvmscope.schema.suite import Row, Suite
    from jvmscope.suite.planning import Planned

__all__ = ["planned_rows", "recorded_rows"]

_TEXT, _NUMBER, _SECONDS, _FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
_WHICH = {
    "run": _TEXT,
    "benchmark": _TEXT,
    "parameters": _TEXT,
    "jvm": _TEXT,
    "invocation": _NUMBER,
    "tags": _TEXT,
}
_RESOLVED = {
    "timeout_s": _SECONDS,
    "directory": _TEXT,
    "environment": _TEXT,
    "stdin": _TEXT,
    "record": _TEXT,
    "expect": _TEXT,
    "command": _TEXT,
}
_OUTCOME = {
    "status": _TEXT,
    "exit": _NUMBER,
    "is_validated": _FLAG,
    "duration_s": _SECONDS,
    "recorded": _TEXT,
    "reason": _TEXT,
    "unreached": _TEXT,
    "limits": _TEXT,
}


def planned_rows(planned: Iterable[Planned], *, is_resolved: bool) -> Result:
    """Returns a row for each recording that a suite file asks for, in its order.

    Args:
        planned: the recordings.
        is_resolved: each row also says how it is run and what is expected.
    """
    rows = [{**_which(each), **_resolved(each)} for each in planned]
    return _result(rows, {**_WHICH, **_RESOLVED} if is_resolved else _WHICH)


def recorded_rows(suite: Suite) -> Result:
    """Returns a row for each row of a recorded suite, in its order."""
    rows = [{**_which(row), **dataclasses.asdict(row), "run": row.name} for row in suite.rows]
    for row in rows:
        row["parameters"] = _pairs(row["parameters"])
        row["tags"] = " ".join(row["tags"])
        row["unreached"] = ", ".join(row["unreached"]) or None
        row["limits"] = "; ".join(row["limits"]) or None
    return _result(rows, {**_WHICH, **_OUTCOME})


def _which(each: Planned | Row) -> dict[str, Any]:
    return {
        "run": each.name,
        "benchmark": each.benchmark,
        "parameters": _pairs(each.parameters),
        "jvm": each.jvm,
        "invocation": each.invocation,
        "tags": " ".join(each.tags),
    }


def _resolved(planned: Planned) -> dict[str, Any]:
    expect = dataclasses.asdict(planned.expect)
    return {
        "timeout_s": planned.timeout_s,
        "directory": planned.directory,
        "environment": _pairs(planned.environment),
        "stdin": planned.stdin,
        "record": json.dumps(planned.options, default=str),
        "expect": _pairs({name: value for name, value in expect.items() if value is not None}),
        "command": shlex.join(planned.words),
    }


def _pairs(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


def _result(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, str]) -> Result:
    columns = [ResultColumn(name, kind) for name, kind in kinds.items()]
    table = pa.Table.from_pylist(rows, schema=arrow_schema(columns))
    return Result.of_table(table, columns)
