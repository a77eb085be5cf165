"""``jvmscope export``: a run in another form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from jvmscope.export_files import EXPORT_FORMATS, WHOLE_RUN
from jvmscope.options import RUN, console_options, cost_model_option, scope_option

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.console import Console
    from jvmscope.queries import Engine
    from jvmscope.queries.costs import CostModel

__all__ = ["command"]

_OF_TREES = ("weight", "root", "scope", "min_fraction", "params")


@click.command("export")
@click.argument("run", type=RUN)
@click.argument("form_at", metavar="FORMAT", type=click.Choice(EXPORT_FORMATS))
@click.option(
    "-o",
    "--output",
    "target",
    type=RUN,
    help="File to write; for xml, the directory for cct.xml and classes.xml.  "
    "[default: stdout; xml: RUN/xml; duckdb: needed]",
)
@click.option(
    "--weight",
    type=click.Choice(["calls", "bytecodes", "cycles", "allocated_bytes"]),
    help="Weight of contexts; cycles are those of a cost model.  [default: bytecodes]",
)
@click.option(
    "--root",
    metavar="GLOB",
    help="Export only matching methods, such as java/util/*.get, and what they call.",
)
@scope_option(None, "run")
@click.option(
    "--min-fraction",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="F",
    help="Fold subtrees with less than this share of the weight; totals stay exact.  [default: 0]",
)
@click.option(
    "--param",
    "assignments",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter of the cost model.",
)
@cost_model_option
@click.option(
    "--form",
    type=click.Choice(["nested", "flat"]),
    help="For xml: contexts inside their parents, or one after the other, since many XML tools "
    "refuse trees deeper than 2,048.  [default: nested]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@console_options
def command(
    *,
    run: Path,
    form_at: str,
    target: Path | None,
    assignments: tuple[str, ...],
    cost_model: CostModel | None,
    form: str | None,
    force: bool,
    console: Console,
    **tree: Any,
) -> int:
    """Write a run in a format that other programs read.

    xml and duckdb contain all tables. The other formats contain the calling context trees with
    weights: collapsed (for flame graphs), speedscope, pprof, firefox (profiler.firefox.com), and
    csv (one row for each context).

    \b
    jvmscope export app.run collapsed | flamegraph.pl > app.svg
    jvmscope export app.run pprof --weight calls --root 'app/*.main' -o app.pb.gz
    jvmscope export app.run speedscope --min-fraction 0.0001 -o app.speedscope.json
    jvmscope export app.run duckdb -o app.duckdb
    jvmscope export app.run xml -o view --form flat
    """
    from jvmscope.cli import DONE
    from jvmscope.export_files import export_run
    from jvmscope.queries import Engine, parse_assignments

    tree["params"] = parse_assignments(assignments)
    options = {name: value for name, value in {**tree, "form": form}.items() if value}
    _refuse_misplaced(form_at, options, cost_model)
    with Engine(run) as engine, console.patience("exporting") as progress:
        engine.cost_model = cost_model
        engine.on_progress = progress
        if engine.manifest.status != "complete":
            console.warn(f"{run}: the recording is {engine.manifest.status}")
        if target is None and form_at == "xml":
            target = run / "xml"
        if target is None:
            _to_stdout(engine, form_at, options, progress)
            return DONE
        files = export_run(
            engine, form_at, target, is_forced=force, on_progress=progress, **options
        )
    for file in files:
        console.wrote(file)
    return DONE


def _refuse_misplaced(form_at: str, options: dict[str, Any], cost_model: CostModel | None) -> None:
    """Raises an error for options that the format has no use for."""
    if form_at != "xml" and "form" in options:
        raise click.UsageError("--form only applies to xml")
    if form_at in WHOLE_RUN and (cost_model or not options.keys().isdisjoint(_OF_TREES)):
        message = "--weight, --root, --scope, --min-fraction and costs only apply to trees"
        raise click.UsageError(f"{form_at} contains whole tables: {message}")
    if {"root", "scope"} <= options.keys():
        raise click.UsageError("--root GLOB is the scope subtree:GLOB: give one of the two")
    if cost_model is not None and options.get("weight") != "cycles":
        raise click.UsageError("--cost-model needs --weight cycles")


def _to_stdout(
    engine: Engine, form_at: str, options: dict[str, Any], progress: Callable[[float], None]
) -> None:
    from jvmscope.reports.exports import TREE_FORMATS, export_tree

    if form_at == "duckdb":
        raise click.UsageError("duckdb needs a file: -o NAME.duckdb")
    if TREE_FORMATS[form_at].is_binary and sys.stdout.isatty():
        raise click.UsageError(f"{form_at} is binary: name a file with -o, or pipe it")
    out = sys.stdout.buffer
    export_tree(engine, form_at, out, on_progress=progress, **options)
    out.flush()
