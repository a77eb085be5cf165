"""The cache of computed values, ``RUN/metrics``, which anyone may delete at will.

A file's name holds a hash of everything that decides its content: the query's text, parameters,
scope, the user's cost model, the run's tables, and the code that answers: the library modules, the
engine, DuckDB. What reports keep beside values depends on their code, too. A file that has changed
since it was written is not believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from functools import cache
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.metrics.sealed_files import is_whole, read_table, write_tables
from jvmscope.metrics.tidy_rows import TidyRows
from jvmscope.queries import uses_costs
from jvmscope.schema import SCHEMA_VERSION
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from jvmscope.queries import Engine, Question

__all__ = ["cache_path", "cached_table", "is_open_to", "load_rows", "store"]

_HASH_DIGITS = 16
_PACKAGES = ("jvmscope.schema", "jvmscope.queries", "jvmscope.metrics")
_REPORTS = (*_PACKAGES, "jvmscope.reports")
_SOURCES = frozenset({".py", ".sql", ".xq", ".toml"})


def cache_path(engine: Engine, question: Question) -> Path:
    """Returns the file that holds, or would hold, the values of a metric."""
    query = question.file
    own_model = question.cost_model if uses_costs(query) else None
    decisive = {
        "query": query.text,
        "params": dict(question.params),
        "scope": str(question.scope),
        "engine": _code_digest(_PACKAGES),
        "cost_model": own_model.digest if own_model else None,
    }
    return _path(engine, query.id, decisive)


def cached_table(
    engine: Engine,
    name: str,
    decisive: Mapping[str, Any],
    compute: Callable[[], pa.Table],
    *,
    is_cached: bool = True,
) -> pa.Table:
    """Returns a table of a report from the cache, or computes and stores it.

    Args:
        engine: the run.
        name: what it is, as ``report.facts``.
        decisive: what decides about it beside the run and the code: texts of queries, parameters,
            the scope, as JSON can say it.
        compute: computes it.
        is_cached: whether to use and keep it at all.
    """
    if not is_cached:
        return compute()
    path = _path(engine, name, {**decisive, "engine": _code_digest(_REPORTS)})
    table = _load(path)
    if table is None:
        table = compute()
        store(path, table)
    return table


def _path(engine: Engine, name: str, decisive: Mapping[str, Any]) -> Path:
    """Returns the file of what is decided by the run's tables and by what is given."""
    tables = engine.manifest.tables
    whole = {
        **decisive,
        "schema": SCHEMA_VERSION,
        "tables": {name: tables[name].sha256 for name in sorted(tables)},
    }
    digest = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    return engine.run / "metrics" / f"{name}-{digest[:_HASH_DIGITS]}.parquet"


def load_rows(path: Path) -> TidyRows | None:
    """Returns the values in a cache file, unread if they are many.

    None: it is missing or damaged.
    """
    try:
        return TidyRows.of_file(path) if is_whole(path) else None
    except (OSError, pa.ArrowException):
        return None


def is_open_to(path: Path) -> bool:
    """Tells whether a cache file can be written; its directory is made."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
    return os.access(path.parent, os.W_OK | os.X_OK)


def store(path: Path, table: pa.Table) -> None:
    """Keeps values; a run that cannot be written to is simply not cached in."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        with whole_file(path, has_rivals=True) as partial:
            write_tables(partial, table.schema, [table])


@cache
def _code_digest(packages: Sequence[str]) -> str:
    """Returns the digest of all code in the packages and of DuckDB, metrics themselves left out."""
    digest = hashlib.sha256(version("duckdb").encode())
    for package in packages:
        with resources.as_file(resources.files(package)) as folder:
            for path in sorted(folder.rglob("*")):
                is_metric = package == "jvmscope.metrics" and path.suffix != ".py"
                if path.suffix in _SOURCES and not is_metric:
                    digest.update(f"{path.relative_to(folder)}\0".encode())
                    digest.update(path.read_bytes())
    return digest.hexdigest()


def _load(path: Path) -> pa.Table | None:
    """Returns the values in a cache file, or None where it is missing or damaged."""
    try:
        return read_table(path) if is_whole(path) else None
    except (OSError, pa.ArrowException):
        return None
