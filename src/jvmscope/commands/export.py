"""``jvmscope export``: a run in another form."""

from __future__ import annotations

import shutil
import sys
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from jvmscope.cli.click_options import (
    OUTPUT,
    RUN,
    FiniteRange,
    console_options,
    cost_model_option,
    given_options,
    scope_option,
)
from jvmscope.output.standard_streams import standard_output
from jvmscope.reports.exports.formats import (
    EXPORT_FORMATS,
    RunFormat,
    TreeFormat,
    run_formats,
    tree_formats,
)
from jvmscope.reports.exports.weights import WEIGHTS
from jvmscope.reports.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.queries import CostModel, Engine
    from jvmscope.reports.exports.formats import ExportFormat

__all__ = ["command"]

_MANY_CONTEXTS = 1_000_000
_LARGE_BYTES = 1_000_000_000


def _target_help() -> str:
    """Returns what ``-o`` names, by format, and where a run goes without it."""
    folders = [
        f"; for {form.name}, the directory for {listed(form.files)}"
        for form in run_formats().values()
        if form.files
    ]
    defaults = [
        f"; {form.name}: {f'RUN/{form.folder}' if form.folder else 'needed'}"
        for form in run_formats().values()
    ]
    return f"File to write{''.join(folders)}.  [default: stdout{''.join(defaults)}]"


@click.command("export")
@click.argument("run", type=RUN)
@click.argument("form_at", metavar="FORMAT", type=click.Choice(EXPORT_FORMATS))
@click.option(
    "-o",
    "--output",
    "target",
    type=OUTPUT,
    help=_target_help(),
)
@click.option(
    "--weight",
    type=click.Choice([*WEIGHTS]),
    metavar="WEIGHT",
    help=f"Weight of contexts: {', '.join(WEIGHTS)}; cycles are those of a cost model; allocated "
    "bytes and objects need --probes allocations, native calls and time --probes native.  "
    "[default: bytecodes]",
)
@click.option(
    "--root",
    metavar="GLOB",
    help="Export only matching methods, such as java/util/*.get, and what they call.",
)
@scope_option(None, "run")
@click.option(
    "--min-fraction",
    type=FiniteRange(0, 1, max_open=True),
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

    {formats}

    \b
    jvmscope export app.run collapsed | flamegraph.pl > app.svg
    jvmscope export app.run pprof --weight calls --root 'app/*.main' -o app.pb.gz
    jvmscope export app.run speedscope --min-fraction 0.0001 -o app.json
    jvmscope export app.run duckdb -o app.duckdb
    jvmscope export app.run xml -o view --form flat
    """
    from jvmscope.actions.export_files import export_run
    from jvmscope.cli import DONE
    from jvmscope.queries import Engine, parse_assignments

    tree["params"] = parse_assignments(assignments)
    given = {**tree, "cost_model": cost_model, "form": form}
    options = {name: value for name, value in given.items() if value not in (None, {})}
    chosen = EXPORT_FORMATS[form_at]
    _refuse_misplaced(chosen, options)
    if target is None and isinstance(chosen, RunFormat) and "--output" in given_options():
        raise click.UsageError(f"{chosen.name} is not written to stdout: name a file or directory")
    if force and target is None and isinstance(chosen, TreeFormat):
        raise click.UsageError("--force needs -o FILE, the file that it overwrites")
    with Engine(run) as engine, console.patience("exporting", says_rest=True) as progress:
        engine.on_progress = progress
        if chosen.name != "duckdb":
            engine.manifest.expect_tree(run)
        if engine.manifest.incompleteness is not None:
            console.warn(f"{run}: {engine.manifest.incompleteness}")
        if isinstance(chosen, TreeFormat) and not options.get("min_fraction"):
            _tell_size(engine, chosen, target, options, console)
        if target is None and isinstance(chosen, RunFormat) and chosen.folder:
            target = run / chosen.folder
        if target is None:
            _to_stdout(engine, chosen, options, progress)
            return DONE
        files = export_run(engine, form_at, target, options, is_forced=force, on_progress=progress)
    for file in files:
        console.wrote(file)
    return DONE


def _refuse_misplaced(chosen: ExportFormat, options: dict[str, Any]) -> None:
    """Raises an error for options that the format has no use for."""
    misplaced = options.keys() - chosen.options
    if "form" in misplaced:
        having = [form.name for form in run_formats().values() if "form" in form.options]
        raise click.UsageError(f"--form only applies to {listed(having)}")
    if misplaced:
        message = "--weight, --root, --scope, --min-fraction and costs only apply to trees"
        raise click.UsageError(f"{chosen.name} contains whole tables: {message}")
    if "cost_model" in options and options.get("weight") != "cycles":
        raise click.UsageError("--cost-model needs --weight cycles")


def _tell_size(
    engine: Engine,
    chosen: TreeFormat,
    target: Path | None,
    options: dict[str, Any],
    console: Console,
) -> None:
    """Says how large a large file will be, and what to do instead.

    Raises:
        JvmscopeError: there is no room for it.
    """
    from jvmscope.errors import JvmscopeError
    from jvmscope.queries import WHOLE_RUN, Scope
    from jvmscope.reports.exports.size import expected_bytes

    if not chosen.row_bytes or engine.manifest.tables["context"].rows < _MANY_CONTEXTS:
        return
    root = options.get("root")
    scope = Scope("subtree", root) if root else options.get("scope", WHOLE_RUN)
    weight = options.get("weight", "bytecodes")
    size = expected_bytes(engine, chosen, weight=weight, scope=scope)
    if size < _LARGE_BYTES:
        return
    text = f"about {size / 1e9:.1f} GB as {chosen.name}"
    advice = "--min-fraction 0.0001 folds subtrees with less than this share of the weight"
    if chosen.has_paths:
        advice += "; duckdb has all contexts, without their paths"
    where = target or engine.run
    if target is not None:
        free = shutil.disk_usage(target.absolute().parent).free
        if free < size:
            raise JvmscopeError(f"{where}: {text}, but {free / 1e9:.1f} GB are free; {advice}")
    console.warn(f"{where}: {text}; {advice}")


def _to_stdout(
    engine: Engine,
    chosen: ExportFormat,
    options: dict[str, Any],
    progress: Callable[[float], None],
) -> None:
    from jvmscope.reports.exports.tree_export import export_tree

    if not isinstance(chosen, TreeFormat):
        raise click.UsageError(f"{chosen.name} needs a file: -o NAME.{chosen.name}")
    if chosen.is_binary and sys.stdout.isatty():
        raise click.UsageError(f"{chosen.name} is binary: name a file with -o, or pipe it")
    with standard_output() as out:
        export_tree(engine, chosen.name, out, on_progress=progress, **options)


def _formats() -> str:
    """Returns what the formats contain, for the help."""
    trees = [
        f"{form.name} ({form.note})" if form.note else form.name for form in tree_formats().values()
    ]
    return (
        f"{listed([*run_formats()])} contain all tables. The other formats contain the calling "
        f"context trees with weights: {listed(trees)}."
    )


command.help = cleandoc(command.help or "").replace("{formats}", _formats())
