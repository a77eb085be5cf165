"""Dendrogram, clusters and smallest subset: of points whose distances are plain to see."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from jvmscope.reports.clusters import clusters_of
from jvmscope.reports.model import Component, Components
from jvmscope.reports.subset import smallest_subset


def _line(*places: float | None) -> Components:
    """Returns subjects on a line: one component, which explains all."""
    scores = tuple(None if place is None else (place,) for place in places)
    return Components("f", (Component(1, 1.0, 1.0, 1.0),), scores=scores)


def test_a_dendrogram_by_hand() -> None:
    """0, 1 and 4, 6 merge first; then all, at the distance of the farthest, 0 and 6."""
    found = clusters_of(_line(0, 4, 1, 6))

    heights = [(merge.left, merge.right, merge.distance, merge.size) for merge in found.merges]
    assert heights == [(0, 2, 1.0, 2), (1, 3, 2.0, 2), (4, 5, 6.0, 4)]
    assert found.leaves == (0, 1, 2, 3)
    assert found.order == (0, 2, 1, 3)


def test_near_is_a_part_of_the_typical_distance() -> None:
    """Distances 4, 1, 6, 3, 2, 5: their squares are 91, the mean 91 / 6."""
    typical = (91 / 6) ** 0.5
    found = clusters_of(_line(0, 4, 1, 6), within=0.5)

    assert found.within == pytest.approx(typical / 2)  # 1.947: 4 and 6 are not near
    assert [cluster.members for cluster in found.clusters] == [(0, 2), (1,), (3,)]
    wider = clusters_of(_line(0, 4, 1, 6), within=0.52)  # 2.025: they are
    assert [cluster.members for cluster in wider.clusters] == [(0, 2), (1, 3)]


def test_the_medoid_is_the_closest_to_the_others() -> None:
    (cluster,) = clusters_of(_line(0, 1, 3), within=2).clusters

    assert cluster.members == (0, 1, 2)
    assert cluster.medoid == 1  # sums: 4, 3, 5


def test_a_subject_without_scores_is_in_no_cluster() -> None:
    found = clusters_of(_line(0, None, 10, 0.1), within=0.5)

    assert found.leaves == (0, 2, 3)
    assert [cluster.members for cluster in found.clusters] == [(0, 3), (2,)]
    assert found.subset is not None
    assert found.subset.representatives[1] is None
    assert found.subset.distances[1] is None
    assert set(found.subset.subjects) in ({0, 2}, {3, 2})


def test_of_one_subject_there_are_no_clusters() -> None:
    assert clusters_of(_line(0.0, None)).reason == "clusters need two subjects or more with values"
    assert clusters_of(Components("f", reason="why")).reason == "why"


def test_equal_subjects_need_one_representative() -> None:
    found = clusters_of(_line(3, 3, 3, 3))

    assert [cluster.members for cluster in found.clusters] == [(0, 1, 2, 3)]
    assert found.subset is not None
    assert len(found.subset.subjects) == 1


def test_a_subset_by_hand() -> None:
    """0 1 2 3 4 need two: 1 covers 0 to 2, and 3 covers 2 to 4. 9 is far from all."""
    places = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0])
    subset = smallest_subset(np.abs(places[:, None] - places), 1.0)

    assert subset.subjects == (1, 3, 5)
    assert subset.representatives == (1, 1, 1, 3, 3, 5)
    assert subset.distances == (1, 0, 1, 0, 1, 0)
    assert subset.is_smallest


def test_greed_would_take_one_more() -> None:
    """Two hubs cover all; a third is near to most, but leaves two for which each hub is needed."""
    near = np.eye(9, dtype=bool)
    for hub, members in {0: (3, 4, 5), 1: (6, 7, 8), 2: (4, 5, 6, 7)}.items():
        for member in members:
            near[hub, member] = near[member, hub] = True
    near[0, 2] = near[2, 0] = True
    subset = smallest_subset(np.where(near, 1.0, 5.0) - np.eye(9), 1.0)

    assert subset.subjects == (0, 1)
    assert subset.is_smallest


@pytest.mark.parametrize("seed", range(12))
def test_no_smaller_subset_exists(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(11, 2))
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(axis=-1))
    within = float(rng.uniform(0.4, 1.6))
    subset = smallest_subset(distances, within)

    def covers(chosen: tuple[int, ...]) -> bool:
        return bool((distances[:, list(chosen)].min(axis=1) <= within).all())

    assert covers(subset.subjects)
    assert subset.is_smallest
    smaller = combinations(range(11), len(subset.subjects) - 1)
    assert not any(covers(chosen) for chosen in smaller if chosen)
    same = combinations(range(11), len(subset.subjects))
    costs = distances.sum(axis=1)
    cheapest = min(costs[list(chosen)].sum() for chosen in same if covers(chosen))
    assert costs[list(subset.subjects)].sum() == pytest.approx(cheapest)
