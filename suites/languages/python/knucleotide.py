"""Counts the substrings of a random sequence of n bases: all short ones, and three long ones."""

import collections
import sys

from languages import Work


def sequence(n):
    seed = 42
    for _ in range(n):
        seed = (seed * 3877 + 29573) % 139968
        yield "ACGT"[seed * 4 // 139968]


def counts(bases, length):
    return collections.Counter(bases[i : i + length] for i in range(len(bases) - length + 1))


def report(bases):
    parts = []
    for length in (1, 2):
        for item in sorted(counts(bases, length).items(), key=lambda item: (-item[1], item[0])):
            parts.append("%s=%d" % item)
    for substring in ("GGT", "GGTA", "GGTATT"):
        parts.append("%s=%d" % (substring, counts(bases, len(substring))[substring]))
    return " ".join(parts)


Work.run("knucleotide", sys.argv[1], lambda n: report("".join(sequence(n))))
