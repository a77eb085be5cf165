"""The checks that make contexts a calling context tree, and the sums over it.

Contexts arrive in pre-order, a batch at a time; what is kept is the path to the last one, a few
numbers for each method and block, and the sums of the thread that is being read.
"""

from __future__ import annotations

from array import array
from itertools import repeat
from typing import TYPE_CHECKING, Any, NoReturn

from jvmscope.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmscope.schema.xml.reading.classes import Classes
    from jvmscope.schema.xml.reading.table_files import TableRows

__all__ = ["MAX_DEPTH", "Contexts", "Tree"]

MAX_DEPTH = 16_000_000
"""The deepest context of the flat form; the path to it takes 16 bytes a level."""

_MAX_COUNT = (1 << 63) - 1
_NOBODY = -1


class Contexts:
    """A batch of contexts of one thread as columns; ``parents`` may be None in the nested form."""

    __slots__ = (
        "ancestors", "bytecodes", "calls", "depths", "folded", "keys", "lines", "methods",
        "parents", "sites", "sizes",
    )  # fmt: skip

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.parents: list[int | None] = []
        self.methods: list[int | None] = []
        self.sites: list[int | None] = []
        self.depths: list[int] = []
        self.sizes: list[int] = []
        self.ancestors: list[int | None] = []
        self.folded: list[bool] = []
        self.calls: list[int] = []
        self.bytecodes: list[int] = []
        self.lines: Any = []  # a list, or a range


class Tree:
    """The trees read so far.

    Args:
        classes: what the contexts refer to.
        is_flat: contexts say their parents.
        reject: raises the error of the file, given a reason and a line.
        open_rows: opens a table of the run that is being made.
    """

    def __init__(
        self,
        classes: Classes,
        *,
        is_flat: bool,
        reject: Callable[[str, int], NoReturn],
        open_rows: Callable[[str], TableRows],
    ) -> None:
        self._classes = classes
        self._is_flat = is_flat
        self._reject = reject
        self._thread_method = open_rows("thread_method")
        self._thread_block = open_rows("thread_block")
        self._open_keys = array("i")
        self._open_ends = array("q")
        self._open_methods = array("i")
        self._open_before = array("i")  # latest context of the same method before each opened
        self._latest = array("i", [_NOBODY]) * classes.n_rows["method"]
        self._n_contexts = 0
        self._n_threads = 0
        self._method_sums: dict[int, list[int]] = {}
        self._block_sums: dict[int, int] = {}
        self._totals = {
            "callCount": array("q", [0]) * classes.n_rows["method"],
            "bytecodeCount": array("q", [0]) * classes.n_rows["method"],
            "executionCount": array("q", [0]) * classes.n_rows["basic_block"],
        }

    @property
    def n_contexts(self) -> int:
        """The number of contexts read, and so the next key."""
        return self._n_contexts

    def add(self, batch: Contexts) -> None:
        """Checks a batch; sets its ``parents`` where the form does not say them."""
        given = batch.parents if self._is_flat else repeat(_NOBODY, len(batch.keys))
        parents: list[int | None] = []
        columns = zip(
            batch.keys, given, batch.methods, batch.sites, batch.depths, batch.sizes,
            batch.ancestors, batch.lines, strict=True,
        )  # fmt: skip
        # One loop without calls: it runs for every context of the file.
        keys, ends, methods, latest = (
            self._open_keys, self._open_ends, self._open_methods, self._latest,
        )  # fmt: skip
        callers = self._classes.method_of["call_site"]
        n_methods, n_sites = len(latest), len(callers)
        expected = self._n_contexts
        for key, named, method, site, depth, size, ancestor, line in columns:
            if key != expected:
                self._reject(f"the context has the id {key}, expected {expected}", line)
            expected += 1
            if len(keys) != depth:
                self._close(key, depth, line)
            parent = keys[-1] if depth else None
            if named != parent and named != _NOBODY:  # noqa: PLR1714 - a tuple each time is slow
                self._reject_parent(key, named, parent, line)
            if method is None or depth == 0:
                if method is not None or site is not None or depth != 0:
                    self._reject_root(key, depth, line)
                before = slot = _NOBODY
            else:
                if method >= n_methods:
                    self._reject(f"the context {key} has the method {method}: not there", line)
                if site is not None and (site >= n_sites or callers[site] != methods[-1]):
                    self._reject_site(key, site, line)
                before, slot = latest[method], method
                latest[method] = key
            if (_NOBODY if ancestor is None else ancestor) != before:
                self._reject_ancestor(key, ancestor, before, line)
            if size < 1 or (depth and key + size > ends[-1]):
                self._reject(f"the context {key} has size {size}, more than there is room", line)
            keys.append(key)
            ends.append(key + size)
            methods.append(slot)
            self._open_before.append(before)
            parents.append(parent)
        self._n_contexts = expected
        batch.parents = parents
        self._sum_methods(batch)

    def _sum_methods(self, batch: Contexts) -> None:
        sums = self._method_sums
        for method, calls, bytecodes in zip(
            batch.methods, batch.calls, batch.bytecodes, strict=True
        ):
            if method is not None:
                found = sums.get(method)
                if found is None:
                    sums[method] = [calls, bytecodes]
                else:
                    found[0] += calls
                    found[1] += bytecodes

    def sum_blocks(self, keys: Sequence[int], executions: Sequence[int]) -> None:
        """Adds executions of blocks to the sums of the thread."""
        sums = self._block_sums
        get = sums.get
        for key, n in zip(keys, executions, strict=True):
            sums[key] = get(key, 0) + n

    def end_thread(self, line: int) -> None:
        """Checks that the thread's tree is whole, and writes its sums."""
        self._close(self._n_contexts, 0, line)
        thread = self._n_threads
        for method, (calls, bytecodes) in sorted(self._method_sums.items()):
            self._total("callCount", method, calls, line)
            self._total("bytecodeCount", method, bytecodes, line)
            self._thread_method.append((thread, method, calls, bytecodes))
        for block, executions in sorted(self._block_sums.items()):
            self._total("executionCount", block, executions, line)
            self._thread_block.append((thread, block, executions))
        self._method_sums.clear()
        self._block_sums.clear()
        self._n_threads += 1

    def check_sums(self) -> None:
        """Compares the sums with those that ``classes.xml`` gives.

        Raises:
            RunError: a sum is another one.
        """
        classes = self._classes
        for name, totals in self._totals.items():
            is_block = name == "executionCount"
            lines = classes.lines["basic_block" if is_block else "method"]
            for key, (expected, total) in enumerate(
                zip(classes.expected[name], totals, strict=True)
            ):
                if expected not in (_NOBODY, total):
                    what = "basic block" if is_block else "method"
                    raise RunError(
                        f"{classes.path}:{lines[key]}: error: the {what} {key} has the {name} "
                        f"{expected}, the contexts of the other file sum to {total}"
                    )

    def _total(self, name: str, key: int, n: int, line: int) -> None:
        total = self._totals[name][key] + n
        if total > _MAX_COUNT:
            self._reject(f"the {name} of a method or block sums to {total}: too large", line)
        self._totals[name][key] = total

    def _close(self, key: int, depth: int, line: int) -> None:
        """Closes the contexts that the next one, of the given depth, is not inside."""
        if depth > len(self._open_keys):
            self._reject(
                f"the context {key} has depth {depth}, expected at most {len(self._open_keys)}",
                line,
            )
        if depth > MAX_DEPTH:
            self._reject(f"the context {key} is more than {MAX_DEPTH} deep", line)
        while len(self._open_keys) > depth:
            closed = self._open_keys.pop()
            end = self._open_ends.pop()
            if end != key:
                self._reject(
                    f"the context {closed} has size {end - closed}, expected {key - closed}: "
                    f"the context {key} is the first that is not inside it",
                    line,
                )
            method = self._open_methods.pop()
            before = self._open_before.pop()
            if method != _NOBODY:
                self._latest[method] = before

    def _reject_parent(self, key: int, named: int | None, parent: int | None, line: int) -> None:
        self._reject(
            f"the context {key} has the parent {named}, expected {parent}, the last one above it",
            line,
        )

    def _reject_root(self, key: int, depth: int, line: int) -> None:
        if depth == 0:
            self._reject(f"the context {key} has depth 0, so no method and no call site", line)
        self._reject(f"the context {key} has no method, and is not the root of a thread", line)

    def _reject_site(self, key: int, site: int, line: int) -> None:
        self._reject(
            f"the context {key} has the call site {site}, which is not one of its parent's method",
            line,
        )

    def _reject_ancestor(self, key: int, ancestor: int | None, before: int, line: int) -> None:
        expected = None if before == _NOBODY else before
        self._reject(
            f"the context {key} has the ancestor {ancestor}, expected {expected}, the nearest "
            "above of its method",
            line,
        )
