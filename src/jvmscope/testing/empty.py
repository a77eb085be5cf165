"""A run in which nothing was loaded and nothing ran, with every table that a probe may record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema import ExitFacts, MainFacts, Manifest, TableWriter, tables, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_empty_run"]


def write_empty_run(run: Path) -> Path:
    """Writes the run into a directory that does not exist yet, and returns it."""
    (run / "tables").mkdir(parents=True)
    facts = {
        name: TableWriter(run / "tables" / f"{name}.parquet", table.arrow_schema).close()
        for name, table in tables().items()
    }
    manifest = Manifest(
        status="complete",
        tables=facts,
        exit=ExitFacts("ended", 0),
        main=MainFacts(None, None),
        command=["java"],
    )
    write_manifest(run, manifest)
    return run
