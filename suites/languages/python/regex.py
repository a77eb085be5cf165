"""Searches a random sequence of n bases for patterns, and replaces some of them."""

import re
import sys

from languages import Work

PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"gg[at]c",
        r"a(?:c|g)+t",
        r"tt.{2}gg",
        r"(?:aca|tgt)[^c]*c",
        r"[cg]{4,6}",
        r"c+a*t|g$",
    )
]


def sequence(n):
    seed = 42
    for _ in range(n):
        seed = (seed * 3877 + 29573) % 139968
        yield "acgt"[seed * 4 // 139968]


def search(bases):
    counts = [len(pattern.findall(bases)) for pattern in PATTERNS]
    replaced = re.sub(r"([ag])<>", r"\1|\1", re.sub(r"t[ac]+g", "<>", bases))
    return " ".join(map(str, counts + [len(replaced)]))


Work.run("regex", sys.argv[1], lambda n: search("".join(sequence(n))))
