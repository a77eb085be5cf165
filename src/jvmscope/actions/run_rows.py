"""Rows of a table of a run, read without an engine, for what is said after a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["rows_of"]


def rows_of(run: Path, table: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Returns some columns of a table's rows, in its order.

    Raises:
        RunError: the table cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.errors import RunError

    path = run / "tables" / f"{table}.parquet"
    try:
        return pq.read_table(local(path), columns=list(columns)).to_pylist()
    except (OSError, pa.ArrowException):
        raise RunError(f"{path}: cannot be read; see jvmscope check") from None
