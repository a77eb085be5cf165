"""``jvmscope report``: pages about runs and suites."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jvmscope.actions.reporting import FORMS, KINDS, TABLES, Tree, form_of, kind_of
from jvmscope.actions.study_reporting import has_study, report_study
from jvmscope.actions.watch_reporting import has_watch_run, report_watch
from jvmscope.cli.click_options import (
    OUTPUT,
    RUN,
    FiniteRange,
    calibration_option,
    completed,
    console_options,
    given_options,
    jobs_option,
    metric_options,
    refine_options,
)
from jvmscope.cli.help_lists import listed_lines
from jvmscope.errors import did_you_mean
from jvmscope.output.results import Output
from jvmscope.reports.exports.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jvmscope.metrics.measure import Failure
    from jvmscope.output.console import Console
    from jvmscope.queries import CostModel, Result, Scope
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Report

__all__ = ["command"]


@click.command("report")
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="RUN|SUITE... [KIND]",
    shell_complete=completed("kinds_of_reports"),
)
@metric_options
@jobs_option
@click.option(
    "--subject", metavar="NAME", help="For table and tree: show only this run or benchmark."
)
@click.option(
    "--features",
    metavar="METRIC.COLUMN,...",
    help="Features by which pca, clusters and subset compare subjects.  "
    "[default: instructions.mix.share]",
)
@click.option(
    "--within",
    type=FiniteRange(min=0),
    metavar="F",
    help="Two subjects are near within this part of the typical distance.  [default: 0.5]",
)
@click.option(
    "--weight",
    type=click.Choice([*WEIGHTS]),
    metavar="WEIGHT",
    default="bytecodes",
    show_default=True,
    help=f"Weight of contexts in tree ({', '.join(WEIGHTS)}), and the one that html shows first, "
    "which has cycles of several runs only if this asks for them; allocated bytes and objects "
    "need --probes allocations, native calls and time --probes native.",
)
@click.option(
    "--root", metavar="GLOB", help="For tree: show only matching methods and what they call."
)
@click.option(
    "--min-fraction",
    type=FiniteRange(0, 1, max_open=True),
    default=0.01,
    show_default=True,
    metavar="F",
    help="For tree: fold subtrees with less than this share of the weight.",
)
@click.option(
    "--method",
    metavar="NAME",
    help="For a study: show this observed method in figure 8.  [default: a usual one]",
)
@refine_options
@click.option(
    "--with",
    "beside",
    type=RUN,
    metavar="RUN",
    help="Of a watch run: show times beside the counts of a recorded run of the program.",
)
@calibration_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMS),
    help=f"Format of the page; json: the whole report; {', '.join(TABLES)}: the measures.  "
    "[default: table on a terminal, else markdown]",
)
@click.option(
    "-o", "--output", "output_file", type=OUTPUT, help="Write to a file instead of stdout."
)
@click.option("--force", is_flag=True, help="Overwrite the file.")
@console_options
def command(
    *,
    words: tuple[str, ...],
    scope: Scope,
    metrics: tuple[str, ...],
    subject: str | None,
    features: str | None,
    within: float | None,
    weight: str,
    root: str | None,
    min_fraction: float,
    assignments: tuple[str, ...],
    cost_model: CostModel | None,
    output_format: str | None,
    output_file: Path | None,
    force: bool,
    no_cache: bool,
    jobs: int | None,
    console: Console,
    **own: Any,
) -> int:
    """Report on runs and suites, side by side.

    {kinds}

    --param and --cost-model apply to the cycles of tree.

    Of a watch run, the page and html show metric-focus pairs over time; -m names them, or
    -m @FILE takes them from a file: docs/watch.md. --refine searches for a bottleneck.

    Of a study of overhead, the page shows the paper's questions and figures: docs/study.md. Several
    studies stand side by side.

    \b
    jvmscope report app.run
    jvmscope report suites/languages plot -m 'polymorphism.*'
    jvmscope report suites/languages table --subject nbody-java
    jvmscope report suites/languages html -o languages.html
    jvmscope report app.watch --refine lock_wait_time
    jvmscope report app.watch --with app.run --calibration costs.calibration
    jvmscope report app.watch -m 'lock_wait_time{/APCode/app/Service}'
    jvmscope report app.study html -o study.html
    """
    from jvmscope.actions.reporting import check_subject, tree_of, write
    from jvmscope.cli import DONE
    from jvmscope.commands.measure import status_of
    from jvmscope.queries import parse_assignments
    from jvmscope.reports.building import report_of

    output = Output(format=output_format, file=output_file, is_forced=force)
    output.check()
    paths, named = _divided(words)
    if has_study(paths) or has_watch_run(paths):
        return _watched(paths, output, console, kind=named, pairs=metrics, own=own)
    kind, form = _asked(named, output, given_options())
    if kind == "tree":
        tree = Tree(weight, root, min_fraction, parse_assignments(assignments), cost_model)
        with console.patience("reading") as progress:
            blocks = tree_of(paths, subject, scope, tree, progress)
        write(blocks, form, output, console)
        return DONE
    check_subject(paths, subject)
    failures: list[Failure] = []
    with console.patience("measuring", says_rest=True) as progress:
        report = report_of(
            paths,
            scope=scope,
            metrics=metrics,
            features=features,
            within=within,
            is_cached=not no_cache,
            on_failure=failures.append,
            on_subject=lambda number, n, name: console.detail(f"{number + 1}/{n} {name}"),
            on_progress=progress,
            jobs=jobs,
        )
    for failure in failures:
        console.error(str(failure))
    if kind == "html":
        page = _page(report, console, jobs, weight=weight, is_cached=not no_cache)
        write(page, form, output, console)
    else:
        write(_made(report, kind, form, subject), form, output, console)
    return status_of(failures) if failures else DONE


def _watched(
    paths: Sequence[Path],
    output: Output,
    console: Console,
    *,
    kind: str | None,
    pairs: Sequence[str],
    own: Mapping[str, Any],
) -> int:
    """Writes the page of a study or of a watch run, which have pages of their own."""
    from jvmscope.actions.refining import asked_refining

    search = asked_refining(given_options(), own)
    if has_study(paths):
        if search is not None:
            raise click.UsageError("--refine is for watch runs, not for studies")
        if own["beside"] is not None:
            raise click.UsageError("--with is for watch runs, not for studies")
        if own["calibration"] is not None:
            raise click.UsageError("--calibration is for watch runs, not for studies")
        return report_study(paths, kind, own["method"], output, console)
    return report_watch(
        paths,
        kind,
        pairs,
        output,
        console,
        refining=search,
        beside=own["beside"],
        calibration=own["calibration"],
    )


def _page(
    report: Report, console: Console, jobs: int | None, *, weight: str, is_cached: bool
) -> str:
    """Returns the page for the browser."""
    from jvmscope.reports.html import WEIGHTS, render

    with console.patience("reading trees", says_rest=True) as progress:
        return render(
            report,
            weights=WEIGHTS if weight == "cycles" else None,
            weight=weight,
            is_cached=is_cached,
            jobs=jobs,
            on_progress=progress,
        )


def _made(
    report: Report, kind: str, form: str, subject: str | None
) -> Iterable[Block] | str | Result:
    """Returns what is written: blocks, text that is made already, or a table."""
    from jvmscope.actions.reporting import page_of
    from jvmscope.reports.plain import to_json, to_table

    if form == "json":
        return to_json(report)
    return to_table(report) if form in TABLES else page_of(report, kind, form, subject)


def _divided(words: Sequence[str]) -> tuple[list[Path], str | None]:
    """Returns the paths, and the page if the last word names one.

    >>> _divided(["a.run", "plot"]), _divided(["a.run"])
    (([PosixPath('a.run')], 'plot'), ([PosixPath('a.run')], None))
    """
    for word in words if len(words) == 1 else words[:-1]:
        if word in KINDS and not Path(word).exists():
            raise click.UsageError(f"{word}: the page comes last, after a run or suite")
    last = words[-1]
    kind = last if len(words) > 1 and last in KINDS else None
    if kind is None and len(words) > 1 and not Path(last).exists():
        near = did_you_mean(last, KINDS)
        if near is not None:
            raise click.UsageError(f"{last}: there is no such run, and no such page; {near}")
    return [RUN.convert(word, None, None) for word in (words if kind is None else words[:-1])], kind


def _asked(named: str | None, output: Output, given: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the page that is asked for and its form; refuses what it has no use for."""
    for option in ("--refine", "--refine-threshold", "--refine-budget", "--with", "--calibration"):
        if option in given:
            raise click.UsageError(f"{option} is for watch runs, which know times")
    kind, form = kind_of(named, output), form_of(output)
    if "--subject" in given and kind not in {"table", "tree"}:
        raise click.UsageError(
            "--subject only applies to table and tree; name the run's directory instead"
        )
    if not given.keys().isdisjoint({"--param", "--cost-model"}) and kind != "tree":
        raise click.UsageError("--param and --cost-model are for tree; jvmscope measure has values")
    if "--method" in given:
        raise click.UsageError("--method is for studies of overhead; --root chooses in a tree")
    if form in TABLES and kind != "table":
        raise click.UsageError(f"{form} is for table: its measures, a row each")
    if kind == "tree" and form == "json":
        raise click.UsageError("a tree as data: jvmscope export RUN csv")
    useless = {"--weight"} if kind not in {"tree", "html"} else set()
    if kind == "tree":
        useless |= {"--metric", "--no-cache", "--jobs"}
    else:
        useless |= {"--root", "--min-fraction"}
    if form != "json" and kind not in {"summary", "pca", "html"}:
        useless |= {"--features", "--within"}
    for option in sorted(useless & given.keys()):
        raise click.UsageError(f"{option} changes nothing of {kind}: leave it out")
    return kind, form


def _kinds() -> str:
    r"""Returns the paragraph of the help that says what each page shows; \b keeps its lines."""
    return "\n".join(["\b", "KIND is", *listed_lines(KINDS)])


command.help = cleandoc(command.help or "").replace("{kinds}", _kinds())
