"""The costs of a model as relations, for the macros of the module ``costs``.

opcode_cost (opcode, cycles)
    every opcode; null: the model does not know its cost. An invoke or return has what it
    costs with a method of no bytes that the cache has.
transfer_cost (opcode, size_bytes, hit_cycles, miss_cycles)
    what invokes and returns cost beyond that, for each size of a method of the run.
native_cost (cycles)
    one row: what the execution of a native method costs; null: unknown.
cache_event (context_id, n_call_misses, n_returns, n_return_misses, n_catches, n_catch_misses)
    the table method_cache, or nothing where it was not recorded.
cache_source (is_recorded)
    one row: whether it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from jvmscope.errors import QueryError
from jvmscope.queries.costs.formula import FormulaError
from jvmscope.queries.costs.model import TRANSFERS
from jvmscope.schema import word_sets

if TYPE_CHECKING:
    import duckdb

    from jvmscope.queries.costs.model import Costs

__all__ = ["RELATIONS", "bind_costs"]

RELATIONS = ("opcode_cost", "transfer_cost", "native_cost", "cache_event", "cache_source")

_EVENTS = {
    "context_id": "context_id",
    "n_call_misses": "n_call_misses",
    "n_returns": "n_return_hits + n_return_misses",
    "n_return_misses": "n_return_misses",
    "n_catches": "n_catch_hits + n_catch_misses",
    "n_catch_misses": "n_catch_misses",
}
_SIZES = "SELECT DISTINCT size_bytes FROM run.method UNION SELECT 0 ORDER BY size_bytes"


def bind_costs(connection: duckdb.DuckDBPyConnection, schema: str, costs: Costs) -> None:
    """Makes the relations of a model in a schema of their own.

    Args:
        connection: a connection to the engine's database.
        schema: the name of the schema; it is made.
        costs: the model with its parameters.

    Raises:
        QueryError: a formula has no value for these parameters.
    """
    views = connection.execute("SELECT view_name FROM duckdb_views() WHERE schema_name = 'run'")
    recorded = {name for (name,) in views.fetchall()}
    rows = connection.execute(_SIZES).fetchall() if "method" in recorded else [(0,)]
    try:
        tables = _tables(costs, np.array([size for (size,) in rows], dtype=np.int64))
    except FormulaError as error:
        given = ", ".join(f"{name}={value}" for name, value in costs.parameters.items())
        message = f"the cost model {costs.model.name} with {given}: {error}"
        raise QueryError(message, path="--param") from None
    connection.execute(f"CREATE SCHEMA {schema}")
    for name, table in zip(RELATIONS, tables, strict=False):
        connection.register("costs_of_model", table)
        connection.execute(f"CREATE TABLE {schema}.{name} AS FROM costs_of_model")
        connection.unregister("costs_of_model")
    if "method_cache" in recorded:
        columns = ", ".join(f"{value} AS {name}" for name, value in _EVENTS.items())
        body = f"SELECT {columns} FROM run.method_cache"
    else:
        body = f"SELECT {', '.join(f'0::BIGINT AS {name}' for name in _EVENTS)} WHERE false"
    connection.execute(f"CREATE VIEW {schema}.cache_event AS {body}")
    is_recorded = "method_cache" in recorded
    connection.execute(f"CREATE VIEW {schema}.cache_source AS SELECT {is_recorded} AS is_recorded")


def _tables(costs: Costs, sizes: np.ndarray[Any, Any]) -> tuple[pa.Table, ...]:
    opcodes = list(word_sets()["opcode"].words)
    cycles = pa.array([costs.fixed(opcode) for opcode in opcodes], pa.int64())
    transfers = [
        pa.table(
            {
                "opcode": pa.repeat(pa.scalar(opcode), len(sizes)),
                "size_bytes": pa.array(sizes),
                "hit_cycles": pa.array(costs.beyond(opcode, sizes, is_hit=True)),
                "miss_cycles": pa.array(costs.beyond(opcode, sizes, is_hit=False)),
            }
        )
        for opcode in TRANSFERS
    ]
    return (
        pa.table({"opcode": opcodes, "cycles": cycles}),
        pa.concat_tables(transfers),
        pa.table({"cycles": pa.array([costs.native()], pa.int64())}),
    )
