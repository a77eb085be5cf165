"""How alike the subjects are: principal components, a dendrogram, a smallest subset."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Cluster", "Clusters", "Component", "Components", "Loading", "Merge", "Subset"]


@dataclass(frozen=True, slots=True)
class Component:
    """A principal component, numbered from 1, and the share of the variance that it explains."""

    number: int
    eigenvalue: float
    explained_share: float
    cumulative_share: float


@dataclass(frozen=True, slots=True)
class Loading:
    """What a feature has to do with each component: its coordinates, in the order of these."""

    feature: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Components:
    """Principal components of the subjects' features.

    Attributes:
        features: the pattern that chose the features.
        components: those kept, by falling variance; empty: see ``reason``.
        loadings: a row for each feature, by the largest loading on the first two components.
        scores: for each subject its coordinates on the components; None: it is left out.
        left_out: features that are not in it, with why.
        reason: why there are no components.
    """

    features: str
    components: tuple[Component, ...] = ()
    loadings: tuple[Loading, ...] = ()
    scores: tuple[tuple[float, ...] | None, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """A fork of the dendrogram.

    Attributes:
        left, right: what is merged: a leaf's number or, from ``len(Clusters.leaves)`` on, that of
            a merge plus this.
        distance: the height of the fork.
        size: leaves below it.
    """

    left: int
    right: int
    distance: float
    size: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Subjects that are alike, and the one that is closest to the others in the sum."""

    members: tuple[int, ...]
    medoid: int


@dataclass(frozen=True, slots=True)
class Subset:
    """The fewest subjects that every other one is near to.

    Attributes:
        subjects: the chosen ones, in the order of the report.
        representatives: for each subject the closest chosen one; None: it is left out.
        distances: the distance to that; None likewise.
        at_least: no subset with fewer subjects exists; equal to their number, the subset is proven
            to be the smallest.
    """

    subjects: tuple[int, ...]
    representatives: tuple[int | None, ...]
    distances: tuple[float | None, ...]
    at_least: int

    @property
    def is_smallest(self) -> bool:
        """Whether there is none with fewer subjects, for certain."""
        return self.at_least == len(self.subjects)


@dataclass(frozen=True, slots=True)
class Clusters:
    """How alike the subjects are: the dendrogram, its clusters at a distance, a smallest subset.

    Attributes:
        description: what the distance is, and what is near.
        leaves: the subjects that are in it, by index; leaf i of the merges is ``leaves[i]``.
        order: the leaves (positions in ``leaves``) from one side of the dendrogram to the other.
        merges: ``len(leaves) - 1`` forks by growing distance.
        within: what is near: at most this distance.
        clusters: what the dendrogram falls into when it is cut there.
        subset: the fewest subjects such that every other is that near to one of them.
        reason: why there is none of it.
    """

    description: str
    leaves: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    merges: tuple[Merge, ...] = ()
    within: float | None = None
    clusters: tuple[Cluster, ...] = ()
    subset: Subset | None = None
    reason: str | None = None
