"""Writes what the suite of languages says of objects into docs/results.md.

python -m benchmarks.results.objects .build/suites/objects-small

The suite has to be recorded with ``objects`` among the probes.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jvmscope
from benchmarks.publish import replace_section
from benchmarks.results.__main__ import PAGE
from benchmarks.results.claims import Claim, rows_of_claims
from benchmarks.results.object_values import (
    ALGORITHM,
    PROGRAM,
    read_objects,
    read_objects_of_programs,
)
from benchmarks.results.tables import (
    TITLES,
    by_language,
    markdown_table,
    medians,
    number,
    of_programs,
)
from jvmscope.reports.explaining.wording import rate
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.results.values import Key, Values

__all__ = ["explained", "object_claims", "object_table", "object_table_of_programs"]

_PAPER = "Sarimbekov et al. 2013"
_COLUMNS = {
    "immutable_objects": ("objects immutable", "%"),
    "immutable_fields": ("fields immutable", "%"),
    "immutable_classes": ("classes immutable", "%"),
    "needless_zeros": ("zeros needless", "%"),
    "locked_objects": ("objects locked", ""),
    "lock_operations": ("operations per lock", ""),
    "shared_locks": ("locks of several threads", "%"),
    "needless_locks": ("locks needless", "%"),
    "identity_hashes": ("objects asked for identity", "%"),
    "overridden_hashes": ("objects asked for own hash code", "%"),
    "allocated": ("bytes allocated ÷ Java's", ""),
    "mean_size": ("mean size in bytes", ""),
}
_OF_PROGRAMS = {
    "objects": ("objects allocated", ""),
    "bytes": ("bytes allocated", ""),
    **{name: column for name, column in _COLUMNS.items() if name != "allocated"},
}
_OUTCOMES = ("immutable", "zeroed")
_LEVEL = 0.05


def main(folder: Path) -> None:
    """Reads every run of the suite, and writes the sections about objects."""
    values = read_objects(folder)
    if not values:
        sys.exit(f"jvmscope: {folder}: nothing is recorded with object probes")
    sections = {
        "objects-recorded": _recorded(folder),
        "objects-claims": rows_of_claims(object_claims(values)),
        "objects": object_table(values),
        "objects-programs": object_table_of_programs(read_objects_of_programs(folder)),
        "explained": explained(folder),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, content in sections.items():
        text = replace_section(text, name, content)
    PAGE.write_text(text, encoding="utf-8")
    print(f"Wrote {PAGE}", file=sys.stderr)


def _recorded(folder: Path) -> str:
    """Returns how many runs there are, in a sentence."""
    rows = open_suite(folder).rows
    n_recorded = sum(row.status == "recorded" for row in rows)
    n_validated = sum(row.is_validated is True for row in rows)
    return f"{n_recorded} of {len(rows)} runs are recorded, {n_validated} with validated output."


def object_table(values: Mapping[Key, Values]) -> str:
    """Returns a row a language: the median over the algorithms of each value."""
    return by_language(values, _COLUMNS, _medians)


def object_table_of_programs(programs: Mapping[str, Values]) -> str:
    """Returns a row a real program."""
    return of_programs(programs, _OF_PROGRAMS)


def object_claims(values: Mapping[Key, Values]) -> list[Claim]:
    """Returns what the literature says of objects, each judged by its rule."""
    return [
        _immutability(values),
        _sharing_of_locks(values),
        _zeroing(values),
        _identity_hashes(values),
        _sizes(values),
    ]


def _immutability(values: Mapping[Key, Values]) -> Claim:
    found = _medians(values, "immutable_objects")
    above = {each: _against_java(values, each, "immutable_objects") for each in _FUNCTIONAL}
    holds = [
        (found.get(each) or 0) > (found.get("java") or 0) and n_above > n_below
        for each, (n_above, n_below) in above.items()
    ]
    return Claim(
        "Functional programs generally create immutable data structures",
        f"{_PAPER}, 2.2.1",
        f"in Scala, and in Clojure, the share of immutable objects ({PROGRAM}) is higher than in "
        "Java, in the median and in most algorithms",
        f"{_all(found, '%')}; above Java's in {_counts(above)}",
        None if any(holds) and not all(holds) else all(holds),
    )


_FUNCTIONAL = ("scala", "clojure")


def _sharing_of_locks(values: Mapping[Key, Values]) -> Claim:
    found = _medians(values, "shared_locks")
    return Claim(
        "Most locks are only acquired by a single thread (what biased locks rely on)",
        f"{_PAPER}, 2.2.1",
        "in every language, less than half of the locked objects are locked by several threads, "
        "in the median; the programs have one thread of their own",
        "locked by several threads: " + _all(found, "%"),
        all(value is not None and value < 0.5 for value in found.values()),
    )


def _zeroing(values: Mapping[Key, Values]) -> Claim:
    found = _medians(values, "needless_zeros")
    above = {each: _against_java(values, each, "needless_zeros") for each in _FUNCTIONAL}
    differ = [_chance(*counts) <= _LEVEL for counts in above.values()]
    return Claim(
        "Programming styles lead to greater or lesser extents of explicit initialisation",
        f"{_PAPER}, 2.2.2",
        f"in Scala, and in Clojure, the share of fields ({PROGRAM}) whose zeros are needless "
        "differs from Java's in one direction, in so many algorithms that chance does it in 5 % "
        "of cases",
        f"{_all(found, '%')}; above Java's in {_counts(above)}",
        None if any(differ) and not all(differ) else all(differ),
    )


def _identity_hashes(values: Mapping[Key, Values]) -> Claim:
    found = _medians(values, "identity_hashes")
    counts = _against_java(values, "scala", "identity_hashes")
    return Claim(
        "The use of identity hash codes varies systematically between Java and Scala",
        f"{_PAPER}, 2.2.2",
        "the share of objects that are asked for their identity hash code differs in one direction "
        "between Java and Scala, in so many algorithms that chance does it in 5 % of cases",
        f"{_all(found, '%')}; above Java's in {_counts({'scala': counts})}",
        _chance(*counts) <= _LEVEL,
    )


def _sizes(values: Mapping[Key, Values]) -> Claim:
    more, sizes = _medians(values, "allocated"), _medians(values, "mean_size")
    holds = [
        (more[each] or 0) > 1 and (sizes[each] or 0) < (sizes.get("java") or 0)
        for each in more
        if each != "java"
    ]
    return Claim(
        "Some languages allocate more, smaller objects than others",
        f"{_PAPER}, 2.2.2",
        f"one of the other languages or more allocates more bytes than Java ({ALGORITHM}), in "
        "objects that are smaller on average, in the median",
        f"bytes ÷ Java's: {_all(more)}; bytes per object: {_all(sizes)}",
        any(holds),
    )


def _medians(values: Mapping[Key, Values], name: str) -> dict[str, float | None]:
    if name != "allocated":
        return medians(values, name)
    ratios: dict[Key, Values] = {
        (language, algorithm): {"allocated": own / java if own and java else None}
        for (language, algorithm), each in values.items()
        for own, java in [(each["bytes"], values.get(("java", algorithm), {}).get("bytes"))]
    }
    return medians(ratios, name)


def _against_java(values: Mapping[Key, Values], language: str, name: str) -> tuple[int, int]:
    """Returns in how many algorithms a value is above Java's, and in how many below."""
    pairs = [
        (own[name], values["java", algorithm][name])
        for (each, algorithm), own in values.items()
        if each == language and ("java", algorithm) in values
    ]
    known = [(own, java) for own, java in pairs if own is not None and java is not None]
    return sum(own > java for own, java in known), sum(own < java for own, java in known)


def _chance(n_above: int, n_below: int) -> float:
    """Returns how probable so one-sided counts are where both sides are equally so.

    >>> _chance(5, 0)
    0.0625
    """
    n, most = n_above + n_below, max(n_above, n_below)
    tail: int = sum(math.comb(n, k) for k in range(most, n + 1))
    return min(1.0, 2 * tail / (1 << n))


def _counts(above: Mapping[str, tuple[int, int]]) -> str:
    """Returns in how many algorithms languages are above Java.

    >>> _counts({"scala": (3, 1)})
    '3 of 4 algorithms in Scala'
    """
    return ", ".join(
        f"{n_above} of {n_above + n_below} algorithms in {TITLES[language]}"
        for language, (n_above, n_below) in above.items()
    )


def _all(found: Mapping[str, float | None], unit: str = "") -> str:
    return ", ".join(
        f"{TITLES[language]} {number(value, unit)}" for language, value in found.items()
    )


def explained(folder: Path) -> str:
    """Returns a row an outcome: the rule that ``jvmscope explain`` finds, and how good it is."""
    header = [
        *("outcome", "rule", "precision", "coverage", "base rate"),
        *("precision in languages left out", "their base rate", "better in"),
    ]
    rows = []
    for outcome in _OUTCOMES:
        found = jvmscope.explain(outcome, [folder], leave_out="benchmark")
        total = found.all_left_out
        rule = " **or** ".join(f"`{part.text}`" for part in found.rule)
        rows.append(
            [
                *(f"`{outcome}`", rule or "none"),
                *(rate(found.precision), rate(found.coverage), rate(found.base_rate)),
                *(rate(total.precision), rate(total.base_rate)),
                f"{found.n_better} of {found.n_told}{'' if found.is_better else ' (not shown)'}",
            ]
        )
    return markdown_table(header, rows, n_texts=2)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m benchmarks.results.objects DIR")
    main(Path(sys.argv[1]))
