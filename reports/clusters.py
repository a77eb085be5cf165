"""How alike subjects are: distances, the dendrogram, clusters at a distance, a smallest subset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jvmscope.extras import extra, missing
from jvmscope.reports.model import Cluster, Clusters, Merge, Subset
from jvmscope.reports.subset import smallest_subset

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from jvmscope.reports.model import Components

    Floats = npt.NDArray[np.float64]

__all__ = ["WITHIN", "clusters_of"]

WITHIN = 0.5
"""What is near, as a fraction of the typical distance of two subjects."""

_WHAT = "clustering"
_DESCRIPTION = (
    "The distance of two subjects is that of their scores on the {n} principal components kept, "
    "which explain {share:.0%} of the variance; typically, in the root mean square over all pairs, "
    "it is {typical:.4g}. Near are two subjects at most {within:g} times as far apart: {near:.4g}. "
    "Clusters merge at the distance of their farthest members (complete linkage), so that in a "
    "cluster all are near to each other. The subset has the fewest subjects such that every other "
    "one is near to one of them."
)


def clusters_of(components: Components, within: float = WITHIN) -> Clusters:
    """Returns the clusters of the subjects that have scores, or why there are none.

    Args:
        components: the scores.
        within: what is near, as a fraction of the typical distance of two subjects.
    """
    leaves = [index for index, scores in enumerate(components.scores) if scores is not None]
    reason = components.reason or missing(_WHAT, "scipy", "sklearn")
    if reason is not None or len(leaves) < 2:
        reason = reason or "clusters need two subjects or more with values"
        return Clusters("", reason=reason)
    distances = _distances([components.scores[leaf] or () for leaf in leaves])
    typical = float(np.sqrt((distances**2).sum() / (len(leaves) * (len(leaves) - 1))))
    near = within * typical
    merges = _merges(distances)
    return Clusters(
        description=_DESCRIPTION.format(
            n=len(components.components),
            share=components.components[-1].cumulative_share,
            typical=typical,
            within=within,
            near=near,
        ),
        leaves=tuple(leaves),
        order=_order(merges, len(leaves)),
        merges=merges,
        within=near,
        clusters=_cut(merges, distances, near, leaves),
        subset=_of_all(smallest_subset(distances, near), leaves, len(components.scores)),
    )


def _distances(scores: Sequence[Sequence[float]]) -> Floats:
    """Returns the Euclidean distances between every two."""
    distance = extra(_WHAT, "scipy.spatial.distance")
    found: Floats = distance.squareform(distance.pdist(np.array(scores, dtype=np.float64)))
    return found


def _merges(distances: Floats) -> tuple[Merge, ...]:
    clustering = extra(_WHAT, "sklearn.cluster").AgglomerativeClustering(
        n_clusters=None, distance_threshold=0, metric="precomputed", linkage="complete"
    )
    tree = clustering.fit(distances)
    n = len(distances)
    sizes = [1] * n
    merges = []
    for (left, right), distance in zip(tree.children_.tolist(), tree.distances_, strict=True):
        sizes.append(sizes[left] + sizes[right])
        merges.append(Merge(left, right, float(distance), sizes[-1]))
    return tuple(merges)


def _order(merges: Sequence[Merge], n_leaves: int) -> tuple[int, ...]:
    """Returns the leaves from one side of the dendrogram to the other, the first one first.

    At each fork the side that has the first leaf is on the left.

    >>> _order([Merge(1, 3, 1, 2), Merge(0, 2, 2, 2), Merge(4, 5, 3, 4)], 4)
    (0, 2, 1, 3)
    """
    members = _members(merges, n_leaves)
    return members[len(members) - 1]


def _members(merges: Sequence[Merge], n_leaves: int) -> list[tuple[int, ...]]:
    """Returns the leaves below each leaf and merge, in the order of the dendrogram."""
    members: list[tuple[int, ...]] = [(leaf,) for leaf in range(n_leaves)]
    for merge in merges:
        sides = sorted((members[merge.left], members[merge.right]), key=min)
        members.append((*sides[0], *sides[1]))
    return members


def _cut(
    merges: Sequence[Merge], distances: Floats, near: float, leaves: Sequence[int]
) -> tuple[Cluster, ...]:
    """Returns the clusters whose members are at most that far apart, by their first members."""
    members = _members(merges, len(leaves))
    roots = dict.fromkeys(range(len(leaves)))
    for number, merge in enumerate(merges, len(leaves)):
        if merge.distance <= near:
            del roots[merge.left], roots[merge.right]
            roots[number] = None
    found = sorted(tuple(sorted(members[root])) for root in roots)
    return tuple(
        Cluster(tuple(leaves[leaf] for leaf in cluster), leaves[_medoid(cluster, distances)])
        for cluster in found
    )


def _medoid(cluster: Sequence[int], distances: Floats) -> int:
    """Returns the member with the smallest sum of distances to the others, the first of several."""
    sums = distances[np.ix_(cluster, cluster)].sum(axis=1)
    return cluster[int(sums.argmin())]


def _of_all(subset: Subset, leaves: Sequence[int], n: int) -> Subset:
    """Returns a subset of the leaves as one of the subjects, of which some are left out."""
    place = {leaf: position for position, leaf in enumerate(leaves)}
    found = [place.get(index) for index in range(n)]
    return Subset(
        subjects=tuple(leaves[leaf] for leaf in subset.subjects),
        representatives=tuple(
            None if leaf is None else _subject(subset.representatives[leaf], leaves)
            for leaf in found
        ),
        distances=tuple(None if leaf is None else subset.distances[leaf] for leaf in found),
        at_least=subset.at_least,
    )


def _subject(leaf: int | None, leaves: Sequence[int]) -> int | None:
    return None if leaf is None else leaves[leaf]
