"""``jvmscope test``: do queries answer what is expected of them?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import RUN, Duration, console_options
from jvmscope.output.standard_streams import echo

if TYPE_CHECKING:
    from jvmscope.output.console import Console
    from jvmscope.testing import Outcome

__all__ = ["command"]


@click.command("test")
@click.argument("paths", type=RUN, nargs=-1, metavar="[PATH...]")
@click.option("--accept", is_flag=True, help="Replace the expected answers by the actual ones.")
@click.option("--timeout", type=Duration(), help="Stop a query after this time.", metavar="TIME")
@console_options
def command(
    *, paths: tuple[Path, ...], accept: bool, timeout: float | None, console: Console
) -> int:
    """Run query tests.

    Runs those below the folders PATH, or below the current folder.

    A test is a file NAME.expected.csv in a folder that has a query or is named like a metric. It
    tests the query or metric on the run NAME.run, or on a run of NAME.java, which is recorded when
    a test needs it. The exit status is 1 if a test failed. --accept replaces the expected answers
    by the actual ones, except if a query failed; look at the difference before you keep it.

    \b
    jvmscope test tests/metrics
    jvmscope test tests/metrics/hotness/blocks --accept
    """
    from jvmscope.cli import DONE, NO
    from jvmscope.testing import QueryTester, find_tests

    tests = list(find_tests(paths or (Path(),)))
    counts = {"passed": 0, "accepted": 0, "failed": 0, "error": 0}
    with QueryTester(timeout=timeout, accepts=accept, say=console.say) as tester:
        for outcome in tester.outcomes(tests):
            counts[outcome.status] += 1
            if outcome.status != "passed" or console.verbosity > 0:
                echo(_shown(outcome))
    parts = [f"{n} {status}" for status, n in counts.items() if n]
    console.say(", ".join(parts) or "no tests")
    return NO if counts["failed"] + counts["error"] else DONE


def _shown(outcome: Outcome) -> str:
    return "\n".join([f"{outcome.status}: {outcome.test}", *outcome.lines])
