"""Values that were computed before: ``RUN/metrics``, which anyone may delete at will.

A file's name holds a hash of everything that decides its content: the query's text, parameters,
scope, the schema version, this jvmscope's version and the run's tables.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from jvmscope.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.queries import Engine, QueryFile

__all__ = ["cache_path", "load", "store"]

_HASH_DIGITS = 16


def cache_path(engine: Engine, query: QueryFile, params: Mapping[str, Any], scope: str) -> Path:
    """Returns the file that holds, or would hold, the values of a metric."""
    tables = engine.manifest.tables
    decisive = {
        "query": query.text,
        "params": dict(params),
        "scope": scope,
        "schema": SCHEMA_VERSION,
        "jvmscope": version("jvmscope"),
        "tables": {name: tables[name].sha256 for name in sorted(tables)},
    }
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
    return engine.run / "metrics" / f"{query.id}-{digest[:_HASH_DIGITS]}.parquet"


def load(path: Path) -> pa.Table | None:
    """Returns the values in a cache file, or None where it is missing or damaged."""
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException):
        return None


def store(path: Path, table: pa.Table) -> None:
    """Keeps values; a run that cannot be written to is simply not cached in."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(exist_ok=True)
        pq.write_table(table, partial, compression="zstd")
        partial.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink()
