"""Principal components of the instruction mix of the suite of languages, as Markdown."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from benchmarks.results.tables import TITLES, number
from benchmarks.results.values import SCOPE
from jvmscope.metrics.measure import measure
from jvmscope.queries import parse_scope
from jvmscope.schema.suite import open_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["components"]

_KEPT = 3
_LOADINGS = 5
_METRICS = ("instructions.pca", "instructions.pca_loadings", "instructions.pca_scores")


def components(folder: Path) -> str:
    """Returns a row a component: what it explains, its largest loadings, each language's score."""
    rows = [row for row in open_suite(folder).rows if "algorithm" in row.tags and row.run]
    languages = {row.name: row.benchmark for row in rows}
    runs = [row.run for row in rows if row.run]
    tidy = measure(runs, metrics=_METRICS, scope=parse_scope(SCOPE), params={"components": _KEPT})
    facts = [row for row in tidy.arrow().to_pylist() if row["value"] is not None]
    titles = [TITLES[language] for language in dict.fromkeys(languages.values())]
    lines = [
        "| component | explains | more of | less of | " + " | ".join(titles) + " |",
        "| ---: | ---: | --- | --- |" + " ---: |" * len(titles),
    ]
    for component in range(1, _KEPT + 1):
        own = [row for row in facts if row["component"] == component]
        explained = next(row["value"] for row in own if row["measure"] == "explained_share")
        more, less = _extremes(own)
        scores = " | ".join(number(score) for score in _scores(own, languages))
        lines.append(f"| {component} | {number(explained, '%')} | {more} | {less} | {scores} |")
    return "\n".join(lines)


def _extremes(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Returns the opcodes with the largest positive, and the largest negative, loadings."""
    loadings = sorted(
        (row["value"], row["feature"].partition("[")[2].rstrip("]"))
        for row in rows
        if row["metric"] == "instructions.pca_loadings" and row["measure"] == "loading"
    )
    more = [f"`{name}`" for value, name in reversed(loadings[-_LOADINGS:]) if value > 0]
    less = [f"`{name}`" for value, name in loadings[:_LOADINGS] if value < 0]
    return ", ".join(more), ", ".join(less)


def _scores(rows: Sequence[Mapping[str, Any]], languages: Mapping[str, str]) -> list[float]:
    """Returns the mean score of each language, in the order of the suite."""
    scores: dict[str, list[float]] = {language: [] for language in languages.values()}
    for row in rows:
        if row["measure"] == "score":
            scores[languages[row["run_id"]]].append(row["value"])
    return [statistics.fmean(values) for values in scores.values()]
