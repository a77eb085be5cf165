"""Which nodes of two trees are at the same place, found block by block."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from jvmscope.queries.identity import differences
from jvmscope.queries.identity.digest import TreeDigest

_NONE = np.zeros(0, np.int32)
_EMPTY = TreeDigest(
    _NONE, _NONE, _NONE, _NONE, _NONE, np.zeros(0, np.uint64), np.zeros(0, np.uint64), _NONE == 0
)


@pytest.mark.parametrize("block", [1, 4, 1000])
@pytest.mark.parametrize("seed", range(8))
def test_the_first_node_at_a_place_has_the_first_one_of_the_other_tree(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(differences, "_BLOCK_ROWS", block)
    chance = random.Random(seed)  # noqa: S311 - the same cases each time
    n_places = chance.choice([3, 30, 300])  # few: several nodes are at one
    places = [
        [chance.randrange(n_places) for _ in range(chance.choice([0, 1, 20, 40]))] for _ in "ab"
    ]
    trees = [
        replace(
            _EMPTY,
            place=np.array(each, np.uint64),
            content=np.array([place + chance.randrange(2) for place in each], np.uint64),
        )
        for each in places
    ]

    partners = differences._partners(trees[0], trees[1])

    for mine, other, found in zip(places, reversed(places), partners, strict=True):
        assert found.tolist() == [
            other.index(place) if place in other and mine.index(place) == node else -1
            for node, place in enumerate(mine)
        ]
    assert differences._differs(trees[0], trees[1], partners[0]).tolist() == [
        partner < 0 or trees[0].content[node] != trees[1].content[partner]
        for node, partner in enumerate(partners[0].tolist())
    ]
