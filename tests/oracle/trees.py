"""Reads what the shadow-stack oracle wrote: a calling context tree for each thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.steps import MethodKey, canonical_class

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Node", "Site", "ThreadKey", "Trees", "read_trees"]

Site = int | None
"""The offset of the calling instruction; None where there is none, or it is not compared."""

ThreadKey = tuple[str, str]
"""Kind (`platform`, `virtual`) and name; threads of the same name are added up."""


@dataclass
class Node:
    """A calling context: calls of a method from a site of its parent's method."""

    method: MethodKey | None
    n_calls: int = 0
    is_application: bool = False
    children: dict[tuple[Site, MethodKey], Node] = field(default_factory=dict)

    def child(self, site: Site, method: MethodKey, *, is_application: bool) -> Node:
        """The child for a site and a method, made if there is none."""
        node = self.children.get((site, method))
        if node is None:
            node = Node(method, is_application=is_application)
            self.children[site, method] = node
        return node

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first; deep trees are no problem."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children.values())


@dataclass
class Trees:
    """The trees of the threads that the VM did not start for itself, and what went wrong."""

    threads: dict[ThreadKey, Node]
    anomalies: list[str]

    def walk(self) -> Iterator[Node]:
        """Every node but the roots."""
        for root in self.threads.values():
            for node in root.walk():
                if node.method is not None:
                    yield node


def _method(fields: list[str]) -> tuple[MethodKey, bool]:
    loader, class_name, name, descriptor, size = fields
    return MethodKey(canonical_class(class_name), name, descriptor, int(size)), loader == "a"


def read_trees(path: Path) -> Trees:
    """The trees in the oracle's output; VM-internal threads are left out.

    Raises:
        ValueError: the file is not complete: the VM did not reach its death event.
    """
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    if lines[0] != "tree oracle 1" or lines[-2:] != ["end", ""]:
        msg = f"{path}: not a complete output of the tree oracle"
        raise ValueError(msg)
    methods: list[tuple[MethodKey, bool]] = []
    trees = Trees({}, [])
    stack: list[Node] = []
    name = ""
    is_own = False
    for line in lines[1:-2]:
        kind, *fields = line.split("\t")
        if kind == "M":
            methods.append(_method(fields))
        elif kind == "T":
            name = fields[2]
            root = Node(None)
            stack = [root]
            is_own = fields[1] == "0"
            if is_own:
                stack = [trees.threads.setdefault((fields[0], name), root)]
        elif kind == "A" and is_own:
            trees.anomalies.append(f"thread {name!r}: {fields[0]} {fields[1]}")
        elif kind == "N":
            depth, index, site, calls = map(int, fields)
            del stack[depth:]
            method, is_application = methods[index]
            node = stack[-1].child(
                None if site < 0 else site, method, is_application=is_application
            )
            node.n_calls += calls
            stack.append(node)
    return trees
