"""``jvmscope report`` of a study of overhead, and the summary at the end of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from jvmscope.actions.study_reports import report_of
from jvmscope.schema.studied import is_study

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.reports.faces.blocks import Block

__all__ = ["has_study", "report_study", "study_summary"]

_OF_PAGE = ("words", "method", "output_format", "output_file", "force")
_OF_CONSOLE = ("verbose", "quiet", "color", "progress")
_DATA = ("csv", "jsonl", "parquet")


def has_study(paths: Sequence[Path]) -> bool:
    """Tells whether one of the paths is a study, or what is left of one."""
    return any(is_study(path) or path.suffix == ".study" for path in paths)


def report_study(
    paths: Sequence[Path], kind: str | None, method: str | None, output: Output, console: Console
) -> int:
    """Writes the page of a study, or its numbers as a table; of several, one beside the other.

    Raises:
        RunError: a path is not a study, or no cycle of it is finished.
        QueryError: the method was not observed, or several have its name.
    """
    from jvmscope.actions.reporting import form_of, kind_of, write
    from jvmscope.cli import DONE
    from jvmscope.reports.study import study_page, to_html, to_json, to_table

    _refuse_others(click.get_current_context())
    if kind not in (None, "html"):
        raise click.UsageError(f"{kind}: a study has the page html, and one without a name")
    form, is_html = form_of(output), "html" in (kind, kind_of(None, output))
    if len(paths) > 1:
        if is_html or form == "json" or method is not None:
            raise click.UsageError("html, json and --method are for one study: give one")
        return _report_studies(paths, form, output, console)
    with console.waiting("reading samples"):
        report = report_of(paths[0], method)
    if is_html:
        write(to_html(report), form, output, console)
    elif form == "json":
        write(to_json(report), form, output, console)
    elif form in _DATA:
        write(to_table(report), form, output, console)
    else:
        write(study_page(report), form, output, console)
    return DONE


def _report_studies(paths: Sequence[Path], form: str, output: Output, console: Console) -> int:
    from jvmscope.actions.reporting import write
    from jvmscope.cli import DONE
    from jvmscope.reports.study import studies_page, studies_table

    with console.waiting("reading samples"):
        reports = [report_of(path, None) for path in paths]
    made = studies_table(reports) if form in _DATA else studies_page(reports)
    write(made, form, output, console)
    return DONE


def study_summary(path: Path) -> Iterator[Block]:
    """Yields the blocks that a study ends with.

    Raises:
        RunError: it is not a study, or no cycle of it is finished.
    """
    from jvmscope.reports.study import summary_page

    return summary_page(report_of(path, None))


def _refuse_others(context: click.Context) -> None:
    """Refuses the options that are for runs."""
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if is_given and option.name not in (*_OF_PAGE, *_OF_CONSOLE):
            raise click.UsageError(f"{option.opts[-1]} does not apply to a study")
