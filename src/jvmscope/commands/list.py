"""``jvmscope list``: the runs in a directory, the tables, metrics and library modules."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import RUN, completed, console_options, output_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import Result

__all__ = ["command"]


@click.group("list")
def command() -> None:
    """List runs, metrics, tables or library modules."""


@command.command("runs")
@click.argument("directory", type=RUN, default=Path("runs"))
@output_options
@console_options
def _runs(*, directory: Path, output: Output, console: Console) -> int:
    """List the runs in DIRECTORY, runs/ by default.

    Folded calls count in a context further up the stack, because the memory for contexts was
    full or because you recorded with --recursion fold.
    """
    from jvmscope.cli import DONE
    from jvmscope.collector.killed import killed_in
    from jvmscope.errors import RunError
    from jvmscope.schema import MANIFEST_NAME, read_manifest
    from jvmscope.schema.folding import read_folding

    if not directory.is_dir():
        raise RunError(f"{directory}: there is no such directory")
    rows = []
    for path in sorted(manifest.parent for manifest in directory.glob(f"*/{MANIFEST_NAME}")):
        try:
            manifest = read_manifest(path)
            folding = read_folding(path, manifest)
        except RunError as error:
            console.warn(str(error))
            continue
        contexts = manifest.tables.get("context")
        rows.append(
            {
                "run": os.fsencode(path).decode(errors="backslashreplace"),
                "status": manifest.status,
                "started": manifest.started,
                "n_contexts": contexts.rows if contexts else None,
                "n_folded_calls": folding.n_calls if folding else 0 if contexts else None,
                "folded_for": folding.cause if folding else None,
                "clock": manifest.options.get("clock", "real"),
                "command": manifest.command_line,
            }
        )
    names = {"run": "VARCHAR", "status": "VARCHAR", "started": "VARCHAR", "n_contexts": "BIGINT"}
    names |= {"n_folded_calls": "BIGINT", "folded_for": "VARCHAR"}
    names |= {"clock": "VARCHAR", "command": "VARCHAR"}
    output.write(_result(rows, names), console)
    for path in killed_in(directory):
        console.warn(
            f"{path}: of a recording that was killed: jvmscope recover {shlex.quote(str(path))}"
        )
    return DONE


@command.command("metrics")
@click.argument(
    "patterns", metavar="[ID|GLOB|tag:T]...", nargs=-1, shell_complete=completed("metrics")
)
@output_options
@console_options
def _metrics(*, patterns: tuple[str, ...], output: Output, console: Console) -> int:
    """List the metrics, and the tables that are computed like them.

    Name metrics as for measure -m: 'polymorphism.*', tag:boxing.
    """
    from jvmscope.cli import DONE
    from jvmscope.metrics import catalogue, select

    queries = select(patterns, option="list") if patterns else catalogue().values()
    rows = [
        {
            "id": query.id,
            "kind": query.kind,
            "grain": query.grain,
            "name": query.name,
            "tags": " ".join(query.tags),
            "source": query.source,
        }
        for query in queries
    ]
    names = dict.fromkeys(("id", "kind", "grain", "name", "tags", "source"), "VARCHAR")
    output.write(_result(rows, names), console)
    return DONE


@command.command("tables")
@click.argument("run", type=RUN, required=False)
@output_options
@console_options
def _tables(*, run: Path | None, output: Output, console: Console) -> int:
    """List the tables of RUN, or all that a run may have."""
    from jvmscope.cli import DONE
    from jvmscope.schema import read_manifest, tables, watch_tables

    manifest = read_manifest(run) if run else None
    facts = manifest.tables if manifest else {}
    definitions = manifest.definitions if manifest else {**tables(), **watch_tables()}
    rows = [
        {
            "table": table.name,
            "recorded": table.recorded,
            "rows": facts[name].rows if name in facts else None,
            "bytes": facts[name].bytes if name in facts else None,
            "description": table.description.partition(".")[0],
        }
        for name, table in definitions.items()
        if run is None or name in facts
    ]
    if run and "probe_table" in facts:
        rows += _own_tables(run)
    kinds = {"table": "VARCHAR", "recorded": "VARCHAR", "rows": "BIGINT", "bytes": "BIGINT"}
    kinds["description"] = "VARCHAR"
    if run is None:
        del kinds["rows"], kinds["bytes"]
    output.write(_result(rows, kinds), console)
    return DONE


def _own_tables(run: Path) -> list[dict[str, str | int | None]]:
    """Returns a row for each table of the user's own probe, whose rows are in ``probe_count``."""
    from jvmscope.queries import Engine

    with Engine(run) as engine:
        return [
            {
                "table": table.name,
                "recorded": table.recorded,
                "rows": next(engine.query(f'SELECT COUNT(*) FROM "{table.name}"').rows())[0],
                "bytes": None,
                "description": table.description.partition(".")[0],
            }
            for table in engine.own_tables
        ]


@command.command("modules")
@output_options
@console_options
def _modules(*, output: Output, console: Console) -> int:
    """List what the library modules of SQL and XQuery have: macros and functions."""
    from jvmscope.cli import DONE
    from jvmscope.queries import library_entries

    rows = [
        {
            "module": entry.module,
            "language": entry.language,
            "call": entry.signature,
            "description": entry.description.partition(".")[0].partition(":")[0],
        }
        for entry in library_entries().values()
    ]
    names = dict.fromkeys(("module", "language", "call", "description"), "VARCHAR")
    output.write(_result(rows, names), console)
    return DONE


def _result(rows: Sequence[Mapping[str, str | int | None]], kinds: Mapping[str, str]) -> Result:
    from jvmscope.queries import Result, ResultColumn

    columns = [ResultColumn(name, kind) for name, kind in kinds.items()]
    return Result.of_values(columns, ([row[name] for name in kinds] for row in rows))
