"""The places of a tree's nodes as 64-bit hashes of names, which no run's keys are part of.

A node's place is the path that leads to it: its thread, and a call site and a method for each step
down. Which names tell a call site or a method is the caller's choice.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Hashes = npt.NDArray[np.uint64]
    Indices = npt.NDArray[np.integer]

__all__ = ["ROOT_HASHES", "hash_places", "indices_by_depth", "mix"]

ROOT_HASHES = """
    SELECT root_context_id AS node,
           hash(name, kind, ROW_NUMBER() OVER (PARTITION BY name, kind ORDER BY start_order))
               AS hash
    FROM run.thread ORDER BY root_context_id
"""
"""SQL of the hash of each thread: its name and kind, and its number among threads of these."""

_NO_SITE = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)
_BLOCK_ROWS = 1 << 20


def hash_places(
    parent: Indices,
    depth: Indices,
    steps: tuple[Indices, Indices],
    names: tuple[Hashes, Hashes],
    roots: tuple[Indices, Hashes],
) -> Hashes:
    """Returns the hash of each node's path, computed a level at a time.

    Args:
        parent: the index of each node's parent, -1 for a root.
        depth: the depth of each node.
        steps: the method and the call site of each node, -1 for none.
        names: the hashes of the methods and of the call sites, by their keys.
        roots: indices of the nodes that begin a thread, and their hashes.
    """
    methods = np.append(names[0].astype(np.uint64), np.uint64(0))
    sites = np.append(names[1].astype(np.uint64), _NO_SITE)
    place = np.empty(len(parent), dtype=np.uint64)
    for first in range(0, len(place), _BLOCK_ROWS):  # what is computed of all at once is large
        part = slice(first, first + _BLOCK_ROWS)
        place[part] = mix(methods[steps[0][part]] + sites[steps[1][part]] * _FACTOR)
    place[roots[0]] = roots[1]
    for number, level in enumerate(indices_by_depth(depth)):
        if number:
            place[level] = mix(place[parent[level]] * _FACTOR + place[level])
    return place


def indices_by_depth(depth: Indices) -> Iterator[Indices]:
    """Yields the indices of the nodes of each depth, from the least on, each in their order."""
    by_depth = np.argsort(depth, kind="stable")
    bounds = np.cumsum(np.bincount(depth)) if len(depth) else np.zeros(1, np.int64)
    for first, end in itertools.pairwise([0, *bounds.tolist()]):
        if first < end:
            yield by_depth[first:end]


def mix(values: Hashes) -> Hashes:
    """Returns well-mixed hashes (one round of splitmix64); unsigned arrays wrap silently."""
    mixed = (values ^ (values >> _SHIFT)) * _FACTOR
    return mixed ^ (mixed >> _SHIFT)
