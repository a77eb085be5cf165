"""Makes and walks full binary trees of several depths; one of them lives throughout."""

import sys

from languages import Work

LEAST = 4


class Tree(object):
    def __init__(self, left=None, right=None):
        self.left = left
        self.right = right

    @classmethod
    def of(cls, depth):
        return cls(cls.of(depth - 1), cls.of(depth - 1)) if depth else cls()

    def count(self):
        return 1 + self.left.count() + self.right.count() if self.left else 1


def trees(most):
    stretch = Tree.of(most + 1).count()
    long_lived = Tree.of(most)
    counts = [
        sum(Tree.of(depth).count() for _ in range(1 << (most - depth + LEAST)))
        for depth in range(LEAST, most + 1, 2)
    ]
    return " ".join(map(str, [stretch] + counts + [long_lived.count()]))


Work.run("binarytrees", sys.argv[1], trees)
