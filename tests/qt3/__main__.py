"""Runs the suite: python -m qt3 --home DIRECTORY [--mode execute] [--set GLOB] [--name GLOB]."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from qt3.analysing import check_analysis
from qt3.catalog import read_cases
from qt3.execution import check_execution
from qt3.outcome import Outcome, Verdict
from qt3.parsing import check_parse
from qt3.pool import run_in_processes
from qt3.selection import why_not
from qt3.summary import Summary, read_expected

if TYPE_CHECKING:
    from qt3.catalog import Case

_HERE = Path(__file__).parent
_MODES = {"analyse": check_analysis, "execute": check_execution, "parse": check_parse}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m qt3", description=__doc__)
    parser.add_argument("--home", type=Path, default=os.environ.get("QT3_HOME"))
    parser.add_argument("--mode", choices=sorted(_MODES), default="execute")
    parser.add_argument("--language", choices=("xquery", "xpath"), default="xquery")
    parser.add_argument("--set", default="*", help="pattern of test sets")
    parser.add_argument("--name", default="*", help="pattern of test cases")
    parser.add_argument("--show", type=int, default=20, help="how many failures to show")
    parser.add_argument("--omitted", action="store_true", help="say why tests are left out")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--timeout", type=float, default=400, help="seconds that a test may take")
    parser.add_argument("--report", type=Path, help="write every failure to this file")
    arguments = parser.parse_args()
    if arguments.home is None:
        parser.error("say where the suite is: --home or QT3_HOME")
    return arguments


def _chosen(arguments: argparse.Namespace, summary: Summary) -> list[list[Case]]:
    """Returns the cases to run, those of a set together; counts the others, and says why."""
    sets = []
    reasons: Counter[str] = Counter()
    cases = read_cases(Path(arguments.home), arguments.set, arguments.name)
    for _, group in itertools.groupby(cases, key=lambda case: case.set_name):
        chosen = []
        for case in group:
            if reason := why_not(case, arguments.language):
                reasons[reason] += 1
                summary.add(case, Outcome(Verdict.OMITTED, "all"))
            else:
                chosen.append(case)
        sets.append(chosen)
    for reason, count in reasons.most_common() if arguments.omitted else ():
        sys.stdout.write(f"{count:>6} left out: {reason}\n")
    return sets


def main() -> int:
    """Runs what the arguments ask for; returns 0 if all is as expected."""
    arguments = _arguments()
    check = partial(_MODES[arguments.mode], language=arguments.language)
    summary = Summary(read_expected(_HERE / f"expected_{arguments.mode}.toml"))
    sets = _chosen(arguments, summary)
    for case, outcome in run_in_processes(sets, check, arguments.jobs, arguments.timeout):
        summary.add(case, outcome)
    lines = [
        f"{outcome.verdict.value} {identity} ({outcome.group}): {' '.join(outcome.text.split())}\n"
        for identity, outcome in sorted(summary.failures, key=lambda failure: failure[0])
    ]
    sys.stdout.writelines(lines[: arguments.show])
    if arguments.report is not None:
        arguments.report.write_text("".join(lines), encoding="utf-8")
    sys.stdout.write(summary.table() + "\n")
    return 0 if summary.is_as_expected else 1


if __name__ == "__main__":
    sys.exit(main())
