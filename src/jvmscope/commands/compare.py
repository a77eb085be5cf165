"""``jvmscope compare``: what changed from one run, or suite, to another."""

from __future__ import annotations

import functools
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from jvmscope.cli.click_options import (
    RUN,
    calibration_option,
    console_options,
    given_options,
    limit_options,
    metric_options,
    output_options,
    scope_option,
)
from jvmscope.cli.help_lists import listed_lines
from jvmscope.output.page_writing import PAGE_FORMATS, write_page
from jvmscope.reports.changes.objection_kinds import KINDS, PARTIAL
from jvmscope.reports.exports.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from jvmscope.actions.comparing import Comparing
    from jvmscope.metrics.measure import Failure
    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import CostModel, Result, Scope
    from jvmscope.reports.changes.objections import Objection
    from jvmscope.reports.changes.open_runs import OpenRuns
    from jvmscope.reports.changes.outcome import Outcome
    from jvmscope.reports.changes.pairs import Pair
    from jvmscope.schema.calibration import Calibration

__all__ = ["command"]

_MOST_ROWS = 20
_MOST_NODES = 40
_WIDTH = 200  # names and values of both sides, where there is no terminal


_metric_options = functools.partial(
    metric_options, scope=scope_option(None, "run; with --fail-if or --budget application+")
)


@click.command("compare")
@click.argument("a", type=RUN)
@click.argument("b", type=RUN)
@_metric_options
@click.option(
    "--fail-if",
    "conditions",
    multiple=True,
    metavar="EXPR",
    help="Exit with 1 if this SQL condition holds for any row.",
)
@click.option(
    "--budget", type=RUN, metavar="FILE", help="Exit with 1 if a budget in FILE is exceeded."
)
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    type=click.Choice(tuple(KINDS)),
    metavar="CASE",
    help="Let a gate pass in this case; may be repeated.",
)
@click.option(
    "--tree", "is_tree", is_flag=True, help="Return the rows of the tree instead of values."
)
@click.option(
    "--weight",
    default=None,
    metavar="WEIGHT",
    help=f"Weight of the tree's nodes: {', '.join([*WEIGHTS, 'none'])}.  [default: bytecodes; for "
    "suites and watch runs none]",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show N nodes of a tree, and fold the rest.  [default: 40 in tables, else 20000]",
)
@click.option("--all", "is_all", is_flag=True, help="Show every value, including equal ones.")
@click.option("--jvms", nargs=2, metavar="A B", help="Compare these two JVMs of the suites.")
@click.option(
    "--with",
    "beside",
    type=RUN,
    nargs=2,
    metavar="A B",
    help="Put a recorded run beside each of two watch runs, for metrics that need both.",
)
@calibration_option
@limit_options
@output_options
@console_options
def command(
    *,
    a: Path,
    b: Path,
    metrics: tuple[str, ...],
    scope: Scope | None,
    conditions: tuple[str, ...],
    budget: Path | None,
    allowed: tuple[str, ...],
    is_tree: bool,
    weight: str | None,
    nodes: int | None,
    is_all: bool,
    jvms: tuple[str, str] | None,
    beside: tuple[Path, Path] | None,
    calibration: Calibration | None,
    assignments: tuple[str, ...],
    cost_model: CostModel | None,
    no_cache: bool,
    limit: int | None,
    timeout: float | None,
    output: Output,
    console: Console,
) -> int:
    """Compare two runs or two suites, and fail a build.

    Shows every value of A and B side by side, and one calling context tree of both. A row has
    the metric, the measure, what the value belongs to, a, b, delta (b - a) and delta_pct; an EXPR
    is a condition on such a row. A null value has a reason. Tables and Markdown show the largest
    changes, every other format shows all rows. Suites are matched by benchmark, parameters and
    invocation. Of watch runs, metrics about times are compared, without a tree.

    The exit status is 1 if a condition holds, if a budget is exceeded, or if the runs cannot be
    judged, unless --allow accepts the case; 2 if a condition or budget names something that does
    not exist; and 4 if a recording is incomplete.

    {cases}

    \b
    jvmscope compare before.run after.run
    jvmscope compare before.run after.run --format markdown \\
        --fail-if "metric = 'execution.totals' AND measure = 'n_bytecodes'
                   AND delta_pct > 3"
    jvmscope compare before.run after.run --tree --weight calls --format csv
    jvmscope compare before.watch after.watch --with before.run after.run
    """
    from jvmscope.actions.comparing import Comparing
    from jvmscope.queries import parse_assignments
    from jvmscope.reports.changes.objections import default_scope
    from jvmscope.reports.changes.outcome import Outcome
    from jvmscope.reports.changes.pairs import pairs_of

    is_judged = bool(conditions) or budget is not None
    _refuse_useless(given_options(), is_page=output.resolved_format in PAGE_FORMATS)
    params = parse_assignments(assignments)
    pairs = pairs_of(a, b, jvms)
    part = scope or default_scope(pairs, is_judged=is_judged)
    runs = _opened(pairs, beside, calibration)
    comparing = Comparing(console, pairs, part, params, cost_model, not no_cache, timeout, runs)
    objections = comparing.warn()
    is_whole = all(objection.kind != PARTIAL for objection in objections)
    budgets = None if budget is None else comparing.read_budgets(budget)
    weight = weight or ("bytecodes" if is_tree or comparing.has_tree else "none")
    tree = _tree(comparing, weight, nodes, output, is_needed=is_tree)
    changes = None if is_tree and not conditions else comparing.changes(metrics, conditions)
    held = comparing.held(conditions, changes)
    checked = comparing.check(budgets, budget) if budget and budgets is not None else None
    totals = comparing.totals() if is_judged else None
    if totals is not None:
        objections += comparing.objections(held, changes, checked, totals)
        _warn_of_unchecked(objections, allowed, console)
        comparing.tell_only_in_a(conditions, budgets or ())
    outcome = Outcome(
        a=a.absolute().name.removesuffix(".run"),
        b=b.absolute().name.removesuffix(".run"),
        scope=part,
        changes=changes,
        held=held,
        budgets=checked,
        tree=tree,
        weight=weight,
        objections=[each for each in objections if is_judged and each.kind not in allowed],
        totals=totals,
    )
    rows = tree if is_tree else changes
    is_cut, told = _write(outcome, rows, limit, output, console, is_all=is_all)
    return _status(outcome, comparing.failures, told, console, is_whole=is_whole and not is_cut)


def _cases() -> str:
    r"""Returns the paragraph of the help that says what can be allowed; \b keeps its lines."""
    return "\n".join(["\b", "CASE is", *listed_lines(KINDS)])


command.help = cleandoc(command.help or "").replace("{cases}", _cases())


def _refuse_useless(given: Mapping[str, Any], *, is_page: bool) -> None:
    """Raises an error for options that change nothing."""
    is_judged = not given.keys().isdisjoint({"--fail-if", "--budget"})
    has_tree = is_page or "--tree" in given or given.get("--weight") == "none"
    useless = {
        "--all": (not is_page, "is for tables and Markdown; other formats have every row"),
        "--allow": (not is_judged, "is for --fail-if and --budget"),
        "--limit": (is_page, "is for formats of rows; pages show the largest changes"),
        "--metric": ("--tree" in given and "--fail-if" not in given, "is for values, not trees"),
        "--nodes": (not has_tree, "is for trees: add --tree"),
        "--weight": (not has_tree, "is for trees: add --tree"),
    }
    for option, (is_useless, reason) in useless.items():
        if option in given and is_useless:
            raise click.UsageError(f"{option} {reason}")


def _opened(
    pairs: Sequence[Pair], beside: tuple[Path, Path] | None, calibration: Calibration | None
) -> OpenRuns:
    """Returns the runs of pairs, until the command ends, with what stands beside watch runs."""
    from jvmscope.reports.changes.open_runs import OpenRuns
    from jvmscope.reports.changes.pairs import are_watches, recorded_beside

    if calibration is not None and not are_watches(pairs):
        raise click.UsageError("--calibration is for two watch runs")
    runs = OpenRuns(recorded_beside(pairs, beside), calibration)
    return click.get_current_context().with_resource(runs)


def _tree(
    comparing: Comparing, weight: str, nodes: int | None, output: Output, *, is_needed: bool
) -> Result | None:
    """Returns the differential tree, where rows of it or a page are asked for."""
    is_for_people = output.resolved_format in PAGE_FORMATS
    if not is_needed and (weight == "none" or not is_for_people):
        return None
    return comparing.tree(weight, nodes or (_MOST_NODES if is_for_people else None))


def _warn_of_unchecked(
    objections: Sequence[Objection], allowed: Collection[str], console: Console
) -> None:
    """Says what was not judged even if the user allows it, since no other line does."""
    for objection in objections:
        if objection.kind == "unchecked" and objection.kind in allowed:
            console.warn(objection.text)


def _write(
    outcome: Outcome,
    rows: Result | None,
    limit: int | None,
    output: Output,
    console: Console,
    *,
    is_all: bool,
) -> tuple[bool, list[str]]:
    """Writes a page or rows, and says beside rows what came of the comparison.

    Args:
        outcome: what was found.
        rows: what formats for programs get.
        limit: rows of these at most.
        output: where it goes.
        console: gets the verdict, where the page does not have it.
        is_all: the tables of a page have all rows.

    Returns:
        Whether the limit left some rows out, and what was said.
    """
    form = output.resolved_format
    if form in PAGE_FORMATS or rows is None:
        from jvmscope.reports.changes.page import comparison_page

        page = comparison_page(outcome, most=None if is_all else _MOST_ROWS)
        write_page(page, form, output, console, width=_WIDTH, is_comment=True)
        return False, []
    table = rows.arrow()
    is_cut = limit is not None and table.num_rows > limit
    kept = table if limit is None else table.slice(0, limit)
    output.write(rows.of_table(kept, rows.columns, is_truncated=is_cut), console)
    told = [outcome.verdict, *outcome.failures]
    for line in told:
        console.say(line)
    return is_cut, [] if console.verbosity < 0 else told


def _status(
    outcome: Outcome,
    failures: Sequence[Failure],
    told: Sequence[str],
    console: Console,
    *,
    is_whole: bool,
) -> int:
    """Says which metrics failed, if nothing that was told has it, and returns the exit status."""
    from jvmscope.cli import DONE, LIMITED, NO
    from jvmscope.commands.measure import status_of

    for text in map(str, failures):
        if text not in "\n".join(told):
            console.error(text)
    if outcome.fails or any(each.kind != PARTIAL for each in outcome.objections):
        return NO
    if failures:
        return status_of(failures)
    return DONE if is_whole else LIMITED
