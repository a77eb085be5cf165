"""``jvmscope report`` of a study of overhead, and the summary at the end of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.study import StudyReport
    from jvmscope.watch.study import Study

__all__ = ["has_study", "report_study", "study_summary"]

_MANIFEST = "study.json"
_OF_PAGE = ("words", "method", "output_format", "output_file", "force")
_OF_CONSOLE = ("verbose", "quiet", "color", "progress")
_DATA = ("csv", "jsonl", "parquet")


def has_study(paths: Sequence[Path]) -> bool:
    """Tells whether one of the paths is a study, or what is left of one."""
    return any((path / _MANIFEST).exists() or path.suffix == ".study" for path in paths)


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
        report = _report_of(paths[0], method)
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
        reports = [_report_of(path, None) for path in paths]
    made = studies_table(reports) if form in _DATA else studies_page(reports)
    write(made, form, output, console)
    return DONE


def study_summary(path: Path) -> Iterator[Block]:
    """Yields the blocks that a study ends with.

    Raises:
        RunError: it is not a study, or no cycle of it is finished.
    """
    from jvmscope.reports.study import summary_page

    return summary_page(_report_of(path, None))


def _report_of(path: Path, method: str | None) -> StudyReport:
    import duckdb

    from jvmscope.reports.study import study_report
    from jvmscope.watch.study import Study

    study = Study(path)
    try:
        with study.connect() as connection:
            return study_report(
                connection,
                title=path.name,
                facts=list(_facts(study)),
                notes=list(_notes(study)),
                method=method,
            )
    except (duckdb.Error, ArithmeticError, LookupError, ValueError):
        study.expect_whole(is_hashed=True)  # whatever fails on damaged files is no bug
        raise


def _facts(study: Study) -> Iterator[tuple[str, str]]:
    """Yields what the manifest knows."""
    manifest = study.manifest
    yield "command", " ".join(manifest.command)
    jvm = manifest.jvm
    yield "JVM", " ".join(jvm[key] for key in ("name", "version") if key in jvm) or "none yet"
    yield "processors", str(manifest.n_processors or "not known")
    yield "started", manifest.started
    state = manifest.state if manifest.reason is None else f"{manifest.state}: {manifest.reason}"
    yield "state", state
    for name, value in manifest.options.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        yield name.replace("_", " "), ", ".join(map(str, values)) or "none"


def _notes(study: Study) -> Iterator[str]:
    """Yields what limits the results."""
    from jvmscope.watch.study import PAPER_WAITS

    manifest = study.manifest
    if manifest.state != "complete":
        yield f"the study is not complete ({manifest.state}): this is about what is there"
    if manifest.parts is None:
        yield "an earlier jvmscope began the study: whether all of its parts are there is not known"
    options = manifest.options
    short = [name for name, paper in PAPER_WAITS.items() if options.get(name, paper) < paper]
    if short:
        yield (
            f"shorter than in the paper: {', '.join(map(_named, short))}; with short waits, "
            "compilers may still be at work in the steps S6 and S8"
        )


def _named(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _refuse_others(context: click.Context) -> None:
    """Refuses the options that are for runs."""
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if is_given and option.name not in (*_OF_PAGE, *_OF_CONSOLE):
            raise click.UsageError(f"{option.opts[-1]} does not apply to a study")
