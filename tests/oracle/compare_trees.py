"""Compares the calling context trees of a run with those of the shadow-stack oracle."""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from typing import TYPE_CHECKING

from oracle.compare import Difference
from oracle.trees import NONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.recorded import Recorded
    from oracle.steps import MethodKey
    from oracle.trees import Site, Tree

__all__ = ["compare_trees"]

_MAIN = ("platform", "main")
_OUTSIDE = -1  # in the main thread, not below `main`
_LEFT_OUT = -2


class _Role(Enum):
    """What becomes of a method's contexts."""

    KEEP = "keep"
    SPLICE = "what they call takes their place"
    LEAF = "kept if a kept method calls them; what they call takes their place"
    PRUNE = "left out with all that they call"


class _Places:
    """Numbers the places in both trees: equal (place above, site, method) have one number.

    A place's number is greater than that of the place above it.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, Site, int], int] = {}
        self._keys: list[tuple[int, Site, int]] = []
        self._methods: dict[MethodKey | str, int] = {}
        self._texts: list[str] = []

    def __len__(self) -> int:
        return len(self._keys)

    def method(self, method: MethodKey | str) -> int:
        """The number of a method, or of a root by its text, the same in both trees."""
        number = self._methods.setdefault(method, len(self._methods))
        if number == len(self._texts):
            self._texts.append(str(method))
        return number

    def root(self, text: str) -> int:
        """The number of a root."""
        return self.of(NONE, NONE, self.method(text))

    def of(self, above: int, site: Site, method: int) -> int:
        """The number of a place; `above` is NONE for a root."""
        key = (above, site, method)
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def above(self, place: int) -> int:
        """The place above a place."""
        return self._keys[place][0]

    def text(self, place: int, *, n_shown: int = 6) -> str:
        """The root and the last methods of the path to a place, with their sites."""
        path = []
        while place != NONE:
            place, site, method = self._keys[place]
            path.append(f"{'' if site == NONE else f'@{site} '}{self._texts[method]}")
        path.reverse()
        return " > ".join(path if len(path) <= n_shown else [path[0], "…", *path[1 - n_shown :]])


class _Projection:
    """A tree in which only some contexts are kept, each below the nearest kept one above it.

    The site of a kept context is that of the path's first call, as `site_of` sees it from the
    numbers of caller and callee and the offset.
    """

    def __init__(
        self,
        tree: Tree,
        places: _Places,
        roles: list[_Role],
        site_of: Callable[[int, Site, int], Site],
    ) -> None:
        self._tree = tree
        self._places = places
        self._roles = roles
        self._site_of = site_of
        self._numbers = [places.method(key) for key in tree.methods]
        self._below: list[int] = []  # by row: the place that what it calls is put below
        self._first: list[Site | None] = []  # by row: site of the first call, if spliced

    def calls_by_place(self, main_class: str) -> dict[int, int]:
        """Calls below `main` and in the program's other threads, by place."""
        tree = self._tree
        mains = {i for i, key in enumerate(tree.methods) if _is_main(key, main_class)}
        calls: dict[int, int] = defaultdict(int)
        for row, (parent, method) in enumerate(zip(tree.parent, tree.method, strict=True)):
            first: Site | None = None
            below = self._root(row) if parent == NONE else self._below[parent]
            if parent != NONE and below == _OUTSIDE and method in mains:
                below = self._places.of(self._places.root("main"), NONE, self._numbers[method])
                calls[below] += tree.n_calls[row]
            elif parent != NONE and below >= 0:
                below, first = self._place(row, calls)
            self._below.append(below)
            self._first.append(first)
        return calls

    def _root(self, row: int) -> int:
        thread = self._tree.threads.get(row)
        if thread is None:
            return _LEFT_OUT
        if thread == _MAIN:
            return _OUTSIDE
        return self._places.root(" ".join(thread))

    def _place(self, row: int, calls: dict[int, int]) -> tuple[int, Site | None]:
        """Counts a row's calls; what its callees go below, and their site if it is spliced."""
        tree = self._tree
        parent, method = tree.parent[row], tree.method[row]
        role, above, site = self._roles[method], self._below[parent], self._first[parent]
        if role is _Role.PRUNE:
            return _LEFT_OUT, None
        is_direct = site is None
        if site is None:
            site = self._site_of(tree.method[parent], tree.site[row], method)
        if role is _Role.KEEP or (role is _Role.LEAF and is_direct):
            place = self._places.of(above, site, self._numbers[method])
            calls[place] += tree.n_calls[row]
            if role is _Role.KEEP:
                return place, None
        return above, site


def _is_main(key: MethodKey, main_class: str) -> bool:
    return key.name == "main" and key.class_name == main_class


def _differences(
    places: _Places, recorded: dict[int, int], oracle: dict[int, int]
) -> list[Difference]:
    """The topmost places whose calls differ."""
    differs: set[int] = set()
    differences = []
    for place in range(len(places)):
        pair = (recorded.get(place, 0), oracle.get(place, 0))
        if places.above(place) in differs:
            differs.add(place)
        elif pair[0] != pair[1]:
            differs.add(place)
            differences.append(Difference(places.text(place), *pair))
    return differences


def compare_trees(
    recorded: Recorded,
    oracle: Tree,
    main_class: str,
    *,
    application: bool,
    prune: frozenset[MethodKey] = frozenset(),
) -> tuple[int, list[Difference]]:
    """The trees below `main` and of the program's own threads: contexts, topmost differences.

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
    seen = oracle.called().keys() | oracle.left_out
    places = _Places()
    coverage = recorded.coverage

    def role(key: MethodKey, *, is_application: bool) -> _Role:
        covered = coverage.get(key, "full")
        if key in prune or (covered == "leaf" and key not in seen):
            return _Role.PRUNE
        if application:
            return _Role.KEEP if is_application else _Role.SPLICE
        return {"none": _Role.SPLICE, "leaf": _Role.LEAF}.get(covered, _Role.KEEP)

    def calls(tree: Tree) -> dict[int, int]:
        pairs = zip(tree.methods, tree.is_application, strict=True)
        roles = [role(key, is_application=is_application) for key, is_application in pairs]
        site_of = _no_site if application else _named_site(tree, recorded)
        return dict(_Projection(tree, places, roles, site_of).calls_by_place(main_class))

    ours, theirs = calls(recorded.tree), calls(oracle)
    return len(ours.keys() | theirs.keys()), _differences(places, ours, theirs)


def _no_site(_caller: int, _site: Site, _callee: int) -> Site:
    return NONE


def _named_site(tree: Tree, recorded: Recorded) -> Callable[[int, Site, int], Site]:
    """The site of a call of what the instruction names: not of the VM's own calls there."""
    coverage = recorded.coverage
    known: dict[tuple[int, Site, int], Site] = {}

    def find(caller: int, at: Site, callee: int) -> Site:
        if NONE in (caller, at) or coverage.get(tree.methods[caller]) == "calls":
            return NONE
        named = recorded.invokes.get(tree.methods[caller], {}).get(at)
        key = tree.methods[callee]
        return at if named == (key.name, key.descriptor) else NONE

    def site_of(caller: int, at: Site, callee: int) -> Site:
        triple = (caller, at, callee)
        if triple not in known:
            known[triple] = find(*triple)
        return known[triple]

    return site_of
