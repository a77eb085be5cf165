"""Writes what the suite of languages says of lifetimes into docs/results.md.

python -m benchmarks.results.lifetimes .build/suites/lifetimes-small

The suite has to be recorded with ``lifetimes`` among the probes, by any number of algorithms.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.publish import replace_section
from benchmarks.results.__main__ import PAGE
from benchmarks.results.claims import Claim, rows_of_claims
from benchmarks.results.object_values import ALGORITHM
from benchmarks.results.tables import TITLES, by_language, medians, number, of_programs
from benchmarks.results.values import SCOPE
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.results.values import Key, Values

__all__ = ["lifetime_claims", "lifetime_table", "read_lifetimes", "read_lifetimes_of_programs"]

_YOUNG = 64 << 10
_NEAR = 2
_QUERY = f"""
WITH boxed AS (SELECT class_name FROM boxing.wrappers()),
lived AS (
    SELECT SUM(n_objects) AS n,
           SUM(n_objects) FILTER (lifetime_bytes = 0) AS n_at_once,
           SUM(n_objects) FILTER (lifetime_bytes <= {_YOUNG}) AS n_young,
           SUM(n_objects) FILTER (lifetime_bytes IS NULL) AS n_alive
    FROM object_lifetime
),
died AS (
    SELECT type IN (FROM boxed) AS is_boxed, distance, SUM(n_objects) AS n
    FROM object_churn
    GROUP BY ALL
),
churned AS (
    SELECT SUM(n) AS n,
           SUM(n) FILTER (distance <= {_NEAR}) AS n_near,
           SUM(n * distance) / SUM(n) FILTER (distance IS NOT NULL) AS mean,
           SUM(n) FILTER (is_boxed) AS n_boxed,
           SUM(n * distance) FILTER (is_boxed)
               / SUM(n) FILTER (is_boxed AND distance IS NOT NULL) AS mean_boxed
    FROM died
)
SELECT COALESCE(n_at_once, 0) / lived.n AS at_once,
       COALESCE(n_young, 0) / lived.n AS young,
       COALESCE(n_alive, 0) / lived.n AS alive,
       COALESCE(n_near, 0) / churned.n AS near,
       mean AS distance,
       COALESCE(n_boxed, 0) / churned.n AS boxed,
       mean_boxed AS boxed_distance
FROM lived, churned
"""
_COLUMNS = {
    "at_once": ("die before the next allocation", "%"),
    "young": ("die within 64 KiB", "%"),
    "alive": ("alive at the end", "%"),
    "near": ("die at most two calls away", "%"),
    "distance": ("mean churn distance", ""),
    "boxed": ("boxes among those that died", "%"),
    "boxed_distance": ("mean churn distance of boxes", ""),
}


def main(folder: Path) -> None:
    """Reads every run of the suite, and writes the sections about lifetimes."""
    values = read_lifetimes(folder)
    if not values:
        sys.exit(f"jvmscope: {folder}: nothing is recorded with lifetimes")
    text = PAGE.read_text(encoding="utf-8")
    programs = read_lifetimes_of_programs(folder)
    algorithms = sorted({algorithm for _, algorithm in values})
    sections = {
        "lifetimes-recorded": (
            f"{len(values)} runs of algorithms are recorded ({', '.join(algorithms)}), and "
            f"{len(programs)} of real programs."
        ),
        "lifetimes-claims": rows_of_claims(lifetime_claims(values)),
        "lifetimes": lifetime_table(values),
        "lifetimes-programs": of_programs(programs, _COLUMNS),
    }
    for name, content in sections.items():
        text = replace_section(text, name, content)
    PAGE.write_text(text, encoding="utf-8")
    print(f"Wrote {PAGE}", file=sys.stderr)


def read_lifetimes(folder: Path) -> dict[Key, Values]:
    """Returns the values of each recorded algorithm, by language and algorithm."""
    return {
        (row.benchmark, str(row.parameters["algorithm"])): _values(row.run, SCOPE)
        for row in open_suite(folder).rows
        if row.run and "algorithm" in row.tags
    }


def read_lifetimes_of_programs(folder: Path) -> dict[str, Values]:
    """Returns the values of each recorded real program, whole, by its name."""
    rows = [row for row in open_suite(folder).rows if "program" in row.tags]
    return {str(row.parameters["program"]): _values(row.run, "run") for row in rows if row.run}


def _values(run: Path, scope: str) -> Values:
    with Engine(run) as engine:
        question = Question(_QUERY, language="sql", scope=parse_scope(scope))
        (row,) = engine.query(question).arrow().to_pylist()
    return {name: None if value is None else float(value) for name, value in row.items()}


def lifetime_table(values: Mapping[Key, Values]) -> str:
    """Returns a row a language: the median over the algorithms of each value."""
    return by_language(values, _COLUMNS, medians)


def lifetime_claims(values: Mapping[Key, Values]) -> list[Claim]:
    """Returns what the literature says of lifetimes, each judged by its rule."""
    young = medians(values, "young")
    distance = medians(values, "distance")
    boxed = medians(values, "boxed_distance")
    both = {
        each: (boxed[each], distance[each])
        for each in distance
        if boxed.get(each) is not None and distance[each] is not None
    }
    return [
        Claim(
            "Most objects die young (the weak generational hypothesis)",
            "Ungar 1984",
            f"in every language, more than 80 % of the objects {ALGORITHM} die within 64 KiB, in "
            "the median",
            _all(young, "%"),
            all(value is not None and value > 0.8 for value in young.values()),
        ),
        Claim(
            "Churn distances vary between Java and Scala",
            "Sarimbekov et al. 2013, Figure 1",
            "the means differ in one direction in every algorithm that is recorded in both",
            _all(distance),
            len({_sign(values, algorithm) for algorithm in _both(values)}) == 1,
        ),
        Claim(
            "Boxed values are temporary near where they are made",
            "Sarimbekov et al. 2013, 2.2.1 (object churn)",
            "in every language that boxes, boxes have a smaller mean churn distance than all "
            "objects, in the median",
            "; ".join(
                f"{TITLES[each]} {number(own)} of {number(every)}"
                for each, (own, every) in both.items()
            ),
            all(own < every for own, every in both.values() if own is not None and every),
        ),
    ]


def _both(values: Mapping[Key, Values]) -> list[str]:
    return [each for language, each in values if language == "java" and ("scala", each) in values]


def _sign(values: Mapping[Key, Values], algorithm: str) -> bool:
    java, scala = (values[language, algorithm]["distance"] or 0 for language in ("java", "scala"))
    return scala > java


def _all(found: Mapping[str, float | None], unit: str = "") -> str:
    return ", ".join(f"{TITLES[each]} {number(value, unit)}" for each, value in found.items())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
