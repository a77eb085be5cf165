"""The spectral norm of the infinite matrix 1, 1/2, 1/3, ... cut to n by n, by power iteration."""

import math
import sys

from languages import Work


def a(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def times(element, v):
    return [sum(element(i, j) * x for j, x in enumerate(v)) for i in range(len(v))]


def power(v):
    return times(lambda i, j: a(j, i), times(a, v))


def norm(n):
    v = [1.0] * n
    for _ in range(19):
        v = power(v)
    return math.sqrt(dot(power(v), v) / dot(v, v))


Work.run("spectralnorm", sys.argv[1], lambda n: "%.9f" % norm(n))
