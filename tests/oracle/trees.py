"""Calling context trees in columns, and what the shadow-stack oracle wrote of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.steps import MethodKey, canonical_class

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["NONE", "Site", "ThreadKey", "Tree", "read_tree"]

NONE = -1
"""No parent, no method (a thread's root), no site."""

Site = int
"""The offset of the calling instruction; NONE where there is none, or it is not compared."""

ThreadKey = tuple[str, str]
"""Kind (`platform`, `virtual`) and name; threads of the same name are added up."""


@dataclass
class Tree:
    """The calling contexts of all threads, a row each, parents before what they call.

    Attributes:
        methods: the methods that `method` numbers, some perhaps with equal keys.
        is_application: whether each method is the application's.
        threads: the rows of the roots of the threads that the VM did not start for itself.
        parent: by row, the row of the caller.
        method: by row, a number in `methods`.
        site: by row, where in the caller's code.
        n_calls: by row.
        left_out: the methods that were called and have no rows, in a tree without the library.
        anomalies: what did not fit the shadow stack.
    """

    methods: list[MethodKey] = field(default_factory=list)
    is_application: list[bool] = field(default_factory=list)
    threads: dict[int, ThreadKey] = field(default_factory=dict)
    parent: list[int] = field(default_factory=list)
    method: list[int] = field(default_factory=list)
    site: list[Site] = field(default_factory=list)
    n_calls: list[int] = field(default_factory=list)
    left_out: set[MethodKey] = field(default_factory=set)
    anomalies: list[str] = field(default_factory=list)

    def add_method(self, key: MethodKey, *, is_application: bool) -> int:
        """Appends a method, and returns its number."""
        self.methods.append(key)
        self.is_application.append(is_application)
        return len(self.methods) - 1

    def add_thread(self, key: ThreadKey) -> int:
        """Appends a thread's root, and returns its row."""
        row = self.add(NONE, NONE, NONE, 0)
        self.threads[row] = key
        return row

    def add(self, parent: int, method: int, site: Site, n_calls: int) -> int:
        """Appends a row, and returns its number."""
        self.parent.append(parent)
        self.method.append(method)
        self.site.append(site)
        self.n_calls.append(n_calls)
        return len(self.parent) - 1

    def called(self) -> dict[MethodKey, int]:
        """Calls of each method that was called, over all contexts."""
        calls: dict[MethodKey, int] = {}
        for method, n in zip(self.method, self.n_calls, strict=True):
            if method != NONE:
                key = self.methods[method]
                calls[key] = calls.get(key, 0) + n
        return calls

    def edges(self) -> Iterator[tuple[int, Site, int]]:
        """Each distinct (caller, site, callee), methods by number, without what roots call."""
        edges = {
            (self.method[parent], site, method)
            for parent, site, method in zip(self.parent, self.site, self.method, strict=True)
            if parent != NONE and self.method[parent] != NONE
        }
        return iter(edges)


def _add_method(tree: Tree, fields: list[str]) -> None:
    loader, class_name, name, descriptor, size, left_out = fields
    key = MethodKey(canonical_class(class_name), name, descriptor, int(size))
    tree.add_method(key, is_application=loader == "a")
    if left_out == "1":
        tree.left_out.add(key)


def read_tree(path: Path) -> Tree:
    """The trees in the oracle's output; VM-internal threads are left out.

    Raises:
        ValueError: the file is not complete: the VM did not reach its death event.
    """
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    if lines[0] != "tree oracle 2" or lines[-2:] != ["end", ""]:
        msg = f"{path}: not a complete output of the tree oracle"
        raise ValueError(msg)
    tree = Tree()
    above: list[int] = []  # the rows of the last context of each depth
    name = ""
    is_own = False
    for line in lines[1:-2]:
        kind, *fields = line.split("\t")
        if kind == "M":
            _add_method(tree, fields)
        elif kind == "T":
            name = fields[2]
            is_own = fields[1] == "0"
            above = [tree.add_thread((fields[0], name))] if is_own else []
        elif not is_own:
            continue
        elif kind == "A":
            tree.anomalies.append(f"thread {name!r}: {fields[0]} {fields[1]}")
        elif kind == "N":
            depth, method, site, n_calls = map(int, fields)
            del above[depth:]
            above.append(tree.add(above[-1], method, max(site, NONE), n_calls))
    return tree
