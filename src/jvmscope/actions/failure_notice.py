"""Says that snippets of a user's own probe failed, whose counts are then too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["tell_failures"]


def tell_failures(run: Path, console: Console) -> None:
    """Warns of exceptions in snippets: how many, and the most frequent one.

    Raises:
        RunError: the directory is not a run, or its table of failures cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.errors import RunError
    from jvmscope.reports.wording import counted
    from jvmscope.schema.local_paths import local
    from jvmscope.schema.manifest import read_manifest

    if "probe_failure" not in read_manifest(run).tables:
        return
    path = run / "tables" / "probe_failure.parquet"
    try:
        rows = pq.read_table(local(path)).to_pylist()
    except (OSError, pa.ArrowException):
        raise RunError(f"{path}: cannot be read; see jvmscope check") from None
    if not rows:
        return
    worst = max(rows, key=lambda row: row["n_failures"])
    console.warn(
        f"{run}: snippets failed {counted(sum(row['n_failures'] for row in rows), 'time')}, and "
        f"what they did not count is missing: {worst['snippet']}: {worst['exception']}; the table "
        "probe_failure has all"
    )
