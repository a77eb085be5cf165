"""Compares the calling context trees of a run with those of the shadow-stack oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.compare import Difference
from oracle.trees import Node, Trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.recorded import Recorded
    from oracle.steps import MethodKey
    from oracle.trees import Site

__all__ = ["compare_trees"]

Role = str
"""What becomes of a node: `keep`; `splice` (its children take its place); `prune` (with them);
`leaf`: kept if a kept method calls it, and its children are spliced."""


def _project(
    root: Node,
    role: Callable[[Node], Role],
    site_of: Callable[[Node, Site, MethodKey], Site],
) -> Node:
    """A copy of a tree in which only some nodes are kept.

    A kept node hangs below the nearest kept one; its site is that of the path's first call, as
    `site_of` sees it from caller, offset and callee.
    """
    copy = Node(root.method, root.n_calls, root.is_application)
    waiting: list[tuple[Node, Node, Site, bool]] = [(root, copy, None, False)]
    while waiting:
        node, parent, inherited, is_spliced = waiting.pop()
        for (site, method), child in node.children.items():
            seen = inherited if is_spliced else site_of(node, site, method)
            what = role(child)
            if what == "keep":
                kept = parent.child(seen, method, is_application=child.is_application)
                kept.n_calls += child.n_calls
                waiting.append((child, kept, None, False))
            elif what == "leaf" and not is_spliced:
                leaf = parent.child(seen, method, is_application=child.is_application)
                leaf.n_calls += child.n_calls
            if what in ("splice", "leaf"):
                waiting.append((child, parent, seen, True))
    return copy


def _compare(name: str, recorded: Node, oracle: Node, differences: list[Difference]) -> int:
    """Compares two trees; of a subtree that only one has, its top alone is reported."""
    n = 0
    waiting = [(recorded, oracle, name)]
    while waiting:
        ours, theirs, path = waiting.pop()
        for key in {**ours.children, **theirs.children}:
            n += 1
            left, right = ours.children.get(key), theirs.children.get(key)
            calls = (left.n_calls if left else 0, right.n_calls if right else 0)
            below = f"{path} > {'' if key[0] is None else f'@{key[0]} '}{key[1]}"
            if calls[0] != calls[1]:
                differences.append(Difference(_shortened(below), *calls))
            if left is not None and right is not None:
                waiting.append((left, right, below))
    return n


def _shortened(path: str, *, keep: int = 5) -> str:
    parts = path.split(" > ")
    return " > ".join(parts if len(parts) <= keep + 1 else [parts[0], "…", *parts[-keep:]])


def _find_main(trees: Trees, main_class: str) -> Node:
    """A root whose only child is the context of `main`."""
    found = Node(None)
    root = trees.threads.get(("platform", "main"), Node(None))
    for node in root.walk():
        method = node.method
        if method is not None and (method.class_name, method.name) == (main_class, "main"):
            found.children[None, method] = node
            break
    return found


def _no_site(_caller: Node, _site: Site, _callee: MethodKey) -> Site:
    return None


def _roots(trees: Trees, main_class: str) -> dict[str, Node]:
    roots = {f"{kind} {name}": root for (kind, name), root in trees.threads.items()}
    roots.pop("platform main", None)
    return {"main": _find_main(trees, main_class), **roots}


def compare_trees(
    recorded: Recorded,
    oracle: Trees,
    main_class: str,
    *,
    application: bool,
    prune: frozenset[MethodKey] = frozenset(),
) -> tuple[int, list[Difference]]:
    """The trees below `main` and of the program's own threads: nodes compared, differences.

    Args:
        recorded: the run.
        oracle: the trees of the oracle.
        main_class: in JVM form.
        application: only the application's methods, each below the nearest of them that called
            it; otherwise all methods that the run has counters for, with their call sites.
        prune: methods that are left out with all that they call. Methods without counters of
            their own are left out too if the oracle saw no call of them at all: the VM replaces
            them even in its interpreter, and tells no agent.
    """
    seen = {node.method for node in oracle.walk()}
    coverage = {m.key: m.coverage for m in recorded.methods}
    roles = {"none": "splice", "leaf": "leaf"}

    def role(node: Node) -> Role:
        covered = coverage.get(node.method, "full") if node.method else "full"
        if node.method in prune or (covered == "leaf" and node.method not in seen):
            return "prune"
        if application:
            return "keep" if node.is_application else "splice"
        return roles.get(covered, "keep")

    def site(caller: Node, at: Site, callee: MethodKey) -> Site:
        """The site of a call of what the instruction names: not of the VM's own calls there."""
        if caller.method is None or at is None or coverage.get(caller.method) == "calls":
            return None
        named = recorded.invokes.get(caller.method, {}).get(at)
        return at if named == (callee.name, callee.descriptor) else None

    differences: list[Difference] = []
    n = 0
    ours = _roots(recorded.trees, main_class)
    theirs = _roots(oracle, main_class)
    for name in {**ours, **theirs}:
        left, right = (
            _project(roots.get(name, Node(None)), role, _no_site if application else site)
            for roots in (ours, theirs)
        )
        n += _compare(name, left, right, differences)
    return n, differences
