"""``jvmscope show``: what a table or a metric means."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import RUN, completed, console_options
from jvmscope.output.definitions import describe_entry, describe_metric, describe_table
from jvmscope.output.standard_streams import echo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.schema import Table
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["command"]


@click.command("show")
@click.argument("name", shell_complete=completed("definitions"))
@click.argument("run", type=RUN, required=False)
@click.option("--source", is_flag=True, help="Show the source of the definition.")
@console_options
def command(*, name: str, run: Path | None, source: bool, console: Console) -> int:
    """Explain a table, a metric or a macro.

    Prints its meaning, columns and units. With RUN, NAME may be a table of the probe of your own
    that it was recorded with, and tables are those of runs of its kind.

    \b
    jvmscope show context
    jvmscope show polymorphism.targets --source
    jvmscope show cct.edges
    jvmscope show argument_range shop.run
    """
    from jvmscope.cli import DONE
    from jvmscope.errors import QueryError, did_you_mean
    from jvmscope.metrics.catalogue import catalogue, implementations
    from jvmscope.queries import library_entries
    from jvmscope.schema import tables, watch_tables

    of_run = _tables_of(run)
    definitions: dict[str, Table | OwnTable] = {**tables(), **watch_tables(), **of_run}
    known = {**definitions, **catalogue(), **library_entries()}
    if name not in known:
        hint = did_you_mean(name, known) or "All of them: jvmscope list tables, metrics, modules"
        raise QueryError(f"there is no table, metric or macro {name!r}", path="show", hint=hint)
    if run is not None and name in definitions and name not in of_run:
        raise QueryError(
            f"a run such as {run} has no table {name!r}",
            path="show",
            hint="Those that it has: jvmscope list tables RUN",
        )
    is_bold = console.uses_color(sys.stdout)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    if name in definitions:
        table = definitions[name]
        text = table.ddl if source else describe_table(table, is_bold=is_bold, width=width)
    elif name in catalogue():
        files = implementations()[name]
        text = (
            "\n".join(f.text for f in files)
            if source
            else describe_metric(files, is_bold=is_bold, width=width)
        )
    else:
        entry = library_entries()[name]
        text = entry.text if source else describe_entry(entry, is_bold=is_bold, width=width)
    echo(text.rstrip("\n"))
    return DONE


def _tables_of(run: Path | None) -> Mapping[str, Table | OwnTable]:
    """Returns the tables that a run may have, with those of the user's own probe, by name."""
    from jvmscope.queries import Engine

    if run is None:
        return {}
    with Engine(run) as engine:
        own = {table.name: table for table in engine.own_tables}
        return {**engine.manifest.definitions, **own}
