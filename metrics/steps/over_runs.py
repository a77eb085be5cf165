"""Metrics about several runs together: a numeric step's tables, and the SQL that reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import tidy
from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.metrics.steps.features import feature_matrix
from jvmscope.metrics.steps.pca import principal_components
from jvmscope.queries import Result, ResultColumn, query_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jvmscope.metrics.steps.features import FeatureMatrix
    from jvmscope.queries import QueryFile

__all__ = ["STEPS", "measure_over_runs"]

STEPS: Mapping[str, Callable[[FeatureMatrix, Mapping[str, Any]], dict[str, pa.Table] | str]] = {
    "pca": principal_components,
}
"""What computes a step's tables, or says why there are none, by the step's name."""


def measure_over_runs(
    query: QueryFile,
    params: Mapping[str, Any],
    measured: Iterable[tuple[str, QueryFile, pa.Table]],
) -> pa.Table:
    """Returns the tidy values of a metric about several runs.

    Args:
        query: the metric; its header names the step.
        params: values of its parameters, of which ``features`` names metrics' columns.
        measured: a run's name, a metric of the features, and its tidy values on the run.

    Raises:
        QueryError: there is no such step, a parameter has no meaning, or the SQL is wrong.
    """
    step = query.step or ""
    if step not in STEPS:
        hint = did_you_mean(step, STEPS) or f"steps: {', '.join(STEPS)}"
        raise QueryError(f"@step: there is no step {step!r}", path=query.path, hint=hint)
    tables = STEPS[step](feature_matrix(measured, params["features"]), params)
    if isinstance(tables, str):
        return tidy.explain_absence(query, Reason(ReasonCode.UNDEFINED, tables))
    answer = _answer(query, params, step, tables)
    return pa.concat_tables(tidy.to_tidy(query, answer, "of these runs"))


def _answer(
    query: QueryFile, params: Mapping[str, Any], schema: str, tables: Mapping[str, pa.Table]
) -> Result:
    """Returns what the metric's SQL answers about a step's tables, which are small."""
    with duckdb.connect(config={"errors_as_json": True}) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        for name, table in tables.items():
            connection.register(f"{schema}_{name}", table)
            connection.execute(f"CREATE TABLE {schema}.{name} AS FROM {schema}_{name}")
        try:
            (statement,) = connection.extract_statements(query.text)
            used = {name: params[name] for name in statement.named_parameters}
            answer = connection.sql(query.text, params=used or None).to_arrow_table()
        except duckdb.Error as error:
            names = [f"{schema}.{name}" for name in tables]
            found = query_error(error, text=query.text, path=query.path, offset=0, recorded=names)
            raise found from None
    return Result.of_table(answer, [ResultColumn(f.name, str(f.type)) for f in answer.schema])
