"""The page ``pca``: principal components, the dendrogram with its clusters, a smallest subset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Drawing, Grid, Heading, Paragraph
from jvmscope.reports.faces.numbers import percent, shown
from jvmscope.reports.pages.dendrogram import draw_dendrogram

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Components, Report

__all__ = ["pca_page", "subset_blocks"]

_N_SHOWN = 4
"""Components that are shown in full."""

_N_LOADINGS = 10


def pca_page(report: Report) -> Iterator[Block]:
    """Yields the page."""
    yield Heading(report.title, 1)
    components = report.components
    if components.reason is not None:
        yield Paragraph(f"There are no principal components: {components.reason}.")
        return
    n = len(components.loadings)
    yield Paragraph(f"Scope: {report.scope}. Features: {components.features}, {n} that vary.")
    yield Heading("Principal components")
    yield _explained(components)
    for index in range(min(_N_SHOWN, len(components.components))):
        yield Heading(f"Component {index + 1}: largest loadings", 3)
        yield _loadings(components, index)
    yield Heading("Scores")
    yield _scores(report)
    if report.clusters.reason is None:
        yield Heading("Dendrogram")
        names = [report.subjects[leaf].name for leaf in report.clusters.leaves]
        yield Drawing(tuple(draw_dendrogram(report.clusters, names)))
        yield Heading("Similar subjects")
        yield from subset_blocks(report)


def subset_blocks(report: Report) -> Iterator[Block]:
    """Yields the clusters and the subset, in words and tables."""
    clusters = report.clusters
    names = [subject.name for subject in report.subjects]
    yield Paragraph(clusters.description)
    rows = [
        (shown(number), names[cluster.medoid], _names(cluster.members, names))
        for number, cluster in enumerate(clusters.clusters, 1)
    ]
    yield Grid(("cluster", "medoid", "members"), tuple(rows), frozenset({0}))
    if clusters.subset is None:
        return
    subset = clusters.subset
    n, of = len(subset.subjects), len(clusters.leaves)
    proof = (
        "no smaller one exists"
        if subset.is_smallest
        else f"a smaller one was not found; it would have {subset.at_least} or more"
    )
    yield Paragraph(f"Smallest subset: {n} of {of} subjects; {proof}.")
    rows = []
    for chosen in subset.subjects:
        others = [
            index
            for index, representative in enumerate(subset.representatives)
            if representative == chosen and index != chosen
        ]
        farthest = max((subset.distances[index] or 0.0 for index in others), default=0.0)
        rows.append((names[chosen], _names(others, names), shown(farthest)))
    yield Grid(("chosen", "stands for", "farthest"), tuple(rows), frozenset({2}))


def _explained(components: Components) -> Grid:
    rows = [
        (
            shown(component.number),
            shown(component.eigenvalue),
            percent(component.explained_share),
            percent(component.cumulative_share),
        )
        for component in components.components
    ]
    titles = ("component", "variance", "explained %", "together %")
    return Grid(titles, tuple(rows), frozenset(range(4)))


def _loadings(components: Components, index: int) -> Grid:
    largest = sorted(components.loadings, key=lambda loading: -abs(loading.values[index]))
    rows = [(loading.feature, shown(loading.values[index])) for loading in largest[:_N_LOADINGS]]
    return Grid(("feature", "loading"), tuple(rows), frozenset({1}), names=frozenset({0}))


def _scores(report: Report) -> Grid:
    n = min(_N_SHOWN, len(report.components.components))
    rows = []
    for subject, scores in zip(report.subjects, report.components.scores, strict=True):
        if scores is None:
            rows.append((subject.name, *[""] * n))
        else:
            rows.append((subject.name, *map(shown, scores[:n])))
    titles = ("subject", *(str(number) for number in range(1, n + 1)))
    return Grid(titles, tuple(rows), frozenset(range(1, n + 1)), names=frozenset({0}))


def _names(indices: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(names[index] for index in indices)
