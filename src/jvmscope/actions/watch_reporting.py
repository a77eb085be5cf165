"""``jvmscope report`` of a watch run: metric-focus pairs over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from jvmscope.errors import RunError
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.actions.refining import Refining
    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import Engine, Result
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.schema.calibration import Calibration

__all__ = ["has_watch_run", "report_watch"]

_OF_REFINING = ("refine", "refine_threshold", "refine_budget")
_BESIDE = ("beside", "calibration_file")
_OF_OUTPUT = ("output_format", "output_file", "force")
_OF_PAGE = ("words", "metrics", *_BESIDE, *_OF_OUTPUT, *_OF_REFINING)
_OF_CONSOLE = ("verbose", "quiet", "color", "progress")
_DATA = ("csv", "jsonl", "parquet")


def has_watch_run(paths: Sequence[Path]) -> bool:
    """Tells whether one of the paths is a watch run."""
    for path in paths:
        try:
            if (path / "run.json").is_file() and read_manifest(path).kind == "watch":
                return True
        except RunError:  # whoever reads it next says what is wrong
            continue
    return False


def report_watch(
    paths: Sequence[Path],
    kind: str | None,
    pairs: Sequence[str],
    output: Output,
    console: Console,
    *,
    refining: Refining | None = None,
    beside: Path | None = None,
    calibration: Calibration | None = None,
) -> int:
    """Writes the page of a watch run, or the values of its pairs as a table.

    With ``refining``, the page is what that finds; the one for the browser has it, too. With
    ``beside``, a recorded run, it has what a call and a bytecode of each measured method took; with
    ``calibration``, too, what calls and objects cost.

    Raises:
        RunError: there are several runs, or the one beside it is not a recorded one.
        QueryError: a text is not a pair, or names a resource that the run does not have.
    """
    from jvmscope.actions.refining import refined_page
    from jvmscope.actions.reporting import form_of, kind_of, write
    from jvmscope.cli import DONE
    from jvmscope.queries import Engine
    from jvmscope.reports.watched import watch_page
    from jvmscope.reports.watched.html import render_watch

    if len(paths) > 1:
        raise RunError("a watch run is reported alone: give one run")
    _refuse_others(click.get_current_context())
    is_page = "html" in (kind, form_of(output), kind_of(None, output))
    form = form_of(output)
    if kind not in {None, "html"}:
        raise click.UsageError(f"{kind}: a watch run has one page, and html for the browser")
    if form == "json":
        raise click.UsageError(
            "a watch run has no page as json; use html, markdown, csv, jsonl, table or parquet"
        )
    if refining is not None and pairs and not is_page:
        raise click.UsageError("--refine chooses foci by itself: leave out --metric")
    if is_page and form in _DATA:
        raise click.UsageError(f"{form} has the values of pairs: leave out html")
    if beside is not None:
        _refuse_beside(pairs, is_whole=not pairs and refining is None and form not in _DATA)
    if calibration is not None and beside is None:
        raise click.UsageError("--calibration needs --with, whose counts it gives costs to")
    with Engine(paths[0], beside=beside, calibration=calibration) as engine:
        made: Result | str | tuple[Block, ...]
        with console.waiting("making the report"):
            refined = () if refining is None or form in _DATA else refined_page(engine, refining)
            if is_page:
                made = render_watch(engine, pairs, refined)
            elif form not in _DATA:
                made = refined or tuple(watch_page(engine, pairs))
            else:
                made = _table(engine, pairs, refining)
        write(made, form, output, console)
    return DONE


def _refuse_beside(pairs: Sequence[str], *, is_whole: bool) -> None:
    """Refuses a recorded run that nothing would be read of: pairs need it for basic blocks."""
    from jvmscope.reports.watched import has_block, read_pairs

    if not (is_whole or any(map(has_block, read_pairs(pairs)))):
        message = "is for the whole page, and for pairs with basic blocks: leave it out"
        raise click.UsageError(f"--with {message}")


def _refuse_others(context: click.Context) -> None:
    """Refuses the options that are for recorded runs."""
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if is_given and option.name not in (*_OF_PAGE, *_OF_CONSOLE):
            raise click.UsageError(f"{option.opts[-1]} does not apply to a watch run")


def _table(engine: Engine, pairs: Sequence[str], refining: Refining | None) -> Result:
    """Returns the values of pairs, or what a search finds, as a table.

    Raises:
        QueryError: a text is not a pair, or names a resource that the run does not have.
    """
    from jvmscope.reports.watched.plain import pairs_table, refined_table

    if refining is None:
        return pairs_table(engine, pairs)
    return refined_table(engine, refining.text, refining.search)
