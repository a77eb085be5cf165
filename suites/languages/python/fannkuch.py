"""Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers."""

import itertools
import sys

from languages import Work


def permutations(permutation, k):
    """Yields the arrangements of the first k by rotation, each once."""
    if k == 1:
        yield permutation
        return
    for _ in range(k):
        for arranged in permutations(permutation, k - 1):
            yield arranged
        permutation.insert(k - 1, permutation.pop(0))


def flips(pancakes):
    done = 0
    while pancakes[0]:
        top = pancakes[0] + 1
        pancakes[:top] = reversed(pancakes[:top])
        done += 1
    return done


def fannkuch(n):
    checksum = most = 0
    for permutation, sign in itertools.izip(permutations(list(range(n)), n), itertools.cycle((1, -1))):
        count = flips(permutation[:])
        most = max(most, count)
        checksum += sign * count
    return "%d %d" % (checksum, most)


Work.run("fannkuch", sys.argv[1], fannkuch)
