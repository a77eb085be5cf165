"""``jvmscope explain``: a rule that tells which objects have an outcome."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from jvmscope.actions.explaining import FORMS
from jvmscope.cli.click_options import OUTPUT, RUN, Duration, console_options, scope_option
from jvmscope.cli.help_lists import listed_lines
from jvmscope.output.results import Output
from jvmscope.reports.explaining.outcomes import OUTCOMES
from jvmscope.reports.explaining.programs import UNITS

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.queries import Scope

__all__ = ["command"]


@click.command("explain")
@click.argument("outcome", type=click.Choice(tuple(OUTCOMES)), metavar="OUTCOME")
@click.argument("paths", type=RUN, nargs=-1, required=True, metavar="RUN|SUITE...")
@scope_option("run")
@click.option(
    "--depth",
    type=click.IntRange(1, 8),
    default=3,
    show_default=True,
    metavar="N",
    help="Decisions on a path of the tree, at most.",
)
@click.option(
    "--leave-out",
    "left_out_by",
    type=click.Choice(UNITS),
    default=UNITS[0],
    show_default=True,
    help="Test rules on programs that they were not made from; or on benchmarks of a suite, with "
    "all of their parameters.",
)
@click.option(
    "--param", "assignments", multiple=True, metavar="NAME=VALUE", help="Set a parameter."
)
@click.option("--timeout", type=Duration(), metavar="TIME", help="Stop a query after this time.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMS),
    help="Format: a page (table, markdown, html), all of it (json), the tree (svg), the rule "
    "(sql), or the leaves of the tree.  [default: table on a terminal, else markdown]",
)
@click.option(
    "-o", "--output", "output_file", type=OUTPUT, help="Write to a file instead of stdout."
)
@click.option("--force", is_flag=True, help="Overwrite the file.")
@console_options
def command(
    *,
    outcome: str,
    paths: tuple[Path, ...],
    scope: Scope,
    depth: int,
    left_out_by: str,
    assignments: tuple[str, ...],
    timeout: float | None,
    output_format: str | None,
    output_file: Path | None,
    force: bool,
    console: Console,
) -> int:
    """Find a rule that tells which objects have an outcome.

    {outcomes}

    The rule is a decision tree over features of types, allocating methods and calling contexts;
    objects are the weight. It needs five programs or more, since it is tested on programs that it
    was not made from. The SQL selects the same rows as the rule.

    \b
    jvmscope explain immutable runs/*.run
    jvmscope explain boxed suites/objects --leave-out benchmark -o boxed.html
    jvmscope explain short-lived runs/*.run --param nursery=1048576 -o rule.sql
    jvmscope query app.run -f rule.sql
    """
    from jvmscope.actions.explaining import form_of, write_explanation
    from jvmscope.cli import DONE
    from jvmscope.queries import parse_assignments
    from jvmscope.reports.explaining.explaining import explain

    output = Output(format=output_format, file=output_file, is_forced=force)
    output.check()
    with console.patience("reading") as progress:
        found = explain(
            outcome,
            paths,
            scope=scope,
            depth=depth,
            left_out_by=left_out_by,
            params=parse_assignments(assignments),
            timeout=timeout,
            on_progress=progress,
        )
    write_explanation(found, form_of(output), output, console)
    return DONE


def _outcomes() -> str:
    r"""Returns the paragraph of the help that says what each outcome is; \b keeps its lines."""
    summaries = {name: outcome.summary for name, outcome in OUTCOMES.items()}
    return "\n".join(["\b", "OUTCOME is", *listed_lines(summaries)])


command.help = cleandoc(command.help or "").replace("{outcomes}", _outcomes())
