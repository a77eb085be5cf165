"""Writes the tables of docs/results.md from a recorded suite of languages.

python -m benchmarks.results .build/suites/languages-small
"""

from __future__ import annotations

import platform
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.publish import replace_section
from benchmarks.results.claims import claims_table
from benchmarks.results.components import components
from benchmarks.results.tables import by_algorithm, by_language, of_programs
from benchmarks.results.values import read_languages, read_programs
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.schema.suite import Row

PAGE = Path(__file__).parents[2] / "docs" / "results.md"


def main(folder: Path) -> None:
    """Reads every run of the suite, and writes the page."""
    values = read_languages(folder)
    if not values:
        sys.exit(f"jvmscope: {folder}: nothing is recorded: make suite")
    sections = {
        "recorded": recorded(open_suite(folder).rows),
        "claims": claims_table(values),
        "languages": by_language(values),
        "times": by_algorithm(values, "times"),
        "requested": by_algorithm(values, "n_requested"),
        "recursive": by_algorithm(values, "recursive_calls", "%"),
        "components": components(folder),
        "programs": of_programs(read_programs(folder)),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, content in sections.items():
        text = replace_section(text, name, content)
    PAGE.write_text(text, encoding="utf-8")
    print(f"Wrote {PAGE}", file=sys.stderr)


def recorded(rows: Sequence[Row]) -> str:
    """Returns how many algorithms, languages, programs and runs there are, in a paragraph."""
    own = [row for row in rows if "algorithm" in row.tags]
    algorithms = {row.parameters["algorithm"] for row in own}
    programs = {row.parameters["program"] for row in rows if "program" in row.tags}
    whole = [row for row in rows if row.status == "recorded"]
    validated = sum(1 for row in whole if row.is_validated)
    sentence = (
        f"{len(algorithms)} algorithms in {len({row.benchmark for row in own})} languages, and "
        f"{len(programs)} real programs: {len(whole)} of {len(rows)} runs recorded, {validated} "
        f"of them with validated output; {platform.machine()}."
    )
    others = Counter(row.status for row in rows if row.status != "recorded")
    counts = [f"{count} {status}" for status, count in others.items()]
    return sentence + (f" Not recorded: {', '.join(counts)}." if counts else "")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m benchmarks.results DIR")
    main(Path(sys.argv[1]))
