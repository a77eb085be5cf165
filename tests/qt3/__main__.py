"""Runs the suite: python -m qt3 --home DIRECTORY [--mode parse] [--set GLOB] [--name GLOB]."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from qt3.analysing import check_analysis
from qt3.catalog import read_cases
from qt3.outcome import Outcome, Verdict
from qt3.parsing import check_parse
from qt3.selection import why_not
from qt3.summary import Summary, read_expected

_HERE = Path(__file__).parent
_MODES = {"analyse": check_analysis, "parse": check_parse}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m qt3", description=__doc__)
    parser.add_argument("--home", type=Path, default=os.environ.get("QT3_HOME"))
    parser.add_argument("--mode", choices=sorted(_MODES), default="parse")
    parser.add_argument("--language", choices=("xquery", "xpath"), default="xquery")
    parser.add_argument("--set", default="*", help="pattern of test sets")
    parser.add_argument("--name", default="*", help="pattern of test cases")
    parser.add_argument("--show", type=int, default=20, help="how many failures to show")
    parser.add_argument("--omitted", action="store_true", help="say why tests are left out")
    arguments = parser.parse_args()
    if arguments.home is None:
        parser.error("say where the suite is: --home or QT3_HOME")
    return arguments


def main() -> int:
    """Runs what the arguments ask for; returns 0 if all is as expected."""
    arguments = _arguments()
    check = _MODES[arguments.mode]
    summary = Summary(read_expected(_HERE / f"expected_{arguments.mode}.toml"))
    reasons: Counter[str] = Counter()
    for case in read_cases(arguments.home, arguments.set, arguments.name):
        if reason := why_not(case, arguments.language):
            reasons[reason] += 1
            summary.add(case, Outcome(Verdict.OMITTED, "all"))
            continue
        summary.add(case, check(case, arguments.language))
    for identity, outcome in summary.failures[: arguments.show]:
        sys.stdout.write(f"{outcome.verdict.value} {identity} ({outcome.group}): {outcome.text}\n")
    if arguments.omitted:
        for reason, count in reasons.most_common():
            sys.stdout.write(f"{count:>6} left out: {reason}\n")
    sys.stdout.write(summary.table() + "\n")
    return 0 if summary.is_as_expected else 1


if __name__ == "__main__":
    sys.exit(main())
